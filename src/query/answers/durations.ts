/**
 * Durations over time: of sessions (S-31) and on pages (S-32), averaged per bucket.
 *
 * A week, month or year averages its sessions and page views directly, not its days (S-33).
 */

import { tallyOver } from '../cache/cached-aggregate.ts';
import { BucketCursor, bucketed, bucketsOf, bucketsWithin } from '../count/buckets.ts';
import { tallyTime } from '../count/tally.ts';
import { tallyDurationTimes } from '../count/time-tally.ts';
import { meanHalfEven } from '../list/rates.ts';
import { type Scan, viewQuestion } from '../plan/query-context.ts';
import { bucketFields } from '../question/calendar.ts';
import { plainTextOf } from '../question/filter-values.ts';

/** S-31: mean duration of the distinct sessions of a bucket that have one. */
export function answerSessionDurations(scan: Scan): unknown {
  const { range, scale, filters } = scan.query;
  const { days, startsMs } = bucketsOf(range, scale);
  const question = viewQuestion(scan.query, filters, null);
  const tally = tallyOver(scan, [range], startsMs.length, (segment, into) => {
    const groups = bucketsWithin(segment, range, startsMs);
    const cursor = new BucketCursor(range, startsMs, groups);
    tallyDurationTimes(scan, segment, question, { groups, cursor, tally: into });
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
  const tally = tallyOver(scan, [range], startsMs.length, (segment, into) => {
    const { selection, grouped } = bucketed(scan, segment, startsMs);
    const { groups, groupMap } = grouped;
    const { count, rows } = selection;
    tallyTime({ count, groups, groupMap }, rows, segment.views.columns.timeOnPage, into);
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
