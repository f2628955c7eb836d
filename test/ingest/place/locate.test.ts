/**
 * Goal: addresses become places (I-87), and the walked tree says what maxmind's reader says.
 * Method: the bundled databases and a readable twin through the reader on random addresses, on the
 * edges of ranges and on made-up databases of every record size; several databases; another set.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Reader, type Response } from 'maxmind';
import { afterAll, describe, expect, test } from 'vitest';
import { readIpWords } from '../../../src/base/ip-words.ts';
import {
  bundledDatabase,
  type Locate,
  Locator,
  openFile,
  openLocator,
} from '../../../src/ingest/place/locate.ts';
import { placeOf } from '../../../src/ingest/place/place.ts';
import { databaseOf, type MadeNetwork } from '../../support/mmdb.ts';
import { tries } from '../../support/runs.ts';
import { anyAddressText, asText, u32 } from '../../support/traffic/addresses.ts';

const folder = mkdtempSync(join(tmpdir(), 'footfall-locate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country';

describe('the bundled database', () => {
  const locate = openLocator([]);

  test.each([
    ['8.8.8.8', 'us'],
    ['2001:4860:4860::8888', 'us'],
    ['::ffff:8.8.8.8', 'us'],
    ['::FFFF:8.8.8.8', 'us'],
    ['::ffff:808:808', 'us'],
    ['0:0:0:0:0:ffff:808:808', 'us'],
    ['64:ff9b::8.8.8.8', 'us'],
    ['81.2.69.142', 'gb'],
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
    ['2001:4860:4860::8888%eth0', 'us'],
    ['::ffff:8.8.8.08', ''],
    ['::ffff:', ''],
    ['::fff:8.8.8.8', ''],
  ])('knows %j to be in %j, and no region or city (I-87)', (ip, country) => {
    expect(locate(ip)).toEqual({ country, region: '', city: '' });
    expect(locate(ip)).toEqual({ country, region: '', city: '' });
  });
});

describe('private, loopback, link-local and shared addresses', () => {
  const everywhere = inPlace('everywhere', [
    { address: 0, length: 1, record: { country_code: 'AU' } },
    { address: 0x8000_0000, length: 1, record: { country_code: 'AU' } },
    ...[0, 0x8000, 0x4000, 0xc000].map((high) => ({
      ...{ address: `${high.toString(16)}::1`, length: 2, record: { country_code: 'AU' } },
    })),
  ]);
  const locate = openLocator([everywhere]);

  test.each([
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '127.0.0.1', '169.254.169.254'],
    ...['100.64.0.1', '100.127.255.255', 'fc00::1', 'fd12:3456::1', 'fe80::1', '::1'],
    ...['::ffff:192.168.1.1', '::ffff:c0a8:101', '::FFFF:127.0.0.1', '64:ff9b::10.0.0.1'],
  ])('such as %s have no country, whatever the database says (I-87)', (ip) => {
    expect(locate(ip)).toEqual({ country: '', region: '', city: '' });
  });

  test.each([
    ...['9.255.255.255', '11.0.0.0', '172.32.0.1', '192.169.1.1', '128.0.0.1', '100.128.0.1'],
    ...['100.63.0.1', '2001:db8::1', 'fec0::1', '::ffff:192.169.1.1'],
  ])('are not those beside them: %s has one (I-87)', (ip) => {
    expect(locate(ip).country).toBe('au');
  });

  test('192.168.0.0/16 is not in Australia, as the bundled database says (I-87)', () => {
    const reader = new Reader<Response>(readFileSync(bundledDatabase()));
    expect(reader.get('192.168.1.1')).toEqual({ country_code: 'AU' });
    expect(openLocator([])('192.168.1.1').country).toBe('');
  });
});

describe('several databases', () => {
  const one = inPlace('one', [
    { address: 0x0101_0000, length: 16, record: { country_code: 'DE', city: 'Bonn' } },
    // Knows the network, but no place of it.
    { address: 0x0202_0000, length: 16, record: { autonomous_system_number: 64_512 } },
  ]);
  const two = inPlace('two', [
    { address: 0x0101_0000, length: 16, record: { country_code: 'FR' } },
    { address: 0x0202_0000, length: 16, record: { country_code: 'FR' } },
    { address: '2001:db8::', length: 32, record: { country_code: 'FR', city: 'Lyon' } },
  ]);
  const require = createRequire(import.meta.url);
  const halves = ['ipv4', 'ipv6'].map((name) => require.resolve(`${BUNDLED}-${name}.mmdb`));

  test('are asked in their order, and the first that knows a place is right (I-87)', () => {
    const locate = openLocator([one, two]);
    expect(locate('1.1.2.3')).toEqual({ country: 'de', region: '', city: 'Bonn' });
    expect(locate('2.2.2.3').country).toBe('fr');
    expect(locate('2001:db8::1').city).toBe('Lyon');
    expect(locate('3.3.3.3').country).toBe('');
    expect(openLocator([two, one])('1.1.2.3')).toEqual({ country: 'fr', region: '', city: '' });
  });

  test('one for IPv4 and one for IPv6 say what one for both says (I-87)', () => {
    const [apart, both] = [openLocator(halves), openLocator([])];
    const words = new Uint32Array(4);
    // A tree for both has those of IPv4 below `::/96`, which nobody has any more as one of IPv6.
    const isOfNobody = (ip: string) =>
      readIpWords(ip, words) === 6 && words[0] === 0 && words[1] === 0 && words[2] === 0;
    fc.assert(
      fc.property(fc.oneof(u32.map(asText), fc.ipV6()), (ip) => {
        fc.pre(!isOfNobody(ip));
        expect([ip, apart(ip)]).toEqual([ip, both(ip)]);
      }),
      tries(2_000),
    );
    expect(apart('8.8.8.8').country).toBe('us');
    expect(apart('2001:4860:4860::8888').country).toBe('us');
  });

  test('one of IPv4 only knows no place of an IPv6 address (I-87)', () => {
    const locate = openLocator([halves[0]!]);
    expect(locate('8.8.8.8').country).toBe('us');
    expect(locate('2001:4860:4860::8888').country).toBe('');
  });

  test('take the place of those before at once, also for the address asked last (I-87)', () => {
    const opened = [one, two].map((path) => openFile(path, readFileSync(path)));
    const locator = new Locator(opened.slice(0, 1));
    expect(locator.locate('1.1.2.3').country).toBe('de');
    locator.replace(opened.slice(1));
    expect(locator.locate('1.1.2.3').country).toBe('fr');
    locator.replace([]);
    expect(locator.locate('1.1.2.3').country).toBe('');
  });
});

describe('the walk of the tree, against its twin through the reader', () => {
  const require = createRequire(import.meta.url);

  test.each([
    ['country', `${BUNDLED}.mmdb`],
    ['IPv4', `${BUNDLED}-ipv4.mmdb`],
    ['IPv6', `${BUNDLED}-ipv6.mmdb`],
  ])('the bundled %s database gives the same place for any text (I-87)', (_name, file) => {
    const path = require.resolve(file);
    const [locate, twin] = [openLocator([path]), twinOf(path)];
    fc.assert(
      fc.property(anyAddressText, (text) => {
        expect([text, locate(text)]).toEqual([text, twin(text)]);
      }),
      tries(5_000),
    );
  });

  test('a range of the bundled database begins and ends where the reader says (I-87)', () => {
    const path = bundledDatabase();
    const [locate, twin] = [openLocator([path]), twinOf(path)];
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
    const ipv6 = fc.record({ address: fc.ipV6(), length: fc.integer({ min: 1, max: 128 }) });
    const others = fc.array(ipv6, { maxLength: shape.ipVersion === 6 ? 10 : 0 });
    fc.assert(
      fc.property(fc.array(network, { maxLength: 30 }), others, (networks, more) => {
        const made = inCountries([...more, ...networks]);
        writeFileSync(path, databaseOf({ ...shape, networks: made }));
        const [locate, twin] = [openLocator([path]), twinOf(path)];
        const edges = networks.flatMap(({ address, length }) => {
          const size = 2 ** (32 - length);
          const first = address - (address % size);
          return [first - 1, first, first + size - 1, first + size];
        });
        const asked = edges.map(asText);
        for (const { address } of more) asked.push(String(address));
        for (const text of asked.flatMap((ip) => [ip, `::ffff:${ip}`, `${ip}:1`])) {
          expect([text, locate(text)]).toEqual([text, twin(text)]);
        }
      }),
      tries(),
    );
  });

  test('all of IPv4 may be one leaf of a tree for IPv6 (I-87)', () => {
    const path = inPlace('one-leaf', inCountries([{ address: 0, length: 0 }]));
    const [first, last, beyond] = ['0.0.0.0', '255.255.255.255', '::1:0:0'].map(
      openLocator([path]),
    );
    const there = { country: 'aa', region: '', city: '' };
    expect([first, last, beyond]).toEqual([there, there, placeOf(null)]);
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
      expect(() => openLocator([path])).toThrow(failure);
      expect(() => openLocator([bundledDatabase(), path])).toThrow(failure);
    }
  });
});

/** Writes a database for IPv4 and IPv6. @returns its path. */
function inPlace(name: string, networks: readonly MadeNetwork[]): string {
  const path = join(folder, `${name}.mmdb`);
  writeFileSync(path, databaseOf({ recordSize: 24, ipVersion: 6, networks }));
  return path;
}

