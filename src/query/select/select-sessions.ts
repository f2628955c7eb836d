/**
 * Which sessions of a segment a query's session-level filters keep (S-2, step 1): rows in order of
 * visitor.
 *
 * Data plane. A filter on a text is one byte per dictionary id. The filter that keeps the fewest
 * sessions gives its rows from an index (`row-index.ts`), the others test those that are left;
 * without an index all sessions are tested. In order of visitor, distinct visitors are told by
 * comparing with the last.
 *
 *     country de ─ index ─▶ 3 8 21 40 … ─ browser? ─▶ 8 40 … ─ events? ─▶ 40 …
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Scratch } from '../plan/scratch.ts';
import type { Span } from '../plan/selection.ts';
import {
  hasNull,
  keptIds,
  matchedIds,
  type Terms,
  withoutNull,
} from '../question/filter-values.ts';
import {
  type EventFilter,
  filterSets,
  hasSessionFilter,
  type QueryFilters,
  type SessionIds,
  type SessionText,
} from '../question/filters.ts';
import {
  gatherKept,
  keptCount,
  kindOfColumn,
  type RowIndex,
  sessionsByValue,
} from './row-index.ts';
import { eventPassingSessions, sessionsOfMatches } from './select-events.ts';
import { inVisitorOrder, visitorOrderOf } from './visitor-order.ts';

/** Of more than one session in this many kept by an index, all sessions are tested instead. */
const INDEX_SHARE = 2;

/** One byte per value decides. */
interface ValueTest {
  readonly column: SessionText | 'platform';
  readonly kept: Uint8Array;
  readonly index: RowIndex | null;
  /** Sessions that it keeps, if there is an index. */
  readonly count: number;
}

/**
 * The sessions that pass every session-level filter, the event filter among them.
 *
 * @param among sessions to choose from, in order of visitor; null: all.
 * @returns rows in order of visitor; the scratch's or an index's: do not change them.
 */
export function selectedSessions(
  segment: Segment,
  question: { readonly filters: QueryFilters; readonly range: Span },
  among: Uint32Array | null,
  scratch: Scratch,
): Uint32Array {
  scratch.budget?.check();
  const { filters, range } = question;
  if (!hasSessionFilter(filters)) return among ?? visitorOrderOf(segment);
  const tests = valueTests(segment, filters, scratch);
  const seed = among === null ? seedOf(tests, segment.sessions.rowCount) : null;
  const found = among ?? (seed === null ? null : keptRows(segment, seed, scratch));
  const { first, left } = eventSeed(segment, question, found !== null, scratch);
  let rows = found ?? first ?? visitorOrderOf(segment);
  const into = scratch.rawWords('selectedSessions', rows.length);
  for (const test of tests) {
    if (test !== seed) rows = narrow(rows, segment.sessions.columns[test.column], test.kept, into);
  }
  for (const { referrer, sessionIds } of filterSets(filters)) {
    if (referrer !== null) rows = narrowByReferrer(segment, referrer, rows, into);
    if (sessionIds !== null) rows = narrowByIds(segment, sessionIds, rows, into);
  }
  for (const events of left) {
    rows = keepMarked(rows, marksOfEvents(segment, events, range, scratch), into);
  }
  return rows;
}

/** The sessions of an event filter to begin with, if there are no others, and the event filters left. */
function eventSeed(
  segment: Segment,
  { filters, range }: { readonly filters: QueryFilters; readonly range: Span },
  hasSeed: boolean,
  scratch: Scratch,
): { first: Uint32Array | null; left: readonly EventFilter[] } {
  const all = filterSets(filters)
    .map(({ events }) => events)
    .filter((events) => events !== null);
  const [events, ...left] = all;
  if (hasSeed || events === undefined || scratch.indexes === 'never')
    return { first: null, left: all };
  const matched = sessionsOfMatches(segment, events, range, scratch);
  if (matched === null) return { first: null, left: all };
  return { first: inVisitorOrder(segment, matched, scratch, 'indexedOrder'), left };
}

/** One byte per session: 1 passes an event filter. */
function marksOfEvents(
  segment: Segment,
  events: EventFilter,
  range: Span,
  scratch: Scratch,
): Uint8Array {
  const matched =
    scratch.indexes === 'never' ? null : sessionsOfMatches(segment, events, range, scratch);
  if (matched === null) return eventPassingSessions(segment, events, range, scratch);
  const marks = scratch.bytes('eventFlags', segment.sessions.rowCount);
  for (let index = 0; index < matched.length; index++) marks[matched[index]!] = 1;
  return marks;
}

/** About how many sessions pass, as far as indexes tell: never too few. */
export function selectedCountMax(
  segment: Segment,
  filters: QueryFilters,
  scratch: Scratch,
): number {
  const seed = seedOf(valueTests(segment, filters, scratch), segment.sessions.rowCount);
  return seed === null ? segment.sessions.rowCount : seed.count;
}

