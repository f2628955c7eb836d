/**
 * What a visitor with many sessions was counted in already: the sets that spare walking them.
 *
 * Data plane; one per such visitor of an open segment, never on disk (see `shard/rollup/heavy-visitors.ts`).
 */

const TITLE_SPAN = 0x1_0000_0000;

/** What one visitor was counted in. */
export class HeavyVisitor {
  /** Rows of `rollups`. */
  readonly groups = new Set<number>();
  readonly paths = new Set<number>();
  /** `path × 2^32 + title`: exact, ids stay below 2^21. */
  readonly titled = new Set<number>();
  /** First and last page view over all sessions. */
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;

  /** The key of a path and title in `titled`. */
  static titledKey(path: number, title: number): number {
    return path * TITLE_SPAN + title;
  }
}
