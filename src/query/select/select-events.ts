/**
 * Event filters: which events match, and which sessions pass because of them (F-12, F-25, S-13).
 *
 * Data plane. In event scope the event itself is tested, also by path and tags; in every other
 * statistic the filter selects sessions that have, or lack, a matching event in the range.
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Scratch } from '../plan/scratch.ts';
import { gather, type Selection, type Span } from '../plan/selection.ts';
import { hasNull, keptIds, matchedIds, withoutNull } from '../question/filter-values.ts';
import { type EventFilter, filterSets, type QueryFilters } from '../question/filters.ts';
import { bothMasks, pathsUnder } from './path-selection.ts';
import { compilePairTests, keepPairRows, type PairTest } from './property-filter.ts';

/** Bits kept per session while its events are looked at. */
const HAS_EVENT = 1;
const HAS_FORBIDDEN = 2;
const HAS_MATCH = 4;

interface EventTests {
  readonly sessionMask: Uint8Array | null;
  readonly nameMask: Uint8Array | null;
  readonly pathMask: Uint8Array | null;
  readonly pairTests: readonly PairTest[];
}

/** Selected events. */
export interface EventRows extends Selection {
  readonly rows: Uint32Array;
}

/**
 * Selects the events that a statistic in event scope is computed over (S-13).
 *
 * @param sessionMask sessions that pass the session-level filters other than the event filter.
 */
export function selectEvents(
  segment: Segment,
  question: { readonly range: Span; readonly filters: QueryFilters },
  sessionMask: Uint8Array | null,
  scratch: Scratch,
): Selection {
  scratch.budget?.check();
  const { filters, range } = question;
  const sets = filterSets(filters);
  let nameMask: Uint8Array | null = null;
  for (const { events } of sets) {
    const names = events?.names ?? null;
    if (names !== null) nameMask = bothMasks(nameMask, keptIds(names, segment, KIND.eventName));
  }
  return scanEvents(segment, range, scratch, {
    sessionMask,
    nameMask,
    // The event's own path.
    pathMask: pathsUnder(filters, segment),
    // Tags of a request test the metadata of an event here.
    pairTests: compilePairTests(segment, {
      keys: sets
        .flatMap(({ events, tagKeys }) => [events?.keys ?? null, tagKeys])
        .filter((terms) => terms !== null),
      values: sets.flatMap(({ events, tags }) => [...(events?.values ?? []), ...tags]),
      keyKind: KIND.metaKey,
      valueKind: KIND.metaValue,
    }),
  });
}

/**
 * Which sessions pass an event filter.
 *
 * A positive value needs a matching event that meets all conditions at once. A negated name needs
 * that no event of the session in the range has it, whatever its metadata (F-25).
 *
 * @returns one byte per session, 1 passes; in the scratch.
 */
export function eventPassingSessions(
  segment: Segment,
  filter: EventFilter,
  range: Span,
  scratch: Scratch,
): Uint8Array {
  scratch.budget?.check();
  const flags = scratch.bytes('eventFlags', segment.sessions.rowCount);
  const none = filter.names?.none ?? [];
  const forbidden = matchedIds(withoutNull(none), segment, KIND.eventName);
  markEvents(segment, range, flags, forbidden);
  const matches = matchingEvents(segment, filter, range, scratch);
  if (matches !== null) markSessions(segment, matches, flags);
  decide(flags, {
    needsMatch: matches !== null,
    // A session without events has none that could meet a condition on metadata.
    takesBare: hasNull(filter.names?.any ?? []) && !hasConditions(filter),
    refusesBare: hasNull(none),
  });
  return flags;
}

/**
 * The events in the range that meet the conditions of an event filter (F-12).
 *
 * @returns null when the filter asks for no event: its names are all negated (F-25).
 */
