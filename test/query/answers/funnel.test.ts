/** Funnels whose steps are selected in different ways: what one step kept is what the next one asks among. */
import { expect, test } from 'vitest';
import { engineBench } from '../../support/engine-bench.ts';
import { parseNotation } from '../../support/notation.ts';

const SITE = { hostname: 'example.org', timezone: 'UTC' };
const DAY = { from: '2024-05-06', to: '2024-05-06' };

async function visitorsOf(
  steps: readonly Record<string, string>[],
  filters: Record<string, string>,
): Promise<number[]> {
  const bench = engineBench(SITE);
  await bench.define({
    goals: [],
    steps: steps.map((filter, index) => ({ name: `step ${index}`, filter })),
  });
  await bench.send(
    parseNotation('a 10:00 pv /y ; b 11:00 pv /x ; c 11:00 pv /x {a=1} ; c 11:01 pv /y'),
  );
  // Each way, with indexes and without: `engineBench` compares them.
  const answer = (await bench.ask('funnel', { ...DAY, ...filters })) as {
    data: { visitors: number }[];
  };
  return answer.data.map(({ visitors }) => visitors);
}

test('what a step kept by path and country stands while the next selects by tags (A-70, A-72)', async () => {
  const steps = [{}, { tag: '!a' }];
  expect(await visitorsOf(steps, { path: '/x', country: '!fr' })).toEqual([2, 1]);
});

test('what a step kept by path and event stands while the next selects by tags (A-70, A-72)', async () => {
  const steps = [{ path: '/x' }, { tag: '!a', event: '!order' }, { entry_path: '/x' }];
  expect(await visitorsOf(steps, { event: '!other' })).toEqual([2, 2, 2]);
});
