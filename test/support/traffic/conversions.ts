/** Random goals and funnels, and what of their answers two sides can agree on: ids are one side's own. */
import fc from 'fast-check';
import type { Conversions, ModelGoal, ModelStep } from '../oracle/world.ts';
import { filters } from './question-filters.ts';
import { EVENT_NAMES } from './scenario.ts';

/** Statistics of what is defined on the domain. */
export const CONVERSIONS: readonly string[] = ['goals', 'funnel'];

/** A domain without goals, and with a funnel that nobody asks for. */
export const NO_CONVERSIONS: Conversions = { goals: [], steps: [] };

const PATH_PATTERNS = [
  ...['', '/', '/a', '/A', '/*', '/**', '/a/**', '/a*', '/**/', '/ü', '/b.'],
  ...['^/a', '^/[ab]$', '(?i)A', '(?i)^/a$|/b', '^$'],
];

const GOAL: fc.Arbitrary<Omit<ModelGoal, 'name'>> = fc
  .record({
    path_pattern: fc.constantFrom(...PATH_PATTERNS),
    event_name: fc.constantFrom('', '', ...EVENT_NAMES, '!order', '~o', 'null'),
    event_meta_key: fc.constantFrom('', '', '', 'k', 'l', '!k'),
    event_meta_value: fc.constantFrom('', '', '1', 'x', '!1', 'null'),
    custom_metric_key: fc.constantFrom('', 'k', 'l'),
    custom_metric_type: fc.constantFrom('integer', 'float'),
  })
  .map((goal) => ({
    ...goal,
    path_pattern: goal.path_pattern + (isEmpty(goal) ? '/**' : ''),
    event_meta_value: /^\w+$/.test(goal.event_meta_key) ? goal.event_meta_value : '',
  }));

/** one of them is needed. */
function isEmpty(goal: Omit<ModelGoal, 'name'>): boolean {
  return goal.path_pattern === '' && goal.event_name === '' && goal.event_meta_key === '';
}

const STEP: fc.Arbitrary<ModelStep> = filters().map((list) => {
  const filter: Record<string, string | readonly string[]> = {};
  for (const [name, values] of list) {
    // Of two filters of one name both lists count as one (F-10).
    const all = [filter[name] ?? [], values].flat();
    filter[name] = all.length === 1 ? (all[0] ?? '') : all;
  }
  return { name: 'step', filter };
});

/** Goals and a funnel for any scenario. */
export function conversions(): fc.Arbitrary<Conversions> {
  return fc.record({
    // A name per goal: of equal ones the older comes first, which only one side knows.
    goals: fc
      .array(GOAL, { maxLength: 4 })
      .map((goals) => goals.map((goal, index) => ({ name: `goal ${'aoAO'[index]}1`, ...goal }))),
    steps: fc.array(STEP, { minLength: 2, maxLength: 4 }),
  });
}

/** What of an answer both sides know: without records and their ids. */
export function comparableConversions(name: string, answer: unknown): unknown {
  if (name === 'funnel') return (answer as { data: unknown }).data;
  const rows = answer as { page_goal: { name: string }; stats: unknown }[];
  return rows.map(({ page_goal: { name: goal }, stats }) => ({ goal, stats }));
}
