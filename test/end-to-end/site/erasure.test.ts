/**
 * Goal: a deletion of statistics takes exactly what A-81 says, whatever comes between.
 * Method: random traffic with deletions between the requests against the oracle; rows around both
 * ends of a range in a zone with clock changes. `service/killed-erasure.test.ts` kills it in the middle.
 */
import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { queryString } from '../../support/clients/query-string.ts';
import { sharedSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { siteBench } from '../../support/judge/bench.ts';
import { findDisagreement } from '../../support/judge/judge.ts';
import { runs, seedOf } from '../../support/runs.ts';
import { asks } from '../../support/traffic/questions.ts';
import { pause, until } from '../../support/until.ts';

const FULL = 60;
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };
const DAY_MS = 86_400_000;
/** What A-81 allows a deletion. */
const ENDS_WITHIN_MS = 60_000;
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

let site: TestSite;
let reader: ApiClient;

beforeAll(async () => {
  site = await sharedSite({ ...SITE, count: runs(FULL) + 20 });
  reader = site.reader;
});

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
  await site.writerOf(domain).collect('hit/batch', items);
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

test('statistics with deletions between the requests are what the oracle says (A-81)', {
  timeout: 3_600_000,
}, async () => {
  const seed = seedOf('deletions against the oracle');
  const open = () => siteBench(site);
  const options = { site: SITE, seed, runs: runs(FULL), asks: asks(), open };
  expect(await findDisagreement({ ...options, erases: 'later' })).toBe('');
});

test.each([
  // The night to 2024-03-31 is an hour short in Berlin, that to 2024-10-27 an hour long.
  { date: '2024-03-31', startMs: Date.UTC(2024, 2, 30, 23), endMs: Date.UTC(2024, 2, 31, 22) },
  { date: '2024-10-27', startMs: Date.UTC(2024, 9, 26, 22), endMs: Date.UTC(2024, 9, 27, 23) },
  { date: '2024-05-06', startMs: Date.UTC(2024, 4, 5, 22), endMs: Date.UTC(2024, 4, 6, 22) },
])("$date begins and ends where it does in the domain's zone (A-81, F-1)", async (range) => {
  const { date, startMs, endMs } = range;
  const domain = await site.next();
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
  await until(async () => (await pathsOf(domain, from, addDay(to))).length < 6, ENDS_WITHIN_MS);
  expect(await pathsOf(domain, from, addDay(to))).toEqual(['/after', '/before']);
});

function addDay(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);
}

test('a hit after the deletion counts, at once and when the deletion is over', async () => {
  const domain = await site.next();
  const [from, to] = ['2024-05-06', '2024-05-06'];
  const at = (path: string, minute: number): ViewAt => {
    return { path, ip: '10.0.0.1', time: `2024-05-06T10:${minute}:00Z` };
  };
  await send(domain, [at('/old', 10)]);
  await erase(domain, { from, to });
  await send(domain, [at('/new', 11)]);
  expect(await pathsOf(domain, from, to)).toEqual(['/new']);
  await pause(600);
  expect(await pathsOf(domain, from, to)).toEqual(['/new']);
  const total = await reader.statistics('total', { id: domain.id, from, to });
  // The session of the old page view is gone, so the new one opened a session of its own.
  expect(total).toMatchObject({ visitors: 1, sessions: 1, views: 1, bounces: 1 });
});

test('the session that keeps rows keeps its id and its fields (A-81, I-34)', async () => {
  const domain = await site.next();
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
  await until(isGone, ENDS_WITHIN_MS);
  expect(await reader.statistics('session/list', range)).toEqual(before);
});

test('`events` takes events only, `imported` nothing, an unknown kind is refused', async () => {
  const domain = await site.next();
  const hit = { ip: '10.0.0.1', user_agent: AGENT, url: `https://${SITE.hostname}/` };
  const time = '2024-05-06T10:00:00Z';
  await site.writerOf(domain).collect('hit/batch', [{ ...hit, time }]);
  await site.writerOf(domain).collect('event/batch', [{ ...hit, time, event_name: 'order' }]);
  const range = { from: '2024-05-06', to: '2024-05-06' };
  const asked = { id: domain.id, ...range };
  const refused = queryString({ ...asked, kind: 'views' });
  const answer = await reader.request('DELETE', `/api/v1/statistics${refused}`);
  expect([answer.status, answer.body]).toMatchObject([400, { validation: { kind: /must/ } }]);
  await erase(domain, { ...range, kind: 'imported' });
  await pause(400);
  expect(await reader.statistics('events', asked)).toHaveLength(1);
  await erase(domain, { ...range, kind: 'events' });
  const hasNone = async (): Promise<boolean> =>
    ((await reader.statistics('events', asked)) as unknown[]).length === 0;
  await until(hasNone, ENDS_WITHIN_MS);
  expect(await reader.statistics('total', asked)).toMatchObject({ views: 1, sessions: 1 });
});
