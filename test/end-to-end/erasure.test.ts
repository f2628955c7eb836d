/**
 * Goal: a deletion of statistics takes exactly what A-81 says, whatever comes between, and ends also
 * when the service is killed in the middle of it.
 * Method: random traffic with deletions between the requests against the oracle; rows around both
 * ends of a range in a zone with clock changes; SIGKILL while a thousand days are being deleted.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SegmentReader } from '../../src/segment/disk/segment-reader.ts';
import { shardOf } from '../../src/shard/state/placement.ts';
import { type Bench, httpBench } from '../support/bench.ts';
import { ApiClient } from '../support/client.ts';
import { createTestSite, type TestDomain } from '../support/domains.ts';
import { announceSeed, findDisagreement, numberSetting } from '../support/judge.ts';
import { placesDatabase } from '../support/place-database.ts';
import { queryString } from '../support/query-string.ts';
import { asks } from '../support/questions.ts';
import { makeTemporaryDirectory, type RunningService, startService } from '../support/service.ts';

const RUNS = numberSetting('FOOTFALL_ERASURE_RUNS', 60);
const SHRINKS_MAX = 700;
const SHARDS = 8;
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };
const DAY_MS = 86_400_000;
/** What A-81 allows a deletion. */
const ENDS_WITHIN_MS = 60_000;
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

const placesDirectory = makeTemporaryDirectory();
let running: RunningService;
let reader: ApiClient;
const unused: TestDomain[] = [];

beforeAll(async () => {
  const places = join(placesDirectory, 'places.mmdb');
  writeFileSync(places, placesDatabase());
  running = await startService({
    autoStart: false,
    env: {
      ...{ FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_SHARDS: String(SHARDS) },
      FOOTFALL_GEO_DB: places,
    },
  });
  const { dataDir } = running;
  const made = await createTestSite({ dataDir, count: RUNS + SHRINKS_MAX + 20, ...SITE });
  unused.push(...made.domains);
  await running.start();
  const { client_id: clientId, client_secret: clientSecret } = made.account;
  reader = await ApiClient.withSecret(running.baseUrl, clientId, clientSecret);
});

afterAll(async () => {
  await running?.dispose();
  rmSync(placesDirectory, { recursive: true, force: true });
});

function nextDomain(): TestDomain {
  const domain = unused.shift();
  if (domain === undefined) throw new Error(`more than ${SHRINKS_MAX} domains for shrinking`);
  return domain;
}

function writerOf(domain: TestDomain): ApiClient {
  return new ApiClient(running.baseUrl, domain.accessKey);
}

async function open(): Promise<Bench> {
  const domain = nextDomain();
  const { hostname } = SITE;
  const writer = writerOf(domain);
  return httpBench({ domainId: domain.id, hostname, writer, reader, missing: new Set() });
}

interface ViewAt {
  time: string;
  ip: string;
  path: string;
}

async function send(domain: TestDomain, views: readonly ViewAt[]): Promise<void> {
  const items = views.map(({ time, ip, path }) => ({
    ...{ time, ip, user_agent: AGENT },
    url: `https://${SITE.hostname}${path}`,
  }));
  await writerOf(domain).collect('hit/batch', items);
}

