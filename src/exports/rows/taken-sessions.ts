/**
 * Which sessions of a segment an export takes: those that began within its span, and that no deletion
 * has taken away.
 *
 * Data plane.
 */

import { NONE } from '../../segment/memory/layout.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { TextBytes } from '../../segment/memory/text-bytes.ts';
import { type IdVector, type NumberVector, numbers, type Room } from './vectors.ts';

/** Rows that are read at once: whole blocks of any table. */
export const BATCH_ROWS = 16_384;

/** Instants `[startMs, endMs)`. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A segment with the sessions that are taken of it, and where batches of its rows are made. */
export interface TakenSessions {
  readonly segment: Segment;
  /** By kind. */
  readonly texts: readonly TextBytes[];
  /** By session: its visitor, or NONE when it is left out. */
  readonly visitors: Uint32Array;
  readonly room: Room;
}

/** Finds the sessions of a segment that are taken. */
export function takenSessions(
  segment: Segment,
  { startMs, endMs }: Span,
  room: Room,
): TakenSessions {
  const { sessions } = segment;
  const visitors = new Uint32Array(sessions.rowCount);
  const starts = room.doubles('startMs', BATCH_ROWS);
  for (let first = 0; first < visitors.length; first += BATCH_ROWS) {
    const end = Math.min(first + BATCH_ROWS, visitors.length);
    sessions.copy('visitor', { first, end }, visitors.subarray(first, end));
    sessions.copy('startMs', { first, end }, starts);
    for (let row = first; row < end; row++) {
      const start = starts[row - first]!;
      if (start < startMs || start >= endMs) visitors[row] = NONE;
    }
  }
  return { segment, texts: segment.dictionary.bytesByKind(), visitors, room };
}

/** Day, visitor and number of some sessions. */
export function keyVectors(
  { segment: { day, visitors: table }, visitors, room }: TakenSessions,
  rows: Uint32Array,
  count: number,
): [NumberVector, IdVector, NumberVector] {
  const { low, high } = table.columns;
  const days = room.words('day', BATCH_ROWS).fill(day);
  const lows = room.words('low', BATCH_ROWS);
  const highs = room.words('high', BATCH_ROWS);
  const session = room.words('session', BATCH_ROWS);
  for (let at = 0; at < count; at++) {
    const row = rows[at]!;
    const visitor = visitors[row]!;
    lows[at] = low[visitor]!;
    highs[at] = high[visitor]!;
    // I-34.
    session[at] = row + 1;
  }
  return [numbers(days), { kind: 'ids', low: lows, high: highs }, numbers(session)];
}
