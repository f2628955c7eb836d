// Goal: databases of places are installed and exchanged under a running service: every thread uses the
// new ones, no hit is lost, refused or without a place, and a broken file changes nothing (I-87).
// Method: made-up databases of one city each; hits of new visitors come in all the while, each over a
// connection of its own; what was acknowledged is compared with what the statistics say.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { databaseOf } from '../../support/mmdb.ts';
import {
  makeTemporaryDirectory,
  type RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
/** Of 16 connections one thread of two gets none once in thirty thousand rounds. */
const CONNECTIONS = 16;
const WITHIN_MS = 20_000;

/** A database that has one city, for all of 2.0.0.0/8 and 2a00::/16. */
function cityDatabase(city: string, country = 'DE'): Buffer {
  const record = { country_code: country, state1: 'Hesse', city };
  return databaseOf({
    ...{ recordSize: 28, ipVersion: 6, type: 'Made-City' },
    networks: [
      { address: 2 * 2 ** 24, length: 8, record },
      { address: '2a00::', length: 16, record },
    ],
  });
}

let visitorCount = 0;
/** An address that no visitor had, now IPv4, now IPv6. */
function freshAddress(): string {
  const ordinal = ++visitorCount;
  const isIpv6 = ordinal % 2 === 0;
  return isIpv6 ? `2a00:1::${ordinal.toString(16)}` : `2.7.${ordinal >>> 8}.${ordinal & 255}`;
}

/** One page view of a new visitor, over a connection of its own. */
async function view(
  { service }: TestSite,
  { accessKey }: TestDomain,
  path: string,
  ip = freshAddress(),
) {
  const response = await fetch(`${service.baseUrl}/api/v1/hit`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessKey}`, connection: 'close' },
    body: JSON.stringify({
      ...{ url: `https://example.org${path}`, ip, user_agent: AGENT },
    }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** A statistic of places, of one page. */
async function rowsOf(name: 'city' | 'country', site: TestSite, domain: TestDomain, path: string) {
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const range = { id: domain.id, from: day(-1), to: day(1), path };
  const rows = await site.reader.statistics(name, range);
  return rows as { country: string; city: string; visitors: number }[];
}

/** How many visitors of a page each city has. */
async function cities(site: TestSite, domain: TestDomain, path: string) {
  const rows = await rowsOf('city', site, domain, path);
  return Object.fromEntries(rows.map(({ city, visitors }) => [city, visitors]));
}

/** What every thread says now. */
async function citiesOfNow(site: TestSite, domain: TestDomain, path: string) {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => view(site, domain, path)));
  return cities(site, domain, path);
}

/** Sends page views until it is stopped. @returns how many were acknowledged, and other answers. */
function sendViews(site: TestSite, domain: TestDomain) {
  let isOver = false;
  let acknowledged = 0;
  const others: number[] = [];
  const sender = async () => {
    while (!isOver) {
      const status = await view(site, domain, '/all-the-while');
      if (status === 200) acknowledged++;
      else others.push(status);
    }
  };
  const senders = [sender(), sender(), sender()];
  return async () => {
    isOver = true;
    await Promise.all(senders);
    return { acknowledged, others };
  };
}

