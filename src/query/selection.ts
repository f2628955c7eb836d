/**
 * Which sessions and page views of a segment a query is about (S-2, steps 1 and 2).
 *
 * Data plane. A filter is first turned into one byte per dictionary id, so that testing a row is
 * reading a byte. Session filters become one byte per session; page views are then selected by time,
 * session, path and, for the few that remain, by tags and titles.
 *
 *     terms → bytes per id → bytes per session ─┐
 *     terms → bytes per path ───────────────────┴→ rows of page views
 */

import { KIND } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';
import { BLOCK_ROWS } from '../segment/table.ts';
import { eventPassingSessions } from './event-selection.ts';
import {
  filterSets,
  hasSessionFilter,
  type QueryFilters,
  type SessionIds,
  type SessionText,
} from './filters.ts';
import { compilePairTests, keepPairRows } from './pair-selection.ts';
import { bothMasks, pathsUnder } from './path-selection.ts';
import { isInside, type Selection, type Span } from './rows.ts';
import type { Scratch } from './scratch.ts';
import { hasNull, keptIds, matchedIds, type Terms, withoutNull } from './terms.ts';

/** What rows are selected by. */
export interface ViewQuestion {
  readonly range: Span;
  readonly filters: QueryFilters;
  /** A search on pages filters rows (F-32); null elsewhere. */
  readonly search: Terms | null;
  /** Whether the search tests titles too. */
  readonly byTitle: boolean;
  /**
   * Latest time per block of 1,024 rows for the first blocks: blocks before the range are skipped.
   * Rows are only nearly in order of time, so nothing less than a block's maximum will do.
   */
  readonly blockMaxMs: Float64Array | null;
}

/** Selects page views. @cost one pass over the rows, more per tag and title test. */
export function selectViews(segment: Segment, question: ViewQuestion, scratch: Scratch): Selection {
  const { filters, range, search, byTitle } = question;
  const { views, dictionary } = segment;
  const sessionMask = hasSessionFilter(filters)
    ? selectSessions(segment, filters, range, scratch)
    : null;
  let pathMask = pathsUnder(filters, segment);
  if (search !== null && !byTitle) {
    pathMask = bothMasks(pathMask, keptIds(search, dictionary, KIND.path));
  }
  const sets = filterSets(filters);
  const pairTests = compilePairTests(dictionary, {
    keys: sets.map(({ tagKeys }) => tagKeys).filter((terms) => terms !== null),
    values: sets.flatMap(({ tags }) => tags),
    keyKind: KIND.tagKey,
    valueKind: KIND.tagValue,
  });
  const testsMore = pairTests.length > 0 || (search !== null && byTitle);
  if (sessionMask === null && pathMask === null && !testsMore && isInside(segment, range)) {
    return { rows: null, count: views.rowCount };
  }
  const rows = scratch.rawWords('viewRows', rowsToLookAt(question, views.rowCount));
  let count = scanBlocks(segment, question, { sessionMask, pathMask, rows });
  for (const test of pairTests) {
    count = keepPairRows({ rows, count }, views.columns.tagEnd, segment.tagPairs.columns, test);
  }
  if (search !== null && byTitle) count = keepSearched(segment, search, rows, count);
  return { rows, count };
}

/**
 * Which sessions pass every session-level filter, the event filter among them.
 *
 * @returns one byte per session, 1 is kept; in the scratch.
 */
export function selectSessions(
  segment: Segment,
  filters: QueryFilters,
  range: Span,
  scratch: Scratch,
): Uint8Array {
  const mask = scratch.bytes('sessionMask', segment.sessions.rowCount).fill(1);
  for (const set of filterSets(filters)) narrowSessions(segment, set, { range, mask }, scratch);
  return mask;
}

/** By one set of filters. */
function narrowSessions(
  segment: Segment,
  filters: QueryFilters,
  { range, mask }: { readonly range: Span; readonly mask: Uint8Array },
  scratch: Scratch,
): void {
  const { sessions, dictionary } = segment;
  const { columns, rowCount } = sessions;
  for (const { column, terms } of filters.sessionTexts) {
    narrow(mask, columns[column], keptIds(terms, dictionary, kindOfColumn(column)));
  }
  if (filters.platforms !== null) {
    narrow(mask, columns.platform, Uint8Array.from(filters.platforms));
  }
  if (filters.referrer !== null) narrowByReferrer(segment, filters.referrer, mask);
  if (filters.sessionIds !== null) narrowByIds(segment, filters.sessionIds, mask);
  if (filters.events !== null) {
    const passing = eventPassingSessions(segment, filters.events, range, scratch);
    for (let row = 0; row < rowCount; row++) if (passing[row] === 0) mask[row] = 0;
  }
}

