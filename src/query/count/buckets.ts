/**
 * The buckets of a time series: their first instants in a zone, and the bucket of each row (S-21).
 *
 * The instants are worked out once per query; the rows (data plane) only compare.
 */

import { startOfLocalDayMs } from '../../base/zone.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Span } from '../plan/selection.ts';
import { nextBucket, type Scale, startOfBucket } from '../question/calendar.ts';
import type { QueryRange } from '../question/range.ts';
import { assignGroups, isOutside, OUTSIDE, type TimeCursor } from './session-times.ts';

/** Buckets of a query in order of time, without gaps. */
export interface Buckets {
  /** First local date of each. */
  readonly days: readonly number[];
  /** First instant of each. Two are equal when a zone skipped a whole date. */
  readonly startsMs: Float64Array;
}

/** The buckets from that of the first date to that of the last. */
export function bucketsOf(range: QueryRange, scale: Scale): Buckets {
  const days: number[] = [];
  for (let day = startOfBucket(scale, range.fromDay); day <= range.toDay; ) {
    days.push(day);
    day = nextBucket(scale, day);
  }
  return { days, startsMs: Float64Array.from(days, (day) => startOfLocalDayMs(range.zone, day)) };
}

/** The last bucket that starts at or before an instant; 0 for earlier ones. */
function bucketAt(startsMs: Float64Array, atMs: number): number {
  let low = 0;
  let high = startsMs.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (startsMs[middle]! <= atMs) low = middle;
    else high = middle;
  }
  return low;
}

/** Groups of one segment's rows by their time. */
export interface TimeGroups {
  readonly groupCount: number;
  /** Group within the segment → group of the query. */
  readonly groupMap: Uint32Array;
  /** Writes the group of every row, as `assignGroups` does. */
  assign(
    times: { readonly timeMs: Float64Array; readonly rows: Uint32Array | null },
    groups: Uint32Array,
  ): void;
}

/** The buckets of a segment's rows in a range, numbered from its first: rarely more than three. */
export function bucketsWithin(segment: Segment, range: Span, startsMs: Float64Array): TimeGroups {
  const first = bucketAt(startsMs, Math.max(segment.minMs, range.startMs));
  const last = bucketAt(startsMs, Math.min(segment.maxMs, range.endMs - 1));
  const groupCount = last - first + 1;
  const groupMap = Uint32Array.from({ length: groupCount }, (_, index) => first + index);
  return {
    groupCount,
    groupMap,
    assign: (times, groups) =>
      assignGroups(new BucketCursor(range, startsMs, { groupCount, groupMap }), times, groups),
  };
}

/** The buckets of a range as a cursor over instants; `first` and `groupCount` as in `bucketsWithin`. */
export class BucketCursor implements TimeCursor {
  readonly groupCount: number;
  startMs = Number.POSITIVE_INFINITY;
  endMs = Number.NEGATIVE_INFINITY;
  group = OUTSIDE;
  readonly #range: Span;
  readonly #startsMs: Float64Array;
  readonly #first: number;

  constructor(
    range: Span,
    startsMs: Float64Array,
    groups: Pick<TimeGroups, 'groupCount' | 'groupMap'>,
  ) {
    this.groupCount = groups.groupCount;
    this.#range = range;
    this.#startsMs = startsMs;
    this.#first = groups.groupMap[0] as number;
  }

  seek(atMs: number): void {
    if (isOutside(this, this.#range, atMs)) return;
    const startsMs = this.#startsMs;
    const bucket = bucketAt(startsMs, atMs);
    this.group = bucket - this.#first;
    const nextMs = bucket + 1 < startsMs.length ? startsMs[bucket + 1]! : this.#range.endMs;
    this.startMs = Math.max(startsMs[bucket]!, this.#range.startMs);
    this.endMs = Math.min(nextMs, this.#range.endMs);
  }
}
