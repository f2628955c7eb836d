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

import { NONE } from '../../segment/memory/layout.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Scratch } from '../plan/scratch.ts';
import { gather, isInside, type Span } from '../plan/selection.ts';
import { testsPagesOnly, testsViews, type ViewQuestion } from '../plan/view-predicate.ts';
import { gatherKept, keptCount, viewsByPath } from './row-index.ts';
import { selectedCountMax, selectedSessions } from './select-sessions.ts';
import { pathsTested, selectViews } from './select-views.ts';
import { sessionViewsOf } from './views-by-session.ts';
import { inVisitorOrder } from './visitor-order.ts';

/** Sessions with selected page views. */
export interface ViewedSessions {
  /**
   * Rows in order of visitor; the scratch's or an index's: do not change them. They stand until the
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
  question: ViewQuestion,
  scratch: Scratch,
  among: Uint32Array | null = null,
): ViewedSessions {
  scratch.budget?.check();
  const { range } = question;
  if (!testsViews(question)) {
    const passing = selectedSessions(segment, question, among, scratch);
    const counts = viewCountsOf(segment, scratch);
    return isInside(segment, range)
      ? keepWhole(passing, counts, scratch)
      : keepWithin(segment, range, { passing, counts }, scratch);
  }
  if (testsPagesOnly(question) && isInside(segment, range)) {
    const kept = pathsTested(segment, question);
    if (kept !== null) return viewersOf(segment, { question, kept, among }, scratch);
  }
  const selection = selectViews(segment, question, scratch);
  const rowSessions = gather(selection, segment.views.columns.session, scratch, 'rowSessions');
  const all = rowSessions.subarray(0, selection.count);
  if (among === null) {
    const sessions = inVisitorOrder(segment, all, scratch, 'viewedSessions');
    return { sessions, views: selection.count };
  }
  const counts = scratch.bytes('viewersCounts', segment.sessions.rowCount);
  for (let index = 0; index < all.length; index++) counts[all[index]!]!++;
  return keepWhole(among, counts, scratch);
}

/** What is asked of a whole segment: the paths, and the sessions to choose from. */
interface PathQuestion {
  readonly question: ViewQuestion;
  readonly kept: Uint8Array;
  readonly among: Uint32Array | null;
}

/** Views of a session that is walked along, in the guess which way is the shorter. */
const VIEWS_PER_SESSION = 3;

/** The sessions of a whole segment that viewed one of the kept paths. */
function viewersOf(segment: Segment, asked: PathQuestion, scratch: Scratch): ViewedSessions {
  const { question, kept, among } = asked;
  const index = among === null ? viewsByPath(segment, scratch) : null;
  if (index !== null) {
    const count = keptCount(index, kept);
    const most = selectedCountMax(segment, question.filters, scratch);
    if (count < most * VIEWS_PER_SESSION) {
      const rows = scratch.rawWords('viewersRows', count);
      gatherKept(index, kept, rows);
      return viewersAmong(segment, question, rows.subarray(0, count), scratch);
    }
  }
  const passing = selectedSessions(segment, question, among, scratch);
  const { starts, counts, paths } = sessionViewsOf(segment);
  const sessions = scratch.rawWords('viewedSessions', passing.length);
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

/** The sessions of page views, if they pass the session-level filters. */
function viewersAmong(
  segment: Segment,
  question: ViewQuestion,
  rows: Uint32Array,
  scratch: Scratch,
): ViewedSessions {
  const { session } = segment.views.columns;
  const counts = scratch.bytes('viewersCounts', segment.sessions.rowCount);
  for (let index = 0; index < rows.length; index++) {
    const of = session[rows[index]!]!;
    counts[of]!++;
    rows[index] = of;
  }
  const viewers = inVisitorOrder(segment, rows, scratch, 'viewedSessions');
  const sessions = selectedSessions(segment, question, viewers, scratch);
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
export function viewCountsOf(segment: Segment, scratch: Scratch): Uint8Array {
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
  const counts = scratch.bytes('viewCounts', rowCount);
  for (let row = 0; row < segment.views.rowCount; row++) counts[session[row]!]!++;
  return counts;
}

/** Page views in the range per session, for all sessions. */
export function viewsBySession(segment: Segment, range: Span, scratch: Scratch): Uint32Array {
  const { rowCount, columns } = segment.sessions;
  const { startMs, lastMs } = columns;
  const views = scratch.rawWords('viewsBySession', rowCount);
  const counts = viewCountsOf(segment, scratch);
  if (isInside(segment, range)) {
    for (let row = 0; row < rowCount; row++) views[row] = counts[row]!;
    return views;
  }
  for (let row = 0; row < rowCount; row++) {
    const isWhole = startMs[row]! >= range.startMs && lastMs[row]! < range.endMs;
    views[row] = isWhole ? counts[row]! : viewsWithin(segment, row, range);
  }
  return views;
}

/** The sessions that have page views. */
function keepWhole(passing: Uint32Array, counts: Uint8Array, scratch: Scratch): ViewedSessions {
  const sessions = scratch.rawWords('viewedSessions', passing.length);
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
  scratch: Scratch,
): ViewedSessions {
  const { startMs, lastMs } = segment.sessions.columns;
  const sessions = scratch.rawWords('viewedSessions', passing.length);
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
  const { startMs, lastMs, lastView } = segment.sessions.columns;
  if (startMs[session]! >= range.endMs || lastMs[session]! < range.startMs) return 0;
  const { timeMs, previous } = segment.views.columns;
  let count = 0;
  for (let row = lastView[session]!; row !== NONE; row = previous[row]!) {
    const atMs = timeMs[row]!;
    if (atMs >= range.startMs && atMs < range.endMs) count++;
  }
  return count;
}
