/**
 * Goal: addresses become places (I-87), and the walked tree says what maxmind's reader says.
 * Method: the bundled databases, records as rows, and a readable twin through the reader on random
 * addresses, on the edges of ranges and on made-up databases of every record size.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Reader, type Response } from 'maxmind';
import { afterAll, describe, expect, test } from 'vitest';
import { NOT_IPV4, parseIpv4 } from '../../../src/base/ip-words.ts';
import { US_STATES } from '../../../src/ingest/data/us-states.ts';
import { AddressTree, NO_LEAF } from '../../../src/ingest/place/address-tree.ts';
import { type Locate, openLocator, placeOf } from '../../../src/ingest/place/locate.ts';
import { tries } from '../../support/runs.ts';
import { databaseOf, encodeNode } from '../../support/traffic/place-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'footfall-locate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country';

const asText = (address: number) =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const ipv4 = u32.map(asText);
const part = fc.oneof(
  fc.integer({ min: -1, max: 300 }).map(String),
  fc.constantFrom('', '00', '01'),
);
const anyText = fc.oneof(
  ipv4,
  fc.ipV6(),
  fc.tuple(fc.constantFrom('::ffff:', '::FFFF:', '::fFfF:', '::ffff'), ipv4).map((t) => t.join('')),
  fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
  fc.string({ unit: fc.constantFrom('0', '1', '25', '.', ':', 'f', '%', ' '), maxLength: 18 }),
  fc.string(),
);

describe('the bundled database', () => {
  const locate = openLocator(null);

  test.each([
    ['8.8.8.8', 'us'],
    ['2001:4860:4860::8888', 'us'],
    ['::ffff:8.8.8.8', 'us'],
    ['::FFFF:8.8.8.8', 'us'],
    ['81.2.69.142', 'gb'],
    ['127.0.0.1', ''],
    ['10.0.0.1', ''],
    ['::1', ''],
    ['unknown', ''],
    ['', ''],
    ['8.8.8', ''],
    ['8.8.8.8.8', ''],
    ['8.8.8.255', 'us'],
    ['8.8.8.256', ''],
    ['8.8.8.08', ''],
    ['8.8..8', ''],
    ['8.8.8.8.', ''],
    [' 8.8.8.8', ''],
    ['8.8.8.8%eth0', ''],
    ['::ffff:8.8.8.08', ''],
    ['::ffff:', ''],
    ['::fff:8.8.8.8', ''],
  ])('knows %j to be in %j, and no region or city (I-87)', (ip, country) => {
    expect(locate(ip)).toEqual({ country, region: '', city: '' });
    expect(locate(ip)).toEqual({ country, region: '', city: '' });
  });
});

test('a database of IPv4 only knows no place of an IPv6 address (I-87)', () => {
  const path = createRequire(import.meta.url).resolve(`${BUNDLED}-ipv4.mmdb`);
  expect(openLocator(path)('8.8.8.8').country).toBe('us');
  expect(openLocator(path)('2001:4860:4860::8888').country).toBe('');
});

describe('the walk of the tree, against its twin through the reader', () => {
  const require = createRequire(import.meta.url);

  test.each([
    ['country', `${BUNDLED}.mmdb`],
    ['IPv4', `${BUNDLED}-ipv4.mmdb`],
    ['IPv6', `${BUNDLED}-ipv6.mmdb`],
  ])('the bundled %s database gives the same place for any text (I-87)', (_name, file) => {
    const path = require.resolve(file);
    const [locate, twin] = [openLocator(path), twinOf(path)];
    fc.assert(
      fc.property(anyText, (text) => {
        expect(locate(text)).toEqual(twin(text));
      }),
      tries(5_000),
    );
  });

  test('a range of the bundled database begins and ends where the reader says (I-87)', () => {
    const path = require.resolve(`${BUNDLED}.mmdb`);
    const [locate, twin] = [openLocator(path), twinOf(path)];
    const reader = readerOf(path);
    fc.assert(
      fc.property(u32, (address) => {
        const length = reader.getWithPrefixLength(asText(address))[1];
        const size = 2 ** (32 - length);
        const first = address - (address % size);
        // Past either end of IPv4 the number wraps around: an address like any other.
        for (const edge of [first - 1, first, first + size - 1, first + size]) {
          const text = asText(edge);
          expect([text, locate(text)]).toEqual([text, twin(text)]);
        }
      }),
      tries(5_000),
    );
  });

  test.each(
    [24, 28, 32].flatMap((recordSize) => [4, 6].map((ipVersion) => ({ recordSize, ipVersion }))),
  )('records of $recordSize bits in a tree for IPv$ipVersion are read alike (I-87)', (shape) => {
    const path = join(folder, `${shape.recordSize}-${shape.ipVersion}.mmdb`);
    const network = fc.record({ address: u32, length: fc.integer({ min: 1, max: 32 }) });
    fc.assert(
      fc.property(fc.array(network, { maxLength: 30 }), fc.array(u32), (networks, others) => {
        writeFileSync(path, databaseOf({ ...shape, networks: inCountries(networks) }));
        const [locate, twin] = [openLocator(path), twinOf(path)];
        const edges = networks.flatMap(({ address, length }) => {
          const size = 2 ** (32 - length);
          const first = address - (address % size);
          return [first - 1, first, first + size - 1, first + size];
        });
        for (const text of [...edges, ...others].map(asText)) {
          expect([text, locate(text)]).toEqual([text, twin(text)]);
          expect(locate(`::ffff:${text}`)).toEqual(twin(`::ffff:${text}`));
        }
      }),
      tries(),
    );
  });

  test('all of IPv4 may be one leaf of a tree for IPv6 (I-87)', () => {
    const path = join(folder, 'one-leaf.mmdb');
    const networks = inCountries([{ address: 0, length: 0 }]);
    writeFileSync(path, databaseOf({ recordSize: 24, ipVersion: 6, networks }));
    const locate = openLocator(path);
    const [first, last, beyond] = ['0.0.0.0', '255.255.255.255', '::1:0:0'].map(locate);
    expect([first, last, beyond]).toEqual([PLACE_AA, PLACE_AA, placeOf(null)]);
  });
});

describe('a tree of one node', () => {
  const max = (bits: number) => 2 ** bits - 1;

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
  });

  test.each([24, 28, 32])(
    'of %i bits a record knows of nothing, or leads nowhere',
    (recordSize) => {
      const tree = new AddressTree(encodeNode(recordSize, [1, 0]), shapeOf(recordSize));
      expect([tree.leafOf(0), tree.leafOf(max(32))]).toEqual([NO_LEAF, NO_LEAF]);
    },
  );

  const shapeOf = (recordSize: number) => ({ nodeCount: 1, recordSize, ipVersion: 4 });
});

describe('a text', () => {
  test('is an IPv4 address exactly when node says so, and that address', () => {
    const bytesOf = (text: string) => Uint8Array.from(text.split('.').map(Number)).buffer;
    fc.assert(
      fc.property(anyText, (text) => {
        const address = isIP(text) === 4 ? new DataView(bytesOf(text)).getUint32(0) : NOT_IPV4;
        expect(parseIpv4(text, 0)).toBe(address);
        expect(parseIpv4(`::${text}`, 2)).toBe(address);
      }),
      tries(5_000),
    );
  });
});

describe('a record of a city database', () => {
  const california = { iso_code: 'CA', names: { en: 'California', de: 'Kalifornien' } };

  test.each([
    [
      {
        country: { iso_code: 'US' },
        subdivisions: [california],
        city: { names: { en: 'San Francisco' } },
      },
      ['us', 'California', 'San Francisco (CA)'],
    ],
    [
      {
        country: { iso_code: 'US' },
        subdivisions: [{ names: { en: 'New York' } }],
        city: { names: { en: 'Albany' } },
      },
      ['us', 'New York', 'Albany (NY)'],
    ],
    [
      { country: { iso_code: 'US' }, city: { names: { en: 'Springfield' } } },
      ['us', '', 'Springfield'],
    ],
    [{ country: { iso_code: 'US' }, subdivisions: [california] }, ['us', 'California', '']],
    [
      {
        country: { iso_code: 'DE' },
        subdivisions: [{ iso_code: 'BE', names: { en: 'Land Berlin' } }],
        city: { names: { de: 'B', en: 'Berlin' } },
      },
      ['de', 'Land Berlin', 'Berlin'],
    ],
    [
      { country_code: 'US', state1: 'California', city: 'San Francisco' },
      ['us', 'California', 'San Francisco (CA)'],
    ],
    [{ country_code: 'GB', state1: 'England', city: 'London' }, ['gb', 'England', 'London']],
    [{ country_code: 'GB' }, ['gb', '', '']],
    [{ country: { iso_code: 'XYZ' } }, ['', '', '']],
    [{ city: { names: { de: 'Berlin' } } }, ['', '', '']],
    [{}, ['', '', '']],
    [null, ['', '', '']],
  ])('%j is the place %j (I-87)', (record, [country, region, city]) => {
    expect(placeOf(record)).toEqual({ country, region, city });
  });

  test('knows the code of 50 states and the federal district', () => {
    expect(US_STATES.size).toBe(51);
    expect(new Set(US_STATES.values()).size).toBe(51);
    expect(US_STATES.get('District of Columbia')).toBe('DC');
  });
});

describe('a location database that cannot be read', () => {
  test('is an operating error that names the file', () => {
    const garbage = join(folder, 'garbage.mmdb');
    writeFileSync(garbage, 'not a database at all');
    for (const path of [garbage, join(folder, 'missing.mmdb'), folder]) {
      const failure = expect.objectContaining({
        code: 'LOCATION_DATABASE_UNREADABLE',
        message: expect.stringContaining(path),
      });
      expect(() => openLocator(path)).toThrow(failure);
    }
  });

  test('has a tree longer than the file', () => {
    const path = join(folder, 'cut.mmdb');
    const networks = inCountries([{ address: 0, length: 8 }]);
    const whole = { recordSize: 24, ipVersion: 4, networks };
    writeFileSync(path, databaseOf({ ...whole, nodeCount: 10_000 }));
    expect(() => openLocator(path)).toThrow('its tree is longer than the file');
  });
});

function readerOf(path: string): Reader<Response> {
  return new Reader<Response>(readFileSync(path));
}

/** The readable way: every address through the reader, nothing remembered. */
function twinOf(path: string): Locate {
  const reader = readerOf(path);
  return (ip) => {
    if (isIP(ip) === 0) return placeOf(null);
    const unmapped = ip.replace(/^::ffff:/i, '');
    if (isIP(unmapped) === 4) return placeOf(reader.get(unmapped));
    // A database of IPv4 knows no IPv6 address, whatever its reader makes of the first 32 bits.
    return placeOf(reader.metadata.ipVersion === 4 ? null : reader.get(ip));
  };
}

const PLACE_AA = { country: 'aa', region: '', city: '' };

/** The first network is in the country `aa`, the next in `ab`. */
function inCountries(networks: readonly { address: number; length: number }[]) {
  return networks.map((network, ordinal) => {
    const letters = [Math.trunc(ordinal / 26), ordinal % 26].map((letter) => 0x61 + letter);
    return { ...network, record: { country_code: String.fromCharCode(...letters) } };
  });
}
