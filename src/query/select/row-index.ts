/**
 * Rows of a segment by value: inverted indexes of the columns that filters test.
 *
 * Data plane. A filter that keeps one value in twenty reads the rows of that value and no others.
 * An index is a counting sort of a column, made by the second question that could use it on the
 * same rows and held beside the columns as long as the rows are the same; a day that changes with
 * every hit gets none. Sessions of a value are in order of visitor, page views in order of
 * row.
 *
 *     starts  0    2       5        rows of value v: rows[starts[v]] to rows[starts[v + 1]]
 *     rows    4 7  0 2 9   1 3 5
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryRun } from '../plan/query-run.ts';
import { indexWay, isRevised } from '../plan/segment-planner.ts';
import type { SessionText } from '../question/filters.ts';
import { visitorOrderOf } from './visitor-order.ts';

/** Rows by dictionary id. */
export interface RowIndex {
  /** By id, and one more: where its rows start. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

interface Held {
  readonly revision: number;
  /** By name: the query that could have used the index first. */
  readonly asked: Map<string, number>;
  readonly indexes: Map<string, RowIndex>;
  bytes: number;
}

const indexesOf = new WeakMap<Segment, Held>();

/** The dictionary kind of a session's text column. */
export function kindOfColumn(column: SessionText): number {
  return column === 'entryPath' || column === 'exitPath' ? KIND.path : KIND[column];
}

/** Sessions by the value of a text column, those of a value in order of visitor; null: not worth it. */
export function sessionsByValue(
  segment: Segment,
  column: SessionText,
  run: QueryRun,
): RowIndex | null {
  return indexOf(segment, column, run, () => {
    const values = segment.sessions.columns[column];
    const valueCount = segment.dictionary.texts(kindOfColumn(column)).length;
    return sortedByValue(values, valueCount, visitorOrderOf(segment));
  });
}

/** Page views by path; null: not worth it. */
export function viewsByPath(segment: Segment, run: QueryRun): RowIndex | null {
  return indexOf(segment, 'views by path', run, () => {
    const pathCount = segment.dictionary.texts(KIND.path).length;
    return sortedByValue(segment.views.columns.path, pathCount, segment.views.rowCount);
  });
}

/** Page views by session; null: not worth it. */
export function viewsOfSession(segment: Segment, run: QueryRun): RowIndex | null {
  return indexOf(segment, 'views by session', run, () => {
    const { session } = segment.views.columns;
    return sortedByValue(session, segment.sessions.rowCount, segment.views.rowCount);
  });
}

/** The page views that have tags, as the one value of an index; null: not worth it. */
export function taggedViews(segment: Segment, run: QueryRun): RowIndex | null {
  return indexOf(segment, 'tagged views', run, () => {
    const { tagEnd } = segment.views.columns;
    const rows = new Uint32Array(Math.min(segment.tagPairs.rowCount, segment.views.rowCount));
    let count = 0;
    let start = 0;
    for (let row = 0; row < segment.views.rowCount; row++) {
      const end = tagEnd[row]!;
      if (end > start) rows[count++] = row;
      start = end;
    }
    return { starts: Uint32Array.of(0, count), rows: rows.slice(0, count) };
  });
}

/** How many rows the kept values have. @param kept one byte per id, 1 is kept. */
export function passingCount({ starts }: RowIndex, kept: Uint8Array): number {
  let count = 0;
  for (let id = 0; id < kept.length; id++) {
    if (kept[id] === 1) count += starts[id + 1]! - starts[id]!;
  }
  return count;
}

/**
 * The rows of the kept values, value by value.
 *
 * @param into has room for `passingCount` rows.
 * @returns how many there are.
 */
export function gatherPassing(
  { starts, rows }: RowIndex,
  kept: Uint8Array,
  into: Uint32Array,
): number {
  let count = 0;
  for (let id = 0; id < kept.length; id++) {
    if (kept[id] === 0) continue;
    const end = starts[id + 1]!;
    for (let at = starts[id]!; at < end; at++) into[count++] = rows[at]!;
  }
  return count;
}

function indexOf(
  segment: Segment,
  name: string,
  { indexes: use, serial }: QueryRun,
  make: () => RowIndex,
): RowIndex | null {
  if (use === 'never') return null;
  const held = isRevised(segment) ? heldOf(segment) : null;
  const index = held?.indexes.get(name);
  if (index !== undefined) return index;
  const askedBy = held?.asked.get(name) ?? serial;
  held?.asked.set(name, askedBy);
  const way = indexWay(use, segment, askedBy === serial);
  if (way === 'none') return null;
  const made = make();
  if (held === null || way === 'made for the question') return made;
  const bytes = made.starts.byteLength + made.rows.byteLength;
  held.indexes.set(name, made);
  held.bytes += bytes;
  segment.derivedBytes += bytes;
  return made;
}

/** What is held of a segment as it is now. */
function heldOf(segment: Segment): Held {
  const { revision } = segment;
  const known = indexesOf.get(segment);
  if (known?.revision === revision) return known;
  segment.derivedBytes -= known?.bytes ?? 0;
  const held = { revision, asked: new Map(), indexes: new Map(), bytes: 0 };
  indexesOf.set(segment, held);
  return held;
}

/** A counting sort. @param order rows in the order they get within a value, or how many there are. */
function sortedByValue(
  values: ArrayLike<number>,
  valueCount: number,
  order: Uint32Array | number,
): RowIndex {
  const rowCount = typeof order === 'number' ? order : order.length;
  // Counts are kept two values further on: after the sums an entry is where the value before starts,
  // and after the scatter where it ends, which is where its own value starts.
  const places = new Uint32Array(valueCount + 2);
  for (let row = 0; row < rowCount; row++) places[values[row]! + 2]!++;
  for (let id = 2; id < places.length; id++) places[id]! += places[id - 1]!;
  const rows = new Uint32Array(rowCount);
  for (let at = 0; at < rowCount; at++) {
    const row = typeof order === 'number' ? at : order[at]!;
    rows[places[values[row]! + 1]!++] = row;
  }
  return { starts: places.subarray(0, valueCount + 1), rows };
}
