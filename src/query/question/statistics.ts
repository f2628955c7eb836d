/**
 * The table of statistics: one row each, from which come endpoints, sorting, searching and answers.
 *
 * Control plane. A row names how it is computed (`kind`, one function in `run.ts`), what it groups
 * by, its fields in the order of the answer, and its default order. A further breakdown by a session
 * dimension (utm, channel, city …) is one more row.
 */

import type { DictionaryKind, TextDimension } from '../../model/dimensions.ts';

/** How a statistic is computed. */
export type StatisticKind =
  | 'total'
  | 'series'
  | 'clock'
  | 'sessionDurations'
  | 'pageDurations'
  | 'pages'
  | 'entries'
  | 'exits'
  | 'referrers'
  | 'values'
  | 'platform'
  | 'events'
  | 'eventPages'
  | 'eventMeta'
  | 'eventList'
  | 'nothing'
  | 'tags'
  | 'tagDetails'
  | 'sessionList'
  | 'sessionDetails'
  | 'active'
  | 'options'
  | 'growth'
  | 'goals'
  | 'funnel'
  | 'overview';

/** What the metrics are computed over: page views (S-2) or events (S-13). */
export type StatisticScope = 'views' | 'events';

/** A field of a list's rows. Only numbers and texts can be sorted by. */
export interface Field {
  readonly name: string;
  readonly type: 'number' | 'text' | 'flag' | 'list' | 'object';
}

