/**
 * Counting by time, by whole sessions or by page views: the one place that decides between them.
 */

import { SECOND_MS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type Scan, viewQuestion } from '../plan/query-context.ts';
import { gather, isInside, type Selection } from '../plan/selection.ts';
import { testsViews, type ViewQuestion } from '../plan/view-predicate.ts';
import { NO_FILTERS } from '../question/filters.ts';
import { selectedSessions } from '../select/select-sessions.ts';
import { selectViews } from '../select/select-views.ts';
import { viewCountsOf } from '../select/viewed-sessions.ts';
import type { TimeGroups } from './buckets.ts';
import { TIME_GROUPS_MAX, type TimeCursor, tallySessionTimes } from './session-times.ts';
import { Tally, tallyRows } from './tally.ts';

/** Groups of time in both forms, and where they are counted. */
export interface TimesInto {
  readonly groups: TimeGroups;
  readonly cursor: TimeCursor;
  readonly tally: Tally;
}

/** Adds a segment's page views, sessions and visitors by time. */
export function tallyTimes(
  scan: Scan,
  segment: Segment,
  question: ViewQuestion,
  into: TimesInto,
): void {
  const { scratch } = scan;
  if (!isBySession(question, into)) {
    tallyTimesOf(scan, segment, selectViews(segment, question, scratch), into);
    return;
  }
  const sessions = selectedSessions(segment, question, null, scratch);
  const counts = viewCountsOf(segment, scratch);
  const timed = { sessions, counts, weights: null, cursor: into.cursor };
  tallySessionTimes(segment, timed, into.groups.groupMap, into.tally);
}

/** Distinct visitors by time of whole segments, as long as they get no further page views. */
const remembered = new WeakMap<Segment, Map<string, { views: number; visitors: Float64Array }>>();
/** Divisions of time that are remembered per segment. */
const DIVISION_COUNT_MAX = 8;

/**
 * Adds a segment's distinct visitors by time without any filter: what `cr` is a part of (S-6).
 *
 * @param division names the groups: segments with the same rows have the same under the same name.
 * @cost nothing for a whole segment that was asked before.
 */
export function tallyAllVisitors(
  scan: Scan,
  segment: Segment,
  into: TimesInto,
  division: string,
): void {
  const question = viewQuestion(scan.query, NO_FILTERS, null);
  if (!isInside(segment, question.range)) {
    tallyTimes(scan, segment, question, into);
    return;
  }
  const divisions = remembered.get(segment) ?? new Map();
  let known = divisions.get(division);
  if (known?.views !== segment.views.rowCount) {
    const { groupCount } = into.groups;
    const tally = new Tally(groupCount);
    const groupMap = Uint32Array.from({ length: groupCount }, (_, group) => group);
    const groups = { ...into.groups, groupMap };
    tallyTimes(scan, segment, question, { groups, cursor: into.cursor, tally });
    known = { views: segment.views.rowCount, visitors: tally.visitors };
    if (divisions.size >= DIVISION_COUNT_MAX) divisions.clear();
    divisions.set(division, known);
    remembered.set(segment, divisions);
  }
  for (let group = 0; group < known.visitors.length; group++) {
    into.tally.visitors[into.groups.groupMap[group]!]! += known.visitors[group]!;
  }
}

/** Adds selected page views by time. */
export function tallyTimesOf(
  scan: Scan,
  segment: Segment,
  selection: Selection,
  { groups, tally }: TimesInto,
): void {
  const { timeMs, session } = segment.views.columns;
  const rowGroups = scan.scratch.rawWords('rowGroups', selection.count);
  groups.assign({ timeMs, rows: selection.rows }, rowGroups);
  const sessions = gather(selection, session, scan.scratch, 'rowSessions');
  const { groupCount, groupMap } = groups;
  const rows = { count: selection.count, sessions, groups: rowGroups, groupCount, groupMap };
  tallyRows(segment, { ...rows, weights: null }, tally, scan.scratch);
}

/** Adds the sessions that have a duration by time; it goes to `Tally.weights` (S-31). */
export function tallyDurationTimes(
  scan: Scan,
  segment: Segment,
  question: ViewQuestion,
  into: TimesInto,
): void {
  const { scratch } = scan;
  const { startMs, lastMs } = segment.sessions.columns;
  // Whole seconds by session (I-42), of those that are looked at.
  const seconds = scratch.rawWords('durations', segment.sessions.rowCount);
  if (isBySession(question, into)) {
    const passing = selectedSessions(segment, question, null, scratch);
    const sessions = scratch.rawWords('timedSessions', passing.length);
    let count = 0;
    for (let index = 0; index < passing.length; index++) {
      const row = passing[index]!;
      const spent = Math.floor((lastMs[row]! - startMs[row]!) / SECOND_MS);
      seconds[row] = spent;
      sessions[count] = row;
      if (spent > 0) count++;
    }
    const counts = viewCountsOf(segment, scratch);
    const { cursor } = into;
    const timed = { sessions: sessions.subarray(0, count), counts, weights: seconds, cursor };
    tallySessionTimes(segment, timed, into.groups.groupMap, into.tally);
    return;
  }
  const selection = selectViews(segment, question, scratch);
  const { timeMs, session } = segment.views.columns;
  const groups = scratch.rawWords('rowGroups', selection.count);
  into.groups.assign({ timeMs, rows: selection.rows }, groups);
  const sessions = scratch.rawWords('rowSessions', selection.count);
  let count = 0;
  for (let index = 0; index < selection.count; index++) {
    const row = session[selection.rows === null ? index : selection.rows[index]!]!;
    const spent = Math.floor((lastMs[row]! - startMs[row]!) / SECOND_MS);
    if (spent === 0) continue;
    seconds[row] = spent;
    sessions[count] = row;
    groups[count++] = groups[index]!;
  }
  const { groupCount, groupMap } = into.groups;
  const rows = { count, sessions, groups, groupCount, groupMap, weights: seconds };
  tallyRows(segment, rows, into.tally, scratch);
}

function isBySession(question: ViewQuestion, { groups }: TimesInto): boolean {
  return !testsViews(question) && groups.groupCount <= TIME_GROUPS_MAX;
}
