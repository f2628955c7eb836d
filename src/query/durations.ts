/**
 * Durations over time: of sessions (S-31) and on pages (S-32), averaged per bucket.
 *
 * A week, month or year averages its sessions and page views directly, not its days (S-33).
 */

import { SECOND_MS } from '../model/limits.ts';
import type { Segment } from '../segment/segment.ts';
import { bucketsOf, eachBucketed, type RowGroups } from './buckets.ts';
import { bucketFields } from './calendar.ts';
import { meanHalfEven } from './rates.ts';
import type { Selection } from './rows.ts';
import type { Scan } from './scan.ts';
import { Tally, tallyRows, tallyTime } from './tally.ts';
import { plainTextOf } from './terms.ts';

/** S-31: mean duration of the distinct sessions of a bucket that have one. */
export function answerSessionDurations(scan: Scan): unknown {
  const { range, scale, filters } = scan.query;
  const { days, startsMs } = bucketsOf(range, scale);
  const tally = new Tally(startsMs.length);
  eachBucketed(scan, filters, startsMs, (segment, selection, grouped) => {
    addDurations(scan, segment, { selection, grouped }, tally);
  });
  return days.map((day, bucket) => ({
    ...bucketFields(day, scale),
    average_time_spent_seconds: meanHalfEven(
      tally.weights[bucket] as number,
      tally.sessions[bucket] as number,
    ),
  }));
}

/** S-32: mean time on page of a bucket's page views that have one. */
export function answerPageDurations(scan: Scan): unknown {
  const { range, scale, filters } = scan.query;
  const { days, startsMs } = bucketsOf(range, scale);
  const tally = new Tally(startsMs.length);
  eachBucketed(scan, filters, startsMs, (segment, { count, rows }, { groups, groupMap }) => {
    tallyTime({ count, groups, groupMap }, rows, segment.views.columns.timeOnPage, tally);
  });
  const path = plainTextOf(filters.path);
  return days.map((day, bucket) => ({
    ...bucketFields(day, scale),
    path,
    average_time_spent_seconds: meanHalfEven(
      tally.seconds[bucket] as number,
      tally.timed[bucket] as number,
    ),
  }));
}

/** Adds the sessions of the rows that have a duration, each once per bucket. */
function addDurations(
  scan: Scan,
  segment: Segment,
  rows: { selection: Selection; grouped: RowGroups },
  tally: Tally,
): void {
  const { selection, grouped } = rows;
  const { scratch } = scan;
  const seconds = durationsOf(segment, scratch.rawWords('durations', segment.sessions.rowCount));
  const { session } = segment.views.columns;
  const sessions = scratch.rawWords('rowSessions', selection.count);
  const groups = scratch.rawWords('timedGroups', selection.count);
  let count = 0;
  for (let index = 0; index < selection.count; index++) {
    const row = session[selection.rows === null ? index : selection.rows[index]!]!;
    if (seconds[row] === 0) continue;
    sessions[count] = row;
    groups[count++] = grouped.groups[index]!;
  }
  tallyRows(segment, { ...grouped, groups, count, sessions, weights: seconds }, tally, scratch);
}

/** Whole seconds of every session (I-42). */
function durationsOf(segment: Segment, seconds: Uint32Array): Uint32Array {
  const { startMs, lastMs } = segment.sessions.columns;
  for (let row = 0; row < seconds.length; row++) {
    seconds[row] = Math.floor((lastMs[row]! - startMs[row]!) / SECOND_MS);
  }
  return seconds;
}
