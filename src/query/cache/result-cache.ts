/**
 * What a query thread keeps from question to question, within a bound of bytes; all domains share it.
 *
 * Data plane, a look-up or two per question. Keys name everything that a value depends on, the
 * revisions of the segments among it, so nothing is ever taken out because it is wrong: what nobody
 * asks for any more leaves as the least recently used.
 */

import { budgets } from '../../model/memory.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Span } from '../plan/selection.ts';

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
}

// Insertion order is the order of use: the first entry is the least recently used.
const entries = new Map<string, Entry>();
let bytesHeld = 0;

/** The value kept under a key, made if there is none. @param key names one type of value. */
export function kept<T>(key: string, make: () => T, bytesOf: (value: T) => number): T {
  const known = entries.get(key);
  if (known !== undefined) {
    entries.delete(key);
    entries.set(key, known);
    return known.value as T;
  }
  const value = make();
  // Making it may have kept others, and let some go.
  const bytes = key.length * 2 + bytesOf(value);
  bytesHeld += bytes - (entries.get(key)?.bytes ?? 0);
  entries.set(key, { value, bytes });
  for (const [oldest, entry] of entries) {
    if (bytesHeld <= budgets.keptSums) break;
    entries.delete(oldest);
    bytesHeld -= entry.bytes;
  }
  return value;
}

/** Segments this close to the newest one are taken to move still. */
const MOVING_DAYS = 1;

/** The segments that are taken to be at rest, and those that move. */
export function atRest(segments: readonly Segment[]): { resting: Segment[]; moving: Segment[] } {
  let newest = 0;
  for (const { day } of segments) newest = Math.max(newest, day);
  const resting: Segment[] = [];
  const moving: Segment[] = [];
  for (const segment of segments) {
    const isResting = segment.revision > 0 && segment.day < newest - MOVING_DAYS;
    (isResting ? resting : moving).push(segment);
  }
  return { resting, moving };
}

/** Which segments, at which state. */
export function signatureOf(segments: readonly Segment[]): string {
  let signature = '';
  for (const { day, revision } of segments) signature += `${day}:${revision},`;
  return signature;
}

/** A span as far as it makes a difference to segments. */
export function clippedKey(segments: readonly Segment[], span: Span): string {
  let [startMs, endMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { minMs, maxMs } of segments) {
    startMs = Math.min(startMs, minMs);
    endMs = Math.max(endMs, maxMs + 1);
  }
  return `${Math.max(startMs, span.startMs)} ${Math.min(endMs, span.endMs)}`;
}
