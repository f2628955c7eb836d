/**
 * Goals and funnels. The page of examples has none of them, so these are ours, by the
 * ids of the rules.
 */
import { expect } from 'vitest';
import type { Bench } from '../judge/bench.ts';
import type { RawParameters } from '../oracle/answers/question.ts';
import type { ModelGoal } from '../oracle/world.ts';
import { DAY, type Row, rows, site, type WorkedExample } from './steps.ts';

const GOAL_HITS = `
  a 10:00 pv / ; a 10:01 pv /blog/a ; a 10:02 pv /blog/a/b
  a 10:03 ev order @/shop {price=10} ; a 10:04 ev scroll @/
  b 10:00 pv /Blog/x ; b 10:01 ev order @/blog/x {price=5,plan=pro}
  c 10:00 pv / ; c 10:01 ev scroll @/ ; d 10:00 pv /other`;

const goal = (name: string, fields: Partial<ModelGoal>): ModelGoal => ({
  ...{ name, path_pattern: '', event_name: '', event_meta_key: '', event_meta_value: '' },
  ...{ custom_metric_key: '', custom_metric_type: 'integer' },
  ...fields,
});

const PRICE = { custom_metric_key: 'price' };
const GOALS: readonly ModelGoal[] = [
  goal('Pro', { event_name: 'order', event_meta_key: 'plan', event_meta_value: 'pro' }),
  goal('Root', { path_pattern: '/' }),
  goal('Blog page', { path_pattern: '/blog/*' }),
  goal('All blog', { path_pattern: '/blog/**' }),
  goal('Order', { event_name: 'order' }),
  goal('Order after reading', { path_pattern: '/blog/*', event_name: 'order' }),
  goal('Revenue', { event_name: 'order', ...PRICE }),
  goal('Revenue of the shop', { event_name: 'order', path_pattern: '/shop', ...PRICE }),
  goal('No order', { event_name: '!order', ...PRICE }),
];

async function goalSite(open: () => Promise<Bench>): Promise<Bench> {
  const bench = await site(open, GOAL_HITS);
  await bench.define({ goals: GOALS, steps: STEPS });
  return bench;
}

/** Name, visitors, views, cr, and with a custom metric its mean and sum. */
async function figures(bench: Bench, more: RawParameters = {}): Promise<unknown[][]> {
  const list = await rows(bench, 'goals', { ...DAY, ...more });
  return list.map(({ page_goal, stats }) => [(page_goal as Row).name, ...values(stats)]);
}

function values(stats: unknown): unknown[] {
  const { visitors, views, cr, ...metric } = stats as Row;
  const { custom_metric_avg: mean, custom_metric_total: sum } = metric;
  return Object.keys(metric).length === 0
    ? [visitors, views, cr]
    : [visitors, views, cr, mean, sum];
}

const STEPS = [
  { name: 'Start', filter: { path: '/' } },
  { name: 'Cart', filter: { path: ['/cart', '/basket'] } },
  { name: 'Order', filter: { event: 'order' } },
];

const FUNNEL_HITS = `
  a 10:00 pv / ; a 10:01 pv /cart ; a 10:02 ev order @/cart
  b 10:00 pv /cart ; b 10:01 pv / ; c 10:00 pv / ; d 10:00 pv /cart ; d 10:01 ev order @/cart
  e 10:00 pv / ; e 12:00 pv /cart`;

async function funnelSite(open: () => Promise<Bench>, steps = STEPS): Promise<Bench> {
  const bench = await site(open, FUNNEL_HITS);
  await bench.define({ goals: [], steps });
  return bench;
}

async function stepsOf(bench: Bench, more: RawParameters = {}): Promise<Row[]> {
  return ((await bench.ask('funnel', { ...DAY, ...more })) as { data: Row[] }).data;
}

async function visitorsOf(bench: Bench, more: RawParameters = {}): Promise<unknown[]> {
  return (await stepsOf(bench, more)).map((step) => step.visitors);
}

