/**
 * Sums of days at rest, found on disk or made and handed over to be kept there.
 *
 * Control plane, a look-up per fold of days and breakdown that nobody asked this thread for before.
 */

import { SUM_DAY_COUNT, SUM_ROW_COUNT_MAX, SUM_VIEWS_PER_ROW_MIN } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { isSummable, sumOfDays } from '../../segment/rollup/day-sum.ts';

/**
 * The pre-aggregates of some days as one segment.
 *
 * @param days one, or all of a fold.
 * @returns null where no sum is kept: of days that may move, or that it would save nothing of.
 */
export function keptSum(days: readonly Segment[]): Segment | null {
  const [first] = days;
  if (first === undefined || first.sums === null) return null;
  const { sums } = first;
  const isFold = days.length === 1 || days.length === SUM_DAY_COUNT;
  if (!isFold || days.some((day) => day.sums !== sums) || !isWorthIt(days)) return null;
  const known = sums.find(days);
  if (known !== null) return known;
  if (!days.every(isSummable)) return null;
  const sum = sumOfDays(days);
  sums.keep(days, sum);
  return sum;
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
