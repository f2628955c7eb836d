/**
 * The range against the period before it (S-70 to S-72), and the overview of a domain (S-74).
 */

import { assert } from '../../base/assert.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { rate } from '../list/rates.ts';
import {
  denominatorsOf,
  isUnfiltered,
  type Scan,
  scanOver,
  type Totals,
  totalsUnder,
  viewQuestion,
} from '../plan/query-context.ts';
import { hasViewFilter, NO_FILTERS } from '../question/filters.ts';
import type { StatisticsQuery } from '../question/request.ts';
import { selectEvents } from '../select/select-events.ts';
import { selectSessions } from '../select/select-sessions.ts';
import { selectViews } from '../select/select-views.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';
import { answerSeries, metricFields, totalsOfQuery } from './totals.ts';

/** The figures that growth compares. */
export interface Figures extends Totals {
  readonly bounceRate: number;
  readonly cr: number;
  readonly seconds: number;
}

/** S-70: how much a figure grew, as a fraction of what it was. */
export function growthOf(current: number, previous: number): number {
  if (previous === 0) return current === 0 ? 0 : 1;
  return (current - previous) / previous;
}

/** S-71: under the same filter in both periods. */
export function answerGrowth(scan: Scan): Record<string, number> {
  const [now, before] = periodsOf(scan).map(figuresOf) as [Figures, Figures];
  return growthFields(now, before);
}

/** How every figure grew. */
export function growthFields(now: Figures, before: Figures): Record<string, number> {
  const [metric, metricBefore] = [metricFields(now), metricFields(before)];
  return {
    visitors_growth: growthOf(now.visitors, before.visitors),
    views_growth: growthOf(now.views, before.views),
    sessions_growth: growthOf(now.sessions, before.sessions),
    bounces_growth: growthOf(now.bounceRate, before.bounceRate),
    time_spent_growth: growthOf(now.seconds, before.seconds),
    cr_growth: growthOf(now.cr, before.cr),
    custom_metric_avg_growth: growthOf(metric.custom_metric_avg, metricBefore.custom_metric_avg),
    custom_metric_total_growth: growthOf(
      metric.custom_metric_total,
      metricBefore.custom_metric_total,
    ),
  };
}

/** S-74, S-57: the last days of a domain and their growth. */
export function answerOverview(scan: Scan): unknown {
  const [current, previous] = periodsOf(scan);
  const now = totalsUnder(current, NO_FILTERS);
  const before = totalsUnder(previous, NO_FILTERS);
  return overviewFields(scan.query, [now, before], answerSeries(current));
}

/** The overview of two periods, the later one with its days. */
export function overviewFields(
  { memberCount }: StatisticsQuery,
  [now, before]: readonly [now: Totals, before: Totals],
  series: unknown,
): unknown {
  const visitorsGrowth = growthOf(now.visitors, before.visitors);
  return {
    visitors: now.visitors,
    views: now.views,
    visitors_growth: visitorsGrowth,
    visitor_growth: visitorsGrowth,
    views_growth: growthOf(now.views, before.views),
    member: memberCount,
    visitors_time_series: series,
  };
}

/** The query over its range and over the period before it. */
export function periodsOf(scan: Scan): [current: Scan, previous: Scan] {
  const { range, previous } = scan.query;
  assert(previous !== null, 'the query names the period before');
  return [scanOver(scan, range), scanOver(scan, previous)];
}

function figuresOf(scan: Scan): Figures {
  const { filters } = scan.query;
  const totals = totalsOfQuery(scan);
  const all = isUnfiltered(filters) ? totals : denominatorsOf(scan);
  const time = tallyOver(scan, ['time'], 1, (segment, into) => {
    into.seconds[0]! += secondsOf(scan, segment);
  });
  return {
    ...totals,
    bounceRate: rate(totals.bounces, totals.sessions),
    cr: rate(totals.visitors, all.visitors),
    seconds: time.seconds[0] as number,
  };
}

/** Time spent: in events, on pages or in sessions, by what is filtered (S-71). */
function secondsOf(scan: Scan, segment: Segment): number {
  const { filters } = scan.query;
  if (filters.events !== null) return secondsInEvents(scan, segment);
  const question = viewQuestion(scan.query, filters, null);
  let seconds = 0;
  if (hasViewFilter(filters)) {
    const selection = selectViews(segment, question, scan.scratch);
    const { timeOnPage } = segment.views.columns;
    for (let index = 0; index < selection.count; index++) {
      seconds += timeOnPage[selection.rows === null ? index : selection.rows[index]!]!;
    }
    return seconds;
  }
  const { sessions } = viewedSessions(segment, question, scan.scratch);
  const { startMs, lastMs } = segment.sessions.columns;
  for (let index = 0; index < sessions.length; index++) {
    const row = sessions[index]!;
    seconds += Math.floor((lastMs[row]! - startMs[row]!) / SECOND_MS);
  }
  return seconds;
}

/** Durations of the matching events of selected sessions; page-level filters do not test them. */
function secondsInEvents(scan: Scan, segment: Segment): number {
  const { query, scratch } = scan;
  const { filters, range } = query;
  const mask = selectSessions(segment, filters, range, scratch);
  const question = { range, filters: { ...NO_FILTERS, events: filters.events } };
  const { rows, count } = selectEvents(segment, question, mask, scratch);
  const { durationSeconds } = segment.events.columns;
  let seconds = 0;
  for (let index = 0; index < count; index++) {
    seconds += durationSeconds[rows === null ? index : rows[index]!]!;
  }
  return seconds;
}