export function matchingEvents(
  segment: Segment,
  filter: EventFilter,
  range: Span,
  scratch: Scratch,
): EventRows | null {
  const any = filter.names?.any ?? [];
  if (any.length === 0 && !hasConditions(filter)) return null;
  const { dictionary } = segment;
  const wanted = matchedIds(withoutNull(any), segment, KIND.eventName);
  return scanEvents(segment, range, scratch, {
    sessionMask: null,
    // Only `null` among the names: no event has that name.
    nameMask:
      any.length > 0 ? (wanted ?? new Uint8Array(dictionary.texts(KIND.eventName).length)) : null,
    pathMask: null,
    pairTests: compilePairTests(segment, {
      keys: filter.keys === null ? [] : [filter.keys],
      values: filter.values,
      keyKind: KIND.metaKey,
      valueKind: KIND.metaValue,
    }),
  });
}

/**
 * The sessions that pass an event filter which asks for a matching event and refuses none.
 *
 * @returns in any order, some several times, in the scratch; null: the filter asks for something else.
 */
export function sessionsOfMatches(
  segment: Segment,
  filter: EventFilter,
  range: Span,
  scratch: Scratch,
): Uint32Array | null {
  const { names } = filter;
  if (names !== null && (names.none.length > 0 || hasNull(names.any))) return null;
  const matches = matchingEvents(segment, filter, range, scratch);
  if (matches === null) return null;
  const { session } = segment.events.columns;
  return gather(matches, session, scratch, 'matchedSessions').subarray(0, matches.count);
}

function hasConditions(filter: EventFilter): boolean {
  return filter.keys !== null || filter.values.length > 0;
}

function decide(
  flags: Uint8Array,
  rule: { needsMatch: boolean; takesBare: boolean; refusesBare: boolean },
): void {
  for (let row = 0; row < flags.length; row++) {
    const flag = flags[row]!;
    const isBare = (flag & HAS_EVENT) === 0;
    const isMatched = !rule.needsMatch || (flag & HAS_MATCH) !== 0 || (rule.takesBare && isBare);
    const isRefused = (flag & HAS_FORBIDDEN) !== 0 || (rule.refusesBare && isBare);
    flags[row] = isMatched && !isRefused ? 1 : 0;
  }
}

function markEvents(
  segment: Segment,
  range: Span,
  flags: Uint8Array,
  forbidden: Uint8Array | null,
): void {
  const { timeMs, session, name } = segment.events.columns;
  const { rowCount } = segment.events;
  const { startMs, endMs } = range;
  for (let row = 0; row < rowCount; row++) {
    const atMs = timeMs[row]!;
    if (atMs < startMs || atMs >= endMs) continue;
    const isForbidden = forbidden !== null && forbidden[name[row]!] === 1;
    flags[session[row]!]! |= isForbidden ? HAS_EVENT | HAS_FORBIDDEN : HAS_EVENT;
  }
}

function markSessions(segment: Segment, matches: EventRows, flags: Uint8Array): void {
  const { session } = segment.events.columns;
  const { rows, count } = matches;
  for (let index = 0; index < count; index++) flags[session[rows[index]!]!]! |= HAS_MATCH;
}

function scanEvents(segment: Segment, range: Span, scratch: Scratch, tests: EventTests): EventRows {
  const { events, metaPairs } = segment;
  const { timeMs, session, name, path, metaEnd } = events.columns;
  const { sessionMask, nameMask, pathMask } = tests;
  const { startMs, endMs } = range;
  const rows = scratch.rawWords('eventRows', events.rowCount);
  let count = 0;
  for (let row = 0; row < events.rowCount; row++) {
    const atMs = timeMs[row]!;
    if (atMs < startMs || atMs >= endMs) continue;
    if (sessionMask !== null && sessionMask[session[row]!] === 0) continue;
    if (nameMask !== null && nameMask[name[row]!] === 0) continue;
    if (pathMask !== null && pathMask[path[row]!] === 0) continue;
    rows[count++] = row;
  }
  for (const test of tests.pairTests) {
    count = keepPairRows({ rows, count }, metaEnd, metaPairs.columns, test);
  }
  return { rows, count };
}
