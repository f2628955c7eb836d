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
import type { OrderedGroups } from '../group/page-groups.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';
import type { SessionViews } from '../select/views-by-session.ts';
import type { Tally } from './tally.ts';

/** Working arrays. */
const GROUP_COUNTS = new WorkingWords();
const GROUP_BOUNCES = new WorkingWords();

/** Words per group: its views, the counts below, and the last session counted, by place in order. */
const STRIDE = 4;
const SESSIONS = 1;
const VISITORS = 2;
const LAST_SESSION = 3;

/** Numbers per group: seconds on page, and the page views that have any. */
const TIME_STRIDE = 2;

interface Counts {
  readonly counts: Uint32Array;
  readonly bounces: Uint32Array;
  /** Null: not wanted. */
  readonly times: Float64Array | null;
}

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
  const bounces = GROUP_BOUNCES.zeroed(run, groupCount);
  // Seconds of a day on one page may be more than a word holds.
  const times = includesTime ? new Float64Array(groupCount * TIME_STRIDE) : null;
  countViews(segment, rows, { counts, bounces, times });
  for (let group = 0; group < groupCount; group++) {
    const at = group * STRIDE;
    if (counts[at] === 0) continue;
    const target = groupMap[group]!;
    tally.rows[target]! += counts[at]!;
    tally.sessions[target]! += counts[at + SESSIONS]!;
    tally.visitors[target]! += counts[at + VISITORS]!;
    tally.bounces[target]! += bounces[group]!;
    if (times === null) continue;
    tally.seconds[target]! += times[group * TIME_STRIDE]!;
    tally.timed[target]! += times[group * TIME_STRIDE + 1]!;
  }
}

function countViews(segment: Segment, rows: SessionRows, into: Counts): void {
  const { sessions, groups, views, kept } = rows;
  const { starts, counts: viewCounts } = views;
  const { visitor, isBounce } = segment.sessions.columns;
  const { counts, bounces, times } = into;
  const timesOnPage = times === null ? null : views.timesOnPage;
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
      if (times !== null && timesOnPage !== null && timesOnPage[view] !== 0) {
        times[group * TIME_STRIDE]! += timesOnPage[view]!;
        times[group * TIME_STRIDE + 1]!++;
      }
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
