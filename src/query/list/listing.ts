/**
 * From groups to the rows of an answer: search, order, page, fields. One way for every list.
 *
 * Control plane. Fields are read group by group, so that only what is compared or shown is made.
 */

import { assert } from '../../base/assert.ts';
import { compareCodePoints } from '../../base/code-points.ts';
import { keepsOneOf } from '../question/filter-values.ts';
import type { StatisticsQuery } from '../question/request.ts';
import type { OrderKey, Statistic } from '../question/statistics.ts';
import { type Compare, pageOf } from './ranking.ts';
import { TopKBound } from './top-k.ts';

/** A list is long with groups for more than this many times what is shown and before it. */
const LONG_PAGES = 4;

/** A value of a row as it is answered. */
export type FieldValue =
  | number
  | string
  | boolean
  | readonly string[]
  | Readonly<Record<string, unknown>>;

/** What a statistic found: groups, and how to read each field of a group. */
export interface Groups {
  /** Numbers of the groups that are rows of the list. */
  readonly present: Uint32Array;
  readonly fields: Readonly<Record<string, (group: number) => FieldValue>>;
  /** What fields are ordered by that are not compared as they are shown. */
  readonly orders?: Readonly<Record<string, (group: number) => number | string>>;
}

/** A row of a list: fields in the statistic's order. */
export type ListRow = Record<string, FieldValue>;

/** Group numbers below `count` for which a count is above 0. */
export function presentIn(counts: Float64Array, count: number): Uint32Array {
  const present = new Uint32Array(count);
  let found = 0;
  for (let group = 0; group < count; group++) if (counts[group]! > 0) present[found++] = group;
  return present.subarray(0, found);
}

/** The rows that a request shows, in order (S-10, F-32, F-33). */
export function listRows(statistic: Statistic, query: StatisticsQuery, groups: Groups): ListRow[] {
  const found = searchedGroups(statistic, query, groups);
  const keys = keysOf(orderOf(statistic, query), groups);
  const near = nearGroups(found, keys[0], query.offset + query.limit);
  return pageOf(near, comparatorOf(keys), query).map((group) => {
    const row: ListRow = {};
    for (const { name } of statistic.fields) row[name] = fieldOf(groups, name)(group);
    return row;
  });
}

function searchedGroups(statistic: Statistic, query: StatisticsQuery, groups: Groups): Uint32Array {
  const { search } = query;
  if (search === null || statistic.searched.length === 0) return groups.present;
  const fields = statistic.searched.map((name) => fieldOf(groups, name));
  return groups.present.filter((group) =>
    keepsOneOf(
      search,
      fields.map((field) => field(group) as string),
    ),
  );
}

/** An explicit sort replaces the first key and keeps the rest (S-10). */
function orderOf(statistic: Statistic, query: StatisticsQuery): readonly OrderKey[] {
  if (query.sort === null) return statistic.order;
  // The replaced key's statistic still ends on its dimension: what a sort by another text leaves.
  return [query.sort, ...statistic.order.slice(1)];
}

/** What groups are compared by, in turn. */
interface Key {
  readonly read: (group: number) => FieldValue;
  readonly direction: 'asc' | 'desc';
}

function keysOf(order: readonly OrderKey[], groups: Groups): readonly Key[] {
  return order.map(({ field, direction }) => ({
    read: groups.orders?.[field] ?? fieldOf(groups, field),
    direction,
  }));
}

/** Of a long list the groups that may be shown, as far as its first key alone tells, if it is a number. */
function nearGroups(groups: Uint32Array, key: Key | undefined, end: number): Uint32Array {
  if (key === undefined || groups.length <= end * LONG_PAGES) return groups;
  const values = new Float64Array(groups.length);
  const bound = new TopKBound(end, key.direction);
  for (let index = 0; index < values.length; index++) {
    const value = key.read(groups[index]!);
    if (typeof value !== 'number') return groups;
    values[index] = value;
    bound.takes(value);
  }
  return groups.filter((_, index) => bound.mayTake(values[index]!));
}

function comparatorOf(keys: readonly Key[]): Compare {
  return (left, right) => {
    if (left === right) return 0;
    for (const { read, direction } of keys) {
      const a = read(left);
      const b = read(right);
      if (a === b) continue;
      const difference =
        typeof a === 'number' ? a - (b as number) : compareCodePoints(a as string, b as string);
      if (difference !== 0) return direction === 'asc' ? difference : -difference;
    }
    // Groups that agree in all keys are one group by definition; keep the order total anyway.
    return left - right;
  };
}

function fieldOf(groups: Groups, name: string): (group: number) => FieldValue {
  const field = groups.fields[name];
  assert(field !== undefined, `the field '${name}' is computed`);
  return field;
}
