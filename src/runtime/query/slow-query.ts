/**
 * What the log says of a query that took long: how it was answered, and nothing of what was asked for or
 * found.
 *
 * Control plane.
 */

import { QUERY_SLOW_MS } from '../../model/limits.ts';
import { type Plan, planLine } from '../../query/plan/planner.ts';
import { filteredFields } from '../../query/question/filters.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';

/** A line of the log, as plain data. */
export interface SlowQuery {
  readonly domainId: string;
  /** Its plan in a line. */
  readonly plan: string;
  /** Names of what is filtered; a value may be a visitor's. */
  readonly filters: readonly string[];
  readonly days: number;
  /** Of the thread, without waiting for it. */
  readonly ms: number;
}

/** What is logged of a query; null where it was quick. */
export function slowQuery(query: StatisticsQuery, plan: Plan, ms: number): SlowQuery | null {
  if (ms <= QUERY_SLOW_MS) return null;
  const { domainId, filters, range } = query;
  return {
    domainId,
    plan: planLine(plan),
    filters: filteredFields(filters),
    days: range.toDay - range.fromDay + 1,
    ms: Math.round(ms),
  };
}
