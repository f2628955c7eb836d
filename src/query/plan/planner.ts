/**
 * How a question is answered: the one place that decides it, before a row is read.
 *
 * Control plane. A plan is a small record that can be printed; executors read it and decide nothing.
 * It begins as a pass over rows and goes through one ordered list of rewrites. What depends on a
 * segment (whether an index pays there, whether the range cuts it) decides `segment-planner.ts`, by
 * estimates of the segment.
 *
 *     statistic + question ─ rewrite ─ rewrite ─ … ─▶ plan ─▶ executor ─ per segment ─▶ segment planner
 */

import { hasViewFilter, isUnfiltered, withoutPageFilters } from '../question/filters.ts';
import type { StatisticsQuery } from '../question/request.ts';
import type { OrderKey, Statistic, Unit } from '../question/statistics.ts';

/**
 * Which ways a plan may choose from. `scan` looks at every row and keeps nothing, `index` makes every
 * index that could be used, also one that is worth nothing: tests compare all three.
 */
export type Way = 'best' | 'scan' | 'index';

/** Who answers: only the actor has counters of who is active. */
export type Answerer = 'query thread' | 'actor';

/** When rows by value are made use of: not at all, from their second use on, or whenever they can be. */
export type IndexUse = 'never' | 'second use' | 'always';

/** The first sessions of an order by time: those beyond the bound need not be ranked. */
export interface SessionBound {
  readonly column: 'lastMs' | 'startMs';
  readonly direction: 'asc' | 'desc';
  readonly count: number;
}

/** How one question is answered. */
export interface Plan {
  readonly statistic: string;
  readonly way: Way;
  /**
   * Where the figures come from: from nowhere, since what was asked for cannot be there; from counters
   * that the actor keeps current; from pre-aggregates; from rows.
   */
  readonly source: 'nothing' | 'counters' | 'rollups' | 'rows';
  /** What passes or fails as a whole: sessions are a third of the page views. */
  readonly unit: Unit;
  /** False: the answer's own totals are those that rates are taken of. */
  readonly isFiltered: boolean;
  /** Where the unfiltered totals come from that rates are taken of (S-5, S-6). */
  readonly denominators: 'rollups' | 'rows';
  /** Whether what was counted is looked up in the result cache, and put there. */
  readonly aggregates: 'cached' | 'counted';
  readonly indexes: IndexUse;
  /** The queue of short questions is for what is summed from a few counts a day. */
  readonly queue: 'short' | 'long';
  /** Which days of the range are read: a page of sessions needs those of its end of the order only. */
  readonly days: 'all' | 'newest' | 'oldest';
  /** Null: any session may be on the page. */
  readonly bound: SessionBound | null;
  /** Where the figures of entry and exit pages as pages come from. */
  readonly ownPages: 'rollups' | 'rows';
  /** Whose durations growth compares (S-71). */
  readonly timeSpent: Unit;
  /** Whether referrers are listed by URL, not only by name (S-50). */
  readonly byUrl: boolean;
  /** The rewrites that made a difference, in their order. */
  readonly rewrites: readonly string[];
}

/** What a plan is made for. */
interface Question {
  readonly statistic: Statistic;
  readonly query: StatisticsQuery;
  readonly answerer: Answerer;
}

/** One decision: null where it says nothing about a question. */
interface Rewrite {
  readonly name: string;
  readonly change: (question: Question, plan: Plan) => Partial<Plan> | null;
}

/** More sessions than this are ranked in full. */
const BOUND_COUNT_MAX = 10_000;

