/**
 * Goals: the total of the request under the conditions of each goal of the domain (S-63).
 *
 * Control plane; the counting is that of `total`. Goals are read from the registry by the edge and
 * travel with the query. A goal's conditions are a set of filters of their own, so that no parameter
 * of the request takes their place (F-16).
 */

import { listRows } from '../list/listing.ts';
import { rate } from '../list/rates.ts';
import { denominatorsOf, type Scan, type Totals } from '../plan/query-context.ts';
import type { GoalQuestion } from '../question/conversions.ts';
import { bothFilters, type QueryFilters } from '../question/filters.ts';
import { metricFields, totalsOfQuery } from './totals.ts';

/** A row per goal: the record, and its figures. */
export function answerGoals(scan: Scan): unknown {
  const { query, statistic } = scan;
  const { goals } = query;
  const all = denominatorsOf(scan).visitors;
  // A search leaves some out, so each is counted when it is first looked at.
  const counted: Totals[] = [];
  const totalsOf = (goal: number): Totals => {
    counted[goal] ??= totalsOfQuery(scanFor(scan, goals[goal] as GoalQuestion));
    return counted[goal];
  };
  const metricOf = (goal: number) => metricFields(ownMetric(totalsOf(goal), goals[goal]));
  const figures = (goal: number) => {
    const { visitors, views } = totalsOf(goal);
    return { visitors, views, cr: rate(visitors, all) };
  };
  return listRows(statistic, query, {
    present: Uint32Array.from(goals.keys()),
    fields: {
      page_goal: (goal) => (goals[goal] as GoalQuestion).shape,
      stats: (goal) =>
        goals[goal]?.metric == null ? figures(goal) : { ...figures(goal), ...metricOf(goal) },
      name: (goal) => (goals[goal] as GoalQuestion).name,
      visitors: (goal) => totalsOf(goal).visitors,
      views: (goal) => totalsOf(goal).views,
      cr: (goal) => rate(totalsOf(goal).visitors, all),
      custom_metric_avg: (goal) => metricOf(goal).custom_metric_avg,
      custom_metric_total: (goal) => metricOf(goal).custom_metric_total,
    },
  });
}

/** The query under a goal's conditions; its own custom metric goes before the request's (S-8). */
function scanFor(scan: Scan, goal: GoalQuestion): Scan {
  const { query } = scan;
  const hasEvent = (filters: QueryFilters) => (filters.events?.names ?? null) !== null;
  const isActive = goal.metric !== null && (hasEvent(goal.filters) || hasEvent(query.filters));
  const metric = isActive ? goal.metric : query.metric;
  return {
    ...scan,
    query: { ...query, filters: bothFilters(query.filters, goal.filters), metric },
  };
}

/** A metric of the request is not shown, and not sorted by, beside a goal without one. */
function ownMetric(totals: Totals, goal: GoalQuestion | undefined): Totals {
  if (goal?.metric != null) return totals;
  const { visitors, views, sessions, bounces } = totals;
  return { visitors, views, sessions, bounces };
}
