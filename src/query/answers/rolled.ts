/**
 * Statistics answered from pre-aggregates: which questions they can answer, and one way per kind.
 *
 * This is the one place that decides between pre-aggregates and a scan. A question without a filter is
 * answered here, whatever its range: days inside it are sums that are kept, a day that an end cuts
 * is counted once and kept, too. Everything else is scanned. Both say the same to the byte.
 */

import type { Scan } from '../plan/query-context.ts';
import { hasSessionFilter, hasViewFilter } from '../question/filters.ts';
import type { StatisticsQuery } from '../question/request.ts';
import { findStatistic, type StatisticKind } from '../question/statistics.ts';
import {
  answerRolledEntries,
  answerRolledEventList,
  answerRolledEvents,
  answerRolledExits,
  answerRolledPages,
  answerRolledPlatform,
  answerRolledReferrers,
  answerRolledTags,
  answerRolledValues,
} from './rolled-lists.ts';
import { answerRolledOptions } from './rolled-options.ts';
import {
  answerRolledClock,
  answerRolledGrowth,
  answerRolledOverview,
  answerRolledPageDurations,
  answerRolledSeries,
  answerRolledSessionDurations,
  answerRolledTotal,
} from './rolled-series.ts';
import { answerLatestSessions } from './rolled-sessions.ts';

const ANSWERS: Readonly<Partial<Record<StatisticKind, (scan: Scan) => unknown>>> = {
  total: answerRolledTotal,
  series: answerRolledSeries,
  clock: answerRolledClock,
  sessionDurations: answerRolledSessionDurations,
  pageDurations: answerRolledPageDurations,
  pages: answerRolledPages,
  entries: answerRolledEntries,
  exits: answerRolledExits,
  referrers: answerRolledReferrers,
  values: answerRolledValues,
  platform: answerRolledPlatform,
  events: answerRolledEvents,
  eventList: answerRolledEventList,
  tags: answerRolledTags,
  options: answerRolledOptions,
  growth: answerRolledGrowth,
  overview: answerRolledOverview,
  sessionList: answerLatestSessions,
};

/** How a question is answered from pre-aggregates; null when it has to be scanned. */
export function rolledAnswerOf({
  query,
  statistic,
}: Pick<Scan, 'query' | 'statistic'>): ((scan: Scan) => unknown) | null {
  const { filters, metric, search } = query;
  if (hasSessionFilter(filters) || hasViewFilter(filters) || metric !== null) return null;
  // A search on pages filters rows (F-32).
  if (statistic.kind === 'pages' && search !== null) return null;
  return ANSWERS[statistic.kind] ?? null;
}

/** Whether a question is answered without a look at the rows of whole days. */
export function isRolled(query: StatisticsQuery): boolean {
  const statistic = findStatistic(query.statistic);
  return statistic !== undefined && rolledAnswerOf({ query, statistic }) !== null;
}

/** What is summed from a few counts a day, however many rows and texts the day has. */
const SHORT_KINDS: ReadonlySet<StatisticKind> = new Set<StatisticKind>([
  'total',
  'series',
  'clock',
  'sessionDurations',
  'pageDurations',
  'platform',
  'growth',
  'overview',
]);

/** Whether a question is over soon, however large its domain is: a query thread is kept for those. */
export function isShort(query: StatisticsQuery): boolean {
  const kind = findStatistic(query.statistic)?.kind;
  return kind !== undefined && SHORT_KINDS.has(kind) && isRolled(query);
}
