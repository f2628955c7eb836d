/**
 * Sums of days at rest, found on disk or made and handed over to be kept there.
 *
 * Control plane, a look-up per fold of days and breakdown that nobody asked this thread for before.
 */

import { SUM_DAY_COUNTS, SUM_ROW_COUNT_MAX, SUM_VIEWS_PER_ROW_MIN } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { isSummable, sumOfDays } from '../../segment/rollup/day-sum.ts';

/**
 * The pre-aggregates of some days as one segment.
 *
 * @param days by day.
 * @returns null where no sum is kept: of days that may move, or that it would save nothing of.
 */
export function keptSum(days: readonly Segment[]): Segment | null {
  const [first] = days;
  if (first === undefined || first.sums === null || !isFold(days)) return null;
  const { sums } = first;
  if (days.some((day) => day.sums !== sums) || !isWorthIt(days)) return null;
  const known = sums.find(days);
  if (known !== null) return known;
  if (!days.every(isSummable)) return null;
  const sum = sumOfDays(days);
  sums.keep(days, sum);
  return sum;
}

/** Whether they are all days that a sum is of. */
function isFold(days: readonly Segment[]): boolean {
  const { length } = days;
  const [first, last] = [days[0]?.day ?? 0, days.at(-1)?.day ?? 0];
  return SUM_DAY_COUNTS.includes(length) && first % length === 0 && last - first === length - 1;
}

/** Where nearly every page view has a page of its own, the sum would be as large as the days. */
function isWorthIt(days: readonly Segment[]): boolean {
  let rows = 0;
  let pageViews = 0;
  for (const { pages, rollups, views } of days) {
    rows += pages.rowCount + rollups.rowCount;
    pageViews += views.rowCount;
  }
  return rows <= SUM_ROW_COUNT_MAX && rows * SUM_VIEWS_PER_ROW_MIN <= pageViews;
}