/** The same as one byte per session, 1 is kept; in the scratch. */
export function selectSessions(
  segment: Segment,
  filters: QueryFilters,
  range: Span,
  scratch: Scratch,
): Uint8Array {
  const rows = selectedSessions(segment, { filters, range }, null, scratch);
  const mask = scratch.bytes('sessionMask', segment.sessions.rowCount);
  for (let index = 0; index < rows.length; index++) mask[rows[index]!] = 1;
  return mask;
}

/** Those of the sessions that are marked. @param into may be the array that `rows` is part of. */
export function keepMarked(rows: Uint32Array, marks: Uint8Array, into: Uint32Array): Uint32Array {
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    into[count] = row;
    count += marks[row]!;
  }
  return into.subarray(0, count);
}

function valueTests(segment: Segment, filters: QueryFilters, scratch: Scratch): ValueTest[] {
  const tests: ValueTest[] = [];
  for (const { sessionTexts, platforms } of filterSets(filters)) {
    for (const { column, terms } of sessionTexts) {
      const kept = keptIds(terms, segment, kindOfColumn(column));
      const index = sessionsByValue(segment, column, scratch);
      const count = index === null ? Number.POSITIVE_INFINITY : keptCount(index, kept);
      tests.push({ column, kept, index, count });
    }
    if (platforms !== null) {
      const kept = Uint8Array.from(platforms);
      tests.push({ column: 'platform', kept, index: null, count: Number.POSITIVE_INFINITY });
    }
  }
  return tests;
}

/** The test that keeps the fewest sessions; null where all sessions have to be looked at. */
function seedOf(tests: readonly ValueTest[], rowCount: number): ValueTest | null {
  let seed: ValueTest | null = null;
  for (const test of tests) {
    if (test.count * INDEX_SHARE <= rowCount && test.count < (seed?.count ?? rowCount)) seed = test;
  }
  return seed;
}

function keptRows(
  segment: Segment,
  { index, kept, count }: ValueTest,
  scratch: Scratch,
): Uint32Array {
  const { starts, rows } = index as RowIndex;
  const only = kept.indexOf(1);
  if (only < 0) return rows.subarray(0, 0);
  if (kept.indexOf(1, only + 1) < 0) return rows.subarray(starts[only], starts[only + 1]);
  const gathered = scratch.rawWords('indexedSessions', count);
  gatherKept(index as RowIndex, kept, gathered);
  return inVisitorOrder(segment, gathered, scratch, 'indexedOrder');
}

function narrow(
  rows: Uint32Array,
  values: ArrayLike<number>,
  kept: Uint8Array,
  into: Uint32Array,
): Uint32Array {
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    // Without a branch: which sessions pass a filter is as good as random.
    const row = rows[index]!;
    into[count] = row;
    count += kept[values[row]!]!;
  }
  return into.subarray(0, count);
}

/** URL or name (F-27); `null` is neither URL nor name (F-23). */
function narrowByReferrer(
  segment: Segment,
  terms: Terms,
  rows: Uint32Array,
  into: Uint32Array,
): Uint32Array {
  const { referrer: urls, referrerName: names } = segment.sessions.columns;
  const any = withoutNull(terms.any);
  const none = withoutNull(terms.none);
  const anyUrl = matchedIds(any, segment, KIND.referrer);
  const anyName = matchedIds(any, segment, KIND.referrerName);
  const noUrl = matchedIds(none, segment, KIND.referrer);
  const noName = matchedIds(none, segment, KIND.referrerName);
  const hasAny = terms.any.length > 0;
  const takesEmpty = hasNull(terms.any);
  const refusesEmpty = hasNull(terms.none);
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    const url = urls[row]!;
    const name = names[row]!;
    const isEmpty = url === 0 && name === 0;
    const isRefused =
      (refusesEmpty && isEmpty) ||
      (noUrl !== null && noUrl[url] === 1) ||
      (noName !== null && noName[name] === 1);
    const isTaken =
      !hasAny ||
      (takesEmpty && isEmpty) ||
      (anyUrl !== null && anyUrl[url] === 1) ||
      (anyName !== null && anyName[name] === 1);
    if (isTaken && !isRefused) into[count++] = row;
  }
  return into.subarray(0, count);
}

/** Session ids are row numbers + 1, unique within their visitor's segment (I-34). */
function narrowByIds(
  segment: Segment,
  ids: SessionIds,
  rows: Uint32Array,
  into: Uint32Array,
): Uint32Array {
  const { low, high } = segment.visitors.columns;
  const { visitor } = segment.sessions.columns;
  const kept = new Uint8Array(segment.sessions.rowCount);
  for (const id of ids.sessions) {
    const row = id - 1;
    if (row < 0 || row >= kept.length) continue;
    const ordinal = visitor[row]!;
    for (const wanted of ids.visitors) {
      if (low[ordinal] === wanted.low && high[ordinal] === wanted.high) kept[row] = 1;
    }
  }
  return keepMarked(rows, kept, into);
}
