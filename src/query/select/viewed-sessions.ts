/**
 * The sessions among the rows of a query, told from the sessions alone wherever that is possible.
 *
 * Data plane. Views of a session lie between its start and its last activity (I-42, I-72), and the
 * session says how many they are (I-41, I-42, I-49). So unless single page views are tested, a session
 * is in or out as a whole; only those that straddle an end of the range walk over their views.
 *
 *     range          [───────────────)
 *     sessions   ├─┤ ├──┤ ├─┤     ├────┤ ├─┤
 *                out  in   in      walk   out
 */

import { must } from '../../base/assert.ts';
import { bringNear } from '../../base/bring-near.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryRun, WorkingBytes, WorkingWords } from '../plan/query-run.ts';
import { viewedWay, viewersWay } from '../plan/segment-planner.ts';
import { gather, isInside, type Span } from '../plan/selection.ts';
import { testsPathsOnly, testsViews, type ViewPredicate } from '../plan/view-predicate.ts';
import { hasSessionFilter } from '../question/filters.ts';
import { passingSessionsMost, viewsOfPaths } from './estimates.ts';
import { keepsSelection, LastSelection, viewKey } from './kept-selection.ts';
import { gatherPassing, viewsByPath } from './row-index.ts';
import { selectedSessions } from './select-sessions.ts';
import { pathsTested, selectViews } from './select-views.ts';
import { sessionViewsOf } from './views-by-session.ts';
import { inVisitorOrder } from './visitor-order.ts';

/** Working arrays. */
const VIEWERS_ROWS = new WorkingWords();
const VIEWED_SESSIONS = new WorkingWords();
const VIEWS_BY_SESSION = new WorkingWords();
const ROW_SESSIONS = new WorkingWords();
const VIEWERS_COUNTS = new WorkingBytes();
const VIEW_COUNTS = new WorkingBytes();

const KEPT = new LastSelection<ViewedSessions>(({ sessions }) => sessions.byteLength);

/** Sessions with selected page views. */
export interface ViewedSessions {
  /**
   * Rows in order of visitor; a working array or kept: do not change them. They stand until the
   * next call of `viewedSessions`, which may choose among them, whatever else is selected meanwhile.
   */
  readonly sessions: Uint32Array;
  /** Number of selected page views. */
  readonly views: number;
}

/**
 * The sessions among the rows.
 *
 * @param among sessions to choose from, in order of visitor; null: all.
 * @cost a step per session that passes the session-level filters; a step per view of those, or per view
 *   of the kept paths, only if single page views are tested.
 */
export function viewedSessions(
  segment: Segment,
  predicate: ViewPredicate,
  run: QueryRun,
  among: Uint32Array | null = null,
): ViewedSessions {
  run.budget?.check();
  if (among !== null || !keepsSelection(segment, predicate.range, run)) {
    return viewedAnew(segment, predicate, run, among);
  }
  const key = viewKey(predicate);
  const known = KEPT.find(segment, key);
  if (known === null) {
    const { sessions, views } = viewedAnew(segment, predicate, run, null);
    return KEPT.keep(segment, key, { sessions: sessions.slice(), views });
  }
  run.decided(segment, 'viewed sessions by', 'the same filters before');
  return known;
}

function viewedAnew(
  segment: Segment,
  predicate: ViewPredicate,
  run: QueryRun,
  among: Uint32Array | null,
): ViewedSessions {
  const { range } = predicate;
  const way = viewedWay(isInside(segment, range), {
    testsViews: testsViews(predicate),
    testsPathsOnly: testsPathsOnly(predicate),
  });
  switch (run.decided(segment, 'viewed sessions by', way)) {
    case 'whole sessions': {
      const passing = selectedSessions(segment, predicate, among, run);
      return keepWhole(passing, viewCountsOf(segment, run), run);
    }
    case 'sessions and their ends': {
      const passing = selectedSessions(segment, predicate, among, run);
      return keepWithin(segment, range, { passing, counts: viewCountsOf(segment, run) }, run);
    }
    case 'paths': {
      const kept = must(pathsTested(segment, predicate), 'paths are tested');
      return viewersOf(segment, { predicate, kept, among }, run);
    }
    case 'page views':
      return viewersOfRows(segment, predicate, among, run);
  }
}

