/**
 * Durations over time: of sessions (S-31) and on pages (S-32), averaged per bucket.
 *
 * A week, month or year averages its sessions and page views directly, not its days (S-33).
 */

import { BucketCursor, bucketsOf, bucketsWithin } from '../../count/buckets.ts';
import type { Tally } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { tallyDurationTimes, tallyPageTimes } from '../../count/time-tally.ts';
import { meanHalfEven } from '../../list/rates.ts';
import {
  type AnsweredStatistic,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import { bucketFields } from '../../question/calendar.ts';
import { plainTextOf } from '../../question/filter-values.ts';
import { plain } from '../../question/statistics.ts';
import { eachBucket } from './series.ts';

/** S-31: the mean duration of the distinct sessions of a bucket that have one. */
export const SESSION_DURATIONS: AnsweredStatistic = {
  ...plain('duration/session'),
  byRows: sessionsByRows,
  byRollups: sessionsByRollups,
  isBrief: true,
};

/** S-32: the mean time on page of a bucket's page views that have one. */
export const PAGE_DURATIONS: AnsweredStatistic = {
  ...plain('duration/page'),
  unit: 'views',
  byRows: pagesByRows,
  byRollups: pagesByRollups,
  isBrief: true,
};

function sessionsByRows(context: QueryContext): unknown {
  const { scale } = context.query;
  const { days, tally } = tallyByBucket(context, tallyDurationTimes);
  return days.map((day, bucket) => ({
    ...bucketFields(day, scale),
    average_time_spent_seconds: meanHalfEven(
      tally.weights[bucket] as number,
      tally.sessions[bucket] as number,
    ),
  }));
}

function pagesByRows(context: QueryContext): unknown {
  const { scale, filters } = context.query;
  const { days, tally } = tallyByBucket(context, tallyPageTimes);
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

/** What each segment adds to the buckets of the query. */
function tallyByBucket(
  context: QueryContext,
  add: typeof tallyPageTimes,
): { days: readonly number[]; tally: Tally } {
  const { range, scale, filters } = context.query;
  const { days, startsMs } = bucketsOf(range, scale);
  const predicate = viewPredicate(context.query, filters, null);
  const tally = tallyOver(context, [range], startsMs.length, (segment, into) => {
    const groups = bucketsWithin(segment, range, startsMs);
    const cursor = new BucketCursor(range, startsMs, groups);
    add(context, segment, predicate, { groups, cursor, tally: into });
  });
  return { days, tally };
}

function sessionsByRollups(context: QueryContext): unknown {
  const { scale } = context.query;
  return eachBucket(context, (day, { seconds, timed }) => ({
    ...bucketFields(day, scale),
    average_time_spent_seconds: meanHalfEven(seconds, timed),
  }));
}

/** Without a filter there is no path to echo. */
function pagesByRollups(context: QueryContext): unknown {
  const { scale } = context.query;
  return eachBucket(context, (day, { pageSeconds, pageTimed }) => ({
    ...bucketFields(day, scale),
    path: '',
    average_time_spent_seconds: meanHalfEven(pageSeconds, pageTimed),
  }));
}
