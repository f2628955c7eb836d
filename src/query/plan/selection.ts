/**
 * Spans of time and the rows selected in them: what selecting and counting hand to each other.
 *
 * Data plane. "Every row" is not a list of row numbers but null, so that the most common question, an
 * unfiltered one over whole segments, reads the columns as they are.
 */

import { bringNear } from '../../base/bring-near.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryRun, WorkingWords } from './query-run.ts';

/** A span of time, `[startMs, endMs)`. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Selected rows of a table. */
export interface Selection {
  /** Row numbers, ascending; null: every row of the table. A working array of whoever selected. */
  readonly rows: Uint32Array | null;
  readonly count: number;
}

/** Whether a segment may hold anything in a span. */
export function overlaps(segment: Segment, span: Span): boolean {
  return segment.maxMs >= span.startMs && segment.minMs < span.endMs;
}

/** Whether everything in a segment lies in a span, so that no row needs its time tested. */
export function isInside(segment: Segment, span: Span): boolean {
  return segment.minMs >= span.startMs && segment.maxMs < span.endMs;
}

/**
 * One column over the selected rows.
 *
 * @returns the column itself when all rows are selected; else a copy in `into`.
 */
export function gather(
  selection: Selection,
  column: Uint32Array,
  run: QueryRun,
  into: WorkingWords,
): Uint32Array {
  const { rows, count } = selection;
  if (rows === null) return column;
  bringNear(count, column);
  const gathered = into.raw(run, count);
  for (let index = 0; index < count; index++) gathered[index] = column[rows[index]!]!;
  return gathered;
}
