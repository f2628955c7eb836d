/**
 * What a statistic is: the row that endpoints, sorting, searching, plans and answers come from.
 *
 * Control plane. Each kind of statistic is one file of `answers/`, which exports its rows;
 * `answers/statistics.ts` lists them. Here is the shape of a row, and what follows from the table of
 * dimensions.
 */

import {
  DIMENSION_ROWS,
  DIMENSIONS,
  type Dimension,
  groupedBy,
  type TextDimension,
} from '../../model/dimensions.ts';
import type { DictionaryKind } from '../../model/text-kinds.ts';
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
  readonly carries?: 'goals' | 'funnel' | 'member count' | 'keywords';
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

/** Visitors by a dimension and what it is grouped with: a column per field (S-51, S-52, S-55). */
function values(dimension: TextDimension, name: string): StatisticShape {
  const columns = groupedBy(dimension).flatMap((of) =>
    DIMENSIONS[of].fields.map((field) => [field, of] as const),
  );
  const shown = columns.map(([field]) => field);
  return {
    name,
    unit: 'sessions',
    dimension: columns[0]![1],
    columns,
    fields: [...texts(...shown), ...numbers('visitors', 'relative_visitors')],
    order: [desc('visitors'), ...shown.map(asc)],
    searched: shown.slice(0, 1),
  };
}

/** Of the table of dimensions the rows that have something, with what they have. */
function having(of: 'statistic' | 'option'): readonly (readonly [TextDimension, string])[] {
  return DIMENSION_ROWS.flatMap(([name, row]: [TextDimension, Dimension]) => {
    const path = row[of];
    return path === null ? [] : [[name, path] as const];
  });
}

/** What filters can be set to (S-95 to S-97): name below `options/`, and whose texts. */
export const OPTIONS: readonly (readonly [string, DictionaryKind])[] = [
  ['page', 'path'],
  ['event', 'eventName'],
  ['metadata', 'metaValue'],
  ['tag', 'tagKey'],
  ['tag/value', 'tagValue'],
  ...having('option').map(([dimension, path]) => [path, dimension] as const),
];

/** Visitors by the values of session dimensions (S-51, S-52, S-55). */
export const BREAKDOWNS: readonly StatisticShape[] = having('statistic').map(([dimension, path]) =>
  values(dimension, path),
);

/** Names of what a list can be sorted by: numbers and texts, also those inside of objects. */
export function sortableFields({ fields, nested = [] }: StatisticShape): readonly string[] {
  return [...fields, ...nested]
    .filter(({ type }) => type === 'number' || type === 'text')
    .map(({ name }) => name);
}
