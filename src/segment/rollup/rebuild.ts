/**
 * The pre-aggregates of a whole segment worked out from its columns.
 *
 * Data plane, but plainly. This is what settling (`shard/rollup/flush.ts`) must come to (they are
 * compared in tests), and how data without pre-aggregates gets them. A range that cuts a segment is
 * answered by the same steps over a span.
 */

import type { Segment } from '../memory/segment.ts';
import { SpanRows } from './counts.ts';
import { fillGroups } from './groups.ts';
import { fillPages, fillQuarters } from './pages.ts';

/** Whether a segment has its pre-aggregates: one saved by an older release has none. */
export function isRolledUp({ quarters, rollups, views, events }: Segment): boolean {
  return quarters.rowCount + rollups.rowCount > 0 || views.rowCount + events.rowCount === 0;
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
