/**
 * Columns that are written as what is left of them when something else is known.
 *
 * Data plane. Some columns follow from another one of the same block in most rows: a session ends soon
 * after it began, a city lies in one country. Numbers of rows go up where a row is new, and back where
 * it is not. What is left takes fewer bits in the forms of `column-codec.ts`:
 *
 *     above   | 5 | column u8 | value - other, a column |
 *     below   | 6 | column u8 | other - value, a column |
 *     near    | 7 | column u8 | zigzag(value - other), a column |
 *     last    | 8 | column u8 | 0 where as at the last such other one, else value + 1, a column |
 *     highest | 9 | first u32 | zigzag(value - the one after the highest so far), a column |
 *
 * The other column is never written by a third one, so that a reader decodes two at the most. Measured
 * on a million page views of nine days: 24.1 bytes a page view for 26.1 (`bench/README.md`, where the
 * bytes are).
 */

import type { Relation } from '../memory/layout.ts';

const ABOVE = 5;
const BELOW = 6;
const NEAR = 7;
const LAST = 8;
const HIGHEST = 9;

/** Values that are remembered: another one in the same place is forgotten, by who writes and who reads. */
const PLACES = 1_024;
const PLACE_SHIFT = 22;
const SPREAD = 0x9e37_79b1;

const DIFFERENCE_MAX = 2 ** 51;

const lastValues = new Float64Array(PLACES);

/** Whether a column with this first byte is written as what is left of it. */
export function isRest(kind: number): boolean {
  return kind >= ABOVE && kind <= HIGHEST;
}

/** Whether it is left of it beside another column. */
export function hasOther(kind: number): boolean {
  return kind !== HIGHEST;
}

/**
 * Puts what is left of a column in its place.
 *
 * @param others values of the other column; like those of `values` as `block-codec.ts` shifts them.
 * @returns the first byte of the column; null when the values are too far apart, or not by whole
 *   numbers: then nothing is changed.
 * @cost two passes.
 */
export function toRest(
  form: Relation['form'],
  values: Float64Array,
  others: Float64Array,
  rows: number,
): number | null {
  if (form === 'highest') {
    putHighest(values, rows);
    return HIGHEST;
  }
  if (form === 'last') {
    putLast(values, others, rows);
    return LAST;
  }
  let least = 0;
  let most = 0;
  for (let row = 0; row < rows; row++) {
    const value = values[row]!;
    const difference = value - others[row]!;
    const isExact = others[row]! + difference === value && Number.isSafeInteger(difference);
    if (!isExact || Math.abs(difference) > DIFFERENCE_MAX) return null;
    if (difference < least) least = difference;
    if (difference > most) most = difference;
  }
  const kind = least >= 0 ? ABOVE : most <= 0 ? BELOW : NEAR;
  for (let row = 0; row < rows; row++) {
    const difference = values[row]! - others[row]!;
    if (kind === NEAR) values[row] = difference < 0 ? -2 * difference - 1 : 2 * difference;
    else values[row] = Math.abs(difference);
  }
  return kind;
}

/** Undoes `toRest`. @param others of `highest` the first value. @cost one pass. */
export function fromRest(
  kind: number,
  values: Float64Array,
  others: Float64Array,
  rows: number,
): void {
  if (kind === LAST) takeLast(values, others, rows);
  else if (kind === ABOVE) {
    for (let row = 0; row < rows; row++) values[row] = others[row]! + values[row]!;
  } else if (kind === BELOW) {
    for (let row = 0; row < rows; row++) values[row] = others[row]! - values[row]!;
  } else if (kind === HIGHEST) takeHighest(others[0]!, values, rows);
  else {
    for (let row = 0; row < rows; row++) values[row] = others[row]! + wayOf(values[row]!);
  }
}

function putLast(values: Float64Array, others: Float64Array, rows: number): void {
  lastValues.fill(0);
  for (let row = 0; row < rows; row++) {
    const value = values[row]!;
    const place = placeOf(others[row]!);
    values[row] = lastValues[place] === value ? 0 : value + 1;
    lastValues[place] = value;
  }
}

function takeLast(values: Float64Array, others: Float64Array, rows: number): void {
  lastValues.fill(0);
  for (let row = 0; row < rows; row++) {
    const rest = values[row]!;
    const place = placeOf(others[row]!);
    const value = rest === 0 ? lastValues[place]! : rest - 1;
    values[row] = value;
    lastValues[place] = value;
  }
}

/** Of numbers of rows, which have 32 bits. */
function putHighest(values: Float64Array, rows: number): void {
  let next = values[0]!;
  for (let row = 0; row < rows; row++) {
    const way = values[row]! - next;
    values[row] = way < 0 ? -2 * way - 1 : 2 * way;
    if (way >= 0) next += way + 1;
  }
}

function takeHighest(first: number, values: Float64Array, rows: number): void {
  let next = first;
  for (let row = 0; row < rows; row++) {
    const value = next + wayOf(values[row]!);
    values[row] = value;
    next = Math.max(next, value + 1);
  }
}

/** Undoes zigzag: 0, 1, 2, 3 as 0, −1, 1, −2. Without a branch, which nobody could foresee, and `%`. */
function wayOf(rest: number): number {
  const half = Math.floor(rest * 0.5);
  const isOdd = rest - 2 * half;
  return half - isOdd * (2 * half + 1);
}

function placeOf(value: number): number {
  return Math.imul(value, SPREAD) >>> PLACE_SHIFT;
}
