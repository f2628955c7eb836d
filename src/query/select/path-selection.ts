/**
 * Which paths the page-level filters keep: one byte per dictionary id, for page views and events alike.
 *
 * Data plane, once per segment. In a set with `path` no `pattern` is left (F-16); of several sets every
 * one must keep the path.
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { keptIds } from '../question/filter-values.ts';
import { filterSets, type QueryFilters } from '../question/filters.ts';
import { pathsKept } from '../question/path-pattern.ts';

/**
 * The paths that `path` and `pattern` keep.
 *
 * @returns one byte per id, 1 is kept; null: all of them.
 */
export function pathsUnder(filters: QueryFilters, segment: Segment): Uint8Array | null {
  let mask: Uint8Array | null = null;
  for (const { path, pattern } of filterSets(filters)) {
    if (path !== null) mask = bothMasks(mask, keptIds(path, segment, KIND.path));
    if (pattern !== null) mask = bothMasks(mask, pathsKept(pattern, segment));
  }
  return mask;
}

/** What both masks keep; `right` is changed. */
export function bothMasks(left: Uint8Array | null, right: Uint8Array): Uint8Array {
  if (left === null) return right;
  for (let id = 0; id < right.length; id++) if (left[id] === 0) right[id] = 0;
  return right;
}
