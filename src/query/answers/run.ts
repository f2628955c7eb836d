/**
 * Answers a statistics query on decoded segments: one function per kind of statistic.
 *
 * Segments are disjoint in visitors and sessions, so every answer is a sum over segments; rates,
 * averages, order and paging happen once at the end.
 *
 *     query ─ openScan ─ per segment: select rows → count groups ─ rates → search → order → page
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { runActive } from '../live/active.ts';
import { checkBudget, openScan, type Scan } from '../plan/query-context.ts';
import type { Budget } from '../question/budget.ts';
import type { StatisticsQuery } from '../question/request.ts';
import type { StatisticKind } from '../question/statistics.ts';
import { trimTextSpaces } from '../text/text-space.ts';
import { answerClock } from './clock.ts';
import { answerReferrers, answerValues } from './dimensions.ts';
import { answerPageDurations, answerSessionDurations } from './durations.ts';
import { answerEventPages } from './event-pages.ts';
import { answerEventList, answerEventMeta, answerEvents } from './events.ts';
import { answerFunnel } from './funnel.ts';
import { answerGoals } from './goals.ts';
import { answerGrowth, answerOverview } from './growth.ts';
import { answerOptions } from './options.ts';
import { answerEntries, answerExits, answerPages } from './pages.ts';
import { rolledAnswerOf } from './rolled.ts';
import { answerSessionDetails, answerSessionList } from './sessions.ts';
import { answerTagDetails, answerTags } from './tags.ts';
import { answerPlatform, answerSeries, answerTotal } from './totals.ts';

const ANSWERS: Readonly<Record<StatisticKind, (scan: Scan) => unknown>> = {
  total: answerTotal,
  series: answerSeries,
  clock: answerClock,
  sessionDurations: answerSessionDurations,
  pageDurations: answerPageDurations,
  // S-8: a custom metric makes it event scope.
  pages: (scan) => (scan.query.metric === null ? answerPages(scan) : answerEventPages(scan)),
  entries: answerEntries,
  exits: answerExits,
  referrers: answerReferrers,
  values: answerValues,
  platform: answerPlatform,
  events: answerEvents,
  eventPages: answerEventPages,
  eventMeta: answerEventMeta,
  eventList: answerEventList,
  nothing: () => [],
  tags: answerTags,
  tagDetails: answerTagDetails,
  sessionList: answerSessionList,
  sessionDetails: answerSessionDetails,
  options: answerOptions,
  growth: answerGrowth,
  goals: answerGoals,
  funnel: answerFunnel,
  overview: answerOverview,
  active: (scan) => runActive(scan.query, scan.segments),
};

const INDEXES = { best: 'kept', scan: 'never', index: 'always' } as const;

/**
 * Answers a query.
 *
 * @param segments all segments of the domain whose rows may lie in the range: a session carried over
 *   midnight has rows on later days than its segment's. Others are skipped by their span of time.
 * @param budget null: only the rows of the query are bounded.
 * @param way `scan` looks at every row: what pre-aggregates and indexes are compared with; `index` makes
 *   every index that could be used, also one that is worth nothing.
 * @returns the answer in the API's shape, ready for `JSON.stringify`.
 * @throws QUERY_BUDGET_EXCEEDED when the segments in the range have more rows than the query may
 *   scan, or its budget is used up.
 */
export function runStatistics(
  query: StatisticsQuery,
  segments: readonly Segment[],
  budget: Budget | null = null,
  way: 'best' | 'scan' | 'index' = 'best',
): unknown {
  trimTextSpaces(query.domainId);
  const scan = openScan(query, segments, {
    budget,
    usesRollups: way === 'best',
    indexes: INDEXES[way],
  });
  const rolled = scan.usesRollups ? rolledAnswerOf(scan) : null;
  if (rolled !== null) return rolled(scan);
  checkBudget(scan);
  return ANSWERS[scan.statistic.kind](scan);
}
