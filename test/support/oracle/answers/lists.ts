/**
 * What every list of the oracle has in common: grouping, order, paging, means (S-3, S-9, S-10).
 */
import type { Question } from './question.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The default order of a list: fields, first is most important; `-field` is descending. */
export type Order = readonly string[];

/** The value, at least 1: denominators are never 0 (semantics, Terms). */
export function atLeastOne(value: number): number {
  return Math.max(value, 1);
}

/** Elements by key, in order of first appearance. */
export function groupBy<Element>(
  elements: readonly Element[],
  keyOf: (element: Element) => string,
): [string, Element[]][] {
  const keys = [...new Set(elements.map(keyOf))];
  return keys.map((key) => [key, elements.filter((element) => keyOf(element) === key)]);
}

/** Distinct values. */
export function countDistinct<Element>(values: readonly Element[]): number {
  return new Set(values).size;
}

/** The mean rounded half-even (semantics, Terms); 0 without values. */
export function halfEvenMean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sum = values.reduce((total, value) => total + value, 0);
  const whole = Math.floor(sum / values.length);
  const twiceRest = 2 * (sum - whole * values.length);
  if (twiceRest === values.length) return whole % 2 === 0 ? whole : whole + 1;
  return twiceRest > values.length ? whole + 1 : whole;
}

/** By code point, not by UTF-16 unit (S-10). */
export function compareTexts(a: string, b: string): number {
  const right = b[Symbol.iterator]();
  for (const character of a) {
    const { value: other, done } = right.next();
    if (done === true) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return right.next().done === true ? 0 : -1;
}

function compareField(a: Row, b: Row, key: string): number {
  const isDescending = key.startsWith('-');
  const field = isDescending ? key.slice(1) : key;
  const left = a[field];
  const right = b[field];
  const result =
    typeof left === 'number' && typeof right === 'number'
      ? left - right
      : compareTexts(String(left), String(right));
  return isDescending ? -result : result;
}

/** S-10, F-33: an explicit `sort` replaces the first key and keeps the rest. */
function orderOf(question: Question, rows: readonly Row[], order: Order): Order {
  const { sort, direction } = question;
  const sample = rows[0]?.[sort];
  if (typeof sample !== 'number' && typeof sample !== 'string') return order;
  const isDescending = direction === 'desc' || (direction !== 'asc' && typeof sample === 'number');
  return [`${isDescending ? '-' : ''}${sort}`, ...order.slice(1)];
}

/** Sorted, then cut by `offset` and `limit` (S-10, F-33, A-24). */
export function ordered(question: Question, rows: readonly Row[], order: Order): Row[] {
  const keys = orderOf(question, rows, order);
  const compare = (a: Row, b: Row): number =>
    keys.map((key) => compareField(a, b, key)).find((result) => result !== 0) ?? 0;
  const { offset, limit } = question;
  return [...rows].sort(compare).slice(offset, offset + limit);
}
