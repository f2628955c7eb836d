/**
 * Partial aggregates: groups of segments with their counts, in numbers of the domain's text space, and
 * how they merge.
 *
 * Data plane. A partial aggregate is no longer than it has groups. Segments are disjoint, so partials
 * add up: settled days are folded by 32, and the fold of a whole range is cached too, so that
 * ninety days are one list and what has changed since. What eight or 32 packed days add is on disk: a
 * thread that has just been started folds those sums.
 *
 *     day day day day day day day day │ day … day │ yesterday  today
 *     └────── folded, cached ───────┘ │           │
 *     └───────── sum of the range, cached ────────┘     + added when a day changed
 */

import { SUM_DAY_COUNTS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { cached, clippedKey, signatureOf } from '../cache/result-cache.ts';
import { isRevised, splitSettled } from '../plan/segment-planner.ts';
import { isInside, type Span } from '../plan/selection.ts';
import type { TextSpace } from '../text/text-space.ts';
import { type GroupIds, groupIdsOf, type PartialAggregate } from './group-ids.ts';
import { keptSum } from './kept-sums.ts';

/** What groups are made of, and which counts they have. */
export interface Breakdown {
  /** Tells breakdowns apart in the cache. */
  readonly id: string;
  /** Names of the counts, by position. */
  readonly counts: readonly string[];
  /** How the counts of two partials merge, by position. */
  readonly joins: readonly ('sum' | 'smallestUrl' | 'smallestIcon')[];
  /** Whether sums of days have its groups (`segment/rollup/day-sum.ts`). */
  readonly isSummed: boolean;
  /** The groups of one segment; `span` null: of all of it. */
  readonly read: (ids: GroupIds, segment: Segment, span: Span | null) => PartialAggregate;
}

/**
 * The groups of a range over all segments.
 *
 * @param segments those that overlap the span.
 */
export function breakdownOver(
  breakdown: Breakdown,
  space: TextSpace,
  { segments, span }: { segments: readonly Segment[]; span: Span },
): PartialAggregate {
  const ids = groupIdsOf(space);
  // Between two hits every question finds the sum as it was.
  if (segments.every(isRevised)) {
    const key = `${breakdown.id} all ${signatureOf(segments)} ${clippedKey(segments, span)}`;
    return cachedPartial(ids, key, () => sumOf(breakdown, ids, { segments, span }));
  }
  return sumOf(breakdown, ids, { segments, span });
}

function sumOf(
  breakdown: Breakdown,
  ids: GroupIds,
  { segments, span }: { segments: readonly Segment[]; span: Span },
): PartialAggregate {
  const { settled, changing } = splitSettled(segments);
  const cut = segments.filter((segment) => !isInside(segment, span));
  const whole = settled.filter((segment) => isInside(segment, span));
  const partials = cut.map((segment) => cutPartial(breakdown, ids, segment, span));
  for (const segment of changing) {
    if (isInside(segment, span)) partials.push(...readDays(breakdown, ids, [segment]));
  }
  if (whole.length > 0) partials.push(settledPartial(breakdown, ids, whole));
  return mergePartials(breakdown, ids, partials);
}

function cutPartial(
  breakdown: Breakdown,
  ids: GroupIds,
  segment: Segment,
  span: Span,
): PartialAggregate {
  if (!isRevised(segment)) return breakdown.read(ids, segment, span);
  // What lies beyond the segment's own span of time makes no difference to it.
  const startMs = Math.max(span.startMs, segment.minMs);
  const endMs = Math.min(span.endMs, segment.maxMs + 1);
  const key = `${breakdown.id} cut ${segment.day}:${segment.revision} ${startMs} ${endMs}`;
  return cachedPartial(ids, key, () => breakdown.read(ids, segment, span));
}

function settledPartial(
  breakdown: Breakdown,
  ids: GroupIds,
  segments: readonly Segment[],
): PartialAggregate {
  return cachedPartial(ids, `${breakdown.id} sum ${signatureOf(segments)}`, () => {
    const [largest = 1] = SUM_DAY_COUNTS;
    const partials = foldsOf(segments, largest).map((some) => foldPartial(breakdown, ids, some));
    return mergePartials(breakdown, ids, partials);
  });
}

/** Segments by the fold of so many days that they are in. */
function foldsOf(segments: readonly Segment[], dayCount: number): Segment[][] {
  const folds = new Map<number, Segment[]>();
  for (const segment of segments) {
    const fold = Math.floor(segment.day / dayCount);
    const known = folds.get(fold);
    if (known === undefined) folds.set(fold, [segment]);
    else known.push(segment);
  }
  return [...folds.values()];
}

function foldPartial(
  breakdown: Breakdown,
  ids: GroupIds,
  segments: readonly Segment[],
): PartialAggregate {
  const key = `${breakdown.id} fold ${signatureOf(segments)}`;
  return cachedPartial(ids, key, () =>
    mergePartials(breakdown, ids, readDays(breakdown, ids, segments)),
  );
}

/** The groups of whole days: of their sum where one is kept, else of the sums of fewer, else of each. */
function readDays(
  breakdown: Breakdown,
  ids: GroupIds,
  segments: readonly Segment[],
): PartialAggregate[] {
  const sum = breakdown.isSummed ? keptSum(segments) : null;
  if (sum !== null) return [breakdown.read(ids, sum, null)];
  const [only, next] = segments;
  if (only !== undefined && next === undefined) return [breakdown.read(ids, only, null)];
  const fewer = SUM_DAY_COUNTS.find((count) => count < segments.length) ?? 1;
  return foldsOf(segments, fewer).flatMap((some) => readDays(breakdown, ids, some));
}

/** Where each group stands in the sum that is being made, plus one; all 0 between sums. */
let places = new Uint32Array(1_024);

/** The sum of partials. */
function mergePartials(
  breakdown: Breakdown,
  ids: GroupIds,
  partials: readonly PartialAggregate[],
): PartialAggregate {
  const [only] = partials;
  if (partials.length === 1 && only !== undefined) return only;
  let length = 0;
  let most = 0;
  for (const partial of partials) {
    length += partial.groups.length;
    for (let index = 0; index < partial.groups.length; index++) {
      if (partial.groups[index]! > most) most = partial.groups[index]!;
    }
  }
  if (most >= places.length) places = new Uint32Array(most * 2);
  const joined = new Uint32Array(length);
  const counts = breakdown.joins.map(() => new Float64Array(length));
  let count = 0;
  for (const partial of partials) {
    const into = new Uint32Array(partial.groups.length);
    for (let index = 0; index < into.length; index++) {
      const group = partial.groups[index]!;
      let place = places[group]!;
      if (place === 0) {
        joined[count] = group;
        count++;
        place = count;
        places[group] = place;
      }
      into[index] = place - 1;
    }
    for (let at = 0; at < counts.length; at++) {
      mergeCounts(ids, breakdown.joins[at]!, { from: partial.counts[at]!, to: counts[at]!, into });
    }
  }
  for (let index = 0; index < count; index++) places[joined[index]!] = 0;
  return {
    groups: joined.slice(0, count),
    counts: counts.map((values) => values.slice(0, count)),
  };
}

function mergeCounts(
  ids: GroupIds,
  join: Breakdown['joins'][number],
  { from, to, into }: { from: Float64Array; to: Float64Array; into: Uint32Array },
): void {
  if (join === 'sum') {
    for (let index = 0; index < into.length; index++) to[into[index]!]! += from[index]!;
    return;
  }
  for (let index = 0; index < into.length; index++) {
    const place = into[index]!;
    to[place] = ids.smaller(join, to[place]!, from[index]!);
  }
}

function cachedPartial(ids: GroupIds, key: string, make: () => PartialAggregate): PartialAggregate {
  return cached(`partial ${ids.space.number} ${key}`, make, bytesOf);
}

function bytesOf(partial: PartialAggregate): number {
  return partial.groups.length * (4 + partial.counts.length * 8);
}
