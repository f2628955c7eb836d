/**
 * Counting by time without looking at page views: a session whose whole span lies in one bucket is
 * counted as one; only those that cross from one bucket into another walk over their views.
 *
 * Data plane. A bit per visitor and group tells what is counted already, so there are at most 64 groups.
 */

import { NONE } from '../segment/layout.ts';
import type { Segment } from '../segment/segment.ts';
import type { Span } from './rows.ts';
import type { Scratch } from './scratch.ts';
import type { Tally } from './tally.ts';

/** Groups that fit the two words of bits. */
export const TIME_GROUPS_MAX = 64;

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
  /** One byte per session: 1 passes the filters. */
  readonly mask: Uint8Array;
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
  into: { tally: Tally; scratch: Scratch },
): void {
  const { mask, counts, cursor } = timed;
  const { startMs, lastMs } = segment.sessions.columns;
  const { rows } = into.tally;
  const counter = new SessionCounter(segment, timed, groupMap, into);
  for (let session = 0; session < mask.length; session++) {
    if (mask[session] === 0 || counts[session] === 0) continue;
    const atMs = startMs[session]!;
    if (atMs < cursor.startMs || atMs >= cursor.endMs) cursor.seek(atMs);
    if (lastMs[session]! >= cursor.endMs) {
      counter.walk(session, cursor);
    } else if (cursor.group !== OUTSIDE) {
      rows[groupMap[cursor.group]!]! += counts[session]!;
      counter.count(session, cursor.group);
    }
  }
}

/** Counts sessions and visitors once per group. */
class SessionCounter {
  readonly #segment: Segment;
  readonly #weights: Uint32Array | null;
  readonly #groupMap: Uint32Array;
  readonly #tally: Tally;
  /** Two words per visitor. */
  readonly #visitorBits: Uint32Array;

  constructor(
    segment: Segment,
    { weights }: TimedSessions,
    groupMap: Uint32Array,
    into: { tally: Tally; scratch: Scratch },
  ) {
    this.#segment = segment;
    this.#weights = weights;
    this.#groupMap = groupMap;
    this.#tally = into.tally;
    this.#visitorBits = into.scratch.words('visitorBits', segment.visitors.rowCount * 2);
  }

  /** Adds the views of a session that may lie in several groups, and it to each of those. */
  walk(session: number, cursor: TimeCursor): void {
    const { timeMs, previous } = this.#segment.views.columns;
    const { rows } = this.#tally;
    let low = 0;
    let high = 0;
    let row = this.#segment.sessions.columns.lastView[session]!;
    for (; row !== NONE; row = previous[row]!) {
      const atMs = timeMs[row]!;
      if (atMs < cursor.startMs || atMs >= cursor.endMs) cursor.seek(atMs);
      const { group } = cursor;
      if (group === OUTSIDE) continue;
      rows[this.#groupMap[group]!]!++;
      const bit = 1 << (group & 31);
      if (((group < 32 ? low : high) & bit) !== 0) continue;
      if (group < 32) low |= bit;
      else high |= bit;
      this.count(session, group);
    }
  }

  /** Adds a session to a group that it is not counted in yet. */
  count(session: number, group: number): void {
    const { visitor, isBounce } = this.#segment.sessions.columns;
    const { sessions, bounces, visitors, weights } = this.#tally;
    const target = this.#groupMap[group]!;
    sessions[target]!++;
    bounces[target]! += isBounce[session]!;
    if (this.#weights !== null) weights[target]! += this.#weights[session]!;
    const word = visitor[session]! * 2 + (group >>> 5);
    const bits = this.#visitorBits[word]!;
    const bit = 1 << (group & 31);
    if ((bits & bit) !== 0) return;
    this.#visitorBits[word] = bits | bit;
    visitors[target]!++;
  }
}
