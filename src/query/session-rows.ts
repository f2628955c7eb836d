/**
 * Counting page views by group along the sessions: visitor by visitor, session by session, view by view.
 *
 * Data plane. In that order a session or visitor is new to a group when it is not the last one that the
 * group saw: one comparison instead of sorting rows by group. A session that is filtered out costs one
 * byte. All that is kept of a group lies side by side, half a cache line.
 *
 *     order of visitors → session → lastView ─ previous ─ previous …
 */

import { NONE } from '../segment/layout.ts';
import type { Segment } from '../segment/segment.ts';
import type { Scratch } from './scratch.ts';
import type { Tally } from './tally.ts';
import { visitorOrderOf } from './visitor-order.ts';

/** Words per group: counts, then the last session and visitor that were counted, plus 1. */
const STRIDE = 8;
const ROWS = 0;
const SESSIONS = 1;
const VISITORS = 2;
const BOUNCES = 3;
const TIMED = 4;
const LAST_SESSION = 5;
const LAST_VISITOR = 6;

/** All page views of marked sessions, with the group of each. */
export interface SessionRows {
  /** One byte per session: 1 counts, with all of its page views. */
  readonly marks: Uint8Array;
  /** Group within the segment, per page view of the segment, below `groupCount`. */
  readonly groups: Uint32Array;
  readonly groupCount: number;
  /** Group within the segment → group in the tally. */
  readonly groupMap: Uint32Array;
  /** Whether time on page is added up too. */
  readonly withTime: boolean;
}

/** Adds all page views of marked sessions. @cost a byte per session, a few loads per page view. */
export function tallySessionRows(
  segment: Segment,
  rows: SessionRows,
  tally: Tally,
  scratch: Scratch,
): void {
  const { marks, groups, groupCount, groupMap } = rows;
  const { visitor, isBounce, lastView } = segment.sessions.columns;
  const { previous } = segment.views.columns;
  const order = visitorOrderOf(segment);
  const kept = scratch.words('groupCounts', groupCount * STRIDE);
  for (let index = 0; index < order.length; index++) {
    const session = order[index]!;
    if (marks[session] === 0) continue;
    for (let row = lastView[session]!; row !== NONE; row = previous[row]!) {
      const at = groups[row]! * STRIDE;
      kept[at]!++;
      if (kept[at + LAST_SESSION] === session + 1) continue;
      kept[at + LAST_SESSION] = session + 1;
      kept[at + SESSIONS]!++;
      kept[at + BOUNCES]! += isBounce[session]!;
      const stamp = visitor[session]! + 1;
      if (kept[at + LAST_VISITOR] === stamp) continue;
      kept[at + LAST_VISITOR] = stamp;
      kept[at + VISITORS]!++;
    }
  }
  if (rows.withTime) addTime(segment, rows, { kept, seconds: tally.seconds });
  for (let group = 0; group < groupCount; group++) {
    const at = group * STRIDE;
    if (kept[at + ROWS] === 0) continue;
    const target = groupMap[group]!;
    tally.rows[target]! += kept[at + ROWS]!;
    tally.sessions[target]! += kept[at + SESSIONS]!;
    tally.visitors[target]! += kept[at + VISITORS]!;
    tally.bounces[target]! += kept[at + BOUNCES]!;
    tally.timed[target]! += kept[at + TIMED]!;
  }
}

/** Adds time on page (S-3) in order of rows, which is that of memory. */
function addTime(
  segment: Segment,
  rows: SessionRows,
  into: { kept: Uint32Array; seconds: Float64Array },
): void {
  const { marks, groups, groupMap } = rows;
  const { session, timeOnPage } = segment.views.columns;
  const { kept, seconds } = into;
  const { rowCount } = segment.views;
  for (let row = 0; row < rowCount; row++) {
    const spent = timeOnPage[row]!;
    if (spent === 0 || marks[session[row]!] === 0) continue;
    const group = groups[row]!;
    kept[group * STRIDE + TIMED]!++;
    seconds[groupMap[group]!]! += spent;
  }
}
