/**
 * Totals over time: a row per day, week, month or year, zero-filled (S-21).
 */

import type { SumCounts } from '../../../model/imported-sum.ts';
import { BucketCursor, bucketsOf, bucketsWithin, type TimeGroups } from '../../count/buckets.ts';
import { eventTotalsBy } from '../../count/custom-metric.ts';
import type { Tally } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { tallyAllVisitors, tallyTimes } from '../../count/time-tally.ts';
import { totalsOfGroup } from '../../count/totals.ts';
import { importedByDay, sumOf } from '../../imported/imported-sums.ts';
import {
  type AnsweredStatistic,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import { bucketFields } from '../../question/calendar.ts';
import { type QueryFilters, wholeOf } from '../../question/filters.ts';
import { plain } from '../../question/statistics.ts';
import { addTotals, noTotals, type RangeTotals } from '../../rollup/totals.ts';
import { totalFields } from './totals.ts';

export const VISITOR: AnsweredStatistic = {
  ...plain('visitor'),
  byRows: seriesByRows,
  byRollups: seriesByRollups,
  isBrief: true,
  takesMetric: true,
};

/** A row per bucket, counted. */
export function seriesByRows(context: QueryContext): unknown {
  const { range, scale, filters, metric } = context.query;
  const buckets = bucketsOf(range, scale);
  const { startsMs } = buckets;
  const { isFiltered } = context.plan;
  const all = tallyBuckets(context, isFiltered ? null : wholeOf(context.query), startsMs);
  const tally = isFiltered && metric === null ? tallyBuckets(context, filters, startsMs) : all;
  const totalsOf =
    metric === null
      ? (bucket: number) => totalsOfGroup(tally, bucket)
      : eventTotalsBy(context, metric, startsMs.length, (segment) =>
          bucketsWithin(segment, range, startsMs),
        );
  const imported = importedBuckets(context, buckets.days);
  return buckets.days.map((day, bucket) => {
    const allVisitors = all.visitors[bucket] as number;
    const figures = totalFields(totalsOf(bucket), allVisitors, imported[bucket] ?? null);
    return { ...bucketFields(day, scale), ...figures };
  });
}

/** A row per bucket from pre-aggregates. */
export function seriesByRollups(context: QueryContext): unknown {
  const { range, scale } = context.query;
  const imported = importedBuckets(context, bucketsOf(range, scale).days);
  return eachBucket(context, (day, totals, bucket) => ({
    ...bucketFields(day, scale),
    ...totalFields(totals, totals.visitors, imported[bucket] ?? null),
  }));
}

/** A row per bucket of the range from the totals that pre-aggregates have of it. */
export function eachBucket(
  { segments, query }: QueryContext,
  rowOf: (day: number, totals: RangeTotals, bucket: number) => Record<string, unknown>,
): Record<string, unknown>[] {
  const { range, scale } = query;
  const { days, startsMs } = bucketsOf(range, scale);
  const totals = days.map(noTotals);
  // A segment lies in few buckets: of ninety days each looked at every day, it would be 8,100 pairs.
  for (const segment of segments) {
    const from = startsMs.findLastIndex((startMs) => startMs <= segment.minMs);
    for (let bucket = Math.max(from, 0); bucket < days.length; bucket++) {
      const startMs = Math.max(startsMs[bucket]!, range.startMs);
      const endMs = Math.min(startsMs[bucket + 1] ?? range.endMs, range.endMs);
      if (startMs > segment.maxMs) break;
      if (startMs < endMs) addTotals(segment, { startMs, endMs }, totals[bucket]!);
    }
  }
  return days.map((day, bucket) => rowOf(day, totals[bucket]!, bucket));
}

/** What imports have of each bucket, by its place; nothing where they have nothing. */
function importedBuckets(
  context: QueryContext,
  days: readonly number[],
): (SumCounts | undefined)[] {
  const sums: (SumCounts | undefined)[] = [];
  for (const [day, counts] of importedByDay(context)) {
    const bucket = days.findLastIndex((first) => first <= day);
    const before = sums[bucket];
    sums[bucket] = before === undefined ? counts : sumOf(before, counts);
  }
  return sums;
}

/** Totals by bucket; `filters` null: only the distinct visitors, without any filter. */
function tallyBuckets(
  context: QueryContext,
  filters: QueryFilters | null,
  startsMs: Float64Array,
): Tally {
  const { range } = context.query;
  const predicate = viewPredicate(context.query, filters ?? wholeOf(context.query), null);
  return tallyOver(context, ['buckets', filters, range], startsMs.length, (segment, tally) => {
    const groups = bucketsWithin(segment, range, startsMs);
    const cursor = new BucketCursor(range, startsMs, groups);
    const into = { groups, cursor, tally };
    if (filters !== null) tallyTimes(context, segment, predicate, into);
    else tallyAllVisitors(context, segment, into, divisionOf(groups, startsMs));
  });
}

/** The first instants of a segment's buckets name them, whatever the range. */
function divisionOf({ groupMap }: TimeGroups, startsMs: Float64Array): string {
  return groupMap.reduce((name, bucket) => `${name} ${startsMs[bucket]}`, '');
}
