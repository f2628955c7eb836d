/**
 * The whole range as one: total (S-20).
 */

import { must } from '../../../base/assert.ts';
import type { SumCounts } from '../../../model/imported-sum.ts';
import { eventTotalsBy, ONE_GROUP } from '../../count/custom-metric.ts';
import { type Totals, totalsUnder } from '../../count/totals.ts';
import { importedTotals } from '../../imported/imported-sums.ts';
import { rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { plain } from '../../question/statistics.ts';
import { denominatorsOf } from '../../rollup/denominators.ts';
import { totalsOver } from '../../rollup/totals.ts';

export const TOTAL: AnsweredStatistic = {
  ...plain('total'),
  byRows: answerByRows,
  byRollups: answerByRollups,
  isBrief: true,
  takesMetric: true,
};

function answerByRows(context: QueryContext): Record<string, number> {
  const totals = totalsOfQuery(context);
  const all = context.plan.isFiltered ? denominatorsOf(context) : totals;
  return totalFields(totals, all.visitors, importedTotals(context));
}

function answerByRollups(context: QueryContext): Record<string, number> {
  const totals = totalsOver(context.segments, context.query.range);
  return totalFields(totals, totals.visitors, importedTotals(context));
}

/** The totals of a query's range, over events while a custom metric is active (S-8). */
export function totalsOfQuery(context: QueryContext): Totals {
  const { plan, query } = context;
  if (plan.unit !== 'events') return totalsUnder(context, query.filters);
  const metric = must(query.metric, 'totals are over events while a metric is active');
  return eventTotalsBy(context, metric, 1, () => ONE_GROUP)(0);
}

/**
 * The fields that total and every series share; without a custom metric its two are 0 (S-8).
 *
 * @param imported to be added to all but cr, which it has none of (S-98).
 */
export function totalFields(
  totals: Totals,
  allVisitors: number,
  imported: SumCounts | null,
): Record<string, number> {
  const { visitors, views, sessions, bounces } = withSums(totals, imported);
  return {
    ...{ visitors, views, sessions, bounces },
    bounce_rate: rate(bounces, sessions),
    cr: rate(totals.visitors, allVisitors),
    ...metricFields(totals),
  };
}

/** Totals with what imports add to them. */
export function withSums<T extends Totals>(totals: T, imported: SumCounts | null): T {
  if (imported === null) return totals;
  return {
    ...totals,
    visitors: totals.visitors + imported.visitors,
    views: totals.views + imported.views,
    sessions: totals.sessions + imported.sessions,
    bounces: totals.bounces + imported.bounces,
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
