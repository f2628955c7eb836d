/**
 * Counting by time without looking at page views: a session whose whole span lies in one bucket is
 * counted as one; only those that cross from one bucket into another walk over their views.
 *
 * Data plane. Sessions come in order of visitor; a bit per group tells where the current visitor is
 * counted already, so there are at most 32 groups.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { Span } from '../plan/selection.ts';
import { sessionViewsOf } from '../select/views-by-session.ts';
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
  const { sessions, counts, weights, cursor } = timed;
  const { startMs, lastMs, visitor, isBounce } = segment.sessions.columns;
  // What the current group gets; sessions come nearly in order of time, so it rarely changes.
  const sum = { views: 0, sessions: 0, bounces: 0, visitors: 0, weight: 0, visitor: -1, seen: 0 };
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  let group = OUTSIDE;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const views = counts[session]!;
    if (views === 0) continue;
    const ordinal = visitor[session]!;
    if (ordinal !== sum.visitor) {
      sum.visitor = ordinal;
      sum.seen = 0;
    }
    const atMs = startMs[session]!;
    if (atMs < fromMs || atMs >= toMs) {
      if (group !== OUTSIDE) flush(sum, into, groupMap[group]!);
      cursor.seek(atMs);
      fromMs = cursor.startMs;
      toMs = cursor.endMs;
      group = cursor.group;
    }
    if (lastMs[session]! >= toMs) {
      walk(segment, session, { timed, groupMap, sum, tally: into });
      continue;
    }
    if (group === OUTSIDE) continue;
    const { seen } = sum;
    sum.views += views;
    sum.sessions++;
    sum.bounces += isBounce[session]!;
    sum.visitors += ((seen >>> group) & 1) ^ 1;
    if (weights !== null) sum.weight += weights[session]!;
    sum.seen = seen | (1 << group);
  }
  if (group !== OUTSIDE) flush(sum, into, groupMap[group]!);
}

interface Sum {
  views: number;
  sessions: number;
  bounces: number;
  visitors: number;
  weight: number;
  /** The visitor whose sessions are being counted, and the groups that it is in: a bit each. */
  visitor: number;
  seen: number;
}

/** Moves a sum to its group of the tally. */
function flush(sum: Sum, tally: Tally, target: number): void {
  tally.rows[target]! += sum.views;
  tally.sessions[target]! += sum.sessions;
  tally.bounces[target]! += sum.bounces;
  tally.visitors[target]! += sum.visitors;
  tally.weights[target]! += sum.weight;
  sum.views = 0;
  sum.sessions = 0;
  sum.bounces = 0;
  sum.visitors = 0;
  sum.weight = 0;
}

/** A session that may lie in several groups: each view counts, and it once in each of its groups. */
function walk(
  segment: Segment,
  session: number,
  into: { timed: TimedSessions; groupMap: Uint32Array; sum: Sum; tally: Tally },
): void {
  const { isBounce } = segment.sessions.columns;
  const { starts, counts, times, originMs } = sessionViewsOf(segment);
  const { tally, sum } = into;
  const { cursor, weights } = into.timed;
  const end = starts[session]! + counts[session]!;
  let counted = 0;
  for (let view = starts[session]!; view < end; view++) {
    const atMs = originMs + times[view]!;
    if (atMs < cursor.startMs || atMs >= cursor.endMs) cursor.seek(atMs);
    const { group } = cursor;
    if (group === OUTSIDE) continue;
    const target = into.groupMap[group]!;
    tally.rows[target]!++;
    const bit = 1 << group;
    if ((counted & bit) !== 0) continue;
    counted |= bit;
    tally.sessions[target]!++;
    tally.bounces[target]! += isBounce[session]!;
    if (weights !== null) tally.weights[target]! += weights[session]!;
    if ((sum.seen & bit) !== 0) continue;
    sum.seen |= bit;
    tally.visitors[target]!++;
  }
}
