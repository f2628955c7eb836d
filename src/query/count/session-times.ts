/**
 * Counting by time without looking at page views: a session whose whole span lies in one bucket is
 * counted as one; only those that cross from one bucket into another walk over their views.
 *
 * Data plane. Sessions come in order of visitor, so a stamp per group, the last visitor that was counted
 * in it, tells where the current one is counted already.
 */

import { bringNear } from '../../base/bring-near.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { Span } from '../plan/selection.ts';
import { type SessionViews, sessionViewsOf } from '../select/views-by-session.ts';
import type { Tally } from './tally.ts';

/** Groups of instants within a segment: `seek` makes the one around an instant the current one. */
export interface TimeCursor {
  readonly groupCount: number;
  /** The current group covers `[startMs, endMs)`. */
  startMs: number;
  endMs: number;
  /** Group within the segment; `OUTSIDE` for instants that the query is not about. */
  group: number;
  seek(atMs: number): void;
  /** What is to be added to a minute in UTC to get its group, if that is all there is to it; else null. */
  minuteShiftOf?(segment: Segment): number | null;
}

/** `TimeCursor.group` of instants outside the range. */
export const OUTSIDE = -1;

/** Puts a cursor outside of a range if the instant is. */
export function isOutside(cursor: TimeCursor, range: Span, atMs: number): boolean {
  if (atMs >= range.startMs && atMs < range.endMs) return false;
  const isEarly = atMs < range.startMs;
  cursor.group = OUTSIDE;
  cursor.startMs = isEarly ? Number.NEGATIVE_INFINITY : range.endMs;
  cursor.endMs = isEarly ? range.startMs : Number.POSITIVE_INFINITY;
  return true;
}

/**
 * Writes the group of rows that the query is about.
 *
 * @param rows row numbers; null: rows 0 to `groups.length`.
 */
export function assignGroups(
  cursor: TimeCursor,
  { timeMs, rows }: { readonly timeMs: Float64Array; readonly rows: Uint32Array | null },
  groups: Uint32Array,
): void {
  bringNear(groups.length, timeMs);
  // Rows are nearly in order of time: most are in the group of the row before.
  let [startMs, endMs, group] = [0, 0, 0];
  for (let index = 0; index < groups.length; index++) {
    const atMs = timeMs[rows === null ? index : rows[index]!]!;
    if (atMs < startMs || atMs >= endMs) {
      cursor.seek(atMs);
      ({ startMs, endMs, group } = cursor);
    }
    groups[index] = group;
  }
}

/** Sessions to be counted by time. */
export interface TimedSessions {
  /** Those that pass the filters, in order of visitor. */
  readonly sessions: Uint32Array;
  /** Page views per session; sessions without any are passed over. */
  readonly counts: Uint8Array;
  /** Weight per session for `Tally.weights`; null: not wanted. */
  readonly weights: Uint32Array | null;
  readonly cursor: TimeCursor;
}

/** Numbers per group, side by side: what is touched together lies in one line of the cache. */
const STRIDE = 8;
const VIEWS = 0;
const SESSIONS = 1;
const BOUNCES = 2;
const VISITORS = 3;
const WEIGHT = 4;
/** The last visitor and the last session that were counted in the group, plus 1. */
const LAST_VISITOR = 5;
const LAST_SESSION = 6;

/**
 * Adds sessions and their page views to the groups that the views are in.
 *
 * @param groupMap group within the segment → group in the tally.
 * @cost a step per session, and one per view of the sessions that lie in more than one group.
 */
export function tallySessionTimes(
  segment: Segment,
  timed: TimedSessions,
  groupMap: Uint32Array,
  into: Tally,
): void {
  const { cursor } = timed;
  const cells = new Float64Array(cursor.groupCount * STRIDE);
  countSpans(segment, timed, cells);
  for (let from = 0; from < cursor.groupCount; from++) {
    const at = from * STRIDE;
    const target = groupMap[from]!;
    into.rows[target]! += cells[at + VIEWS]!;
    into.sessions[target]! += cells[at + SESSIONS]!;
    into.bounces[target]! += cells[at + BOUNCES]!;
    into.visitors[target]! += cells[at + VISITORS]!;
    into.weights[target]! += cells[at + WEIGHT]!;
  }
}

