/**
 * Goal: a database of any shape gives what its maker wrote into it, and a file that is damaged, cut
 * short or something else is refused in words; it never throws and never hangs.
 * Method: made-up files read by us and by maxmind's reader; every cut and thousands of wounds.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Reader, type Response } from 'maxmind';
import { describe, expect, test } from 'vitest';
import { IP_WORD_COUNT, readIpWords } from '../../../src/base/ip-words.ts';
import { AddressTree, NO_LEAF } from '../../../src/ingest/place/address-tree.ts';
import { DataSection } from '../../../src/ingest/place/data-section.ts';
import { bundledDatabase } from '../../../src/ingest/place/locate.ts';
import { NOWHERE } from '../../../src/ingest/place/place.ts';
import { openDatabase, type PlaceDatabase } from '../../../src/ingest/place/place-database.ts';
import { databaseOf, encodeNode, type MadeDatabase, type MadeValue } from '../../support/mmdb.ts';
import { tries } from '../../support/runs.ts';

const BERLIN: MadeValue = { country_code: 'DE', state1: 'Land Berlin', city: 'Berlin (Mitte)' };
const OAKLAND: MadeValue = {
  ...{ continent: { code: 'NA', names: { de: 'Nordamerika', en: 'North America' } } },
  ...{ country: { iso_code: 'US', is_in_european_union: false, names: { en: 'United States' } } },
  ...{ location: { latitude: 37.8, longitude: -122.25 }, postal: { code: '94607' } },
  subdivisions: [{ iso_code: 'CA', names: { en: 'California' } }, { iso_code: 'X' }],
  city: { geoname_id: 5_378_538, names: { de: 'Oakland', en: 'Oakland' } },
};
const CITIES: MadeDatabase = {
  ...{ recordSize: 28, ipVersion: 6, type: 'Made-City', builtSeconds: 1_700_000_000 },
  networks: [
    { address: 0x0102_0000, length: 16, record: BERLIN },
    { address: 0x0203_0400, length: 24, record: OAKLAND },
    { address: '2001:db8::', length: 32, record: OAKLAND },
    { address: '2a00:1:2::', length: 48, record: BERLIN },
  ],
};

describe('a database of cities', () => {
  const database = open(databaseOf(CITIES));

  test('gives places of IPv4 and IPv6, nested and flat (I-87)', () => {
    const berlin = { country: 'de', region: 'Land Berlin', city: 'Berlin' };
    const oakland = { country: 'us', region: 'California', city: 'Oakland (CA)' };
    expect(database.placeOfIpv4(0x0102_ffff)).toEqual(berlin);
    expect(database.placeOfIpv4(0x0203_0400)).toEqual(oakland);
    expect(database.placeOfIpv4(0x0203_0500)).toBe(NOWHERE);
    expect(ofIpv6(database, '2001:db8:ffff::1')).toEqual(oakland);
    expect(ofIpv6(database, '2a00:1:2:3::4')).toEqual(berlin);
    expect(ofIpv6(database, '2a00:1:3::')).toBe(NOWHERE);
  });

  test('says what it is and what it holds', () => {
    expect(database.describe()).toEqual({
      ...{ type: 'Made-City', builtMs: 1_700_000_000_000, addresses: 'IPv4 and IPv6' },
    });
    expect(database.check()).toEqual({
      ...{ recordCount: 4, hasCountries: true, hasRegions: true, hasCities: true },
    });
  });

  test.each([
    [4, 'IPv4'],
    [6, 'IPv6'],
  ])('of one sort of addresses says so (IPv%i)', (ipVersion, addresses) => {
    const networks = CITIES.networks.filter(
      ({ address }) => (typeof address === 'number') === (ipVersion === 4),
    );
    const one = open(databaseOf({ ...CITIES, ipVersion, networks }));
    expect(one.describe().addresses).toBe(addresses);
    expect([one.hasIpv4, one.hasIpv6]).toEqual([ipVersion === 4, ipVersion === 6]);
  });

  test('is read from memory that threads share', () => {
    const bytes = databaseOf(CITIES);
    const shared = new SharedArrayBuffer(bytes.length);
    Buffer.from(shared).set(bytes);
    expect(open(Buffer.from(shared)).placeOfIpv4(0x0102_0000).city).toBe('Berlin');
  });
});

describe('values of any kind', () => {
  const value = fc.letrec<{ value: MadeValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ maxLength: 400 }),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      fc.boolean(),
      fc.double({ noNaN: true, noInteger: true }),
      fc.array(tie('value'), { maxLength: 40 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('value'), { maxKeys: 5 }),
    ),
  })).value;

  test("are read as maxmind's reader does, and of maps the members that are wanted", () => {
    fc.assert(
      fc.property(value, fc.dictionary(fc.constantFrom('a', 'b', 'c'), value), (any, members) => {
        const record = { ...members, city: 'here', any };
        const bytes = databaseOf({
          ...CITIES,
          networks: [{ address: 0, length: 1, record }],
        });
        const reader = new Reader<Response>(bytes);
        expect(reader.get('1.2.3.4')).toEqual(record);
        const section = sectionOf(bytes);
        expect(section.read(0, new Set(['city', 'b']))).toEqual({
          city: 'here',
          ...('b' in members ? { b: filtered(members['b']!) } : {}),
        });
      }),
      tries(400),
    );
  });

  test('end somewhere: a list of a list of itself is damage, not a hang', () => {
    // A list of two pointers to itself.
    const bytes = Buffer.from([0x02, 0x04, 0x20, 0x00, 0x20, 0x00]);
    expect(new DataSection(bytes, 0, bytes.length).read(0, null)).toBeNull();
    // A map that claims 16 million members.
    const map = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x41, 0x61, 0x41, 0x62]);
    expect(new DataSection(map, 0, map.length).read(0, null)).toBeNull();
    for (const first of Array.from({ length: 256 }, (_, byte) => byte)) {
      const any = Buffer.from([first, 0, 0]);
      expect(() => new DataSection(any, 0, 3).read(0, null)).not.toThrow();
    }
  });
});

describe('a file that is no whole database', () => {
  const whole = databaseOf(CITIES);

  test('cut at any byte is refused', () => {
    for (let length = 0; length < whole.length; length++) {
      const opened = openDatabase(whole.subarray(0, length));
      // Behind the marker there is metadata: what is left of it does not say enough.
      expect([length, 'fault' in opened]).toEqual([length, true]);
    }
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'is not in the MMDB format, or its end is missing'],
    [
      'a text',
      Buffer.from('{"city": "Berlin"}'),
      'is not in the MMDB format, or its end is missing',
    ],
    ['a packed file', gzipSync(databaseOf(CITIES)), 'is compressed: unpack it first'],
    [
      'a tree that is longer than the file',
      databaseOf({ ...CITIES, nodeCount: 100_000 }),
      'is cut short: its tree is longer than the file',
    ],
  ])('%s is told in words', (_what, bytes, fault) => {
    const opened = openDatabase(bytes);
    expect('fault' in opened ? opened.fault : '').toBe(fault);
  });

  test.each([
    ['record_size', { recordSize: 25 }],
    ['ip_version', { ipVersion: 5 }],
  ])('with a strange %s is told in words', (name, strange) => {
    const patched = Buffer.from(whole);
    const at = patched.lastIndexOf(name) + name.length;
    // A control byte of four bytes, then the number.
    patched.writeUInt32BE(Object.values(strange)[0]!, at + 2);
    expect(openDatabase(patched)).toEqual({ fault: 'has damaged metadata' });
  });

  test('of networks without countries is no database of places', () => {
    const asn = { autonomous_system_number: 64_512, autonomous_system_organization: 'Example' };
    const networks = [{ address: 0, length: 1, record: asn }];
    const database = open(databaseOf({ ...CITIES, networks }));
    expect(database.check()).toBe('knows no countries: it is no database of places');
  });

  test('with data cut out of its middle is damaged', () => {
    const start = whole.indexOf('Land Berlin') - 1;
    const end = whole.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1');
    const cut = Buffer.concat([whole.subarray(0, start), whole.subarray(end)]);
    const check = open(cut).check();
    expect(check).toMatch(/^is damaged: \d of its records cannot be read$/);
  });

  test('with any byte changed is refused or asked without harm', () => {
    const random = fc.sample(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), tries(8_000));
    let refused = 0;
    for (const [at, byte] of random) {
      const wounded = Buffer.from(whole);
      wounded[at] = byte;
      const opened = openDatabase(wounded);
      if ('fault' in opened || typeof opened.database.check() === 'string') refused++;
      if ('fault' in opened) continue;
      for (const address of [0x0102_0304, 0x0203_0405, 0xffff_ffff]) {
        expect(() => opened.database.placeOfIpv4(address)).not.toThrow();
      }
      if (opened.database.hasIpv6) ofIpv6(opened.database, '2001:db8::1');
    }
    expect(refused).toBeGreaterThan(random.length / 100);
  });
});

test('the bundled database is sound', () => {
  const database = open(readFileSync(bundledDatabase()));
  const { recordCount, hasCountries, hasCities } = found(database.check());
  expect(recordCount).toBeGreaterThan(240);
  expect([hasCountries, hasCities]).toEqual([true, false]);
});

describe('a tree of one node', () => {
  const max = (bits: number) => 2 ** bits - 1;
  const shapeOf = (recordSize: number) => ({ nodeCount: 1, recordSize, ipVersion: 4 });

  test.each([
    [24, 2, max(24)],
    [24, max(24), 0x80_00_01],
    [28, 2, max(28)],
    [28, max(28), 0x8_00_00_01],
    [32, 2, max(32)],
    [32, max(32), 0x80_00_00_01],
  ])('of %i bits a record has the leaves %i and %i', (recordSize, left, right) => {
    const tree = new AddressTree(encodeNode(recordSize, [left, right]), shapeOf(recordSize));
    expect([0, 0x7fff_ffff].map((address) => tree.leafOf(address))).toEqual([left, left]);
    expect([0x8000_0000, max(32)].map((address) => tree.leafOf(address))).toEqual([right, right]);
    const leaves: number[] = [];
    tree.forEachLeaf((leaf) => leaves.push(leaf));
    expect(leaves).toEqual([left, right]);
  });

  test.each([24, 28, 32])(
    'of %i bits a record knows of nothing, or leads nowhere',
    (recordSize) => {
      const tree = new AddressTree(encodeNode(recordSize, [1, 0]), shapeOf(recordSize));
      expect([tree.leafOf(0), tree.leafOf(max(32))]).toEqual([NO_LEAF, NO_LEAF]);
    },
  );
});

function open(bytes: Buffer): PlaceDatabase {
  const opened = openDatabase(bytes);
  if ('fault' in opened) throw new Error(`it ${opened.fault}`);
  return opened.database;
}

function ofIpv6(database: PlaceDatabase, text: string) {
  const words = new Uint32Array(IP_WORD_COUNT);
  expect(readIpWords(text, words)).toBe(6);
  return database.placeOfIpv6(words);
}

function found<Contents>(check: Contents | string): Contents {
  if (typeof check === 'string') throw new Error(`it ${check}`);
  return check;
}

/** The data section of a file whose first record stands at its start. */
function sectionOf(bytes: Buffer): DataSection {
  const end = bytes.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1');
  const { metadata } = new Reader<Response>(bytes) as unknown as {
    metadata: { searchTreeSize: number };
  };
  return new DataSection(bytes, metadata.searchTreeSize + 16, end);
}

/** As reading with `city` and `b` leaves it: no other members, and no truth values. */
function filtered(value: MadeValue): unknown {
  if (typeof value === 'boolean') return undefined;
  // Doubles are read past: no place is made of one.
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (Array.isArray(value)) return value.map(filtered);
  if (typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([key]) => key === 'city' || key === 'b');
  return Object.fromEntries(members.map(([key, member]) => [key, filtered(member)]));
}
