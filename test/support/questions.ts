/**
 * Random statistics questions about a scenario: names, ranges, zones, filters, order and paging.
 */
import fc from 'fast-check';
import type { RawParameters } from './oracle/question.ts';
import { addDays } from './oracle/zone.ts';
import { EVENT_NAMES, PATHS, SCENES, type Scenario } from './scenario.ts';

/** The statistics that are compared, with the fields they can be sorted by. */
export const SORT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  total: [],
  visitor: [],
  growth: [],
  hours: [],
  minutes: [],
  'duration/session': [],
  'duration/page': [],
  platform: [],
  // Its order hangs on ids, so it is asked whole.
  'session/list': [],
  page: [
    ...['path', 'title', 'visitors', 'views', 'sessions', 'bounces', 'bounce_rate'],
    ...['relative_visitors', 'relative_views', 'average_time_spent_seconds'],
  ],
  'page/entry': [
    ...['path', 'title', 'visitors', 'sessions', 'entries', 'entry_rate'],
    'average_time_spent_seconds',
  ],
  'page/exit': ['path', 'title', 'visitors', 'sessions', 'exits', 'exit_rate'],
  referrer: [
    ...['referrer', 'referrer_name', 'visitors', 'sessions', 'bounces', 'bounce_rate'],
    'relative_visitors',
  ],
  country: ['country', 'visitors', 'relative_visitors'],
  browser: ['browser', 'visitors', 'relative_visitors'],
  os: ['os', 'visitors', 'relative_visitors'],
  language: ['language', 'visitors', 'relative_visitors'],
  screen: ['screen_class', 'visitors', 'relative_visitors'],
  region: ['region', 'country', 'visitors', 'relative_visitors'],
  city: ['city', 'region', 'country', 'visitors', 'relative_visitors'],
  'browser/version': ['browser', 'browser_version', 'visitors', 'relative_visitors'],
  'os/version': ['os', 'os_version', 'visitors', 'relative_visitors'],
  'utm/source': ['utm_source', 'visitors', 'relative_visitors'],
  'utm/medium': ['utm_medium', 'visitors', 'relative_visitors'],
  'utm/campaign': ['utm_campaign', 'visitors', 'relative_visitors'],
  'utm/content': ['utm_content', 'visitors', 'relative_visitors'],
  'utm/term': ['utm_term', 'visitors', 'relative_visitors'],
  channel: ['channel', 'visitors', 'relative_visitors'],
  hostname: ['hostname', 'visitors', 'relative_visitors'],
  events: ['name', 'count', 'visitors', 'views', 'cr', 'average_duration_seconds'],
  'event/page': [
    ...['path', 'title', 'visitors', 'views', 'sessions', 'bounces', 'bounce_rate'],
    ...['relative_visitors', 'relative_views', 'average_time_spent_seconds'],
  ],
  'event/meta': ['meta_value', 'name', 'count', 'visitors', 'views', 'cr'],
  'event/list': ['name', 'visitors', 'count'],
  goals: ['name', 'visitors', 'views', 'cr', 'custom_metric_avg', 'custom_metric_total'],
  funnel: [],
  tags: ['key', 'visitors', 'views', 'relative_visitors', 'relative_views'],
  'tag/details': ['value', 'visitors', 'views', 'relative_visitors', 'relative_views'],
};

/** Options cannot be sorted; they are asked with a search (S-95). */
const OPTION_KINDS = [
  ...['page', 'event', 'metadata', 'tag', 'tag/value', 'referrer', 'referrer/name', 'country'],
  ...['language', 'utm/source', 'utm/campaign', 'utm/term', 'hostname', 'city'],
];
const SERIES = ['visitor', 'duration/session', 'duration/page'];
const OPTIONS = OPTION_KINDS.map((kind) => `options/${kind}`);
const NAMES = Object.keys(SORT_FIELDS);
/** Fewer of the many options. */
const NAME = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...OPTIONS) },
  // Each has many conditions of its own.
  { weight: 1, arbitrary: fc.constantFrom('goals', 'funnel') },
);