function readerOf(path: string): Reader<Response> {
  return new Reader<Response>(readFileSync(path));
}

/** The readable way: every address through the reader, nothing remembered. */
function twinOf(path: string): Locate {
  const reader = readerOf(path);
  const own = new BlockList();
  for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8']) add(range);
  for (const range of ['169.254.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fe80::/10']) add(range);
  own.addAddress('::1', 'ipv6');
  function add(range: string): void {
    const [first = '', bits] = range.split('/');
    own.addSubnet(first, Number(bits), isIP(first) === 6 ? 'ipv6' : 'ipv4');
  }
  return (ip) => {
    if (isIP(ip) === 0) return placeOf(null);
    // The shortest spelling has IPv4 in IPv6 clothes as `::ffff:808:808`.
    const plain = ip.replace(/%.*/, '');
    const short = isIP(ip) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : ip;
    const [, high, low] = /^(?:::ffff:|64:ff9b::)([\da-f]+):([\da-f]+)$/.exec(short) ?? [];
    const hex = (text = '') => Number.parseInt(text, 16);
    const ipv4 = high === undefined ? short : asText(hex(high) * 65_536 + hex(low));
    if (own.check(ipv4, isIP(ipv4) === 6 ? 'ipv6' : 'ipv4')) return placeOf(null);
    if (isIP(ipv4) === 4) return placeOf(reader.get(ipv4));
    // A database of IPv4 knows no IPv6 address, whatever its reader makes of the first 32 bits.
    return placeOf(reader.metadata.ipVersion === 4 ? null : reader.get(ipv4));
  };
}

/** The first network is in the country `aa`, the next in `ab`. */
function inCountries(networks: readonly Omit<MadeNetwork, 'record'>[]): MadeNetwork[] {
  return networks.map((network, ordinal) => {
    const letters = [Math.trunc(ordinal / 26), ordinal % 26].map((letter) => 0x61 + letter);
    return { ...network, record: { country_code: String.fromCharCode(...letters) } };
  });
}
