/**
 * Groups of a segment from its pre-aggregates, in numbers of the domain's text space, and their sums.
 *
 * Data plane. A part is a list of groups with their counts, no longer than it has groups. Segments are
 * disjoint, so parts add up: days that do not change any more are folded by eights, and the fold of a
 * whole range is kept too, so that ninety days are one list and what has moved since.
 *
 *     day day day day day day day day │ day … day │ yesterday  today
 *     └────── folded, kept ─────────┘ │           │
 *     └────────── sum of the range, kept ─────────┘     + added when something moved
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { atRest, clippedKey, kept, signatureOf } from '../cache/result-cache.ts';
import { isInside, type Span } from '../plan/selection.ts';
import type { TextSpace } from '../text/text-space.ts';
import { type Part, type RolledGroups, rolledGroupsOf } from './group-ids.ts';

/** What groups are made of, and which counts they have. */
export interface PartKind {
  /** Tells kinds apart in the cache. */
  readonly id: string;
  /** How the counts of two parts join, by position. */
  readonly joins: readonly ('sum' | 'smallestUrl' | 'smallestIcon')[];
  /** The groups of one segment; `span` null: of all of it. */
  readonly read: (groups: RolledGroups, segment: Segment, span: Span | null) => Part;
}

const FOLD_SHIFT = 3;
/**
 * The groups of a range over all segments.
 *
 * @param segments those that overlap the span.
 */
export function partOver(
  kind: PartKind,
  space: TextSpace,
  { segments, span }: { segments: readonly Segment[]; span: Span },
): Part {
  const groups = rolledGroupsOf(space);
  // Between two hits every question finds the sum as it was.
  if (segments.every(({ revision }) => revision > 0)) {
    const key = `${kind.id} all ${signatureOf(segments)} ${clippedKey(segments, span)}`;
    return keptPart(groups, key, () => sumOf(kind, groups, { segments, span }));
  }
  return sumOf(kind, groups, { segments, span });
}

function sumOf(
  kind: PartKind,
  groups: RolledGroups,
  { segments, span }: { segments: readonly Segment[]; span: Span },
): Part {
  const { resting, moving } = atRest(segments);
  const cut = segments.filter((segment) => !isInside(segment, span));
  const settled = resting.filter((segment) => isInside(segment, span));
  const parts = cut.map((segment) => cutPart(kind, groups, segment, span));
  for (const segment of moving) {
    if (isInside(segment, span)) parts.push(kind.read(groups, segment, null));
  }
  if (settled.length > 0) parts.push(settledPart(kind, groups, settled));
  return joinParts(kind, groups, parts);
}

function cutPart(kind: PartKind, groups: RolledGroups, segment: Segment, span: Span): Part {
  if (segment.revision === 0) return kind.read(groups, segment, span);
  // What lies beyond the segment's own span of time makes no difference to it.
  const startMs = Math.max(span.startMs, segment.minMs);
  const endMs = Math.min(span.endMs, segment.maxMs + 1);
  const key = `${kind.id} cut ${segment.day}:${segment.revision} ${startMs} ${endMs}`;
  return keptPart(groups, key, () => kind.read(groups, segment, span));
}

function settledPart(kind: PartKind, groups: RolledGroups, segments: readonly Segment[]): Part {
  return keptPart(groups, `${kind.id} sum ${signatureOf(segments)}`, () => {
    const folds = new Map<number, Segment[]>();
    for (const segment of segments) {
      const fold = segment.day >> FOLD_SHIFT;
      const held = folds.get(fold);
      if (held === undefined) folds.set(fold, [segment]);
      else held.push(segment);
    }
    const parts = [...folds.values()].map((held) => foldPart(kind, groups, held));
    return joinParts(kind, groups, parts);
  });
}

function foldPart(kind: PartKind, groups: RolledGroups, segments: readonly Segment[]): Part {
  const read = (): Part =>
    joinParts(
      kind,
      groups,
      segments.map((segment) => kind.read(groups, segment, null)),
    );
  return keptPart(groups, `${kind.id} fold ${signatureOf(segments)}`, read);
}

/** Where each group stands in the sum that is being made, plus one; all 0 between sums. */
let places = new Uint32Array(1_024);

/** The sum of parts. */
function joinParts(kind: PartKind, groups: RolledGroups, parts: readonly Part[]): Part {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  let length = 0;
  let most = 0;
  for (const part of parts) {
    length += part.groups.length;
    for (let index = 0; index < part.groups.length; index++) {
      if (part.groups[index]! > most) most = part.groups[index]!;
    }
  }
  if (most >= places.length) places = new Uint32Array(most * 2);
  const joined = new Uint32Array(length);
  const counts = kind.joins.map(() => new Float64Array(length));
  let count = 0;
  for (const part of parts) {
    const into = new Uint32Array(part.groups.length);
    for (let index = 0; index < into.length; index++) {
      const group = part.groups[index]!;
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
      joinCounts(groups, kind.joins[at]!, { from: part.counts[at]!, to: counts[at]!, into });
    }
  }
  for (let index = 0; index < count; index++) places[joined[index]!] = 0;
  return {
    groups: joined.slice(0, count),
    counts: counts.map((values) => values.slice(0, count)),
  };
}

function joinCounts(
  groups: RolledGroups,
  join: PartKind['joins'][number],
  { from, to, into }: { from: Float64Array; to: Float64Array; into: Uint32Array },
): void {
  if (join === 'sum') {
    for (let index = 0; index < into.length; index++) to[into[index]!]! += from[index]!;
    return;
  }
  for (let index = 0; index < into.length; index++) {
    const place = into[index]!;
    to[place] = groups.smaller(join, to[place]!, from[index]!);
  }
}

function keptPart(groups: RolledGroups, key: string, make: () => Part): Part {
  return kept(`part ${groups.id} ${key}`, make, bytesOf);
}

function bytesOf(part: Part): number {
  return part.groups.length * (4 + part.counts.length * 8);
}