/** S-63, A-50. */
export const CONVERSIONS: readonly WorkedExample[] = [
  {
    id: 'S-63',
    title: 'each goal has the figures of total under its conditions, visitors first, then by name',
    run: async (open) => {
      expect(await figures(await goalSite(open))).toEqual([
        ['All blog', 2, 3, 0.5],
        ['Blog page', 2, 2, 0.5],
        // Event scope: events of another name, whatever else their session did.
        ['No order', 2, 4, 0.5, 0, 0],
        ['Order', 2, 4, 0.5],
        ['Order after reading', 2, 2, 0.5],
        ['Revenue', 2, 4, 0.5, 7.5, 15],
        ['Root', 2, 2, 0.5],
        ['Pro', 1, 1, 0.25],
        // Event scope: the event's own path.
        ['Revenue of the shop', 1, 3, 0.25, 10, 10],
      ]);
    },
  },
  {
    id: 'S-63',
    title: "the request's filter is added, and drops no condition of a goal (F-16)",
    run: async (open) => {
      const bench = await goalSite(open);
      const found = Object.fromEntries(
        (await figures(bench, { path: '/blog/a' })).map(([name, ...rest]) => [name, rest]),
      );
      expect(found).toMatchObject({
        'Blog page': [1, 1, 0.25],
        Root: [0, 0, 0],
        Order: [1, 1, 0.25],
        'Revenue of the shop': [0, 0, 0, 0, 0],
      });
      const ofEvent = Object.fromEntries(
        (await figures(bench, { event: 'scroll' })).map(([name, ...rest]) => [name, rest]),
      );
      // A session needs both events; an event in event scope cannot have two names.
      expect(ofEvent).toMatchObject({ Order: [1, 3, 0.25], Revenue: [0, 0, 0, 0, 0] });
    },
  },
  {
    id: 'S-63',
    title: 'search tests the name, and sort, direction, limit and offset work as on any list',
    run: async (open) => {
      const bench = await goalSite(open);
      const names = async (more: RawParameters): Promise<unknown[]> =>
        (await figures(bench, more)).map(([name]) => name);
      expect(await names({ search: 'ORDER' })).toEqual([
        'No order',
        'Order',
        'Order after reading',
      ]);
      expect(await names({ sort: 'views', search: 'r', limit: 3 })).toEqual([
        ...['No order', 'Order', 'Revenue'],
      ]);
      expect(await names({ sort: 'name', direction: 'desc', limit: 2, offset: 1 })).toEqual([
        ...['Revenue of the shop', 'Revenue'],
      ]);
      expect(await names({ sort: 'custom_metric_total', limit: 2 })).toEqual([
        ...['Revenue', 'Revenue of the shop'],
      ]);
    },
  },
  {
    id: 'A-72',
    title: 'a step keeps sessions of the step before, in whatever order the pages were viewed',
    run: async (open) => {
      const first = {
        previous_visitors: 0,
        relative_previous_visitors: 0,
        dropped: 0,
        drop_off: 0,
      };
      expect(await stepsOf(await funnelSite(open))).toEqual([
        { step: 1, visitors: 4, relative_visitors: 1, ...first },
        {
          ...{ step: 2, visitors: 2, relative_visitors: 0.5, previous_visitors: 4 },
          ...{ relative_previous_visitors: 1, dropped: 2, drop_off: 0.5 },
        },
        {
          ...{ step: 3, visitors: 1, relative_visitors: 0.25, previous_visitors: 2 },
          ...{ relative_previous_visitors: 0.5, dropped: 1, drop_off: 0.5 },
        },
      ]);
    },
  },
  {
    id: 'A-72',
    title: 'the filters of the request hold in every step, each by itself (F-16)',
    run: async (open) => {
      const bench = await funnelSite(open);
      expect(await visitorsOf(bench, { entry_path: '/' })).toEqual([3, 1, 1]);
      expect(await visitorsOf(bench, { entry_path: '/cart' })).toEqual([1, 1, 0]);
      // One page view cannot have both paths, and no step's path takes the pattern's place.
      expect(await visitorsOf(bench, { path: '/cart' })).toEqual([0, 0, 0]);
      expect(await visitorsOf(bench, { pattern: '^/cart$' })).toEqual([0, 0, 0]);
      expect(await visitorsOf(bench, { pattern: '^/(cart)?$' })).toEqual([4, 2, 1]);
    },
  },
  {
    id: 'A-72',
    title: 'a funnel that nobody enters is all zeroes but for nothing lost (drop_off 0)',
    run: async (open) => {
      const nowhere = { name: 'Nowhere', filter: { path: '/nowhere' } };
      const bench = await funnelSite(open, [nowhere, ...STEPS]);
      for (const step of await stepsOf(bench)) {
        const { step: _, ...zeroes } = step;
        expect(Object.values(zeroes).every((value) => value === 0)).toBe(true);
      }
    },
  },
];