function kindOfColumn(column: SessionText): number {
  return column === 'entryPath' || column === 'exitPath' ? KIND.path : KIND[column];
}

function narrow(mask: Uint8Array, column: ArrayLike<number>, kept: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) if (kept[column[row]!] === 0) mask[row] = 0;
}

/** URL or name (F-27); `null` is neither URL nor name (F-23). */
function narrowByReferrer(segment: Segment, terms: Terms, mask: Uint8Array): void {
  const { dictionary } = segment;
  const { referrer: urls, referrerName: names } = segment.sessions.columns;
  const any = withoutNull(terms.any);
  const none = withoutNull(terms.none);
  const anyUrl = matchedIds(any, dictionary, KIND.referrer);
  const anyName = matchedIds(any, dictionary, KIND.referrerName);
  const noUrl = matchedIds(none, dictionary, KIND.referrer);
  const noName = matchedIds(none, dictionary, KIND.referrerName);
  const hasAny = terms.any.length > 0;
  const takesEmpty = hasNull(terms.any);
  const refusesEmpty = hasNull(terms.none);
  for (let row = 0; row < mask.length; row++) {
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
    if (isRefused || !isTaken) mask[row] = 0;
  }
}

/** Session ids are row numbers + 1, unique within their visitor's segment (I-34). */
function narrowByIds(segment: Segment, ids: SessionIds, mask: Uint8Array): void {
  const { low, high } = segment.visitors.columns;
  const { visitor } = segment.sessions.columns;
  const kept = new Uint8Array(mask.length);
  for (const id of ids.sessions) {
    const row = id - 1;
    if (row < 0 || row >= mask.length) continue;
    const ordinal = visitor[row]!;
    for (const wanted of ids.visitors) {
      if (low[ordinal] === wanted.low && high[ordinal] === wanted.high) kept[row] = 1;
    }
  }
  for (let row = 0; row < mask.length; row++) if (kept[row] === 0) mask[row] = 0;
}

interface RowTests {
  readonly sessionMask: Uint8Array | null;
  readonly pathMask: Uint8Array | null;
  /** Out: selected rows. */
  readonly rows: Uint32Array;
}

/** How many rows the blocks have that are not skipped. */
function rowsToLookAt(question: ViewQuestion, rowCount: number): number {
  const { blockMaxMs, range } = question;
  if (blockMaxMs === null) return rowCount;
  let rows = rowCount;
  for (let block = 0; block < blockMaxMs.length; block++) {
    if (blockMaxMs[block]! < range.startMs) rows -= BLOCK_ROWS;
  }
  return rows;
}

function scanBlocks(segment: Segment, question: ViewQuestion, tests: RowTests): number {
  const { rowCount } = segment.views;
  const { blockMaxMs, range } = question;
  if (blockMaxMs === null) {
    return scanRows(segment, range, tests, { from: 0, to: rowCount, count: 0 });
  }
  let count = 0;
  for (let from = 0; from < rowCount; from += BLOCK_ROWS) {
    const latestMs = blockMaxMs[from / BLOCK_ROWS];
    if (latestMs !== undefined && latestMs < range.startMs) continue;
    const to = Math.min(from + BLOCK_ROWS, rowCount);
    count = scanRows(segment, range, tests, { from, to, count });
  }
  return count;
}

function scanRows(
  segment: Segment,
  range: Span,
  tests: RowTests,
  part: { from: number; to: number; count: number },
): number {
  const { timeMs, session, path } = segment.views.columns;
  const { sessionMask, pathMask, rows } = tests;
  const { startMs, endMs } = range;
  let { count } = part;
  for (let row = part.from; row < part.to; row++) {
    const atMs = timeMs[row]!;
    if (atMs < startMs || atMs >= endMs) continue;
    if (sessionMask !== null && sessionMask[session[row]!] === 0) continue;
    if (pathMask !== null && pathMask[path[row]!] === 0) continue;
    rows[count++] = row;
  }
  return count;
}

/** A search over path and title: contained in either; inverted, in neither (F-32, F-26). */
function keepSearched(segment: Segment, search: Terms, rows: Uint32Array, count: number): number {
  const { path: paths, title: titles } = segment.views.columns;
  const { dictionary } = segment;
  const anyPath = matchedIds(search.any, dictionary, KIND.path);
  const anyTitle = matchedIds(search.any, dictionary, KIND.title);
  const noPath = matchedIds(search.none, dictionary, KIND.path);
  const noTitle = matchedIds(search.none, dictionary, KIND.title);
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    const path = paths[row]!;
    const title = titles[row]!;
    if (anyPath !== null && anyPath[path] === 0 && anyTitle![title] === 0) continue;
    if (noPath !== null && (noPath[path] === 1 || noTitle![title] === 1)) continue;
    rows[kept++] = row;
  }
  return kept;
}
