/**
 * Statistics that are one object or rows over time: total, visitor, platform.
 */

import { Platform } from '../../model/dimensions.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { BucketCursor, bucketsOf, bucketsWithin, type TimeGroups } from '../count/buckets.ts';
import { eventTotalsBy, ONE_GROUP } from '../count/custom-metric.ts';
import { type Tally, tallySessions } from '../count/tally.ts';
import { tallyAllVisitors, tallyTimes } from '../count/time-tally.ts';
import { rate } from '../list/rates.ts';
import {
  denominatorsOf,
  isUnfiltered,
  type Scan,
  type Totals,
  totalsUnder,
  viewQuestion,
} from '../plan/query-context.ts';
import { bucketFields } from '../question/calendar.ts';
import { NO_FILTERS, type QueryFilters } from '../question/filters.ts';
import { sessionsInScope } from './dimensions.ts';

/** S-20: the whole range as one. */
export function answerTotal(scan: Scan): unknown {
  const totals = totalsOfQuery(scan);
  const all = isUnfiltered(scan.query.filters) ? totals : denominatorsOf(scan);
  return totalFields(totals, all.visitors);
}

/** The totals of a query's range, over events while a custom metric is active (S-8). */
export function totalsOfQuery(scan: Scan): Totals {
  const { filters, metric } = scan.query;
  if (metric === null) return totalsUnder(scan, filters);
  return eventTotalsBy(scan, metric, 1, () => ONE_GROUP)(0);
}

/** S-21: a row per day, week, month or year, zero-filled. */
export function answerSeries(scan: Scan): unknown {
  const { range, scale, filters, metric } = scan.query;
  const buckets = bucketsOf(range, scale);
  const { startsMs } = buckets;
  const isFiltered = !isUnfiltered(filters) || metric !== null;
  const all = tallyBuckets(scan, isFiltered ? null : NO_FILTERS, startsMs);
  const tally = isFiltered && metric === null ? tallyBuckets(scan, filters, startsMs) : all;
  const totalsOf =
    metric === null
      ? (bucket: number) => totalsOfGroup(tally, bucket)
      : eventTotalsBy(scan, metric, startsMs.length, (segment) =>
          bucketsWithin(segment, range, startsMs),
        );
  return buckets.days.map((day, bucket) => {
    const figures = totalFields(totalsOf(bucket), all.visitors[bucket] as number);
    return { ...bucketFields(day, scale), ...figures };
  });
}

/** S-54: distinct visitors by platform. */
export function answerPlatform(scan: Scan): unknown {
  const groupMap = Uint32Array.from(Object.values(Platform));
  const tally = tallyOver(scan, [], groupMap.length, (segment, into) => {
    const sessions = sessionsInScope(scan, segment);
    const groups = segment.sessions.columns.platform;
    tallySessions(segment, sessions, { groups, groupMap }, { into, scratch: scan.scratch });
  });
  const all = denominatorsOf(scan).visitors;
  const visitors = (platform: number) => tally.visitors[platform] as number;
  return {
    platform_desktop: visitors(Platform.Desktop),
    platform_mobile: visitors(Platform.Mobile),
    platform_unknown: visitors(Platform.Unknown),
    relative_platform_desktop: rate(visitors(Platform.Desktop), all),
    relative_platform_mobile: rate(visitors(Platform.Mobile), all),
    relative_platform_unknown: rate(visitors(Platform.Unknown), all),
  };
}

/** Totals by bucket; `filters` null: only the distinct visitors, without any filter. */
function tallyBuckets(scan: Scan, filters: QueryFilters | null, startsMs: Float64Array): Tally {
  const { range } = scan.query;
  const question = viewQuestion(scan.query, filters ?? NO_FILTERS, null);
  return tallyOver(scan, ['buckets', filters, range], startsMs.length, (segment, tally) => {
    const groups = bucketsWithin(segment, range, startsMs);
    const cursor = new BucketCursor(range, startsMs, groups);
    const into = { groups, cursor, tally };
    if (filters !== null) tallyTimes(scan, segment, question, into);
    else tallyAllVisitors(scan, segment, into, divisionOf(groups, startsMs));
  });
}

/** The first instants of a segment's buckets name them, whatever the range. */
function divisionOf({ groupMap }: TimeGroups, startsMs: Float64Array): string {
  return groupMap.reduce((name, bucket) => `${name} ${startsMs[bucket]}`, '');
}

/** The totals of one group of a tally. */
export function totalsOfGroup(tally: Tally, group: number): Totals {
  return {
    visitors: tally.visitors[group] as number,
    views: tally.rows[group] as number,
    sessions: tally.sessions[group] as number,
    bounces: tally.bounces[group] as number,
  };
}

/** The fields that total and every series share; without a custom metric its two are 0 (S-8). */
export function totalFields(totals: Totals, allVisitors: number): Record<string, number> {
  return {
    visitors: totals.visitors,
    views: totals.views,
    sessions: totals.sessions,
    bounces: totals.bounces,
    bounce_rate: rate(totals.bounces, totals.sessions),
    cr: rate(totals.visitors, allVisitors),
    ...metricFields(totals),
  };
}

/** The mean and sum of a custom metric; 0 without one (S-8). */
export function metricFields({ metric }: Totals): {
  custom_metric_avg: number;
  custom_metric_total: number;
} {
  const { sum, count } = metric ?? { sum: 0, count: 0 };
  return { custom_metric_avg: rate(sum, count), custom_metric_total: sum };
}
