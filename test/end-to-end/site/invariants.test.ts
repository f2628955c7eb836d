/**
 * Goal: what must hold between statistics holds, whatever the traffic; no oracle involved.
 * Method: random scenarios over HTTP, a few questions each, sums and bounds over the answers.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sharedSite, type TestSite } from '../../support/domains.ts';
import { type Bench, siteBench } from '../../support/judge/bench.ts';
import { addDays } from '../../support/oracle/zone.ts';
import { runs, tries } from '../../support/runs.ts';
import { build, SCENES, type Scenario, scenarios } from '../../support/traffic/scenario.ts';

type Row = Record<string, number>;

let site: TestSite;

beforeAll(async () => {
  site = await sharedSite({ count: runs(25) });
});

/** A range that holds every hit of a scenario. */
function rangeOf(scenario: Scenario): { from: string; to: string } {
  const date = SCENES[scenario.scene]?.date ?? '';
  return { from: addDays(date, -30), to: addDays(date, 120) };
}

async function sendAll(bench: Bench, scenario: Scenario): Promise<void> {
  for (const { items, idempotencyKey } of build(scenario)) await bench.send(items, idempotencyKey);
}

function sum(rows: readonly Row[], field: string): number {
  return rows.reduce((total, row) => total + (row[field] ?? 0), 0);
}

/** Every page of a list, 100 rows at a time. */
async function allRows(bench: Bench, name: string, range: object): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const more = (await bench.ask(name, { ...range, limit: 100, offset: rows.length })) as Row[];
    rows.push(...more);
    if (more.length < 100) return rows;
  }
}

/** Session dimensions: statistic, field of its rows, filter of one value. */
const DIMENSIONS: readonly (readonly [name: string, field: string, filter: string])[] = [
  ...['country', 'region', 'city', 'language', 'browser', 'os', 'channel', 'hostname'],
  ...['utm/source', 'utm/medium', 'utm/campaign', 'utm/content', 'utm/term'],
].map((name) => {
  const field = name.replace('/', '_');
  return [name, field, field] as const;
});
const BY_VALUE = [
  ...DIMENSIONS,
  ['screen', 'screen_class', 'screen_class'] as const,
  ['referrer', 'referrer_name', 'referrer_name'] as const,
];
/** Lists whose rows are groups of page views. */
const LISTS = [...BY_VALUE.map(([name]) => name), 'page', 'browser/version', 'os/version', 'tags'];

/** Filters under which page views still are what is counted (S-2). */
const FILTERS: readonly object[] = [
  {},
  { path: '/' },
  { pattern: '[ab]' },
  { country: '!de' },
  { platform: 'desktop', path: '~a' },
  { tag: 'k' },
  { event: 'order' },
  { event: '!order', entry_path: '!/' },
];

/** What holds under any filter. */
async function checkSums(bench: Bench, asked: object): Promise<void> {
  const total = (await bench.ask('total', { ...asked })) as Row;
  const { visitors = 0, sessions = 0, views = 0, bounces = 0 } = total;
  expect(visitors).toBeLessThanOrEqual(sessions);
  expect(sessions).toBeLessThanOrEqual(views);
  expect(bounces).toBeLessThanOrEqual(sessions);
  for (const scale of ['day', 'week', 'month', 'year']) {
    const series = (await bench.ask('visitor', { ...asked, scale })) as Row[];
    expect([scale, sum(series, 'views')]).toEqual([scale, views]);
    expect(sum(series, 'visitors')).toBeGreaterThanOrEqual(visitors);
    for (const row of series) {
      expect(row.visitors).toBeLessThanOrEqual(visitors);
      expect(row.visitors).toBeLessThanOrEqual(row.sessions ?? 0);
      expect(row.sessions).toBeLessThanOrEqual(row.views ?? 0);
    }
  }
  // S-25: with an event filter a page view counts in the hour of an event only.
  if (!('event' in asked && asked.event === 'order')) {
    for (const name of ['hours', 'minutes']) {
      const clock = (await bench.ask(name, { ...asked })) as Row[];
      expect([name, sum(clock, 'views')]).toEqual([name, views]);
    }
  }
  expect(sum(await allRows(bench, 'page', asked), 'views')).toBe(views);
  expect(sum(await allRows(bench, 'page/entry', asked), 'entries')).toBe(sessions);
  expect(sum(await allRows(bench, 'page/exit', asked), 'exits')).toBe(sessions);
  for (const name of LISTS) {
    for (const row of await allRows(bench, name, asked)) {
      expect([name, Math.min(row.visitors ?? 0, visitors)]).toEqual([name, row.visitors]);
    }
  }
  const platform = (await bench.ask('platform', { ...asked })) as Row;
  const { platform_desktop = 0, platform_mobile = 0, platform_unknown = 0 } = platform;
  // A visitor has one address and one user agent, hence one platform, country and browser.
  expect(platform_desktop + platform_mobile + platform_unknown).toBe(visitors);
  for (const name of ['country', 'region', 'city', 'browser', 'os']) {
    expect(sum(await allRows(bench, name, asked), 'visitors')).toBe(visitors);
  }
}

/** The sessions of all values of a dimension are the sessions of the total (F-11). */
async function checkGroups(bench: Bench, range: object): Promise<void> {
  const { sessions = 0, views = 0 } = (await bench.ask('total', { ...range })) as Row;
  for (const [name, field, filter] of BY_VALUE) {
    const rows = (await allRows(bench, name, range)) as unknown as Record<string, string>[];
    const values = [...new Set(rows.map((row) => row[field] || 'null'))];
    const totals = await Promise.all(
      values.map(async (value) => (await bench.ask('total', { ...range, [filter]: value })) as Row),
    );
    expect([name, sum(totals, 'sessions')]).toEqual([name, sessions]);
    expect([name, sum(totals, 'views')]).toEqual([name, views]);
  }
  const referrers = await allRows(bench, 'referrer', range);
  expect(sum(referrers, 'sessions')).toBe(sessions);
  const byUrl = await allRows(bench, 'referrer', { ...range, referrer: '!nobody' });
  expect(sum(byUrl, 'sessions')).toBe(sessions);
  expect(sum(byUrl, 'bounces')).toBe(sum(referrers, 'bounces'));
}

test('days, pages, entries, exits and groups add up to the totals (S-3, S-20 to S-60)', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenarios(50),
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
      fc.constantFrom(...FILTERS),
      async (scenario, tz, filter) => {
        const bench = await siteBench(site);
        await sendAll(bench, scenario);
        const range = { ...rangeOf(scenario), tz };
        await checkSums(bench, { ...range, ...filter });
        await checkGroups(bench, range);
      },
    ),
    tries(25),
  );
});