/** Waits until the service has said it so many times. */
async function untilSaid(service: RunningService, text: string, times: number): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (service.output.split(text).length - 1 < times) {
    if (performance.now() > endMs) throw new Error(`never said '${text}':\n${service.output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const NEW = 'new location databases are in use';
const STAY = 'the location databases of before stay in use';

const folder = makeTemporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

describe('the files of FOOTFALL_GEO_DB', () => {
  const file = join(folder, 'city.mmdb');
  let service: RunningService;
  let site: TestSite;
  let newCount = 0;

  /** As whoever replaces a file should do it. */
  const replaceBy = (bytes: Buffer) => {
    writeFileSync(`${file}.new`, bytes);
    renameSync(`${file}.new`, file);
  };

  beforeAll(async () => {
    const other = join(folder, 'other.mmdb');
    const network = {
      address: 3 * 2 ** 24,
      length: 8,
      record: { country_code: 'FR', city: 'Lyon' },
    };
    writeFileSync(other, databaseOf({ recordSize: 24, ipVersion: 4, networks: [network] }));
    replaceBy(cityDatabase('Bonn'));
    const env = { FOOTFALL_EDGES: '2', FOOTFALL_GEO_DB: `${file}, ${other}` };
    service = await startService({ env });
    site = await openSite(service);
  }, 60_000);

  afterAll(() => service?.dispose());

  test('are all asked', async () => {
    const domain = await site.next();
    expect(await citiesOfNow(site, domain, '/')).toEqual({ Bonn: CONNECTIONS });
    await view(site, domain, '/lyon', '3.1.2.3');
    expect(await cities(site, domain, '/lyon')).toEqual({ Lyon: 1 });
  });

  test('are read again at SIGHUP, by every thread, and no hit is lost or without a place', async () => {
    const domain = await site.next();
    const stop = sendViews(site, domain);
    await view(site, domain, '/before');
    replaceBy(cityDatabase('Kiel'));
    service.signal('SIGHUP');
    await untilSaid(service, NEW, ++newCount);
    expect(await citiesOfNow(site, domain, '/after')).toEqual({ Kiel: CONNECTIONS });
    const { acknowledged, others } = await stop();
    expect(others).toEqual([]);
    expect(await cities(site, domain, '/before')).toEqual({ Bonn: 1 });
    const { Bonn = 0, Kiel = 0, ...rest } = await cities(site, domain, '/all-the-while');
    expect(rest).toEqual({});
    expect([Bonn > 0, Kiel > 0, Bonn + Kiel]).toEqual([true, true, acknowledged]);
  });

  test('stay as they were while a new one is cut short, and are exchanged once it is whole', async () => {
    const domain = await site.next();
    const stop = sendViews(site, domain);
    const whole = cityDatabase('Trier');
    // Written in place and too slowly, as a copy over a network is.
    writeFileSync(file, whole.subarray(0, whole.length >> 1));
    await untilSaid(service, STAY, 1);
    expect(service.output).toContain(file);
    expect(await citiesOfNow(site, domain, '/meanwhile')).toEqual({ Kiel: CONNECTIONS });
    service.signal('SIGHUP');
    await untilSaid(service, STAY, 2);
    writeFileSync(file, whole);
    await untilSaid(service, NEW, ++newCount);
    expect(await citiesOfNow(site, domain, '/after')).toEqual({ Trier: CONNECTIONS });
    const { acknowledged, others } = await stop();
    const { Kiel = 0, Trier = 0, ...rest } = await cities(site, domain, '/all-the-while');
    expect([others, rest, Kiel + Trier]).toEqual([[], {}, acknowledged]);
  });

  test('that are gone change nothing, and those of before are used no more once there are others', async () => {
    const domain = await site.next();
    rmSync(file);
    await untilSaid(service, STAY, 3);
    expect(await citiesOfNow(site, domain, '/gone')).toEqual({ Trier: CONNECTIONS });
    replaceBy(cityDatabase('Ulm'));
    await untilSaid(service, NEW, ++newCount);
    expect(await citiesOfNow(site, domain, '/back')).toEqual({ Ulm: CONNECTIONS });
  });

  test('refuse a start in a sentence when one cannot be used', async () => {
    await service.stop();
    replaceBy(cityDatabase('Ulm').subarray(0, 400));
    await expect(service.start()).rejects.toThrow(
      `footfall: the location database ${file} cannot be used: ` +
        'it is not in the MMDB format, or its end is missing; name a whole .mmdb file',
    );
  });
});

describe('footfall geo', () => {
  interface Shown {
    readonly path: string;
    readonly origin: string;
    readonly type: string;
    readonly knows: readonly string[];
    readonly credit: string;
    readonly fault?: string;
  }
  const given = join(folder, 'dbip-city-made.mmdb');
  let service: RunningService;
  let site: TestSite;

  const geo = async (...words: string[]) =>
    (await service.command<{ databases: Shown[] }>(['geo', ...words])).databases;

  /** The one line that a command which fails says. */
  const refusal = (...words: string[]) =>
    geo(...words).then(String, (error: { stderr: string }) =>
      error.stderr.replace(/^footfall: (.*)\n$/, '$1'),
    );

  beforeAll(async () => {
    service = await startService({ env: { FOOTFALL_EDGES: '2' } });
    site = await openSite(service);
    writeFileSync(given, cityDatabase('Fulda'));
  }, 60_000);

  afterAll(() => service?.dispose());

  test('shows the bundled database of countries, which is used', async () => {
    expect(await geo()).toMatchObject([
      { origin: 'bundled', knows: ['country'], credit: expect.stringContaining('NRO') },
    ]);
    expect(await citiesOfNow(site, await site.next(), '/')).toEqual({ '': CONNECTIONS });
  });

  test('install has a running service use a file, without losing a hit, and so does a restart', async () => {
    const domain = await site.next();
    const stop = sendViews(site, domain);
    const [first, second] = await geo('install', given);
    expect(first).toMatchObject({
      ...{ path: join(service.dataDir, 'places', 'dbip-city-made.mmdb'), origin: 'installed' },
      ...{ type: 'Made-City', built: '2023-11-14', addresses: 'IPv4 and IPv6', records: 2 },
      ...{ knows: ['country', 'region', 'city'], credit: 'IP Geolocation by DB-IP' },
      ...{ credit_url: 'https://db-ip.com', licence: 'CC BY 4.0' },
    });
    expect(second?.origin).toBe('bundled');
    await untilSaid(service, NEW, 1);
    expect(await citiesOfNow(site, domain, '/after')).toEqual({ Fulda: CONNECTIONS });
    // Whoever shows places finds what to say of both.
    const { body } = await site.reader.request('GET', '/credits');
    expect(body).toMatchObject({
      places: [{ url: 'https://db-ip.com', licence: 'CC BY 4.0' }, { url: 'https://www.nro.net' }],
    });
    const { acknowledged, others } = await stop();
    const counts = Object.values(await cities(site, domain, '/all-the-while'));
    expect([others, counts.reduce((sum, count) => sum + count, 0)]).toEqual([[], acknowledged]);
    // What the file does not know the bundled one does.
    await view(site, domain, '/google', '8.8.8.8');
    expect(await rowsOf('country', site, domain, '/google')).toMatchObject([{ country: 'us' }]);
    await service.restart();
    expect(await citiesOfNow(site, domain, '/restarted')).toEqual({ Fulda: CONNECTIONS });
  });

  test('install takes what npm has installed, one file for all rather than its halves', async () => {
    const name = '@ip-location-db/geo-whois-asn-country-mmdb';
    const shown = await geo('install', name);
    expect(shown.map(({ path, origin }) => [basename(path), origin])).toEqual([
      ['geo-whois-asn-country.mmdb', 'installed'],
      ['geo-whois-asn-country.mmdb', 'bundled'],
    ]);
    // What was installed before is gone.
    expect(readdirSync(join(service.dataDir, 'places')).toSorted()).toEqual([
      ...['geo-whois-asn-country.mmdb', 'installed.json'],
    ]);
  });

  test('install refuses in a sentence what is no whole database, and changes nothing', async () => {
    const before = await geo();
    const path = join(folder, 'refused.mmdb');
    const asn = { address: 0, length: 1, record: { autonomous_system_number: 64_512 } };
    const refused: [bytes: Buffer, said: string][] = [
      [
        cityDatabase('Fulda').subarray(0, 500),
        'it is not in the MMDB format, or its end is missing',
      ],
      [gzipSync(cityDatabase('Fulda')), 'it is compressed: unpack it first'],
      [
        databaseOf({ recordSize: 24, ipVersion: 4, networks: [asn] }),
        'it knows no countries: it is no database of places',
      ],
    ];
    for (const [bytes, said] of refused) {
      writeFileSync(path, bytes);
      // A whole one beside it is not installed either.
      const line = `the location database ${path} cannot be used: ${said}; name a whole .mmdb file`;
      expect(await refusal('install', given, path)).toBe(line);
    }
    const nowhere = 'it is neither a file nor an npm package that is installed here';
    for (const [name, said] of [
      ['nothing-of-that-name', nowhere],
      ['../no-such.mmdb', nowhere],
      ['src', 'it has no .mmdb file'],
    ] as const) {
      const line = `there is no location database to install in ${name}: ${said}`;
      expect(await refusal('install', name)).toBe(line);
    }
    expect(await geo()).toEqual(before);
  });

  test('remove has the bundled database used again', async () => {
    const domain = await site.next();
    const said = service.output.split(NEW).length - 1;
    await geo('install', given);
    await untilSaid(service, NEW, said + 1);
    expect(await geo('remove')).toMatchObject([{ origin: 'bundled' }]);
    await untilSaid(service, NEW, said + 2);
    expect(await citiesOfNow(site, domain, '/removed')).toEqual({ '': CONNECTIONS });
  });

  test('shows what is broken, and its exit status says so', async () => {
    const path = join(folder, 'broken.mmdb');
    writeFileSync(path, 'broken');
    const env = { FOOTFALL_GEO_DB: path, FOOTFALL_DATA_DIR: service.dataDir };
    await expect(runCommand(['geo'], env)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('its end is missing'),
    });
  });
});
