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

import { NONE } from '../segment/layout.ts';
import type { Segment } from '../segment/segment.ts';
import { hasSessionFilter } from './filters.ts';
import { gather, isInside, type Span } from './rows.ts';
import type { Scratch } from './scratch.ts';
import {
  pathsTested,
  selectSessions,
  selectViews,
  testsPagesOnly,
  testsViews,
  type ViewQuestion,
} from './selection.ts';
import { sessionViewsOf } from './session-views.ts';
import { markSessions } from './tally.ts';

/** Sessions with selected page views. */
export interface ViewedSessions {
  /** One byte per session, 1 is among the rows; in the scratch. */
  readonly marks: Uint8Array;
  /** Number of selected page views. */
  readonly views: number;
}

/** The sessions among the rows. @cost a pass over the sessions; over the views only if those are tested. */
export function viewedSessions(
  segment: Segment,
  question: ViewQuestion,
  scratch: Scratch,
): ViewedSessions {
  scratch.budget?.check();
  if (testsViews(question) && testsPagesOnly(question) && isInside(segment, question.range)) {
    const kept = pathsTested(segment, question);
    if (kept !== null) return viewersOf(segment, question, kept, scratch);
  }
  if (testsViews(question)) {
    const selection = selectViews(segment, question, scratch);
    const sessions = gather(selection, segment.views.columns.session, scratch, 'rowSessions');
    const marks = markSessions(segment, sessions, selection.count, scratch);
    return { marks, views: selection.count };
  }
  const counts = viewCountsOf(segment, scratch);
  const mask = maskOf(segment, question, scratch);
  const marks = scratch.rawBytes('sessionMarks', segment.sessions.rowCount);
  const views = isInside(segment, question.range)
    ? markWhole(mask, counts, marks)
    : markWithin(segment, question.range, { mask, counts, marks });
  return { marks, views };
}

/** The sessions of a whole segment that viewed one of the kept paths. */
function viewersOf(
  segment: Segment,
  question: ViewQuestion,
  kept: Uint8Array,
  scratch: Scratch,
): ViewedSessions {
  const mask = maskOf(segment, question, scratch);
  const { order, starts, paths } = sessionViewsOf(segment);
  const marks = scratch.rawBytes('sessionMarks', segment.sessions.rowCount);
  let views = 0;
  let start = 0;
  for (let index = 0; index < order.length; index++) {
    const session = order[index]!;
    const first = start;
    start = starts[index + 1]!;
    let count = 0;
    if (mask[session] === 1) {
      for (let view = first; view < start; view++) count += kept[paths[view]!]!;
    }
    marks[session] = count === 0 ? 0 : 1;
    views += count;
  }
  return { marks, views };
}

/** Which sessions pass the session-level filters: one byte each, in the scratch. */
export function maskOf(segment: Segment, question: ViewQuestion, scratch: Scratch): Uint8Array {
  scratch.budget?.check();
  const { filters, range } = question;
  if (hasSessionFilter(filters)) return selectSessions(segment, filters, range, scratch);
  return scratch.rawBytes('sessionMask', segment.sessions.rowCount).fill(1);
}

/**
 * Number of page views that the segment has of every session.
 *
 * A session's own count is never less than that; where statistics were deleted it is more. So
 * if the counts add up to the rows, each of them is right.
 */
export function viewCountsOf(segment: Segment, scratch: Scratch): Uint8Array {
  const { rowCount } = segment.sessions;
  const { pageViews } = segment.sessions.columns;
  let sum = 0;
  for (let row = 0; row < rowCount; row++) sum += pageViews[row]!;
  if (sum === segment.views.rowCount) return pageViews;
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

function markWhole(mask: Uint8Array, counts: Uint8Array, marks: Uint8Array): number {
  let views = 0;
  for (let row = 0; row < marks.length; row++) {
    // Without a branch: which sessions pass a filter is as good as random.
    const count = counts[row]! & -mask[row]!;
    marks[row] = count === 0 ? 0 : 1;
    views += count;
  }
  return views;
}

function markWithin(
  segment: Segment,
  range: Span,
  sessions: { mask: Uint8Array; counts: Uint8Array; marks: Uint8Array },
): number {
  const { mask, counts, marks } = sessions;
  const { startMs, lastMs } = segment.sessions.columns;
  let views = 0;
  for (let row = 0; row < marks.length; row++) {
    marks[row] = 0;
    if (mask[row] === 0) continue;
    const isWhole = startMs[row]! >= range.startMs && lastMs[row]! < range.endMs;
    const count = isWhole ? counts[row]! : viewsWithin(segment, row, range);
    if (count === 0) continue;
    marks[row] = 1;
    views += count;
  }
  return views;
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
