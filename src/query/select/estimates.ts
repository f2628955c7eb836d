/**
 * How many rows a filter leaves in a segment, as far as indexes tell: the one place that estimates.
 *
 * Control plane, a few look-ups per segment. What no index tells counts as all rows, so an estimate
 * is never too low but where sessions have more page views than others.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryRun } from '../plan/query-run.ts';
import { narrowestTest, type ViewEstimates } from '../plan/segment-planner.ts';
import type { ViewPredicate } from '../plan/view-predicate.ts';
import type { QueryFilters } from '../question/filters.ts';
import { passingCount, type RowIndex } from './row-index.ts';
import { valueTests } from './value-tests.ts';

/** About how many sessions pass: as many as the narrowest filter with an index leaves. */
export function passingSessionsMost(
  segment: Segment,
  filters: QueryFilters,
  run: QueryRun,
): number {
  const { rowCount } = segment.sessions;
  const counts = valueTests(segment, filters, run).map(({ count }) => count);
  return counts[narrowestTest(counts, rowCount)] ?? rowCount;
}

/** About how many page views each test leaves. */
export function viewEstimates(
  segment: Segment,
  known: {
    readonly byPath: RowIndex | null;
    readonly pathMask: Uint8Array | null;
    readonly tagged: RowIndex | null;
    readonly bySession: RowIndex | null;
  },
  { filters }: ViewPredicate,
  run: QueryRun,
): ViewEstimates {
  const { byPath, pathMask, tagged, bySession } = known;
  const { rowCount } = segment.views;
  return {
    rowCount,
    ofPaths: viewsOfPaths(segment, byPath, pathMask),
    ofTags: tagged?.rows.length ?? rowCount,
    ofSessions: bySession === null ? rowCount : viewsOfPassing(segment, filters, run),
  };
}

/** Page views of the paths that a mask keeps. */
export function viewsOfPaths(
  segment: Segment,
  byPath: RowIndex | null,
  pathMask: Uint8Array | null,
): number {
  return byPath === null || pathMask === null
    ? segment.views.rowCount
    : passingCount(byPath, pathMask);
}

/** Page views of the sessions that pass, if they have as many as others. */
function viewsOfPassing(segment: Segment, filters: QueryFilters, run: QueryRun): number {
  const each = segment.views.rowCount / Math.max(segment.sessions.rowCount, 1);
  return Math.ceil(passingSessionsMost(segment, filters, run) * each);
}
