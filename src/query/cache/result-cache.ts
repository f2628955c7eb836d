/**
 * The result cache of a query thread: LRU, bounded in bytes, shared by all domains.
 *
 * Data plane, a look-up or two per question. Keys contain segment revisions, so entries are evicted,
 * never invalidated.
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

/** The value cached under a key, made if there is none. @param key names one type of value. */
export function cached<T>(key: string, make: () => T, bytesOf: (value: T) => number): T {
  const known = entries.get(key);
  if (known !== undefined) {
    entries.delete(key);
    entries.set(key, known);
    return known.value as T;
  }
  const value = make();
  // Making it may have cached others, and evicted some.
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
