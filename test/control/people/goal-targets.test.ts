// Goal: a goal is reached when all of its targets are, each to the last visitor.
// Method: every target in percent with a digit behind the point, beside what is just too little.
import { expect, test } from 'vitest';
import { isGoalReached } from '../../../src/control/people/domain-notices.ts';
import type { Goal } from '../../../src/control/resources/goal.ts';

test('all targets that are set have to be reached, each exactly (A-52)', async () => {
  const none = { visitorGoal: null, crGoal: null };
  const metric = { customMetricKey: 'sum', customMetricTotalGoal: null, customMetricAvgGoal: null };
  const is = (fields: object, progress: object) =>
    isGoalReached({ ...none, ...metric, ...fields } as unknown as Goal, {
      ...{ sinceMs: 0, visitors: 0, conversionRate: 0, metricTotal: 0, metricAverage: 0 },
      ...progress,
    });
  for (let permille = 1; permille <= 1_000; permille++) {
    const target = { crGoal: permille / 10 };
    for (const of of [1_000, 3_000]) {
      const reached = (permille * of) / 1_000;
      expect(is(target, { conversionRate: reached / of }), `${permille}`).toBe(true);
      expect(is(target, { conversionRate: (reached - 1) / of }), `${permille}`).toBe(false);
    }
  }
  const all = { visitorGoal: 3, customMetricTotalGoal: 10, customMetricAvgGoal: 2.5 };
  const reached = { visitors: 3, metricTotal: 10, metricAverage: 2.5 };
  expect(is(all, reached)).toBe(true);
  expect(is(all, { ...reached, visitors: 2 })).toBe(false);
  expect(is(all, { ...reached, metricTotal: 9.9 })).toBe(false);
  expect(is(all, { ...reached, metricAverage: 2.4 })).toBe(false);
  expect(is({}, reached)).toBe(false);
});