/** One key of an order. */
export interface OrderKey {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** One statistic. */
export interface Statistic {
  /** Path below `/api/v1/statistics/`. */
  readonly name: string;
  readonly kind: StatisticKind;
  readonly scope: StatisticScope;
  /** Texts it groups by; null where it groups by none or by time. */
  readonly dimension: DictionaryKind | null;
  /** Text fields of `values` and the dimensions they show; the distinct dimensions are its group. */
  readonly columns?: readonly (readonly [field: string, dimension: TextDimension])[];
  /** Fields of a row in the order of the answer; empty where the answer is no list. */
  readonly fields: readonly Field[];
  /** What else can be sorted by: figures that rows show inside of objects. */
  readonly nested?: readonly Field[];
  /** Default order, ending on the dimension (S-10). */
  readonly order: readonly OrderKey[];
  /** The fields that `search` tests, any of them; empty where it is ignored (F-32). */
  readonly searched: readonly string[];
}

const numbers = (...names: string[]): Field[] => names.map((name) => ({ name, type: 'number' }));
const texts = (...names: string[]): Field[] => names.map((name) => ({ name, type: 'text' }));

const desc = (field: string): OrderKey => ({ field, direction: 'desc' });
const asc = (field: string): OrderKey => ({ field, direction: 'asc' });

/** An answer that is one object, or rows over time: nothing to sort or search. */
const plain = (name: string, kind: StatisticKind): Statistic => ({
  name,
  kind,
  scope: 'views',
  dimension: null,
  fields: [],
  order: [],
  searched: [],
});

/** Visitors by session dimensions: a column per field of the answer (S-51, S-52, S-55). */
function values(name: string, ...columns: (readonly [string, TextDimension])[]): Statistic {
  const [field, dimension] = columns[0] as readonly [string, TextDimension];
  return {
    name,
    kind: 'values',
    scope: 'views',
    dimension,
    columns,
    fields: [
      ...texts(...columns.map(([column]) => column)),
      ...numbers('visitors', 'relative_visitors'),
    ],
    order: [desc('visitors'), ...columns.map(([column]) => asc(column))],
    searched: [field],
  };
}

const PAGES: Statistic = {
  name: 'page',
  kind: 'pages',
  scope: 'views',
  dimension: 'path',
  fields: [
    ...texts('path', 'title'),
    ...numbers('visitors', 'views', 'sessions', 'bounces'),
    ...numbers('relative_visitors', 'relative_views', 'bounce_rate'),
    ...numbers('average_time_spent_seconds'),
  ],
  order: [desc('visitors'), asc('path'), asc('title')],
  // A search on pages filters rows before they are grouped (S-2), not groups.
  searched: [],
};

const ENTRIES: Statistic = {
  name: 'page/entry',
  kind: 'entries',
  scope: 'views',
  dimension: 'path',
  fields: [
    ...texts('path', 'title'),
    ...numbers('visitors', 'sessions', 'entries', 'entry_rate', 'average_time_spent_seconds'),
  ],
  order: [desc('entries'), asc('path'), asc('title')],
  searched: ['path'],
};

const EXITS: Statistic = {
  name: 'page/exit',
  kind: 'exits',
  scope: 'views',
  dimension: 'path',
  fields: [...texts('path', 'title'), ...numbers('visitors', 'sessions', 'exits', 'exit_rate')],
  order: [desc('exits'), asc('path'), asc('title')],
  searched: ['path'],
};

const REFERRERS: Statistic = {
  name: 'referrer',
  kind: 'referrers',
  scope: 'views',
  dimension: 'referrerName',
  fields: [
    ...texts('referrer', 'referrer_name', 'referrer_icon'),
    ...numbers('visitors', 'sessions', 'relative_visitors', 'bounces', 'bounce_rate'),
  ],
  order: [desc('visitors'), asc('referrer_name'), asc('referrer')],
  searched: ['referrer_name', 'referrer'],
};

const EVENTS: Statistic = {
  name: 'events',
  kind: 'events',
  scope: 'events',
  dimension: 'eventName',
  fields: [
    ...texts('name'),
    ...numbers('count', 'visitors', 'views', 'cr', 'average_duration_seconds'),
    { name: 'meta_keys', type: 'list' },
  ],
  order: [desc('visitors'), asc('name')],
  searched: ['name'],
};

const EVENT_META: Statistic = {
  ...EVENTS,
  name: 'event/meta',
  kind: 'eventMeta',
  dimension: 'metaValue',
  fields: [
    ...texts('name'),
    ...numbers('count', 'visitors', 'views', 'cr', 'average_duration_seconds'),
    ...texts('meta_value'),
  ],
  order: [desc('visitors'), asc('meta_value'), asc('name')],
};

const EVENT_LIST: Statistic = {
  ...EVENTS,
  name: 'event/list',
  kind: 'eventList',
  fields: [...texts('name'), { name: 'meta', type: 'object' }, ...numbers('visitors', 'count')],
  order: [desc('count'), asc('name'), asc('meta')],
};

const EVENT_PAGES: Statistic = {
  ...PAGES,
  name: 'event/page',
  kind: 'eventPages',
  scope: 'events',
  searched: ['path', 'title'],
};

const GOALS: Statistic = {
  ...plain('goals', 'goals'),
  fields: [
    { name: 'page_goal', type: 'object' },
    { name: 'stats', type: 'object' },
  ],
  nested: [
    ...texts('name'),
    ...numbers('visitors', 'views', 'cr', 'custom_metric_avg', 'custom_metric_total'),
  ],
  order: [desc('visitors'), asc('name')],
  searched: ['name'],
};

/** By key or value of the tags of page views (S-64, S-65). */
const tagged = (
  name: string,
  kind: StatisticKind,
  dimension: DictionaryKind,
  ...fields: string[]
): Statistic => ({
  ...plain(name, kind),
  dimension,
  fields: [
    ...texts(...fields),
    ...numbers('visitors', 'views', 'relative_visitors', 'relative_views'),
  ],
  order: [desc('visitors'), asc(fields.at(-1) as string)],
});

const SESSIONS: Statistic = {
  ...plain('session/list', 'sessionList'),
  fields: [
    ...texts('visitor_id'),
    ...numbers('session_id'),
    ...texts('time', 'start'),
    ...numbers('duration_seconds'),
    ...texts('entry_path', 'exit_path'),
    ...numbers('page_views'),
    { name: 'is_bounce', type: 'flag' },
    ...texts('entry_title', 'exit_title', 'language', 'country_code', 'city'),
    ...texts('referrer', 'referrer_name', 'referrer_icon'),
    ...texts('os', 'os_version', 'browser', 'browser_version'),
    { name: 'desktop', type: 'flag' },
    { name: 'mobile', type: 'flag' },
    ...texts('screen_class', 'utm_source', 'utm_medium', 'utm_campaign'),
    ...texts('utm_content', 'utm_term'),
    ...numbers('extended'),
  ],
  order: [asc('time'), asc('start'), asc('visitor_id')],
};

const ACTIVE: Statistic = {
  ...plain('active', 'active'),
  dimension: 'path',
  fields: [...texts('path', 'title'), ...numbers('visitors')],
  order: [desc('visitors'), asc('path'), asc('title')],
};

/** Where `country` is in a row, `country_code` stands beside it (S-56). */
const CODE = ['country_code', 'country'] as const;

/** What filters can be set to (S-95 to S-97): name below `options/`, and whose texts. */
const OPTIONS: readonly (readonly [string, DictionaryKind])[] = [
  ['page', 'path'],
  ['referrer', 'referrer'],
  ['referrer/name', 'referrerName'],
  ['channel', 'channel'],
  ['event', 'eventName'],
  ['metadata', 'metaValue'],
  ['tag', 'tagKey'],
  ['tag/value', 'tagValue'],
  ['country', 'country'],
  ['region', 'region'],
  ['city', 'city'],
  ['language', 'language'],
  ['utm/source', 'utmSource'],
  ['utm/medium', 'utmMedium'],
  ['utm/campaign', 'utmCampaign'],
  ['utm/content', 'utmContent'],
  ['utm/term', 'utmTerm'],
  ['hostname', 'hostname'],
];

/** Every statistic this service answers. */
export const STATISTICS: readonly Statistic[] = [
  plain('total', 'total'),
  plain('visitor', 'series'),
  plain('growth', 'growth'),
  plain('overview', 'overview'),
  plain('hours', 'clock'),
  plain('minutes', 'clock'),
  plain('duration/session', 'sessionDurations'),
  plain('duration/page', 'pageDurations'),
  PAGES,
  ENTRIES,
  EXITS,
  REFERRERS,
  values('country', ['country', 'country'], CODE),
  values('region', ['region', 'region'], ['country', 'country'], CODE),
  values('city', ['city', 'city'], ['region', 'region'], ['country', 'country'], CODE),
  values('browser', ['browser', 'browser']),
  values('browser/version', ['browser', 'browser'], ['browser_version', 'browserVersion']),
  values('os', ['os', 'os']),
  values('os/version', ['os', 'os'], ['os_version', 'osVersion']),
  values('language', ['language', 'language']),
  values('screen', ['screen_class', 'screenClass']),
  values('utm/source', ['utm_source', 'utmSource']),
  values('utm/medium', ['utm_medium', 'utmMedium']),
  values('utm/campaign', ['utm_campaign', 'utmCampaign']),
  values('utm/content', ['utm_content', 'utmContent']),
  values('utm/term', ['utm_term', 'utmTerm']),
  values('channel', ['channel', 'channel']),
  values('hostname', ['hostname', 'hostname']),
  plain('platform', 'platform'),
  EVENTS,
  EVENT_PAGES,
  EVENT_META,
  EVENT_LIST,
  GOALS,
  plain('funnel', 'funnel'),
  // S-66: no search-console integration is connected.
  plain('keywords', 'nothing'),
  tagged('tags', 'tags', 'tagKey', 'key'),
  tagged('tag/details', 'tagDetails', 'tagValue', 'key', 'value'),
  SESSIONS,
  plain('session/details', 'sessionDetails'),
  ACTIVE,
  ...OPTIONS.map(
    ([name, dimension]): Statistic => ({
      ...plain(`options/${name}`, 'options'),
      ...{ dimension, searched: ['value'] },
    }),
  ),
];

/** Names of what a list can be sorted by: numbers and texts, also those inside of objects. */
export function sortableFields({ fields, nested = [] }: Statistic): readonly string[] {
  return [...fields, ...nested]
    .filter(({ type }) => type === 'number' || type === 'text')
    .map(({ name }) => name);
}

/** The statistic of a name; undefined when there is none. */
export function findStatistic(name: string): Statistic | undefined {
  return STATISTICS.find((statistic) => statistic.name === name);
}
