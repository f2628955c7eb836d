/**
 * From query parameters to a typed, frozen, structured-clonable question.
 *
 * Control plane. What says which data is meant is checked strictly and refused with the parameter's
 * name; what says how it is shown falls back to its default (F-34). Unknown parameters are ignored.
 */

import { localDayOf } from '../../base/zone.ts';
import { asDomainId, type DomainId } from '../../model/ids.ts';
import {
  ACTIVE_SECONDS_DEFAULT,
  INPUT_TEXT_LENGTH_MAX,
  QUERY_ROWS_MAX,
} from '../../model/limits.ts';
import { formatDay, SCALES, type Scale } from './calendar.ts';
import type { FunnelQuestion, GoalQuestion } from './conversions.ts';
import { type FilterValues, parseSearch } from './filter-values.ts';
import {
  bothFilters,
  type CustomMetric,
  parseCustomMetric,
  parseFilters,
  type QueryFilters,
} from './filters.ts';
import {
  firstValue,
  parseFlag,
  type QueryParameters,
  refused,
  requestedPage,
} from './parameters.ts';
import { parseRange, type QueryRange } from './range.ts';
import type { OrderKey, Statistic } from './statistics.ts';

/** Days that the overview shows (S-74). */
const OVERVIEW_DAYS = 7;

/** A statistics question, complete in itself: plain data that can be sent to another thread. */
export interface StatisticsQuery {
  /** Name of a row of the table of statistics. */
  readonly statistic: string;
  readonly domainId: DomainId;
  readonly range: QueryRange;
  /** The domain's time zone, whatever that of the range is: its first own day is one of it (S-98). */
  readonly domainZone: string;
  /** The period that growth compares the range with; null where nothing is compared (S-72). */
  readonly previous: QueryRange | null;
  readonly scale: Scale;
  /** Those of the request and of `within`. */
  readonly filters: QueryFilters;
  /**
   * What stands for everything there is: rates are taken of it, options are listed from it. Null:
   * nothing narrows it. Pinned filters of an access link do (D-19): no parameter reaches beyond.
   */
  readonly within: QueryFilters | null;
  /** Active: what it applies to is computed over events (S-8). */
  readonly metric: CustomMetric | null;
  readonly search: FilterValues | null;
  /** Whether pages are told apart by title as well (S-46, S-58). */
  readonly byTitle: boolean;
  readonly includesTimeOnPage: boolean;
  /** Null: the statistic's default order. */
  readonly sort: OrderKey | null;
  readonly offset: number;
  readonly limit: number;
  /** The domain's goals; empty unless they are asked for (S-63). */
  readonly goals: readonly GoalQuestion[];
  /** Null unless a funnel is asked for. */
  readonly funnel: FunnelQuestion | null;
  /** Users with access to the domain, for the overview (S-74). */
  readonly memberCount: number;
  /** Of the keywords the rows that are shown (P-4); empty unless they are asked for. */
  readonly keywords: readonly KeywordAnswer[];
  /** Rows that may be scanned before the query is refused. */
  readonly rowsMax: number;
  /** Whether the answer tells how it was found. */
  readonly isExplained: boolean;
}

/** What people searched in a range, as it is answered. */
export interface KeywordAnswer {
  readonly keys: readonly string[];
  readonly clicks: number;
  readonly impressions: number;
  readonly ctr: number;
  readonly position: number;
}

/** What a request is read against. */
export interface RequestContext {
  readonly domain: {
    readonly id: string;
    readonly timezone: string;
    readonly groupByTitle: boolean;
    readonly activeVisitorsSeconds: number;
  };
  readonly nowMs: number;
  /** What the registry has of the domain, as far as the statistic needs it. */
  readonly registered?: {
    readonly goals?: readonly GoalQuestion[];
    readonly funnel?: FunnelQuestion;
    readonly memberCount?: number;
  };
  /** Filters that hold whatever is asked; null: none. */
  readonly within?: QueryFilters | null;
  /** Rows that the query may scan; `QUERY_ROWS_MAX` by default. */
  readonly rowsMax?: number;
}

/**
 * Reads the parameters of a statistics request.
 *
 * @param sent ignored where the period is the last days (S-74).
 * @throws VALIDATION_FAILED naming every parameter that has to change.
 */
