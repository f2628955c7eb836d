/**
 * Which page views of a segment a query is about (S-2, step 2).
 *
 * Data plane. A filter is first turned into one byte per dictionary id, so that testing a row is
 * reading a byte. Session filters become one byte per session; page views are then selected by time,
 * session, path and, for the few that remain, by tags and titles. Where an index has few rows to begin
 * with, no other is looked at (`view-source.ts`).
 *
 *     terms → bytes per id → bytes per session ─┐
 *     terms → bytes per path ───────────────────┴→ rows of page views
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { BLOCK_ROWS } from '../../segment/memory/table.ts';
import type { Scratch } from '../plan/scratch.ts';
import { isInside, type Selection, type Span } from '../plan/selection.ts';
import type { ViewQuestion } from '../plan/view-predicate.ts';
import { keptIds, matchedIds, type Terms } from '../question/filter-values.ts';
import { filterSets, hasSessionFilter } from '../question/filters.ts';
import { bothMasks, pathsUnder } from './path-selection.ts';
import { compilePairTests, keepPairRows, needsPairs } from './property-filter.ts';
import { selectSessions } from './select-sessions.ts';
import { viewSource } from './view-source.ts';

/** Bytes per path of what a question asks of paths; null when it asks nothing. */
export function pathsTested(segment: Segment, question: ViewQuestion): Uint8Array | null {
  const { filters, search, byTitle } = question;
  const mask = pathsUnder(filters, segment);
  if (search === null || byTitle) return mask;
  return bothMasks(mask, keptIds(search, segment, KIND.path));
}

/**
 * Selects page views.
 *
 * @returns rows of a session, and rows of a path, in their order; among those in any.
 * @cost one pass over the rows, or over those that an index leaves; more per tag and title test.
 */
export function selectViews(segment: Segment, question: ViewQuestion, scratch: Scratch): Selection {
  scratch.budget?.check();
  const { filters, range, search, byTitle } = question;
  const { views } = segment;
  const pathMask = pathsTested(segment, question);
  const sets = filterSets(filters);
  const pairTests = compilePairTests(segment, {
    keys: sets.map(({ tagKeys }) => tagKeys).filter((terms) => terms !== null),
    values: sets.flatMap(({ tags }) => tags),
    keyKind: KIND.tagKey,
    valueKind: KIND.tagValue,
  });
  const needsTags = question.onlyTagged === true || pairTests.some(needsPairs);
  const testsMore = needsTags || pairTests.length > 0 || (search !== null && byTitle);
  const testsSessions = hasSessionFilter(filters);
  if (!testsSessions && pathMask === null && !testsMore && isInside(segment, range)) {
    return { rows: null, count: views.rowCount };
  }
  const rows = scratch.rawWords('viewRows', rowsToLookAt(question, views.rowCount));
  const tests = { range, pathMask, needsTags };
  const source = viewSource(segment, question, tests, scratch);
  let count: number;
  if (source === null) {
    const sessionMask = testsSessions ? selectSessions(segment, filters, range, scratch) : null;
    count = scanBlocks(segment, question, { sessionMask, pathMask, rows });
  } else {
    count = source.take(rows);
  }
  for (const test of pairTests) {
    count = keepPairRows({ rows, count }, views.columns.tagEnd, segment.tagPairs.columns, test);
  }
  if (search !== null && byTitle) {
    count = keepSearched(segment, search, views.columns, { rows, count });
  }
  return { rows, count };
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
export function keepSearched(
  segment: Segment,
  search: Terms,
  columns: { readonly path: Uint32Array; readonly title: Uint32Array },
  selected: { readonly rows: Uint32Array; readonly count: number },
): number {
  const { path: paths, title: titles } = columns;
  const { rows, count } = selected;
  const anyPath = matchedIds(search.any, segment, KIND.path);
  const anyTitle = matchedIds(search.any, segment, KIND.title);
  const noPath = matchedIds(search.none, segment, KIND.path);
  const noTitle = matchedIds(search.none, segment, KIND.title);
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