/** Filters without which a statistic is empty (S-66); a random filter of the name joins them. */
const NEEDED: Readonly<Record<string, Ask['filters']>> = {
  'tag/details': [['tag', ['k']]],
  'event/page': [['event', ['!none']]],
  'event/meta': [
    ['event', ['!none']],
    ['event_meta_key', ['k']],
  ],
};

export interface Ask {
  name: string;
  search: string;
  /** Days after the scene's date. */
  fromDay: number;
  toDay: number;
  /** Index into the scene's zones; −1 leaves `tz` out. */
  zone: number;
  scale: string;
  filters: readonly (readonly [string, readonly string[]])[];
  /** Type of a custom metric on the key `k`, '' is none (S-8). */
  metric: string;
  includesTime: boolean;
  includesTitle: boolean;
  sort: number;
  direction: string;
  limit: string;
  offset: string;
}

/** Terms of one parameter: values as they are, negated, contained, not contained (F-20). */
function terms(values: readonly string[], operators: readonly string[]): fc.Arbitrary<string[]> {
  const one = fc
    .tuple(fc.constantFrom('', '', ...operators), fc.constantFrom(...values))
    .map(([operator, value]) => operator + value);
  return fc.array(one, { minLength: 1, maxLength: 3 });
}

const ALL = ['!', '~', '^'];

/** A whole value, `null` and its negation; `~null` means nothing the semantics defines. */
function textTerms(values: readonly string[]): fc.Arbitrary<string[]> {
  const nulls = fc.constantFrom('null', '!null', 'NULL');
  return fc.oneof(
    { weight: 5, arbitrary: terms(values, ALL) },
    { weight: 1, arbitrary: nulls.map((value) => [value]) },
    {
      weight: 1,
      arbitrary: fc.tuple(nulls, terms(values, ALL)).map(([value, more]) => [value, ...more]),
    },
  );
}

const CODES = fc.oneof(
  terms(['de', 'gb', 'DE', 'fr', 'en', 'jp', 'us', 'deu'], ['!']),
  terms(['de,gb', 'fr', 'en,DE', 'jp'], ['~', '^']),
  fc.constantFrom<string[]>(['null'], ['!null'], ['null', 'de'], ['!']),
);

function filter(
  name: string,
  values: fc.Arbitrary<string[]>,
): fc.Arbitrary<readonly [string, readonly string[]]> {
  return values.map((list) => [name, list] as const);
}

/** Two paths of the table and parts of paths. */
const PATH_VALUES = [...PATHS.slice(0, 8), 'a', 'A', '/'];
const PAIR_TERMS = fc.oneof(
  terms(['1', '2', 'x'], ALL),
  fc.constantFrom<string[]>(['null'], ['!null']),
);

/** The filters of this issue, page and session level, and those on events. */
const FILTER = fc.oneof(
  { weight: 3, arbitrary: filter('path', textTerms(PATH_VALUES)) },
  filter('entry_path', textTerms(PATH_VALUES)),
  filter('exit_path', textTerms(PATH_VALUES)),
  { weight: 3, arbitrary: filter('event', textTerms([...EVENT_NAMES, 'o'])) },
  filter('country', CODES),
  filter('language', CODES),
  filter('browser', textTerms(['Chrome', 'Firefox', 'Safari', 'chrome', 'e'])),
  filter('os', textTerms(['Windows', 'Linux', 'iOS', 'Chrome OS', 'Mac', 'o'])),
  filter('referrer_name', textTerms(['Google', 'boring.old', 'blog.dev', 'nl', 'o'])),
  filter('platform', terms(['desktop', 'mobile', 'unknown', 'other'], ['!'])),
);

