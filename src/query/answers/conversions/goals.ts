/**
 * Goals: the total of the request under the conditions of each goal of the domain (S-63).
 *
 * Control plane; the counting is that of `total`. Goals are read from the registry by the edge and
 * travel with the query. A goal's conditions are a set of filters of their own, so that no parameter
 * of the request takes their place (F-16).
 */

import type { Totals } from '../../count/totals.ts';
import { importedTotals } from '../../imported/imported-sums.ts';
import { listRows } from '../../list/listing.ts';
import { rate } from '../../list/rates.ts';
import {
  type AnsweredStatistic,
  contextWith,
  type QueryContext,
} from '../../plan/query-context.ts';
import type { GoalQuestion } from '../../question/conversions.ts';
import { bothFilters, isUnfiltered, type QueryFilters } from '../../question/filters.ts';
import { asc, desc, numbers, plain, texts } from '../../question/statistics.ts';
import { denominatorsOf } from '../../rollup/denominators.ts';
import { metricFields, totalsOfQuery, withSums } from '../totals/totals.ts';

export const GOALS: AnsweredStatistic = {
  ...plain('goals'),
  fields: [
    { name: 'page_goal', type: 'object' },
    { name: 'stats', type: 'object' },
  ],
  nested: [
    ...texts('name'),
    ...numbers('visitors', 'views', 'cr', 'custom_metric_avg', 'custom_metric_total'),
  ],
  order: [desc('visitors'), asc('name')],
  searched: ['name'],
  byRows: answerByRows,
  byRollups: null,
  takesMetric: true,
  carries: 'goals',
};

/** A row per goal: the record, and its figures. */
function answerByRows(context: QueryContext): unknown {
  const { query, statistic } = context;
  const { goals } = query;
  const all = denominatorsOf(context).visitors;
  // A search leaves some out, so each is counted when it is first looked at.
  const counted: Totals[] = [];
  const totalsOf = (goal: number): Totals => {
    counted[goal] ??= totalsOfQuery(contextFor(context, goals[goal] as GoalQuestion));
    return counted[goal];
  };
  const summed: Totals[] = [];
  const sumsOf = (goal: number): Totals => {
    const own = contextFor(context, goals[goal] as GoalQuestion);
    summed[goal] ??= withSums(totalsOf(goal), importedTotals(own));
    return summed[goal];
  };
  const metricOf = (goal: number) => metricFields(ownMetric(totalsOf(goal), goals[goal]));
  const figures = (goal: number) => {
    const { visitors, views } = sumsOf(goal);
    return { visitors, views, cr: rate(totalsOf(goal).visitors, all) };
  };
  return listRows(statistic, query, {
    present: Uint32Array.from(goals.keys()),
    fields: {
      page_goal: (goal) => (goals[goal] as GoalQuestion).shape,
      stats: (goal) =>
        goals[goal]?.metric == null ? figures(goal) : { ...figures(goal), ...metricOf(goal) },
      name: (goal) => (goals[goal] as GoalQuestion).name,
      visitors: (goal) => sumsOf(goal).visitors,
      views: (goal) => sumsOf(goal).views,
      cr: (goal) => rate(totalsOf(goal).visitors, all),
      custom_metric_avg: (goal) => metricOf(goal).custom_metric_avg,
      custom_metric_total: (goal) => metricOf(goal).custom_metric_total,
    },
  });
}

/** The query under a goal's conditions; its own custom metric goes before the request's (S-8). */
function contextFor(context: QueryContext, goal: GoalQuestion): QueryContext {
  const { query } = context;
  const hasEvent = (filters: QueryFilters) => (filters.events?.names ?? null) !== null;
  const isActive = goal.metric !== null && (hasEvent(goal.filters) || hasEvent(query.filters));
  const metric = isActive ? goal.metric : query.metric;
  const filters = bothFilters(query.filters, goal.filters);
  const own = contextWith(context, { filters, metric });
  // What anybody asks of a goal is bounded by the goals, but not what is asked beside them.
  return { ...own, isKept: own.plan.aggregates === 'cached' && isUnfiltered(query.filters) };
}

/** A metric of the request is not shown, and not sorted by, beside a goal without one. */
function ownMetric(totals: Totals, goal: GoalQuestion | undefined): Totals {
  if (goal?.metric != null) return totals;
  const { visitors, views, sessions, bounces } = totals;
  return { visitors, views, sessions, bounces };
}
