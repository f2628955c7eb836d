/**
 * Totals of the rows that a query selects: one group for all of them (S-20, S-2).
 *
 * Control plane; the loops are those of `viewedSessions` and `tallyOne`.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryContext, viewPredicate } from '../plan/query-context.ts';
import type { QueryFilters } from '../question/filters.ts';
import type { StatisticsQuery } from '../question/request.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';
import { addKept } from './kept-totals.ts';
import { type Tally, tallyOne } from './tally.ts';
import { tallyOver } from './tally-over.ts';

/** Distinct visitors and sessions and the page views behind them. */
export interface Totals {
  readonly visitors: number;
  readonly views: number;
  readonly sessions: number;
  readonly bounces: number;
  /** The events' values and their number while a custom metric is active (S-8). */
  readonly metric?: { readonly sum: number; readonly count: number };
}

/** What a statistic is told by that makes no difference to totals. */
const AS_TOTAL: Partial<StatisticsQuery> = {
  ...{ statistic: 'total', scale: 'day', byTitle: false, includesTimeOnPage: false },
};

/** Totals of the query's rows under some filters (S-20). */
export function totalsUnder(context: QueryContext, filters: QueryFilters): Totals {
  const { run } = context;
  // The same for every statistic that wants it, so that they share what is cached.
  const query = { ...context.query, ...AS_TOTAL, filters };
  const predicate = viewPredicate(query, filters, null);
  const count = (segment: Segment, into: Tally): void => {
    const { sessions, views } = viewedSessions(segment, predicate, run);
    into.rows[0]! += views;
    tallyOne(segment, sessions, into);
  };
  const add = context.isKept ? addKept(query, count) : count;
  const tally = tallyOver({ ...context, query }, ['totals'], 1, add);
  return totalsOfGroup(tally, 0);
}

/** The totals of one group of a tally. */
export function totalsOfGroup(tally: Tally, group: number): Totals {
  return {
    visitors: tally.visitors[group] as number,
    views: tally.rows[group] as number,
    sessions: tally.sessions[group] as number,
    bounces: tally.bounces[group] as number,
  };
}
