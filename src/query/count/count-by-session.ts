/**
 * Counting page views by group along the sessions: visitor by visitor, session by session, view by view.
 *
 * Data plane. In that order a session or visitor is new to a group when it is not the last one that the
 * group saw: one comparison instead of sorting rows by group. What changes of a group at every view lies
 * side by side.
 *
 *     visitor 1          visitor 2
 *     session 1  3       session 2      of group a: sessions 1 3 2, visitors 1 2
 *             a b a  a           a c
 */

import { bringNear } from '../../base/bring-near.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { OrderedGroups } from '../group/page-groups.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';
import type { SessionViews } from '../select/views-by-session.ts';
import type { Tally } from './tally.ts';

/** Working arrays. */
const GROUP_COUNTS = new WorkingWords();

/**
 * Words per group: its views, the counts below, and the last session counted, by place in order. Seconds
 * of a day on one page may be more than a word holds; what does not fit is carried.
 */
const STRIDE = 8;
const SESSIONS = 1;
const VISITORS = 2;
const BOUNCES = 3;
const LAST_SESSION = 4;
const TIMED = 5;
const SECONDS = 6;
const CARRIES = 7;
const WORD_COUNT = 2 ** 32;

/** Page views of some sessions, with the group of each in the order of `views`. */
export interface SessionRows extends OrderedGroups {
  /** Those that count, in order of visitor. */
  readonly sessions: Uint32Array;
  readonly views: SessionViews;
}

/**
 * Adds page views of marked sessions, and their time on page (S-3) where it is wanted.
 *
 * @cost a few loads per page view of one.
 */
export function tallySessionRows(
  segment: Segment,
  rows: SessionRows,
  tally: Tally,
  { run, includesTime }: { run: QueryRun; includesTime: boolean },
): void {
  const { groupCount, groupMap } = rows;
  const counts = GROUP_COUNTS.zeroed(run, groupCount * STRIDE);
  countViews(segment, rows, counts, includesTime);
  for (let group = 0; group < groupCount; group++) {
    const at = group * STRIDE;
    if (counts[at] === 0) continue;
    const target = groupMap[group]!;
    tally.rows[target]! += counts[at]!;
    tally.sessions[target]! += counts[at + SESSIONS]!;
    tally.visitors[target]! += counts[at + VISITORS]!;
    tally.bounces[target]! += counts[at + BOUNCES]!;
    tally.seconds[target]! += counts[at + SECONDS]! + counts[at + CARRIES]! * WORD_COUNT;
    tally.timed[target]! += counts[at + TIMED]!;
  }
}

function countViews(
  segment: Segment,
  rows: SessionRows,
  counts: Uint32Array,
  includesTime: boolean,
): void {
  const { sessions, groups, views, kept } = rows;
  const { starts, counts: viewCounts } = views;
  const { visitor, isBounce } = segment.sessions.columns;
  const timesOnPage = includesTime ? views.timesOnPage : null;
  bringNear(sessions.length, starts, viewCounts, visitor, isBounce, groups);
  if (timesOnPage !== null) bringNear(sessions.length, timesOnPage);
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
      counts[at]!++;
      if (timesOnPage !== null) {
        const spent = timesOnPage[view]!;
        const before = counts[at + SECONDS]!;
        counts[at + SECONDS] = before + spent;
        if (before + spent >= WORD_COUNT) counts[at + CARRIES]!++;
        // 1 of a time above 0, without a branch: the last view of a session has none.
        counts[at + TIMED]! += -spent >>> 31;
      }
      const last = counts[at + LAST_SESSION]!;
      if (last === stamp) continue;
      counts[at + LAST_SESSION] = stamp;
      counts[at + SESSIONS]!++;
      counts[at + BOUNCES]! += isBounced;
      if (last < visitorStamp) counts[at + VISITORS]!++;
    }
  }
}
