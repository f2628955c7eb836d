// Goal: what stands on the page is true: totals, chart and every panel, under any filter, over any days
// (D-10 to D-14).
// Method: random traffic is sent to the service and to the oracle, which shares no code with either;
// then random views of the page in a real browser are compared with what the oracle says.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchAnswer } from '../../support/clients/client.ts';
import { placesOf } from '../../support/judge/bench.ts';
import type { RawParameters } from '../../support/oracle/answers/question.ts';
import { answer } from '../../support/oracle/answers/statistics.ts';
import { collect } from '../../support/oracle/collect/collect.ts';
import { type Conversions, emptyWorld } from '../../support/oracle/world.ts';
import { addDays } from '../../support/oracle/zone.ts';
import { runs, seedOf, tries } from '../../support/runs.ts';
import { endpointOf, type Item, modelHitOf, wireOf } from '../../support/traffic/notation.ts';
import { type FilterValues, filters } from '../../support/traffic/question-filters.ts';
import { build, SCENES, type Scenario, scenarios } from '../../support/traffic/scenario.ts';
import { addressOf, type Expected, type Row, rowsIn, TABS } from './panel-tabs.ts';
import { DashboardSite } from './support.ts';

/** Half an hour beside the others, and far from where the browser is. */
const ZONE = 'America/St_Johns';
const HOSTNAME = 'shop.example';
const SCENARIOS = 3;
/** Of them the long ones of different days are played. */
const SCENARIOS_DRAWN = 480;
const FULL = 160;
const WAIT = { timeout: 30_000 };
const EMPTY = { event_meta_key: '', event_meta_value: '', custom_metric_key: '' };
const GOAL = { ...EMPTY, custom_metric_type: 'integer' };
const CONVERSIONS: Conversions = {
  goals: [
    { ...GOAL, name: 'A page', path_pattern: '/a*', event_name: '' },
    { ...GOAL, name: 'Orders', path_pattern: '', event_name: 'order' },
  ],
  steps: [
    { name: 'Any', filter: { path: ['~/'] } },
    { name: 'Ordered', filter: { event: ['order'] } },
  ],
};

const PANELS = [...new Set(TABS.map(({ panel }) => panel))].map((panel) =>
  TABS.filter((tab) => tab.panel === panel),
);
/** Filters that a tab brings of its own are asked beside those of the view by other rules. */
const OWN = /^(referrer|referrer_name|event|event_meta_key|tag)$|^(meta|tag)_/;

interface RandomView {
  readonly scenario: number;
  readonly fromDay: number;
  readonly days: number;
  readonly filters: readonly FilterValues[];
  readonly metric: 'visitors' | 'views' | 'sessions';
  /** By panel: which of its tabs. */
  readonly tabs: readonly number[];
}

const VIEW: fc.Arbitrary<RandomView> = fc.record({
  scenario: fc.nat({ max: SCENARIOS - 1 }),
  fromDay: fc.constantFrom(-1, 0, 0, 0, 1, 1, 2),
  days: fc.constantFrom(1, 2, 4, 9, 9),
  filters: filters().map((list) => list.filter(([name]) => !OWN.test(name)).slice(0, 2)),
  metric: fc.constantFrom('visitors', 'views', 'sessions'),
  tabs: fc.array(fc.nat({ max: 11 }), { minLength: PANELS.length, maxLength: PANELS.length }),
});

const seed = seedOf('the page against the oracle');
const world = emptyWorld();
const context = {
  ...{ nowMs: Date.now(), timezone: ZONE, groupByTitle: false },
  conversions: CONVERSIONS,
};
const whole = new Intl.NumberFormat('en-GB');
let played: Scenario[] = [];
let site: DashboardSite;

/** Of different days, each with hits. */
function drawScenarios(): Scenario[] {
  const drawn = fc.sample(scenarios(), { ...tries(SCENARIOS_DRAWN), seed });
  const byScene = new Map(
    drawn.filter(({ steps }) => steps.length > 25).map((one) => [one.scene, one]),
  );
  return [...byScene.values()].slice(0, SCENARIOS);
}

