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

import { must } from '../../base/assert.ts';
import { bringNear, type NumberColumn } from '../../base/bring-near.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryRun, WorkingBytes, WorkingWords } from '../plan/query-run.ts';
import { narrowestTest, startsWithEvents } from '../plan/segment-planner.ts';
import type { Span } from '../plan/selection.ts';
import { type FilterValues, hasNull, matchedIds, withoutNull } from '../question/filter-values.ts';
import {
  type EventFilter,
  filterSets,
  hasSessionFilter,
  type QueryFilters,
  type SessionIds,
} from '../question/filters.ts';
import { keepsSelection, LastSelection, sessionKey } from './kept-selection.ts';
import { gatherPassing } from './row-index.ts';
import { eventPassingSessions, sessionsOfMatches } from './select-events.ts';
import { type ValueTest, valueTests } from './value-tests.ts';
import { inVisitorOrder, visitorOrderOf } from './visitor-order.ts';

/** Working arrays. */
const SELECTED_SESSIONS = new WorkingWords();
const INDEXED_SESSIONS = new WorkingWords();
const INDEXED_ORDER = new WorkingWords();
const EVENT_FLAGS = new WorkingBytes();
const SESSION_MASK = new WorkingBytes();

const KEPT = new LastSelection<Uint32Array>(({ byteLength }) => byteLength);

/**
 * The sessions that pass every session-level filter, the event filter among them.
 *
 * @param among sessions to choose from, in order of visitor; null: all.
 * @returns rows in order of visitor; a working array, an index's or kept: do not change them.
 */
export function selectedSessions(
  segment: Segment,
  predicate: { readonly filters: QueryFilters; readonly range: Span },
  among: Uint32Array | null,
  run: QueryRun,
): Uint32Array {
  run.budget?.check();
  const { filters, range } = predicate;
  if (!hasSessionFilter(filters)) return among ?? visitorOrderOf(segment);
  if (among !== null || !keepsSelection(segment, range, run)) {
    return selectAnew(segment, predicate, among, run);
  }
  const key = sessionKey(filters);
  const known = KEPT.find(segment, key);
  if (known === null) {
    return KEPT.keep(segment, key, selectAnew(segment, predicate, null, run).slice());
  }
  run.decided(segment, 'sessions by', 'the same filters before');
  return known;
}

function selectAnew(
  segment: Segment,
  predicate: { readonly filters: QueryFilters; readonly range: Span },
  among: Uint32Array | null,
  run: QueryRun,
): Uint32Array {
  const { filters, range } = predicate;
  const ids = filterSets(filters).find(({ sessionIds }) => sessionIds !== null)?.sessionIds ?? null;
  const named = among !== null || ids === null ? null : rowsOfIds(segment, ids);
  const chosen = among ?? named;
  const tests = valueTests(segment, filters, run);
  const counts = tests.map(({ count }) => count);
  const seed =
    chosen === null ? tests[narrowestTest(counts, segment.sessions.rowCount)] : undefined;
  const found = chosen ?? (seed === undefined ? null : rowsOfSeed(segment, seed, run));
  const { first, left } = eventSeed(segment, predicate, found !== null, run);
  run.decided(segment, 'sessions by', sessionWay({ among, named, seed, first }));
  let rows = found ?? first ?? visitorOrderOf(segment);
  const into = SELECTED_SESSIONS.raw(run, rows.length);
  for (const test of tests) {
    if (test !== seed) rows = narrow(rows, segment.sessions.columns[test.column], test.kept, into);
  }
  for (const { referrer, sessionIds } of filterSets(filters)) {
    if (referrer !== null) rows = narrowByReferrer(segment, referrer, rows, into);
    if (sessionIds === null) continue;
    const wanted = rowsOfIds(segment, sessionIds);
    rows = rows.filter((row) => wanted.includes(row));
  }
  for (const events of left) {
    rows = keepMarked(rows, marksOfEvents(segment, events, range, run), into);
  }
  return rows;
}

/** What the sessions that are tested were found by. */
function sessionWay(found: {
  readonly among: Uint32Array | null;
  readonly named: Uint32Array | null;
  readonly seed: ValueTest | undefined;
  readonly first: Uint32Array | null;
}): string {
  if (found.among !== null) return 'the step before';
  if (found.named !== null) return 'their ids';
  if (found.seed !== undefined) return `the index of ${found.seed.column}`;
  return found.first === null ? 'a pass' : 'their events';
}

