/**
 * Statistics that are one object or rows over time: total, visitor, platform.
 */

import { Platform } from '../model/dimensions.ts';
import { bucketsOf, eachBucketed } from './buckets.ts';
import { bucketFields } from './calendar.ts';
import { NO_FILTERS, type QueryFilters } from './filters.ts';
import { rate } from './rates.ts';
import { gather } from './rows.ts';
import {
  denominatorsOf,
  isUnfiltered,
  markSelected,
  type Scan,
  type Totals,
  totalsUnder,
  viewQuestion,
} from './scan.ts';
import { selectViews } from './selection.ts';
import { Tally, tallyRows, tallySessions } from './tally.ts';

/** S-20: the whole range as one. */
export function answerTotal(scan: Scan): unknown {
  const totals = totalsUnder(scan, scan.query.filters);
  const all = isUnfiltered(scan.query.filters) ? totals : denominatorsOf(scan);
  return totalFields(totals, all.visitors);
}

/** S-21: a row per day, week, month or year, zero-filled. */
export function answerSeries(scan: Scan): unknown {
  const { range, scale, filters } = scan.query;
  const buckets = bucketsOf(range, scale);
  const tally = tallyBuckets(scan, filters, buckets.startsMs);
  const all = isUnfiltered(filters) ? tally : tallyBuckets(scan, NO_FILTERS, buckets.startsMs);
  return buckets.days.map((day, bucket) => {
    const totals = totalsOfGroup(tally, bucket);
    const figures = totalFields(totals, all.visitors[bucket] as number);
    return { ...bucketFields(day, scale), ...figures };
  });
}

/** S-54: distinct visitors by platform. */
export function answerPlatform(scan: Scan): unknown {
  const tally = new Tally(Object.keys(Platform).length);
  const groupMap = Uint32Array.from(Object.values(Platform));
  const question = viewQuestion(scan.query, scan.query.filters, null);
  for (const segment of scan.segments) {
    const selection = selectViews(segment, question, scan.scratch);
    const marks = markSelected(segment, selection, scan.scratch);
    const groups = segment.sessions.columns.platform;
    tallySessions(segment, marks, { groups, groupMap }, { into: tally, scratch: scan.scratch });
  }
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

function tallyBuckets(scan: Scan, filters: QueryFilters, startsMs: Float64Array): Tally {
  const tally = new Tally(startsMs.length);
  eachBucketed(scan, filters, startsMs, (segment, selection, grouped) => {
    const { session } = segment.views.columns;
    const sessions = gather(selection, session, scan.scratch, 'rowSessions');
    const rows = { ...grouped, count: selection.count, sessions, weights: null };
    tallyRows(segment, rows, tally, scan.scratch);
  });
  return tally;
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

/** The fields that total and every series share; custom metrics are inactive (S-8). */
export function totalFields(totals: Totals, allVisitors: number): Record<string, number> {
  return {
    visitors: totals.visitors,
    views: totals.views,
    sessions: totals.sessions,
    bounces: totals.bounces,
    bounce_rate: rate(totals.bounces, totals.sessions),
    cr: rate(totals.visitors, allVisitors),
    custom_metric_avg: 0,
    custom_metric_total: 0,
  };
}