/** The sessions of page views that were selected row by row. */
function viewersOfRows(
  segment: Segment,
  predicate: ViewPredicate,
  among: Uint32Array | null,
  run: QueryRun,
): ViewedSessions {
  const selection = selectViews(segment, predicate, run);
  const rowSessions = gather(selection, segment.views.columns.session, run, ROW_SESSIONS);
  const all = rowSessions.subarray(0, selection.count);
  if (among === null) {
    const sessions = inVisitorOrder(segment, all, run, VIEWED_SESSIONS);
    return { sessions, views: selection.count };
  }
  const counts = VIEWERS_COUNTS.zeroed(run, segment.sessions.rowCount);
  for (let index = 0; index < all.length; index++) counts[all[index]!]!++;
  return keepWhole(among, counts, run);
}

/** What is asked of a whole segment: the paths, and the sessions to choose from. */
interface PathQuestion {
  readonly predicate: ViewPredicate;
  readonly kept: Uint8Array;
  readonly among: Uint32Array | null;
}

/** The sessions of a whole segment that viewed one of the kept paths. */
function viewersOf(segment: Segment, asked: PathQuestion, run: QueryRun): ViewedSessions {
  const { predicate, kept, among } = asked;
  // Who filters sessions goes along those that pass; sorting all page views by path costs more.
  const isByPath = among === null && isPathIndexUsed(predicate, run);
  const index = isByPath ? viewsByPath(segment, run) : null;
  if (index !== null) {
    const count = viewsOfPaths(segment, index, kept);
    const most = passingSessionsMost(segment, predicate.filters, run);
    if (run.decided(segment, 'viewers', viewersWay(count, most)) === 'by path') {
      const rows = VIEWERS_ROWS.raw(run, count);
      gatherPassing(index, kept, rows);
      return viewersAmong(segment, predicate, rows.subarray(0, count), run);
    }
  }
  const passing = selectedSessions(segment, predicate, among, run);
  const { starts, counts, paths } = sessionViewsOf(segment);
  bringNear(passing.length, starts, counts, paths);
  const sessions = VIEWED_SESSIONS.raw(run, passing.length);
  let found = 0;
  let views = 0;
  for (let at = 0; at < passing.length; at++) {
    const session = passing[at]!;
    const start = starts[session]!;
    const end = start + counts[session]!;
    let count = 0;
    for (let view = start; view < end; view++) count += kept[paths[view]!]!;
    sessions[found] = session;
    if (count > 0) found++;
    views += count;
  }
  return { sessions: sessions.subarray(0, found), views };
}

/** Whether viewers of paths may be found from an index of all page views; tests of all ways make it. */
function isPathIndexUsed({ filters }: ViewPredicate, { indexes }: QueryRun): boolean {
  return indexes === 'always' || !hasSessionFilter(filters);
}

/** The sessions of page views, if they pass the session-level filters. */
function viewersAmong(
  segment: Segment,
  predicate: ViewPredicate,
  rows: Uint32Array,
  run: QueryRun,
): ViewedSessions {
  const { session } = segment.views.columns;
  const counts = VIEWERS_COUNTS.zeroed(run, segment.sessions.rowCount);
  for (let index = 0; index < rows.length; index++) {
    const of = session[rows[index]!]!;
    counts[of]!++;
    rows[index] = of;
  }
  const viewers = inVisitorOrder(segment, rows, run, VIEWED_SESSIONS);
  const sessions = selectedSessions(segment, predicate, viewers, run);
  if (sessions === viewers) return { sessions, views: rows.length };
  let views = 0;
  for (let index = 0; index < sessions.length; index++) {
    views += counts[sessions[index]!]!;
    // Not left where the next selection writes: a funnel asks on among them.
    viewers[index] = sessions[index]!;
  }
  return { sessions: viewers.subarray(0, sessions.length), views };
}