/** The sessions of an event filter to begin with, if there are no others, and the event filters left. */
function eventSeed(
  segment: Segment,
  { filters, range }: { readonly filters: QueryFilters; readonly range: Span },
  hasSeed: boolean,
  run: QueryRun,
): { first: Uint32Array | null; left: readonly EventFilter[] } {
  const all = filterSets(filters)
    .map(({ events }) => events)
    .filter((events) => events !== null);
  const [events, ...left] = all;
  if (events === undefined || !startsWithEvents(run.indexes, hasSeed)) {
    return { first: null, left: all };
  }
  const matched = sessionsOfMatches(segment, events, range, run);
  if (matched === null) return { first: null, left: all };
  return { first: inVisitorOrder(segment, matched, run, INDEXED_ORDER), left };
}

/** One byte per session: 1 passes an event filter. */
function marksOfEvents(
  segment: Segment,
  events: EventFilter,
  range: Span,
  run: QueryRun,
): Uint8Array {
  const matched = startsWithEvents(run.indexes, false)
    ? sessionsOfMatches(segment, events, range, run)
    : null;
  if (matched === null) return eventPassingSessions(segment, events, range, run);
  const marks = EVENT_FLAGS.zeroed(run, segment.sessions.rowCount);
  for (let index = 0; index < matched.length; index++) marks[matched[index]!] = 1;
  return marks;
}

/** The same as one byte per session, 1 is kept; a working array. */
export function selectSessions(
  segment: Segment,
  filters: QueryFilters,
  range: Span,
  run: QueryRun,
): Uint8Array {
  const rows = selectedSessions(segment, { filters, range }, null, run);
  const mask = SESSION_MASK.zeroed(run, segment.sessions.rowCount);
  for (let index = 0; index < rows.length; index++) mask[rows[index]!] = 1;
  return mask;
}

/** Those of the sessions that are marked. @param into may be the array that `rows` is part of. */
function keepMarked(rows: Uint32Array, marks: Uint8Array, into: Uint32Array): Uint32Array {
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    into[count] = row;
    count += marks[row]!;
  }
  return into.subarray(0, count);
}

function rowsOfSeed(
  segment: Segment,
  { index, kept, count }: ValueTest,
  run: QueryRun,
): Uint32Array {
  const known = must(index, 'the narrowest test has an index');
  const { starts, rows } = known;
  const only = kept.indexOf(1);
  if (only < 0) return rows.subarray(0, 0);
  if (kept.indexOf(1, only + 1) < 0) return rows.subarray(starts[only], starts[only + 1]);
  const gathered = INDEXED_SESSIONS.raw(run, count);
  gatherPassing(known, kept, gathered);
  return inVisitorOrder(segment, gathered, run, INDEXED_ORDER);
}

function narrow(
  rows: Uint32Array,
  values: NumberColumn,
  kept: Uint8Array,
  into: Uint32Array,
): Uint32Array {
  bringNear(rows.length, values);
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
  values: FilterValues,
  rows: Uint32Array,
  into: Uint32Array,
): Uint32Array {
  const { referrer: urls, referrerName: names } = segment.sessions.columns;
  const any = withoutNull(values.any);
  const none = withoutNull(values.none);
  const anyUrl = matchedIds(any, segment, KIND.referrer);
  const anyName = matchedIds(any, segment, KIND.referrerName);
  const noUrl = matchedIds(none, segment, KIND.referrer);
  const noName = matchedIds(none, segment, KIND.referrerName);
  const hasAny = values.any.length > 0;
  const takesEmpty = hasNull(values.any);
  const refusesEmpty = hasNull(values.none);
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

/** The rows of some ids, in order of visitor. Ids are row numbers + 1, unique within a segment (I-34). */
function rowsOfIds({ sessions, visitors }: Segment, ids: SessionIds): Uint32Array {
  const visitorOf = (row: number): number => sessions.at('visitor', row);
  const isWanted = (row: number): boolean => {
    if (row < 0 || row >= sessions.rowCount) return false;
    const ordinal = visitorOf(row);
    // A row that a deletion left empty is no visitor's.
    if (ordinal >= visitors.rowCount) return false;
    const [low, high] = [visitors.at('low', ordinal), visitors.at('high', ordinal)];
    return ids.visitors.some((wanted) => wanted.low === low && wanted.high === high);
  };
  const rows = new Set(ids.sessions.map((id) => id - 1).filter(isWanted));
  return Uint32Array.from(rows).sort((a, b) => visitorOf(a) - visitorOf(b) || a - b);
}
