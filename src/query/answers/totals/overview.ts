/**
 * The overview of a domain: its last days and their growth, unfiltered (S-74, S-57).
 */

import { type Totals, totalsUnder } from '../../count/totals.ts';
import { importedWhole } from '../../imported/imported-sums.ts';
import {
  type AnsweredStatistic,
  contextOver,
  type QueryContext,
} from '../../plan/query-context.ts';
import { wholeOf } from '../../question/filters.ts';
import { plain } from '../../question/statistics.ts';
import { totalsOver } from '../../rollup/totals.ts';
import { growthOf, periodsOf } from './growth.ts';
import { seriesByRollups, seriesByRows } from './series.ts';
import { withSums } from './totals.ts';

export const OVERVIEW: AnsweredStatistic = {
  ...plain('overview'),
  byRows: (context) =>
    overview(context, (period) => totalsUnder(period, wholeOf(period.query)), seriesByRows),
  byRollups: (context) =>
    overview(context, ({ segments, query }) => totalsOver(segments, query.range), seriesByRollups),
  isBrief: true,
  period: 'last days',
  carries: 'member count',
};

function overview(
  context: QueryContext,
  totalsOf: (period: QueryContext) => Totals,
  seriesOf: (period: QueryContext) => unknown,
): unknown {
  const { range, memberCount } = context.query;
  const [now, before] = periodsOf(context, (period) =>
    withSums(totalsOf(period), importedWhole(period)),
  );
  const visitorsGrowth = growthOf(now.visitors, before.visitors);
  return {
    visitors: now.visitors,
    views: now.views,
    visitors_growth: visitorsGrowth,
    visitor_growth: visitorsGrowth,
    views_growth: growthOf(now.views, before.views),
    member: memberCount,
    visitors_time_series: seriesOf(contextOver(context, range)),
  };
}
