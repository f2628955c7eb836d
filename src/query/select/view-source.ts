/**
 * Page views from an index instead of a pass over all of them.
 *
 * Data plane. Of the rows of the selected sessions, those of the kept paths and those that have
 * tags, the fewest are taken and put to the other tests; where none are few, or a day changes, there
 * is no source. Which it is says the segment planner.
 *
 *     sessions of de 12,000 views │ paths of /blog 900 views │ with tags 5,000 views
 *                                   └── taken: session? time? ──▶ rows
 */

import { must } from '../../base/assert.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryRun, WorkingBytes, WorkingWords } from '../plan/query-run.ts';
import { isEnough, viewWay } from '../plan/segment-planner.ts';
import { isInside, type Selection, type Span } from '../plan/selection.ts';
import type { ViewPredicate } from '../plan/view-predicate.ts';
import { hasSessionFilter } from '../question/filters.ts';
import { viewEstimates } from './estimates.ts';
import {
  gatherPassing,
  type RowIndex,
  taggedViews,
  viewsByPath,
  viewsOfSession,
} from './row-index.ts';
import { selectedSessions, selectSessions } from './select-sessions.ts';
import { inVisitorOrder } from './visitor-order.ts';

/** Working arrays. */
const MARKS = new WorkingBytes();
const VIEW_ROWS = new WorkingWords();
const SESSIONS_OF_VIEWS = new WorkingWords();

/** What rows are tested by beside their sessions. */
interface RowTests {
  readonly range: Span;
  /** Bytes per path; null: any. */
  readonly pathMask: Uint8Array | null;
  /** Whether rows without tags fail. */
  readonly needsTags: boolean;
}

/** A way to the rows that takes fewer steps than a pass over all. */
interface ViewSource {
  /** Writes the rows that pass. @returns how many. */
  take(rows: Uint32Array): number;
}

/** The shortest way to the rows of a predicate; null: a pass over all of them. */
export function viewSource(
  segment: Segment,
  predicate: ViewPredicate,
  tests: RowTests,
  run: QueryRun,
): ViewSource | null {
  if (predicate.blockMaxMs !== null || predicate.filters.sessionIds !== null) return null;
  // A deletion may have left events only.
  if (segment.views.rowCount === 0) return null;
  const { pathMask, needsTags } = tests;
  const byPath = pathMask === null ? null : viewsByPath(segment, run);
  const tagged = needsTags ? taggedViews(segment, run) : null;
  // An index of all page views is not made for what is few of them anyhow.
  const needsSessions =
    hasSessionFilter(predicate.filters) &&
    !isEnough(tagged?.rows.length ?? segment.views.rowCount, segment.views.rowCount);
  const bySession = needsSessions ? viewsOfSession(segment, run) : null;
  const estimates = viewEstimates(segment, { byPath, pathMask, tagged, bySession }, predicate, run);
  const left = { segment, predicate, tests, run };
  switch (run.decided(segment, 'page views by', viewWay(estimates))) {
    case 'a pass':
      return null;
    case 'the index of tags': {
      const { rows: tags } = must(tagged, 'an index of tags was estimated');
      return { take: (rows) => keepRows(left, rows, copied(tags, rows), pathMask) };
    }
    case 'the index of paths': {
      const index = must(byPath, 'an index of paths was estimated');
      const mask = must(pathMask, 'paths are tested');
      return { take: (rows) => keepRows(left, rows, gatherPassing(index, mask, rows), null) };
    }
    case 'the index of sessions': {
      const index = must(bySession, 'an index of sessions was estimated');
      return { take: (rows) => takeOfSessions(left, index, rows) };
    }
  }
}

/**
 * The page views of some sessions in a range.
 *
 * @param sessions in any order, also several times.
 */
export function viewsOfSessions(
  segment: Segment,
  sessions: Uint32Array,
  range: Span,
  run: QueryRun,
): Selection & { readonly rows: Uint32Array } {
  const index = viewsOfSession(segment, run);
  const { timeMs, session } = segment.views.columns;
  const { startMs, endMs } = range;
  const rows = VIEW_ROWS.raw(run, segment.views.rowCount);
  let count = 0;
  if (index === null) {
    const marks = MARKS.zeroed(run, segment.sessions.rowCount);
    for (let index = 0; index < sessions.length; index++) marks[sessions[index]!] = 1;
    for (let row = 0; row < segment.views.rowCount; row++) {
      if (marks[session[row]!] === 0) continue;
      if (timeMs[row]! >= startMs && timeMs[row]! < endMs) rows[count++] = row;
    }
    return { rows, count };
  }
  const distinct = inVisitorOrder(segment, sessions, run, SESSIONS_OF_VIEWS);
  for (let at = 0; at < distinct.length; at++) {
    const end = index.starts[distinct[at]! + 1]!;
    for (let view = index.starts[distinct[at]!]!; view < end; view++) {
      const row = index.rows[view]!;
      if (timeMs[row]! >= startMs && timeMs[row]! < endMs) rows[count++] = row;
    }
  }
  return { rows, count };
}

interface Left {
  readonly segment: Segment;
  readonly predicate: ViewPredicate;
  readonly tests: RowTests;
  readonly run: QueryRun;
}

function copied(from: Uint32Array, rows: Uint32Array): number {
  rows.set(from);
  return from.length;
}

/** Keeps the first `count` rows that pass the tests that are left, in place. */
function keepRows(
  { segment, predicate, tests, run }: Left,
  rows: Uint32Array,
  count: number,
  pathMask: Uint8Array | null,
): number {
  const { filters, range } = predicate;
  const testsTime = !isInside(segment, tests.range);
  const mask = hasSessionFilter(filters) ? selectSessions(segment, filters, range, run) : null;
  if (!testsTime && mask === null && pathMask === null) return count;
  const { timeMs, session, path } = segment.views.columns;
  const { startMs, endMs } = range;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    if (mask !== null && mask[session[row]!] === 0) continue;
    if (pathMask !== null && pathMask[path[row]!] === 0) continue;
    if (testsTime && (timeMs[row]! < startMs || timeMs[row]! >= endMs)) continue;
    rows[kept++] = row;
  }
  return kept;
}

function takeOfSessions(
  { segment, predicate, tests, run }: Left,
  { starts, rows: ofSessions }: RowIndex,
  rows: Uint32Array,
): number {
  const sessions = selectedSessions(segment, predicate, null, run);
  const { pathMask, range } = tests;
  const { startMs, endMs } = range;
  const { timeMs, path } = segment.views.columns;
  const testsTime = !isInside(segment, range);
  let count = 0;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const end = starts[session + 1]!;
    for (let at = starts[session]!; at < end; at++) {
      const row = ofSessions[at]!;
      if (pathMask !== null && pathMask[path[row]!] === 0) continue;
      if (testsTime && (timeMs[row]! < startMs || timeMs[row]! >= endMs)) continue;
      rows[count++] = row;
    }
  }
  return count;
}
