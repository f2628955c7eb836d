/**
 * The range against the period before it (S-70 to S-72).
 */

import { must } from '../../../base/assert.ts';
import { SECOND_MS } from '../../../model/limits.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import { tallyOver } from '../../count/tally-over.ts';
import type { Totals } from '../../count/totals.ts';
import { importedTotals } from '../../imported/imported-sums.ts';
import { rate } from '../../list/rates.ts';
import {
  type AnsweredStatistic,
  contextOver,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import { wholeOf } from '../../question/filters.ts';
import { plain } from '../../question/statistics.ts';
import { denominatorsOf } from '../../rollup/denominators.ts';
import { totalsOver } from '../../rollup/totals.ts';
import { selectEvents } from '../../select/select-events.ts';
import { selectSessions } from '../../select/select-sessions.ts';
import { selectViews } from '../../select/select-views.ts';
import { viewedSessions } from '../../select/viewed-sessions.ts';
import { metricFields, totalsOfQuery, withSums } from './totals.ts';

/** S-71: under the same filter in both periods. */
export const GROWTH: AnsweredStatistic = {
  ...plain('growth'),
  byRows: (context) => growthFields(...periodsOf(context, figuresByRows)),
  byRollups: (context) => growthFields(...periodsOf(context, figuresByRollups)),
  isBrief: true,
  takesMetric: true,
  period: 'compared',
  also: 'time spent',
};

/** The figures that growth compares. */
interface Figures extends Totals {
  readonly bounceRate: number;
  readonly cr: number;
  readonly seconds: number;
}

/** S-70: how much a figure grew, as a fraction of what it was. */
export function growthOf(current: number, previous: number): number {
  if (previous === 0) return current === 0 ? 0 : 1;
  return (current - previous) / previous;
}

/** Something of a query over its range, and over the period before it. */
export function periodsOf<T>(
  context: QueryContext,
  of: (context: QueryContext) => T,
): [current: T, previous: T] {
  const { range, previous } = context.query;
  const before = must(previous, 'the query names the period before');
  return [of(contextOver(context, range)), of(contextOver(context, before))];
}

/** How every figure grew. */
function growthFields(now: Figures, before: Figures): Record<string, number> {
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

/** Without a filter time spent is that of the sessions. */
function figuresByRollups(context: QueryContext): Figures {
  const { segments, query } = context;
  const { bounces, sessions, visitors, views, seconds } = totalsOver(segments, query.range);
  const totals = { visitors, views, sessions, bounces };
  return withImports(context, totals, { cr: rate(visitors, visitors), seconds });
}

/** S-98: sums have no cr, and no other seconds than those of sessions. */
function withImports(
  context: QueryContext,
  totals: Totals,
  { cr, seconds }: Pick<Figures, 'cr' | 'seconds'>,
): Figures {
  const imported = importedTotals(context);
  const all = withSums(totals, imported);
  const isOfSessions = context.plan.timeSpent === 'sessions';
  return {
    ...all,
    bounceRate: rate(all.bounces, all.sessions),
    cr,
    seconds: isOfSessions ? seconds + imported.seconds : seconds,
  };
}

function figuresByRows(context: QueryContext): Figures {
  const totals = totalsOfQuery(context);
  const all = context.plan.isFiltered ? denominatorsOf(context) : totals;
  const time = tallyOver(context, ['time'], 1, (segment, into) => {
    into.seconds[0]! += secondsOf(context, segment);
  });
  const cr = rate(totals.visitors, all.visitors);
  return withImports(context, totals, { cr, seconds: time.seconds[0] as number });
}

/** Time spent: in events, on pages or in sessions, by what is filtered (S-71). */
function secondsOf(context: QueryContext, segment: Segment): number {
  const { filters } = context.query;
  const { timeSpent } = context.plan;
  if (timeSpent === 'events') return secondsInEvents(context, segment);
  const predicate = viewPredicate(context.query, filters, null);
  let seconds = 0;
  if (timeSpent === 'views') {
    const selection = selectViews(segment, predicate, context.run);
    const { timeOnPage } = segment.views.columns;
    for (let index = 0; index < selection.count; index++) {
      seconds += timeOnPage[selection.rows === null ? index : selection.rows[index]!]!;
    }
    return seconds;
  }
  const { sessions } = viewedSessions(segment, predicate, context.run);
  const { startMs, lastMs } = segment.sessions.columns;
  for (let index = 0; index < sessions.length; index++) {
    const row = sessions[index]!;
    seconds += Math.floor((lastMs[row]! - startMs[row]!) / SECOND_MS);
  }
  return seconds;
}

/** Durations of the matching events of selected sessions; page-level filters do not test them. */
function secondsInEvents(context: QueryContext, segment: Segment): number {
  const { query, run } = context;
  const { filters, range } = query;
  const mask = selectSessions(segment, filters, range, run);
  const predicate = { range, filters: { ...wholeOf(query), events: filters.events } };
  const { rows, count } = selectEvents(segment, predicate, mask, run);
  const { durationSeconds } = segment.events.columns;
  let seconds = 0;
  for (let index = 0; index < count; index++) {
    seconds += durationSeconds[rows === null ? index : rows[index]!]!;
  }
  return seconds;
}
