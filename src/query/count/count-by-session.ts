/**
 * Counting page views by group along the sessions: visitor by visitor, session by session, view by view.
 *
 * Data plane. In that order a session or visitor is new to a group when it is not the last one that the
 * group saw: one comparison instead of sorting rows by group.
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
const SECOND_CARRIES = new WorkingWords();

/**
 * Words per group, side by side: the last session that it saw, by place in order and plus 1; then what
 * its page views were, each counted once, as one of five.
 */
const STRIDE = 8;
const LAST_SESSION = 0;
/** A visitor's first session here, not bounced; behind it, bounced. */
const FIRST = 1;
/** A further session of a visitor, not bounced; behind it, bounced. */
const FURTHER = 3;
/** One more of a session. */
const AGAIN = 5;
const TIMED = 6;
/** Of a day on one page they may be more than a word holds; what does not fit is carried. */
const SECONDS = 7;
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
  const { groupCount, groupMap, kept } = rows;
  const counts = GROUP_COUNTS.zeroed(run, groupCount * STRIDE);
  const carries = SECOND_CARRIES.zeroed(run, includesTime ? groupCount : 0);
  const timesOnPage = includesTime ? rows.views.timesOnPage : null;
  countViews(segment, rows, { counts, carries, timesOnPage });
  const { rows: views, sessions, visitors, bounces, seconds, timed } = tally;
  for (let group = 0; group < groupCount; group++) {
    const at = group * STRIDE;
    // What was seen of a group that is not asked for is passed over here, once, not at every view.
    if (counts[at + LAST_SESSION] === 0 || kept[group] === 0) continue;
    const target = groupMap[group]!;
    const firsts = counts[at + FIRST]! + counts[at + FIRST + 1]!;
    const seen = firsts + counts[at + FURTHER]! + counts[at + FURTHER + 1]!;
    views[target]! += seen + counts[at + AGAIN]!;
    sessions[target]! += seen;
    visitors[target]! += firsts;
    bounces[target]! += counts[at + FIRST + 1]! + counts[at + FURTHER + 1]!;
    if (!includesTime) continue;
    seconds[target]! += counts[at + SECONDS]! + carries[group]! * WORD_COUNT;
    timed[target]! += counts[at + TIMED]!;
  }
}

/** Counts each page view as what it is to its session and visitor: one word changes, and the stamp. */
function countViews(
  segment: Segment,
  { sessions, groups, views }: SessionRows,
  into: { counts: Uint32Array; carries: Uint32Array; timesOnPage: Uint16Array | null },
): void {
  const { counts, carries, timesOnPage } = into;
  const { starts, counts: viewCounts } = views;
  const { visitor, isBounce } = segment.sessions.columns;
  bringNear(sessions.length, starts, viewCounts, visitor, isBounce, groups);
  if (timesOnPage !== null) bringNear(sessions.length, timesOnPage);
  let currentVisitor = -1;
  // Where the current visitor's sessions begin: what a group saw before was another visitor.
  let visitorStamp = 0;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const start = starts[session]!;
    const end = start + viewCounts[session]!;
    const first = FIRST + isBounce[session]!;
    const stamp = index + 1;
    if (visitor[session] !== currentVisitor) {
      currentVisitor = visitor[session]!;
      visitorStamp = stamp;
    }
    for (let view = start; view < end; view++) {
      const at = groups[view]! * STRIDE;
      if (timesOnPage !== null) {
        const spent = timesOnPage[view]!;
        const sum = counts[at + SECONDS]! + spent;
        counts[at + SECONDS] = sum;
        if (sum >= WORD_COUNT) carries[groups[view]!]!++;
        // 1 of a time above 0, without a branch: the last view of a session has none.
        counts[at + TIMED]! += -spent >>> 31;
      }
      const last = counts[at + LAST_SESSION]!;
      if (last < visitorStamp) {
        counts[at + LAST_SESSION] = stamp;
        counts[at + first]!++;
      } else if (last === stamp) {
        counts[at + AGAIN]!++;
      } else {
        counts[at + LAST_SESSION] = stamp;
        counts[at + first + FURTHER - FIRST]!++;
      }
    }
  }
}
