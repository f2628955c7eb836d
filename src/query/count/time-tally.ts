/**
 * Counting by time: along the sessions, or page view by page view.
 */

import { bringNear } from '../../base/bring-near.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryContext, viewPredicate } from '../plan/query-context.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';
import { timeCountWay } from '../plan/segment-planner.ts';
import { gather, isInside, type Selection } from '../plan/selection.ts';
import { testsViews, type ViewPredicate } from '../plan/view-predicate.ts';
import { wholeOf } from '../question/filters.ts';
import { selectedSessions } from '../select/select-sessions.ts';
import { selectViews } from '../select/select-views.ts';
import { viewCountsOf } from '../select/viewed-sessions.ts';
import { sessionViewsOf } from '../select/views-by-session.ts';
import type { TimeGroups } from './buckets.ts';
import { tallySessionRows } from './count-by-session.ts';
import { type TimeCursor, tallySessionTimes, tallyTimesOnPage } from './session-times.ts';
import { Tally, tallyRows, tallyTime } from './tally.ts';

/** Working arrays. */
const ROW_GROUPS = new WorkingWords();
const DURATIONS = new WorkingWords();
const TIMED_SESSIONS = new WorkingWords();
const ROW_SESSIONS = new WorkingWords();

/** Groups of time in both forms, and where they are counted. */
export interface TimesInto {
  readonly groups: TimeGroups;
  readonly cursor: TimeCursor;
  readonly tally: Tally;
}

/** Adds a segment's page views, sessions and visitors by time. */
export function tallyTimes(
  context: QueryContext,
  segment: Segment,
  predicate: ViewPredicate,
  into: TimesInto,
): void {
  const { run } = context;
  if (countWay(segment, predicate, run) === 'by row') {
    tallyTimesOf(context, segment, selectViews(segment, predicate, run), into);
    return;
  }
  const sessions = selectedSessions(segment, predicate, null, run);
  const shift = into.cursor.minuteShiftOf?.(segment) ?? null;
  if (shift !== null) {
    tallyMinutes(segment, { sessions, shift }, into, run);
    return;
  }
  const counts = viewCountsOf(segment, run);
  const timed = { sessions, counts, weights: null, cursor: into.cursor };
  tallySessionTimes(segment, timed, into.groups.groupMap, into.tally);
}

/** Nearly every session of several page views is in several minutes: they are counted as pages are. */
function tallyMinutes(
  segment: Segment,
  { sessions, shift }: { sessions: Uint32Array; shift: number },
  { groups, tally }: TimesInto,
  run: QueryRun,
): void {
  const { groupCount } = groups;
  const views = sessionViewsOf(segment);
  const groupMap = groups.groupMap.map(
    (_, minute, positions) => positions[(minute + shift) % groupCount]!,
  );
  const kept = new Uint8Array(groupCount).fill(1);
  const rows = { sessions, views, groups: views.minutes, groupCount, groupMap, kept };
  tallySessionRows(segment, rows, tally, { run, includesTime: false });
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
  context: QueryContext,
  segment: Segment,
  into: TimesInto,
  division: string,
): void {
  const predicate = viewPredicate(context.query, wholeOf(context.query), null);
  const isRemembered = context.query.within === null && isInside(segment, predicate.range);
  if (!isRemembered) {
    tallyTimes(context, segment, predicate, into);
    return;
  }
  const divisions = remembered.get(segment) ?? new Map();
  let known = divisions.get(division);
  if (known?.views !== segment.views.rowCount) {
    const { groupCount } = into.groups;
    const tally = new Tally(groupCount);
    const groupMap = Uint32Array.from({ length: groupCount }, (_, group) => group);
    const groups = { ...into.groups, groupMap };
    tallyTimes(context, segment, predicate, { groups, cursor: into.cursor, tally });
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
  context: QueryContext,
  segment: Segment,
  selection: Selection,
  { groups, tally }: TimesInto,
): void {
  const { timeMs, session } = segment.views.columns;
  const rowGroups = ROW_GROUPS.raw(context.run, selection.count);
  groups.assign({ timeMs, rows: selection.rows }, rowGroups);
  const sessions = gather(selection, session, context.run, ROW_SESSIONS);
  const { groupCount, groupMap } = groups;
  const rows = { count: selection.count, sessions, groups: rowGroups, groupCount, groupMap };
  tallyRows(segment, { ...rows, weights: null }, tally, context.run);
}

/** Adds the sessions that have a duration by time; it goes to `Tally.weights` (S-31). */
export function tallyDurationTimes(
  context: QueryContext,
  segment: Segment,
  predicate: ViewPredicate,
  into: TimesInto,
): void {
  const { run } = context;
  const { startMs, lastMs } = segment.sessions.columns;
  // Whole seconds by session (I-42), of those that are looked at.
  const seconds = DURATIONS.raw(run, segment.sessions.rowCount);
  if (countWay(segment, predicate, run) === 'by session') {
    const passing = selectedSessions(segment, predicate, null, run);
    const sessions = TIMED_SESSIONS.raw(run, passing.length);
    bringNear(passing.length, startMs, lastMs);
    let count = 0;
    for (let index = 0; index < passing.length; index++) {
      const row = passing[index]!;
      const spent = Math.floor((lastMs[row]! - startMs[row]!) / SECOND_MS);
      seconds[row] = spent;
      sessions[count] = row;
      if (spent > 0) count++;
    }
    const counts = viewCountsOf(segment, run);
    const { cursor } = into;
    const timed = { sessions: sessions.subarray(0, count), counts, weights: seconds, cursor };
    tallySessionTimes(segment, timed, into.groups.groupMap, into.tally);
    return;
  }
  const selection = selectViews(segment, predicate, run);
  const { timeMs, session } = segment.views.columns;
  bringNear(selection.count, session, startMs, lastMs);
  const groups = ROW_GROUPS.raw(run, selection.count);
  into.groups.assign({ timeMs, rows: selection.rows }, groups);
  const sessions = ROW_SESSIONS.raw(run, selection.count);
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
  tallyRows(segment, rows, into.tally, run);
}

/** Adds the time on page of a segment's page views by time. */
export function tallyPageTimes(
  context: QueryContext,
  segment: Segment,
  predicate: ViewPredicate,
  { groups, cursor, tally }: TimesInto,
): void {
  const { run } = context;
  const { groupMap } = groups;
  if (countWay(segment, predicate, run) === 'by session') {
    const sessions = selectedSessions(segment, predicate, null, run);
    tallyTimesOnPage(segment, { sessions, cursor }, groupMap, tally);
    return;
  }
  const { rows, count } = selectViews(segment, predicate, run);
  const { timeMs, timeOnPage } = segment.views.columns;
  const rowGroups = ROW_GROUPS.raw(run, count);
  groups.assign({ timeMs, rows }, rowGroups);
  tallyTime({ count, groups: rowGroups, groupMap }, rows, timeOnPage, tally);
}

function countWay(
  segment: Segment,
  predicate: ViewPredicate,
  run: QueryRun,
): 'by session' | 'by row' {
  const way = timeCountWay(testsViews(predicate));
  return run.decided(segment, 'counted by time', way);
}