/** Every decision, in the order in which they are taken. */
const REWRITES: readonly Rewrite[] = [
  {
    name: 'a filter asks for denominators of their own',
    change: ({ query }) => (isUnfiltered(query.filters) ? null : { isFiltered: true }),
  },
  {
    name: 'a filter on pages, tags or a search tests page views',
    change: ({ query, statistic }, { unit }) =>
      unit === 'sessions' && (hasViewFilter(query.filters) || searchesRows(statistic, query))
        ? { unit: 'views' }
        : null,
  },
  {
    name: 'page views of a clock must share their position with an event (S-25)',
    change: ({ query, statistic }) =>
      statistic.also === 'events on the clock' && query.filters.events !== null
        ? { unit: 'views' }
        : null,
  },
  {
    name: 'a custom metric is over events (S-8)',
    change: ({ query, statistic }) =>
      query.metric !== null && statistic.takesMetric === true ? { unit: 'events' } : null,
  },
  {
    name: 'what is listed was not asked for (S-66)',
    change: ({ query, statistic }) =>
      statistic.needs?.(query.filters) === false ? { source: 'nothing' } : null,
  },
  {
    name: 'unfiltered totals are in the pre-aggregates',
    change: ({ query }, { way }) =>
      way === 'best' && query.within === null ? { denominators: 'rollups' } : null,
  },
  {
    name: 'days that do not change are counted once',
    change: (_, { way }) => (way === 'best' ? { aggregates: 'cached' } : null),
  },
  {
    name: 'counters are kept current of who is active',
    change: ({ statistic, answerer }, plan) =>
      statistic.period === 'last seconds' && answerer === 'actor' && isWhole(plan)
        ? { source: 'counters' }
        : null,
  },
  {
    name: 'pre-aggregates know everything about a question without filters',
    change: ({ query, statistic }, plan) =>
      isWhole(plan) && plan.source === 'rows' && !searchesRows(statistic, query)
        ? rolledUp(statistic)
        : null,
  },
  {
    name: 'a page of sessions by time is among the first of its order',
    change: ({ query, statistic }, plan) => {
      const bound = statistic.also === 'sessions by time' ? boundOf(query, statistic) : null;
      if (bound === null) return null;
      const end = bound.direction === 'desc' ? 'newest' : 'oldest';
      const ranked = bound.count > 0 && bound.count <= BOUND_COUNT_MAX;
      return { bound: ranked ? bound : null, days: isWhole(plan) ? end : 'all' };
    },
  },
  {
    name: 'as pages, entry and exit pages are under no filter (S-43)',
    change: ({ query, statistic }, { way }) =>
      way === 'best' &&
      statistic.also === 'own pages' &&
      isUnfiltered(withoutPageFilters(query.filters))
        ? { ownPages: 'rollups' }
        : null,
  },
  {
    name: 'time is spent in events, on pages or in sessions (S-71)',
    change: ({ query, statistic }) => {
      if (statistic.also !== 'time spent') return null;
      if (query.filters.events !== null) return { timeSpent: 'events' };
      return hasViewFilter(query.filters) ? { timeSpent: 'views' } : null;
    },
  },
  {
    name: 'a filter on the referrer tells its URLs apart (S-50)',
    change: ({ query: { filters }, statistic }) =>
      statistic.also === 'URLs' &&
      (filters.referrer !== null ||
        filters.sessionTexts.some(({ column }) => column === 'referrerName'))
        ? { byUrl: true }
        : null,
  },
];

/**
 * Decides how a question is answered.
 *
 * @param way leaves fewer ways to choose from, for tests.
 */
export function planOf(
  statistic: Statistic,
  query: StatisticsQuery,
  way: Way = 'best',
  answerer: Answerer = 'query thread',
): Plan {
  const question = { statistic, query, answerer };
  const rewrites: string[] = [];
  const plan: Plan = {
    statistic: statistic.name,
    way,
    source: 'rows',
    unit: statistic.unit,
    isFiltered: false,
    denominators: 'rows',
    aggregates: 'counted',
    indexes: INDEXES[way],
    queue: 'long',
    days: 'all',
    bound: null,
    ownPages: 'rows',
    timeSpent: 'sessions',
    byUrl: false,
    rewrites,
  };
  for (const { name, change } of REWRITES) {
    const changed = change(question, plan);
    if (changed === null) continue;
    // A plan is written to by nobody else, and not after this.
    Object.assign(plan, changed);
    rewrites.push(name);
  }
  return plan;
}

/** Whether reading the segments of a plan is bounded by rows; time bounds it anyhow. */
export function isBoundedByRows({ source, days }: Plan): boolean {
  return source === 'rows' && days === 'all';
}

/** A plan in one line: what is not the same for every question of its source. */
export function planLine(plan: Plan): string {
  const { statistic, source, unit, way, bound, queue } = plan;
  if (source !== 'rows') return `${statistic}: ${source}, ${queue} queue`;
  const words = [`${statistic}: rows of ${unit}`];
  if (way !== 'best') words.push(`only by ${way}`);
  if (plan.isFiltered) words.push('filtered');
  if (plan.days !== 'all') words.push(`${plan.days} days`);
  if (bound !== null) words.push(`first ${bound.count} by ${bound.column} ${bound.direction}`);
  if (plan.ownPages === 'rollups') words.push('pages of rollups');
  if (plan.timeSpent !== 'sessions') words.push(`time spent in ${plan.timeSpent}`);
  if (plan.byUrl) words.push('by URL');
  return `${words.join(', ')}, ${queue} queue`;
}

const INDEXES: Readonly<Record<Way, IndexUse>> = {
  best: 'second use',
  scan: 'never',
  index: 'always',
};

/** Whether a question is about everything in its range, and pre-aggregates may say so. */
function isWhole({ way, isFiltered }: Plan): boolean {
  return way === 'best' && !isFiltered;
}

function rolledUp({ byRollups, isBrief }: Statistic): Partial<Plan> | null {
  if (byRollups === null) return null;
  return { source: 'rollups', queue: isBrief === true ? 'short' : 'long' };
}

/** A search on pages filters rows (F-32). */
function searchesRows({ searches }: Statistic, { search }: StatisticsQuery): boolean {
  return searches === 'rows' && search !== null;
}

function boundOf(query: StatisticsQuery, { order }: Statistic): SessionBound | null {
  const key: OrderKey | undefined = query.sort ?? order[0];
  if (key?.field !== 'time' && key?.field !== 'start') return null;
  const column = key.field === 'time' ? 'lastMs' : 'startMs';
  return { column, direction: key.direction, count: query.offset + query.limit };
}
