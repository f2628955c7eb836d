/**
 * The pre-aggregates of a whole segment worked out from its columns.
 *
 * Data plane, but plainly. This is what settling (`shard/rollup/flush.ts`) must come to (they are
 * compared in tests), and how data without pre-aggregates gets them. A range that cuts a segment is
 * answered by the same steps over a span.
 */

import type { Segment } from '../memory/segment.ts';
import { SpanRows } from './counts.ts';
import { SESSION_FAMILIES } from './families.ts';
import { fillGroups } from './groups.ts';
import { fillPages, fillQuarters } from './pages.ts';

/** Whether a segment has its pre-aggregates: one saved by an older release has none. */
export function isRolledUp({ quarters, rollups, views, events }: Segment): boolean {
  return quarters.rowCount + rollups.rowCount > 0 || views.rowCount + events.rowCount === 0;
}

/**
 * Whether a segment has the pre-aggregates of one family of session dimensions: one saved before the
 * dimension was added has none. Where a page view is, every family has a row, and soon.
 */
export function hasFamily({ views, rollups }: Segment, code: number): boolean {
  if (views.rowCount === 0) return true;
  return rollups.columns.family.subarray(0, rollups.rowCount).includes(code);
}

/** Makes what a segment lacks of its pre-aggregates, in place; it goes to disk with the next change. */
export function completeRollups(segment: Segment): void {
  if (!isRolledUp(segment)) {
    rebuildRollups(segment);
    return;
  }
  const missing = SESSION_FAMILIES.filter(({ code }) => !hasFamily(segment, code));
  if (missing.length === 0) return;
  const rows = new SpanRows(segment, null);
  for (const { code } of missing) fillGroups(rows, segment, code);
}

/** Makes the pre-aggregates of a whole segment anew, in place. */
export function rebuildRollups(segment: Segment): void {
  for (const table of [segment.rollups, segment.pages, segment.titledPages, segment.quarters]) {
    table.clear();
  }
  const rows = new SpanRows(segment, null);
  fillPages(rows, segment);
  fillQuarters(rows, segment);
  fillGroups(rows, segment);
}
