/**
 * What a visitor with many sessions was already counted in.
 *
 * Data plane; one per such visitor of an open segment, never on disk (see `shard/rollup/heavy-
 * visitors.ts`).
 */

import { SeenViews } from './seen-views.ts';

/** What one visitor was counted in. */
export class HeavyVisitor {
  /** Rows of `rollups`, but for hours and minutes. */
  readonly groups = new Set<number>();
  /** Over all sessions. */
  readonly views = new SeenViews();
}