export function parseStatisticsRequest(
  statistic: Statistic,
  sent: QueryParameters,
  context: RequestContext,
): StatisticsQuery {
  const parameters = statistic.period === 'last days' ? lastDays(context) : sent;
  const problems = new Map<string, string>();
  checkLengths(parameters, problems);
  const { domain } = context;
  const periods = parseRange(
    parameters,
    {
      nowMs: context.nowMs,
      timezone: domain.timezone,
      lookBackSeconds:
        statistic.period === 'last seconds'
          ? domain.activeVisitorsSeconds || ACTIVE_SECONDS_DEFAULT
          : null,
    },
    problems,
  );
  const own = parseFilters(parameters, problems);
  const within = context.within ?? null;
  const filters = within === null ? own : bothFilters(own, within);
  if (periods === null || problems.size > 0) throw refused(problems);
  const scale = firstValue(parameters, 'scale');
  return freeze({
    statistic: statistic.name,
    domainId: asDomainId(domain.id),
    range: periods.range,
    domainZone: domain.timezone,
    previous: isCompared(statistic) ? periods.previous : null,
    scale: SCALES.find((known) => known === scale) ?? 'day',
    filters,
    within,
    metric: parseCustomMetric(parameters, filters),
    search: isSearchable(statistic) ? parseSearch(parameters.get('search')) : null,
    byTitle: parseFlag(firstValue(parameters, 'include_title')) ?? domain.groupByTitle,
    includesTimeOnPage: parseFlag(firstValue(parameters, 'include_avg_time_on_page')) ?? false,
    sort: statistic.period === 'last seconds' ? null : parseSort(parameters, statistic),
    ...requestedPage(parameters),
    goals: context.registered?.goals ?? [],
    funnel: context.registered?.funnel ?? null,
    memberCount: context.registered?.memberCount ?? 0,
    keywords: [],
    rowsMax: context.rowsMax ?? QUERY_ROWS_MAX,
    isExplained: parseFlag(firstValue(sent, 'explain')) ?? false,
  });
}

/** The instants of both periods: what a query needs segments of. */
export function spanOf({ range, previous }: StatisticsQuery): { startMs: number; endMs: number } {
  return {
    startMs: Math.min(range.startMs, previous?.startMs ?? range.startMs),
    endMs: Math.max(range.endMs, previous?.endMs ?? range.endMs),
  };
}

function isCompared({ period }: Statistic): boolean {
  return period === 'compared' || period === 'last days';
}

/** S-74: the 7 days up to today in the domain's zone, whatever was sent. */
function lastDays({ domain, nowMs }: RequestContext): QueryParameters {
  const today = localDayOf(domain.timezone, nowMs);
  const days: Readonly<Record<string, number>> = { from: today - (OVERVIEW_DAYS - 1), to: today };
  return {
    get: (name) => (days[name] === undefined ? [] : [formatDay(days[name])]),
    names: () => Object.keys(days),
  };
}

function isSearchable(statistic: Statistic): boolean {
  return statistic.searches === 'rows' || statistic.searched.length > 0;
}

function parseSort(parameters: QueryParameters, statistic: Statistic): OrderKey | null {
  const name = firstValue(parameters, 'sort');
  const sortable = [...statistic.fields, ...(statistic.nested ?? [])];
  const field = sortable.find((known) => known.name === name);
  if (field?.type !== 'number' && field?.type !== 'text') return null;
  const direction = firstValue(parameters, 'direction')?.toLowerCase();
  if (direction === 'asc' || direction === 'desc') return { field: field.name, direction };
  return { field: field.name, direction: field.type === 'number' ? 'desc' : 'asc' };
}

function checkLengths(parameters: QueryParameters, problems: Map<string, string>): void {
  for (const name of parameters.names()) {
    for (const value of parameters.get(name)) {
      // Code units bound code points from above, so most values need no counting.
      if (value.length <= INPUT_TEXT_LENGTH_MAX) continue;
      if (Array.from(value).length <= INPUT_TEXT_LENGTH_MAX) continue;
      problems.set(name, `must be at most ${INPUT_TEXT_LENGTH_MAX} characters long`);
    }
  }
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
