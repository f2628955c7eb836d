/**
 * Answers a statistics query on decoded segments, by its plan.
 *
 * Segments are disjoint in visitors and sessions, so every answer is a sum over segments; rates,
 * averages, order and paging happen once at the end.
 *
 *     query ─ plan ─ per segment: select rows → count groups ─ rates → search → order → page
 */

import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import type { ImportedSums } from '../../segment/disk/imported-sums.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { explained } from '../plan/explain.ts';
import { type Plan, planOf, type Way } from '../plan/planner.ts';
import {
  type AnsweredStatistic,
  checkRows,
  openContext,
  type QueryContext,
} from '../plan/query-context.ts';
import type { Budget } from '../question/budget.ts';
import type { StatisticsQuery } from '../question/request.ts';
import { trimTextSpaces } from '../text/text-space.ts';
import { statisticNamed } from './statistics.ts';

/** How a query will be answered. */
export function planFor(query: StatisticsQuery): Plan {
  return planOf(statisticNamed(query.statistic), query);
}

/** What is stored of a domain, of one moment. */
export interface StoredDays {
  readonly segments: readonly Segment[];
  /** What other products counted (S-98); null: nothing. */
  readonly imported: ImportedSums | null;
}

/** Answers a query from rows alone, as `runOver` has it. */
export function runStatistics(
  query: StatisticsQuery,
  segments: readonly Segment[],
  budget: Budget | null = null,
  way: Way = 'best',
): unknown {
  return runOver(query, { segments, imported: null }, budget, way);
}

/**
 * Answers a query.
 *
 * @param stored all segments of the domain whose rows may lie in the range: a session carried over
 *   midnight has rows on later days than its segment's. Others are skipped by their span of time.
 * @param budget null: only the rows of the query are bounded.
 * @param way leaves the plan fewer ways to choose from, for tests.
 * @returns the answer in the API's shape, ready for `JSON.stringify`; inside of an `ExplainedAnswer`
 *   if the query asks for it.
 * @throws QUERY_BUDGET_EXCEEDED when the segments in the range have more rows than the query may
 *   scan, or its budget is used up.
 */
export function runOver(
  query: StatisticsQuery,
  { segments, imported }: StoredDays,
  budget: Budget | null,
  way: Way = 'best',
): unknown {
  const startMs = monotonicMs();
  trimTextSpaces(query.domainId);
  const statistic = statisticNamed(query.statistic);
  const notes = query.isExplained;
  const context = openContext(statistic, query, segments, { budget, way, notes, imported });
  const answer = execute(statistic, context);
  return query.isExplained ? explained(context, answer, startMs) : answer;
}

function execute(statistic: AnsweredStatistic, context: QueryContext): unknown {
  const { source, days } = context.plan;
  // What came with the question (P-4), or nothing.
  if (source === 'nothing') return context.query.keywords;
  if (source === 'rollups') {
    assert(statistic.byRollups !== null, 'the plan knows what has pre-aggregates');
    return statistic.byRollups(context);
  }
  // Of fewer days their rows are counted by whoever finds out which.
  if (days === 'all') checkRows(context);
  return statistic.byRows(context);
}
