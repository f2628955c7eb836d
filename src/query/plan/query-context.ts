/**
 * One query on its way over the segments: what it needs, and the counts several statistics share.
 *
 * The functions here are called once per query; the loops they start (data plane) are in
 * `select/select-views.ts` and `tally.ts`.
 */

import { assert } from '../../base/assert.ts';
import { errors } from '../../model/errors.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { tallyOne } from '../count/tally.ts';
import type { Budget } from '../question/budget.ts';
import type { Terms } from '../question/filter-values.ts';
import {
  hasSessionFilter,
  hasViewFilter,
  NO_FILTERS,
  type QueryFilters,
} from '../question/filters.ts';
import type { QueryRange } from '../question/range.ts';
import { type StatisticsQuery, spanOf } from '../question/request.ts';
import { findStatistic, type Statistic } from '../question/statistics.ts';
import { totalsOver } from '../rollup/totals.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';
import { type IndexUse, Scratch } from './scratch.ts';
import { isInside, overlaps } from './selection.ts';
import type { ViewQuestion } from './view-predicate.ts';

/** A query at work. */
export interface Scan {
  readonly query: StatisticsQuery;
  readonly statistic: Statistic;
  /** The segments that may hold anything in the range, or in the period before it. */
  readonly segments: readonly Segment[];
  readonly scratch: Scratch;
  /** Whether totals may come from pre-aggregates; false: every row is looked at. */
  readonly usesRollups: boolean;
}

/** Distinct visitors and sessions and the page views behind them. */
export interface Totals {
  readonly visitors: number;
  readonly views: number;
  readonly sessions: number;
  readonly bounces: number;
  /** The events' values and their number while a custom metric is active (S-8). */
  readonly metric?: { readonly sum: number; readonly count: number };
}

/** How a query may be answered. */
export interface ScanOptions {
  readonly budget: Budget | null;
  readonly usesRollups: boolean;
  readonly indexes: IndexUse;
}

/** Opens a query on segments. */
export function openScan(
  query: StatisticsQuery,
  segments: readonly Segment[],
  { budget, usesRollups, indexes }: ScanOptions,
): Scan {
  const statistic = findStatistic(query.statistic);
  assert(statistic !== undefined, `'${query.statistic}' is a statistic`);
  const span = spanOf(query);
  const relevant = segments.filter((segment) => overlaps(segment, span));
  const scratch = new Scratch(budget, indexes);
  return { query, statistic, segments: relevant, scratch, usesRollups };
}

/**
 * Refuses a scan that would look at too many rows.
 *
 * @throws QUERY_BUDGET_EXCEEDED when the segments in the range have more rows than the query may scan.
 */
export function checkBudget({ query, segments }: Scan): void {
  let rows = 0;
  for (const { sessions, views, events } of segments) {
    rows += sessions.rowCount + views.rowCount + events.rowCount;
  }
  if (rows > query.rowsMax) {
    throw errors.QUERY_BUDGET_EXCEEDED({ budget: `${query.rowsMax} rows (it has ${rows})` });
  }
}

/** The same query over another range. */
export function scanOver(scan: Scan, range: QueryRange): Scan {
  const segments = scan.segments.filter((segment) => overlaps(segment, range));
  return { ...scan, query: { ...scan.query, range, previous: null }, segments };
}

/** What rows a query selects under some filters. */
export function viewQuestion(
  query: StatisticsQuery,
  filters: QueryFilters,
  search: Terms | null,
): ViewQuestion {
  return { range: query.range, filters, search, byTitle: query.byTitle, blockMaxMs: null };
}

/** Totals of the query's rows under some filters (S-20). */
export function totalsUnder(scan: Scan, filters: QueryFilters): Totals {
  const { query, scratch } = scan;
  const question = viewQuestion(query, filters, null);
  const tally = tallyOver(scan, ['totals', filters], 1, (segment, into) => {
    const { sessions, views } = viewedSessions(segment, question, scratch);
    into.rows[0]! += views;
    tallyOne(segment, sessions, into);
  });
  return {
    views: tally.rows[0] as number,
    visitors: tally.visitors[0] as number,
    sessions: tally.sessions[0] as number,
    bounces: tally.bounces[0] as number,
  };
}

/** Unfiltered totals of whole segments, as long as they get no further page views. */
const wholeTotals = new WeakMap<Segment, Totals>();

/**
 * T_v, T_w and the sessions of the range without any filter (S-5, S-6, S-43). `bounces` is not set.
 *
 * @cost a pass over the segments that the range cuts; the rest is remembered.
 */
export function denominatorsOf(scan: Scan): Totals {
  if (scan.usesRollups) return totalsOver(scan.segments, scan.query.range);
  const sum = { visitors: 0, views: 0, sessions: 0, bounces: 0 };
  for (const segment of scan.segments) {
    let totals = isInside(segment, scan.query.range) ? wholeTotals.get(segment) : undefined;
    // Page views are only ever appended, so their number tells whether the totals still hold.
    if (totals?.views !== segment.views.rowCount) {
      totals = totalsUnder({ ...scan, segments: [segment] }, NO_FILTERS);
      if (isInside(segment, scan.query.range)) wholeTotals.set(segment, totals);
    }
    sum.visitors += totals.visitors;
    sum.views += totals.views;
    sum.sessions += totals.sessions;
  }
  return sum;
}

/** Whether a query has no filter at all, so that its rows are those of the denominators. */
export function isUnfiltered(filters: QueryFilters): boolean {
  return !hasSessionFilter(filters) && !hasViewFilter(filters);
}
