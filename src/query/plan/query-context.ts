/**
 * One query at work: the question, its plan, the segments it reads, and what it runs with.
 *
 * Control plane, made once per query; whatever counts or selects is handed it, or its run.
 */

import { errors } from '../../model/errors.ts';
import type { ImportedSums } from '../../segment/disk/imported-sums.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Budget } from '../question/budget.ts';
import type { FilterValues } from '../question/filter-values.ts';
import type { QueryFilters } from '../question/filters.ts';
import type { QueryRange } from '../question/range.ts';
import { type StatisticsQuery, spanOf } from '../question/request.ts';
import type { Statistic } from '../question/statistics.ts';
import { type Plan, planOf, type Way } from './planner.ts';
import { QueryRun } from './query-run.ts';
import { rowCountOf } from './segment-planner.ts';
import { overlaps } from './selection.ts';
import type { ViewPredicate } from './view-predicate.ts';

/** A query at work. */
export interface QueryContext {
  readonly query: StatisticsQuery;
  readonly statistic: Statistic;
  readonly plan: Plan;
  /** The segments that may hold anything in the range, or in the period before it. */
  readonly segments: readonly Segment[];
  readonly run: QueryRun;
  /** What other products counted of the domain (S-98); null: nothing. */
  readonly imported: ImportedSums | null;
  /** Whether what is counted of days at rest is kept with them on disk. */
  readonly isKept: boolean;
}

/** A statistic with the functions that answer it: what a file of `answers/` exports. */
export type AnsweredStatistic = Statistic<(context: QueryContext) => unknown>;

/** How a query is run. */
export interface RunOptions {
  /** Null: only the rows of the query are bounded. */
  readonly budget?: Budget | null;
  readonly way?: Way;
  /** Whether decisions are noted segment by segment. */
  readonly notes?: boolean;
  /** As of the moment of the segments. */
  readonly imported?: ImportedSums | null;
}

/** Opens a query on segments. */
export function openContext(
  statistic: Statistic,
  query: StatisticsQuery,
  segments: readonly Segment[],
  { budget = null, way = 'best', notes = false, imported = null }: RunOptions = {},
): QueryContext {
  const plan = planOf(statistic, query, way);
  const span = spanOf(query);
  const relevant = segments.filter((segment) => overlaps(segment, span));
  const run = new QueryRun(budget, plan.indexes, notes);
  return { query, statistic, plan, segments: relevant, run, imported, isKept: false };
}

/**
 * Refuses to look at too many rows.
 *
 * @throws QUERY_BUDGET_EXCEEDED when the segments in the range have more rows than the query may scan.
 */
export function checkRows({ query, segments }: QueryContext): void {
  let rows = 0;
  for (const segment of segments) rows += rowCountOf(segment);
  if (rows > query.rowsMax) {
    throw errors.QUERY_BUDGET_EXCEEDED({ budget: `${query.rowsMax} rows (it has ${rows})` });
  }
}

/** The same query over another range. */
export function contextOver(context: QueryContext, range: QueryRange): QueryContext {
  const segments = context.segments.filter((segment) => overlaps(segment, range));
  return { ...context, query: { ...context.query, range, previous: null }, segments };
}

/** The query with something else asked for, by a plan of its own. */
export function contextWith(
  context: QueryContext,
  changes: Partial<Pick<StatisticsQuery, 'filters' | 'metric'>>,
): QueryContext {
  const query = { ...context.query, ...changes };
  return { ...context, query, plan: planOf(context.statistic, query, context.plan.way) };
}

/** What page views a query selects under some filters. */
export function viewPredicate(
  query: StatisticsQuery,
  filters: QueryFilters,
  search: FilterValues | null,
): ViewPredicate {
  return { range: query.range, filters, search, byTitle: query.byTitle, blockMaxMs: null };
}