/** Filters beyond those that issue 2 names; the engine reads them already. */
const FURTHER_FILTER = fc.oneof(
  filter('referrer', textTerms(['https://blog.dev', 'Google', 'boring.old', 'o'])),
  filter('screen_class', textTerms(['S', 'XXL', 'x'])),
  filter('utm_source', textTerms(['nl', 'n'])),
  filter('utm_campaign', textTerms(['x', 'X'])),
  {
    weight: 3,
    arbitrary: filter('pattern', terms(['^/a', '(?i)^/[a-b]$', 'a|b', '/$', '^/[^/]+$'], ['!'])),
  },
  filter('utm_term', textTerms(['t'])),
  filter('utm_content', textTerms(['c'])),
  filter('hostname', textTerms(['example.org', 'o'])),
  filter('event_meta_key', terms(['k', 'K', 'l'], ['!', '~', '^'])),
  filter('meta_k', PAIR_TERMS),
  filter('meta_l', PAIR_TERMS),
  filter('tag', terms(['k', 'K', 'l'], ['!', '~', '^'])),
  filter('tag_k', PAIR_TERMS),
);

type FilterList = readonly (readonly [string, readonly string[]])[];

/** Up to so many filters, often none. */
export function filterLists(maxLength: number): fc.Arbitrary<FilterList> {
  const any = fc.oneof({ weight: 2, arbitrary: FILTER }, FURTHER_FILTER);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(any, { minLength: 1, maxLength }) },
  );
}

/** By name: of two filters of one name both lists count as one (F-10). */
export function mergedFilters(list: FilterList): Record<string, readonly string[]> {
  const merged: Record<string, readonly string[]> = {};
  for (const [name, values] of list) merged[name] = [...(merged[name] ?? []), ...values];
  return merged;
}

/** Questions on any scenario. */
export function asks(): fc.Arbitrary<Ask> {
  return fc.record({
    name: NAME,
    search: fc.constantFrom('', '', 'o', '/A', '!e', ' ', '1'),
    fromDay: fc.integer({ min: -1, max: 4 }),
    toDay: fc.integer({ min: -1, max: 6 }),
    zone: fc.integer({ min: -1, max: 5 }),
    scale: fc.constantFrom('', '', 'day', 'week', 'month', 'year', 'decade'),
    filters: filterLists(3),
    metric: fc.constantFrom('', '', 'integer', 'float', 'complex'),
    includesTime: fc.boolean(),
    includesTitle: fc.boolean(),
    sort: fc.integer({ min: -5, max: 9 }),
    direction: fc.constantFrom('', 'asc', 'desc', 'ASC', 'sideways'),
    limit: fc.constantFrom('', '', '', '1', '3', '0', '-1', '101', 'many'),
    offset: fc.constantFrom('', '', '', '1', '2', '-1', 'x'),
  });
}

/** The parameters of a question about a scenario. */
export function parametersOf(ask: Ask, scenario: Pick<Scenario, 'scene'>): RawParameters {
  const scene = SCENES[scenario.scene] as (typeof SCENES)[number];
  const parameters: Record<string, string | readonly string[]> = {
    from: addDays(scene.date, ask.fromDay),
    to: addDays(scene.date, ask.toDay),
    ...mergedFilters([...(NEEDED[ask.name] ?? []), ...ask.filters]),
  };
  const zone = scene.zones[ask.zone];
  if (zone !== undefined) parameters.tz = zone;
  if (SERIES.includes(ask.name) && ask.scale !== '') parameters.scale = ask.scale;
  if (ask.metric !== '') {
    parameters.custom_metric_key = 'k';
    parameters.custom_metric_type = ask.metric;
  }
  const isOfPages = /^(event\/)?page/.test(ask.name);
  if (ask.includesTime && isOfPages) {
    parameters.include_avg_time_on_page = 'true';
  }
  if (ask.includesTitle && isOfPages) parameters.include_title = 'true';
  const isSearched = ask.name === 'goals' || ask.name.startsWith('options/');
  if (isSearched && ask.search !== '') parameters.search = ask.search;
  const fields = SORT_FIELDS[ask.name] ?? [];
  if (fields.length === 0) return parameters;
  const sort = fields[ask.sort];
  if (sort !== undefined) parameters.sort = sort;
  if (ask.direction !== '') parameters.direction = ask.direction;
  if (ask.limit !== '') parameters.limit = ask.limit;
  if (ask.offset !== '') parameters.offset = ask.offset;
  return parameters;
}
