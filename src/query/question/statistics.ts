/**
 * What a statistic is: the row that endpoints, sorting, searching, plans and answers come from.
 *
 * Control plane. Each kind of statistic is one file of `answers/`, which exports its rows;
 * `answers/statistics.ts` lists them. Here is the shape of a row, and the lists of those that follow
 * from a dimension: a further breakdown by a session dimension is one more line.
 */

import type { DictionaryKind, TextDimension } from '../../model/dimensions.ts';
import type { QueryFilters } from './filters.ts';

/** What is looked at one by one: whole sessions, page views (S-2) or events (S-13). */
export type Unit = 'sessions' | 'views' | 'events';

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

/** What an answer shows. */
export interface StatisticShape {
  /** Path below `/api/v1/statistics/`. */
  readonly name: string;
  /** What it counts as long as nothing that is filtered asks for more. */
  readonly unit: Unit;
  /** Texts it groups by; null where it groups by none or by time. */
  readonly dimension: DictionaryKind | null;
  /** Text fields of a breakdown and the dimensions they show; the distinct dimensions are its group. */
  readonly columns?: readonly (readonly [field: string, dimension: TextDimension])[];
  /** Fields of a row in the order of the answer; empty where the answer is no list. */
  readonly fields: readonly Field[];
  /** What else can be sorted by: figures that rows show inside of objects. */
  readonly nested?: readonly Field[];
  /** Default order, ending on the dimension (S-10). */
  readonly order: readonly OrderKey[];
  /** The fields that `search` tests, any of them; empty where groups are not searched (F-32). */
  readonly searched: readonly string[];
}

/** One statistic. `Answer` is what a file of `answers/` has as functions. */
export interface Statistic<Answer = unknown> extends StatisticShape {
  /** Answers it by a look at the rows. */
  readonly byRows: Answer;
  /** Answers it from pre-aggregates while nothing is filtered; null: they do not know it. */
  readonly byRollups: Answer | null;
  /** Whether pre-aggregates have a few counts a day for it, however many rows and texts the day has. */
  readonly isBrief?: true;
  /** Whether a custom metric makes it a statistic over events (S-8). */
  readonly takesMetric?: true;
  /** Set where a search filters page views before they are grouped (S-2), not groups. */
  readonly searches?: 'rows';
  /** False for filters that ask for nothing that could be listed (S-66). */
  readonly needs?: (filters: QueryFilters) => boolean;
  /** A further decision that a plan takes for this statistic only. */
  readonly also?: 'events on the clock' | 'sessions by time' | 'own pages' | 'time spent' | 'URLs';
  /**
   * What period it is about: that of the request, also the one before it, the last days up to today
   * whatever was sent (S-74), or the last seconds (S-80).
   */
  readonly period?: 'compared' | 'last days' | 'last seconds';
  /** What the question carries from the registry. */
  readonly carries?: 'goals' | 'funnel' | 'member count';
  /** Said beside every answer, in the header X-Context. */
  readonly context?: Readonly<Record<string, string>>;
}

/** Fields of numbers. */
export const numbers = (...names: string[]): Field[] =>
  names.map((name) => ({ name, type: 'number' }));
/** Fields of texts. */
export const texts = (...names: string[]): Field[] => names.map((name) => ({ name, type: 'text' }));

export const desc = (field: string): OrderKey => ({ field, direction: 'desc' });
export const asc = (field: string): OrderKey => ({ field, direction: 'asc' });

/** An answer that is one object, or rows over time: nothing to sort or search. */
export const plain = (name: string): StatisticShape => ({
  name,
  unit: 'sessions',
  dimension: null,
  fields: [],
  order: [],
  searched: [],
});

/** Visitors by session dimensions: a column per field of the answer (S-51, S-52, S-55). */
function values(name: string, ...columns: (readonly [string, TextDimension])[]): StatisticShape {
  const [field, dimension] = columns[0] as readonly [string, TextDimension];
  return {
    name,
    unit: 'sessions',
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

/** Where `country` is in a row, `country_code` stands beside it (S-56). */
const CODE = ['country_code', 'country'] as const;

/** What filters can be set to (S-95 to S-97): name below `options/`, and whose texts. */
export const OPTIONS: readonly (readonly [string, DictionaryKind])[] = [
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

/** Visitors by the values of session dimensions (S-51, S-52, S-55). */
export const BREAKDOWNS: readonly StatisticShape[] = [
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
];