/** Sends a scenario to both. */
async function play(scenario: Scenario): Promise<void> {
  for (const { items, idempotencyKey } of build(scenario)) {
    const hits = items.map((item) => modelHitOf(item, HOSTNAME));
    const wanted = collect(world, hits, idempotencyKey);
    const path = `/api/v1/${endpointOf(items[0] as Item)}/batch`;
    const got = await site.post<BatchAnswer>(
      path,
      items.map((item) => wireOf(item, HOSTNAME)),
      {
        Authorization: `Bearer ${site.shop.access_key}`,
        ...(idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
    );
    expect(placesOf(got)).toEqual(wanted);
  }
}

beforeAll(async () => {
  site = await DashboardSite.open({}, ZONE);
  played = drawScenarios();
  for (const scenario of played) await play(scenario);
  await site.begin({ timezoneId: 'Pacific/Kiritimati' });
  await site.signIn();
  for (const { name, path_pattern, event_name } of CONVERSIONS.goals) {
    await site.make('goal', { domain_id: site.shop.id, name, path_pattern, event_name });
  }
  const { steps } = CONVERSIONS;
  await site.make('funnel', { domain_id: site.shop.id, name: 'Ordering', steps });
});
afterAll(() => site.close());

/** What the oracle says under the filters of a view. */
function said(shared: RawParameters, name: string, query = ''): unknown {
  const own: Record<string, string[]> = {};
  for (const [key, value] of new URLSearchParams(query)) own[key] = [...(own[key] ?? []), value];
  return answer(world, name, { ...shared, ...own }, context);
}

/**
 * A tab with what is picked in it: `order` with `k`, or `k`, where there are such rows, else the first
 * ones, to which the page goes by itself.
 */
function pickedIn(tab: Expected, shared: RawParameters): Expected {
  if (tab.statistic === 'event/meta') {
    const events = said(shared, 'events') as readonly (Row & { readonly meta_keys: string[] })[];
    const pairs = events.flatMap(({ name, meta_keys: keys }) => keys.map((key) => [name, key]));
    const [event, key] = pairs.find((pair) => pair.join() === 'order,k') ??
      pairs[0] ?? ['order', 'k'];
    return {
      ...{ ...tab, picked: '&tab.event=order&tab.event-key=k' },
      query: `&event=${event}&event_meta_key=${key}`,
    };
  }
  if (tab.statistic !== 'tag/details') return tab;
  const keys = (said(shared, 'tags') as readonly Row[]).map((row) => String(row['key']));
  const tag = keys.includes('k') ? 'k' : (keys[0] ?? 'k');
  return { ...tab, picked: '&tab.tag=k', query: `&tag=${tag}` };
}

/** Everything that the page is to show of a view. */
function wantedOf(shared: RawParameters, tabs: readonly Expected[], view: RandomView) {
  const { metric, days } = view;
  const total = said(shared, 'total') as Row;
  const points = said(shared, days === 1 ? 'hours' : 'visitor', '&scale=day') as readonly Row[];
  const hours = said(shared, 'hours/week') as readonly Row[];
  const goals = said(shared, 'goals') as readonly { page_goal: Row; stats: Row }[];
  const number = (value: unknown) => whole.format(Number(value));
  const isEmpty = hours.every(({ visitors }) => visitors === 0);
  return {
    tiles: ['visitors', 'views', 'sessions'].map((name) => number(total[name])),
    chart: points.map((row) => number(row[metric])),
    hours: isEmpty ? [] : hours.map(({ visitors }) => number(visitors)),
    goals: goals.map(({ page_goal: { name }, stats }) => [name, number(stats['visitors'])]),
    panels: tabs.map(({ statistic, query, name, number: of = 'visitors' }) => ({
      statistic,
      rows: rowsIn(said({ ...shared, limit: 10 }, statistic, query) as Row | Row[]).map((row) => [
        name(row),
        number(row[of]),
      ]),
    })),
  };
}

/** The same, as it stands on the page. */
async function shownOf(tabs: readonly Expected[]) {
  const texts = (selector: string) => site.page.locator(selector).allTextContents();
  const names = await texts('.goals .bar-text');
  const numbers = await texts('.goals .number');
  return {
    tiles: (await texts('.tile-value')).slice(0, 3),
    chart: await texts('.chart tbody td:nth-child(2)'),
    hours: await texts('.hours tbody td'),
    goals: names.map((name, at) => [name, numbers[at]?.split(' ')[0]]),
    panels: await Promise.all(
      tabs.map(async ({ panel, statistic }) => ({ statistic, rows: await site.rows(panel) })),
    ),
  };
}

/** Goes to another view of the page without loading it anew. */
async function look(search: string): Promise<void> {
  const address = JSON.stringify(`/shop${search}`);
  await site.page.evaluate(
    `history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

test('totals, chart and all panels are what the oracle says, at random filters and days (D-10 to D-14)', {
  timeout: 1_200_000,
}, async () => {
  expect(played).toHaveLength(SCENARIOS);
  await site.page.waitForSelector('.tile');
  await site.page.getByRole('button', { name: 'As a table' }).click();
  let rowCount = 0;
  for (const view of fc.sample(VIEW, { ...tries(FULL), seed })) {
    const from = addDays(SCENES[played[view.scenario]?.scene ?? 0]?.date ?? '', view.fromDay);
    const to = addDays(from, view.days - 1);
    const asked = new URLSearchParams({ from, to, metric: view.metric, 'tab.sessions': 'hours' });
    const shared: Record<string, string[]> = { from: [from], to: [to] };
    for (const [name, values] of view.filters) {
      const told = values.filter((value) => !/^[!~^]?$/.test(value));
      shared[name] = [...(shared[name] ?? []), ...told];
      for (const value of told) asked.append(name, value);
    }
    const tabs = PANELS.map((of, at) =>
      pickedIn(of[(view.tabs[at] ?? 0) % of.length] as Expected, shared),
    );
    const search = `?${asked}${tabs.map((tab) => `&${addressOf(tab).slice(1)}`).join('')}`;
    await look(search);
    const wanted = wantedOf(shared, tabs, view);
    await expect.poll(() => shownOf(tabs), { ...WAIT, message: search }).toEqual(wanted);
    rowCount += wanted.panels.flatMap(({ rows }) => rows).length;
  }
  // Not all of them were empty.
  expect(rowCount).toBeGreaterThan(8 * runs(FULL));
  await site.end();
});