/** Counts sessions, those that lie in one group as one. */
function countSpans(segment: Segment, timed: TimedSessions, cells: Float64Array): void {
  const { sessions, counts, weights, cursor } = timed;
  const { startMs, lastMs, visitor, isBounce } = segment.sessions.columns;
  bringNear(sessions.length, counts, startMs, lastMs, visitor, isBounce);
  // Sessions come nearly in order of time, so the group rarely changes.
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  let group = OUTSIDE;
  // Made when the first session needs it: looking it up takes longer than walking along one.
  let ordered: SessionViews | null = null;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const views = counts[session]!;
    if (views === 0) continue;
    const atMs = startMs[session]!;
    if (atMs < fromMs || atMs >= toMs) {
      cursor.seek(atMs);
      fromMs = cursor.startMs;
      toMs = cursor.endMs;
      group = cursor.group;
    }
    if (lastMs[session]! >= toMs) {
      ordered ??= sessionViewsOf(segment);
      const bounce = isBounce[session]!;
      walk({ ordered, session, bounce, visitor: visitor[session]! }, timed, cells);
      continue;
    }
    if (group === OUTSIDE) continue;
    const at = group * STRIDE;
    cells[at + VIEWS]! += views;
    cells[at + SESSIONS]!++;
    cells[at + BOUNCES]! += isBounce[session]!;
    if (weights !== null) cells[at + WEIGHT]! += weights[session]!;
    const stamp = visitor[session]! + 1;
    if (cells[at + LAST_VISITOR] === stamp) continue;
    cells[at + LAST_VISITOR] = stamp;
    cells[at + VISITORS]!++;
  }
}

/** A session that may lie in several groups: each view counts, and it once in each of its groups. */
function walk(
  of: { ordered: SessionViews; session: number; bounce: number; visitor: number },
  { cursor, weights }: TimedSessions,
  cells: Float64Array,
): void {
  const { session } = of;
  const { starts, counts, times, originMs } = of.ordered;
  const end = starts[session]! + counts[session]!;
  for (let view = starts[session]!; view < end; view++) {
    const atMs = originMs + times[view]!;
    if (atMs < cursor.startMs || atMs >= cursor.endMs) cursor.seek(atMs);
    if (cursor.group === OUTSIDE) continue;
    const at = cursor.group * STRIDE;
    cells[at + VIEWS]!++;
    if (cells[at + LAST_SESSION] === session + 1) continue;
    cells[at + LAST_SESSION] = session + 1;
    cells[at + SESSIONS]!++;
    cells[at + BOUNCES]! += of.bounce;
    if (weights !== null) cells[at + WEIGHT]! += weights[session]!;
    if (cells[at + LAST_VISITOR] === of.visitor + 1) continue;
    cells[at + LAST_VISITOR] = of.visitor + 1;
    cells[at + VISITORS]!++;
  }
}

/**
 * Adds the time on page of the page views of sessions (S-3) to the groups that the views are in.
 *
 * @cost a step per page view.
 */
export function tallyTimesOnPage(
  segment: Segment,
  { sessions, cursor }: Pick<TimedSessions, 'sessions' | 'cursor'>,
  groupMap: Uint32Array,
  into: Tally,
): void {
  const { startMs, lastMs } = segment.sessions.columns;
  const { starts, counts, times, timesOnPage, originMs } = sessionViewsOf(segment);
  bringNear(sessions.length, startMs, lastMs, starts, counts, timesOnPage);
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const start = starts[session]!;
    const end = start + counts[session]!;
    const atMs = startMs[session]!;
    if (atMs < cursor.startMs || atMs >= cursor.endMs) cursor.seek(atMs);
    const isWhole = lastMs[session]! < cursor.endMs;
    for (let view = start; view < end; view++) {
      const spent = timesOnPage[view]!;
      if (spent === 0) continue;
      if (!isWhole) cursor.seek(originMs + times[view]!);
      if (cursor.group === OUTSIDE) continue;
      const target = groupMap[cursor.group]!;
      into.seconds[target]! += spent;
      into.timed[target]!++;
    }
  }
}
