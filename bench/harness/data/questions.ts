/**
 * The questions of the query benchmark: every statistic, and the filters that it is asked with.
 *
 * Control plane, tables. The values are those of `site-texts.ts` and `visits.ts`.
 */
import { STATISTICS } from '../../../src/query/answers/statistics.ts';
import type { RequirementId } from '../report/figures.ts';

/** One line of the tables. */
export interface Question {
  /** What the line says. */
  name: string;
  /** Path below `/statistics/`. */
  statistic: string;
  /** Parameters that belong to the question itself, `key=value&…`. */
  own: string;
  /** False: the semantics ignore filters here, so it is asked without any. */
  takesFilters: boolean;
}

/** One table: a set of filters, and what issues 3 and 4 demand of the p50 under it. */
export interface FilterSet {
  name: string;
  parameters: Readonly<Record<string, string>>;
  /** Issue 3, ms. */
  atMostMs: number;
  /** Issue 4, ms of the median, and how many times faster than DuckDB. */
  goalMs: number;
  goalRatio: number;
  /** The line of the table of requirements that these questions answer. */
  requirement: RequirementId | null;
}

const PATTERN = '^/(blog|docs)/article-[0-9]*5-';
const THREE = { country: 'us', browser: 'Chrome', channel: 'Direct' };

/** The tables, in their order. */
export const FILTER_SETS: readonly FilterSet[] = [
  {
    ...{ name: 'no filter', parameters: {}, atMostMs: 250, goalMs: 5, goalRatio: 50 },
    requirement: 'statistic',
  },
  {
    ...{ name: 'one filter', parameters: { country: 'de' }, atMostMs: 250, goalMs: 30 },
    ...{ goalRatio: 3, requirement: 'statistic-one-filter' },
  },
  {
    ...{ name: 'three filters', parameters: THREE, atMostMs: 250, goalMs: 150, goalRatio: 3 },
    requirement: null,
  },
  {
    ...{ name: 'pattern', parameters: { pattern: PATTERN }, atMostMs: 400, goalMs: 150 },
    ...{ goalRatio: 3, requirement: null },
  },
  {
    name: 'three filters and pattern',
    parameters: { ...THREE, pattern: PATTERN },
    ...{ atMostMs: 400, goalMs: 150, goalRatio: 3, requirement: 'statistic-three-filters' },
  },
];

/** The goals that are set up before the questions: name, pattern of the path, event. */
export const GOALS = [
  { name: 'Blog', path_pattern: '^/blog/' },
  { name: 'Purchase', event_name: 'purchase' },
] as const;

/** The steps of the funnel that is set up: read something, then buy. */
export const FUNNEL_STEPS = [
  { name: 'read', filter: { pattern: '^/(blog|docs)/' } },
  { name: 'buy', filter: { event: 'purchase' } },
] as const;

const EVENT = 'event=purchase';
const TIMED = 'include_avg_time_on_page=true';

/** Parameters without which a statistic says nothing, or that make it say more. */
const OWN: Readonly<Record<string, readonly (readonly [line: string, own: string])[]>> = {
  total: [
    ['total', ''],
    ['total, event filter', EVENT],
    ['total, custom metric', `${EVENT}&custom_metric_key=amount&custom_metric_type=integer`],
  ],
  visitor: [
    ['visitor by day', 'scale=day'],
    ['visitor by week', 'scale=week'],
    ['visitor by month', 'scale=month'],
  ],
  page: [
    ['page', ''],
    ['page with time on page', TIMED],
  ],
  'page/entry': [['page/entry with time on page', TIMED]],
  'event/page': [['event/page', EVENT]],
  'event/meta': [['event/meta', `${EVENT}&event_meta_key=plan`]],
  'tag/details': [['tag/details', 'tag=author']],
  'options/tag/value': [['options/tag/value', 'tag=author']],
};

/** Asked without filters: the semantics ignore them (S-74, S-92, S-95, S-66). */
function ignoresFilters(statistic: string): boolean {
  if (statistic.startsWith('options/')) return true;
  return ['overview', 'session/details', 'keywords', 'active'].includes(statistic);
}

/** Every line, in the order of the table of statistics. */
export const QUESTIONS: readonly Question[] = STATISTICS.flatMap(({ name }) =>
  (OWN[name] ?? [[name, '']]).map(([line, own]) => {
    return { name: line, statistic: name, own, takesFilters: !ignoresFilters(name) };
  }),
);