async function erase(
  domain: TestDomain,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const path = `/api/v1/statistics${queryString({ id: domain.id, ...parameters })}`;
  const answer = await reader.request('DELETE', path);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function pathsOf(domain: TestDomain, from: string, to: string): Promise<string[]> {
  const rows = await reader.statistics('page', { id: domain.id, from, to, sort: 'path' });
  return (rows as { path: string }[]).map(({ path }) => path).sort();
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + ENDS_WITHIN_MS;
  while (!(await isDone())) {
    if (Date.now() > endMs) throw new Error(`${what}: not within ${ENDS_WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test(
  'statistics with deletions between the requests are what the oracle says (A-81)',
  async () => {
    const seed = announceSeed('deletions against the oracle', RUNS);
    const options = { site: SITE, seed, runs: RUNS, asks: asks(), open };
    expect(await findDisagreement({ ...options, erases: 'later' })).toBe('');
  },
  Math.max(600_000, RUNS * 2_000),
);

test.each([
  // The night to 2024-03-31 is an hour short in Berlin, that to 2024-10-27 an hour long.
  { date: '2024-03-31', startMs: Date.UTC(2024, 2, 30, 23), endMs: Date.UTC(2024, 2, 31, 22) },
  { date: '2024-10-27', startMs: Date.UTC(2024, 9, 26, 22), endMs: Date.UTC(2024, 9, 27, 23) },
  { date: '2024-05-06', startMs: Date.UTC(2024, 4, 5, 22), endMs: Date.UTC(2024, 4, 6, 22) },
])("$date begins and ends where it does in the domain's zone (A-81, F-1)", async (range) => {
  const { date, startMs, endMs } = range;
  const domain = nextDomain();
  const moments = {
    ...{ '/before': startMs - 1, '/first': startMs, '/second': startMs + 1 },
    ...{ '/last-but-one': endMs - 2, '/last': endMs - 1, '/after': endMs },
  };
  const views = Object.entries(moments).map(([path, timeMs], index) => ({
    ...{ path, ip: `10.0.0.${index + 1}`, time: new Date(timeMs).toISOString() },
  }));
  await send(domain, views);
  const month = [`${date.slice(0, 7)}-01`, `${date.slice(0, 7)}-31`] as const;
  const [from, to] = date === '2024-05-06' ? month : [month[0], addDay(date)];
  expect(await pathsOf(domain, from, addDay(to))).toHaveLength(views.length);
  expect(await erase(domain, { from: date, to: date, kind: 'all' })).toEqual({});
  await until('the day', async () => (await pathsOf(domain, from, addDay(to))).length < 6);
  expect(await pathsOf(domain, from, addDay(to))).toEqual(['/after', '/before']);
});

function addDay(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);
}

test('a hit after the deletion counts, at once and when the deletion is over', async () => {
  const domain = nextDomain();
  const [from, to] = ['2024-05-06', '2024-05-06'];
  const at = (path: string, minute: number): ViewAt => {
    return { path, ip: '10.0.0.1', time: `2024-05-06T10:${minute}:00Z` };
  };
  await send(domain, [at('/old', 10)]);
  await erase(domain, { from, to });
  await send(domain, [at('/new', 11)]);
  expect(await pathsOf(domain, from, to)).toEqual(['/new']);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await pathsOf(domain, from, to)).toEqual(['/new']);
  const total = await reader.statistics('total', { id: domain.id, from, to });
  // The session of the old page view is gone, so the new one opened a session of its own.
  expect(total).toMatchObject({ visitors: 1, sessions: 1, views: 1, bounces: 1 });
});

test('the session that keeps rows keeps its id and its fields (A-81, I-34)', async () => {
  const domain = nextDomain();
  // The second session runs over midnight in Berlin; the first goes whole.
  await send(domain, [{ path: '/gone', ip: '10.0.0.1', time: '2024-05-05T20:00:00Z' }]);
  await send(domain, [
    { path: '/a', ip: '10.0.0.2', time: '2024-05-05T21:50:00Z' },
    { path: '/b', ip: '10.0.0.2', time: '2024-05-05T22:10:00Z' },
  ]);
  const range = { id: domain.id, from: '2024-05-06', to: '2024-05-06' };
  const before = await reader.statistics('session/list', range);
  expect(before).toMatchObject([{ session_id: 2, page_views: 2, entry_path: '/a' }]);
  await erase(domain, { from: '2024-05-05', to: '2024-05-05' });
  const old = { ...range, from: '2024-05-05', to: '2024-05-05' };
  const isGone = async (): Promise<boolean> =>
    ((await reader.statistics('session/list', old)) as unknown[]).length === 0;
  await until('the first day', isGone);
  expect(await reader.statistics('session/list', range)).toEqual(before);
});

test('`events` takes events only, `imported` nothing, an unknown kind is refused', async () => {
  const domain = nextDomain();
  const hit = { ip: '10.0.0.1', user_agent: AGENT, url: `https://${SITE.hostname}/` };
  const time = '2024-05-06T10:00:00Z';
  await writerOf(domain).collect('hit/batch', [{ ...hit, time }]);
  await writerOf(domain).collect('event/batch', [{ ...hit, time, event_name: 'order' }]);
  const range = { from: '2024-05-06', to: '2024-05-06' };
  const asked = { id: domain.id, ...range };
  const refused = queryString({ ...asked, kind: 'views' });
  const answer = await reader.request('DELETE', `/api/v1/statistics${refused}`);
  expect([answer.status, answer.body]).toMatchObject([400, { validation: { kind: /must/ } }]);
  await erase(domain, { ...range, kind: 'imported' });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await reader.statistics('events', asked)).toHaveLength(1);
  await erase(domain, { ...range, kind: 'events' });
  const hasNone = async (): Promise<boolean> =>
    ((await reader.statistics('events', asked)) as unknown[]).length === 0;
  await until('the events', hasNone);
  expect(await reader.statistics('total', asked)).toMatchObject({ views: 1, sessions: 1 });
});

const KILL_DAYS = 1_500;
const KILL_FIRST_MS = Date.UTC(2018, 0, 1, 12);

async function daysOnDisk(domain: TestDomain): Promise<number> {
  const segments = new SegmentReader(running.dataDir, 1_000_000_000);
  const shard = shardOf(domain.id, SHARDS);
  try {
    const always = { startMs: 0, endMs: Date.now() };
    return segments.read({ shard, epoch: 1, domainId: domain.id, ...always }).length;
  } finally {
    await segments.close();
  }
}

test('a deletion that is killed in the middle goes on after the start (A-81, I-78)', {
  timeout: 300_000,
}, async () => {
  const domain = nextDomain();
  const other = nextDomain();
  const views = Array.from({ length: KILL_DAYS * 6 }, (_, index) => ({
    path: `/${index % 40}`,
    ip: `10.1.0.${index % 6}`,
    time: new Date(KILL_FIRST_MS + Math.floor(index / 6) * DAY_MS).toISOString(),
  }));
  await send(domain, views);
  await send(other, views.slice(0, 60));
  const day = (index: number): string =>
    new Date(KILL_FIRST_MS + index * DAY_MS).toISOString().slice(0, 10);
  const viewsOn = async (index: number): Promise<number> => {
    const asked = { id: domain.id, from: day(index), to: day(index) };
    return ((await reader.statistics('total', asked)) as { views: number }).views;
  };
  expect(await viewsOn(KILL_DAYS - 1)).toBe(6);
  // All but the last day.
  await erase(domain, { from: day(0), to: day(KILL_DAYS - 2) });
  await until('the first day', async () => (await viewsOn(0)) === 0);
  await running.kill();
  const left = await daysOnDisk(domain);
  expect(left).toBeGreaterThan(1);
  expect(left).toBeLessThan(KILL_DAYS);
  await running.start();
  await send(domain, [{ path: '/late', ip: '10.2.0.1', time: `${day(KILL_DAYS - 2)}T13:00:00Z` }]);
  await until('the last but one', async () => (await viewsOn(KILL_DAYS - 3)) === 0);
  const counts = [0, 1, 750, KILL_DAYS - 3, KILL_DAYS - 2, KILL_DAYS - 1].map(viewsOn);
  expect(await Promise.all(counts)).toEqual([0, 0, 0, 0, 1, 6]);
  const asked = { id: other.id, from: day(0), to: day(9) };
  expect(await reader.statistics('total', asked)).toMatchObject({ views: 60 });
  await running.kill();
  expect(await daysOnDisk(domain)).toBe(2);
  await running.start();
});
