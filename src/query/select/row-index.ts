/**
 * Rows of a segment by value: inverted indexes of the columns that filters test.
 *
 * Data plane. A filter that keeps one value in twenty reads the rows of that value and no others.
 * An index is a counting sort of a column, made by the second question that could use it on the
 * same rows and kept beside the columns as long as the rows are the same; a day that moves with
 * every hit is scanned instead. Sessions of a value are in order of visitor, page views in order of
 * row.
 *
 *     starts  0    2       5        rows of value v: rows[starts[v]] to rows[starts[v + 1]]
 *     rows    4 7  0 2 9   1 3 5
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Scratch } from '../plan/scratch.ts';
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

const held = new WeakMap<Segment, Held>();

/** The dictionary kind of a session's text column. */
export function kindOfColumn(column: SessionText): number {
  return column === 'entryPath' || column === 'exitPath' ? KIND.path : KIND[column];
}

/** Sessions by the value of a text column, those of a value in order of visitor; null: not worth it. */
export function sessionsByValue(
  segment: Segment,
  column: SessionText,
  scratch: Scratch,
): RowIndex | null {
  return indexOf(segment, column, scratch, () => {
    const values = segment.sessions.columns[column];
    const valueCount = segment.dictionary.texts(kindOfColumn(column)).length;
    return sortedByValue(values, valueCount, visitorOrderOf(segment));
  });
}

/** Page views by path; null: not worth it. */
export function viewsByPath(segment: Segment, scratch: Scratch): RowIndex | null {
  return indexOf(segment, 'views by path', scratch, () => {
    const pathCount = segment.dictionary.texts(KIND.path).length;
    return sortedByValue(segment.views.columns.path, pathCount, segment.views.rowCount);
  });
}

/** Page views by session; null: not worth it. */
export function viewsOfSession(segment: Segment, scratch: Scratch): RowIndex | null {
  return indexOf(segment, 'views by session', scratch, () => {
    const { session } = segment.views.columns;
    return sortedByValue(session, segment.sessions.rowCount, segment.views.rowCount);
  });
}

/** The page views that have tags, as the one value of an index; null: not worth it. */
export function taggedViews(segment: Segment, scratch: Scratch): RowIndex | null {
  return indexOf(segment, 'tagged views', scratch, () => {
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
export function keptCount({ starts }: RowIndex, kept: Uint8Array): number {
  let count = 0;
  for (let id = 0; id < kept.length; id++) {
    if (kept[id] === 1) count += starts[id + 1]! - starts[id]!;
  }
  return count;
}

/**
 * The rows of the kept values, value by value.
 *
 * @param into has room for `keptCount` rows.
 * @returns how many there are.
 */
export function gatherKept(
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
  { indexes, serial }: Scratch,
  make: () => RowIndex,
): RowIndex | null {
  if (indexes === 'never') return null;
  const { revision } = segment;
  if (revision === 0) return indexes === 'always' ? make() : null;
  let known = held.get(segment);
  if (known?.revision !== revision) {
    segment.derivedBytes -= known?.bytes ?? 0;
    known = { revision, asked: new Map(), indexes: new Map(), bytes: 0 };
    held.set(segment, known);
  }
  const index = known.indexes.get(name);
  if (index !== undefined) return index;
  const askedBy = known.asked.get(name) ?? serial;
  known.asked.set(name, askedBy);
  if (indexes === 'kept' && askedBy === serial) return null;
  const made = make();
  const bytes = made.starts.byteLength + made.rows.byteLength;
  known.indexes.set(name, made);
  known.bytes += bytes;
  segment.derivedBytes += bytes;
  return made;
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
