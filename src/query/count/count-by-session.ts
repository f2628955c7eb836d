/**
 * Counting page views by group along the sessions: visitor by visitor, session by session, view by view.
 *
 * Data plane. In that order a session or visitor is new to a group when it is not the last one that the
 * group saw: one comparison instead of sorting rows by group. What
 * changes of a group at every view lies side by side.
 *
 *     visitor 1          visitor 2
 *     session 1  3       session 2      of group a: sessions 1 3 2, visitors 1 2
 *             a b a  a           a c
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { Scratch } from '../plan/scratch.ts';
import type { SessionViews } from '../select/views-by-session.ts';
import type { Tally } from './tally.ts';

/** Words per group: its views, the counts below, and the last session counted, by place in order. */
const STRIDE = 4;
const SESSIONS = 1;
const VISITORS = 2;
const LAST_SESSION = 3;

interface Counts {
  readonly counts: Uint32Array;
  readonly bounces: Uint32Array;
}

/** Page views of marked sessions, with the group of each. */
export interface SessionRows {
  /** Those that count, in order of visitor. */
  readonly sessions: Uint32Array;
  readonly views: SessionViews;
  /** Group within the segment per page view, in the order of `views`; below `groupCount`. */
  readonly groups: Uint32Array;
  readonly groupCount: number;
  /** Group within the segment → group in the tally. */
  readonly groupMap: Uint32Array;
  /** One byte per group: 1 counts. */
  readonly kept: Uint8Array;
}

/** Adds page views of marked sessions. @cost a few loads per page view of one. */
export function tallySessionRows(
  segment: Segment,
  rows: SessionRows,
  tally: Tally,
  scratch: Scratch,
): void {
  const { groupCount, groupMap } = rows;
  const counts = scratch.words('groupCounts', groupCount * STRIDE);
  const bounces = scratch.words('groupBounces', groupCount);
  countViews(segment, rows, { counts, bounces });
  for (let group = 0; group < groupCount; group++) {
    const at = group * STRIDE;
    if (counts[at] === 0) continue;
    const target = groupMap[group]!;
    tally.rows[target]! += counts[at]!;
    tally.sessions[target]! += counts[at + SESSIONS]!;
    tally.visitors[target]! += counts[at + VISITORS]!;
    tally.bounces[target]! += bounces[group]!;
  }
}

/** Adds time on page (S-3) of the same page views. @cost as `tallySessionRows`. */
export function tallySessionTime(rows: SessionRows, tally: Tally): void {
  const { sessions, views, groups, groupMap, kept } = rows;
  const { starts, counts, timesOnPage } = views;
  const { seconds, timed } = tally;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const start = starts[session]!;
    const end = start + counts[session]!;
    for (let view = start; view < end; view++) {
      const spent = timesOnPage[view]!;
      if (spent === 0) continue;
      const group = groups[view]!;
      if (kept[group] === 0) continue;
      const target = groupMap[group]!;
      seconds[target]! += spent;
      timed[target]!++;
    }
  }
}

function countViews(segment: Segment, rows: SessionRows, into: Counts): void {
  const { sessions, groups, views, kept } = rows;
  const { starts, counts: viewCounts } = views;
  const { visitor, isBounce } = segment.sessions.columns;
  const { counts, bounces } = into;
  let currentVisitor = -1;
  // Where the current visitor's sessions begin: what a group saw before was another visitor.
  let visitorStamp = 0;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const start = starts[session]!;
    const end = start + viewCounts[session]!;
    const isBounced = isBounce[session]!;
    const stamp = index + 1;
    if (visitor[session] !== currentVisitor) {
      currentVisitor = visitor[session]!;
      visitorStamp = stamp;
    }
    for (let view = start; view < end; view++) {
      const group = groups[view]!;
      if (kept[group] === 0) continue;
      const at = group * STRIDE;
      const last = counts[at + LAST_SESSION]!;
      counts[at]!++;
      if (last === stamp) continue;
      counts[at + LAST_SESSION] = stamp;
      counts[at + SESSIONS]!++;
      if (isBounced === 1) bounces[group]!++;
      if (last < visitorStamp) counts[at + VISITORS]!++;
    }
  }
}