/** The revision at which a segment's sessions said themselves how many page views they have. */
const trusted = new WeakMap<Segment, number>();

/**
 * Number of page views that the segment has of every session.
 *
 * A session's own count is never less than that; where statistics were deleted it is more. So
 * if the counts add up to the rows, each of them is right.
 */
export function viewCountsOf(segment: Segment, run: QueryRun): Uint8Array {
  const { rowCount } = segment.sessions;
  const { pageViews } = segment.sessions.columns;
  const { revision } = segment;
  if (revision > 0 && trusted.get(segment) === revision) return pageViews;
  let sum = 0;
  for (let row = 0; row < rowCount; row++) sum += pageViews[row]!;
  if (sum === segment.views.rowCount) {
    trusted.set(segment, revision);
    return pageViews;
  }
  const { session } = segment.views.columns;
  const counts = VIEW_COUNTS.zeroed(run, rowCount);
  for (let row = 0; row < segment.views.rowCount; row++) counts[session[row]!]!++;
  return counts;
}

/** Page views in the range per session, for all sessions. */
export function viewsBySession(
  segment: Segment,
  range: Span,
  run: QueryRun,
): Uint8Array | Uint32Array {
  const { rowCount, columns } = segment.sessions;
  const counts = viewCountsOf(segment, run);
  if (isInside(segment, range)) return counts;
  const { startMs, lastMs } = columns;
  const views = VIEWS_BY_SESSION.raw(run, rowCount);
  for (let row = 0; row < rowCount; row++) {
    const isWhole = startMs[row]! >= range.startMs && lastMs[row]! < range.endMs;
    views[row] = isWhole ? counts[row]! : viewsWithin(segment, row, range);
  }
  return views;
}

/** The sessions that have page views. */
function keepWhole(passing: Uint32Array, counts: Uint8Array, run: QueryRun): ViewedSessions {
  bringNear(passing.length, counts);
  const sessions = VIEWED_SESSIONS.raw(run, passing.length);
  let found = 0;
  let views = 0;
  for (let index = 0; index < passing.length; index++) {
    const session = passing[index]!;
    const count = counts[session]!;
    sessions[found] = session;
    if (count > 0) found++;
    views += count;
  }
  return { sessions: sessions.subarray(0, found), views };
}

/** The sessions that have page views in the range. */
function keepWithin(
  segment: Segment,
  range: Span,
  { passing, counts }: { passing: Uint32Array; counts: Uint8Array },
  run: QueryRun,
): ViewedSessions {
  const { startMs, lastMs } = segment.sessions.columns;
  const sessions = VIEWED_SESSIONS.raw(run, passing.length);
  let found = 0;
  let views = 0;
  for (let index = 0; index < passing.length; index++) {
    const session = passing[index]!;
    const isWhole = startMs[session]! >= range.startMs && lastMs[session]! < range.endMs;
    const count = isWhole ? counts[session]! : viewsWithin(segment, session, range);
    if (count === 0) continue;
    sessions[found++] = session;
    views += count;
  }
  return { sessions: sessions.subarray(0, found), views };
}

/** Page views of one session in a range. @cost a step per view of a session that straddles an end. */
function viewsWithin(segment: Segment, session: number, range: Span): number {
  const { startMs, lastMs } = segment.sessions.columns;
  if (startMs[session]! >= range.endMs || lastMs[session]! < range.startMs) return 0;
  const { starts, counts, times, originMs } = sessionViewsOf(segment);
  const end = starts[session]! + counts[session]!;
  let count = 0;
  for (let view = starts[session]!; view < end; view++) {
    const atMs = originMs + times[view]!;
    if (atMs >= range.startMs && atMs < range.endMs) count++;
  }
  return count;
}
