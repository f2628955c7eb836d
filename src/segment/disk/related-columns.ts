/**
 * Columns that are written as what differs from another column of the same block.
 *
 * Data plane. Some columns follow from another one in most rows: a session ends soon after it began, a
 * city lies in one country. What is left of them when the other column is known takes fewer
 * bits in the forms of `column-codec.ts`:
 *
 *     above | 5 | column u8 | value - other, a column |
 *     below | 6 | column u8 | other - value, a column |
 *     near  | 7 | column u8 | zigzag(value - other), a column |
 *     last  | 8 | column u8 | 0: as at the last row with the same other value; else value + 1, a column |
 *
 * The other column is never written by a third one, so that a reader decodes two at the most. Measured on a
 * million page views of nine days: 24.6 bytes a page view for 26.1; a third more time for the blocks of
 * sessions, a half for those of views, and twice the time where such a column is read from disk.
 */

import type { Relation } from '../memory/layout.ts';

const ABOVE = 5;
const BELOW = 6;
const NEAR = 7;
const LAST = 8;

/** Values that are remembered: another one in the same place is forgotten, by who writes and who reads. */
const PLACES = 1_024;
const PLACE_SHIFT = 22;
const SPREAD = 0x9e37_79b1;

const DIFFERENCE_MAX = 2 ** 51;

const lastValues = new Float64Array(PLACES);

/** Whether a column with this first byte has to be read with the help of another one. */
export function isRelated(kind: number): boolean {
  return kind >= ABOVE && kind <= LAST;
}

/**
 * Puts what is left of a column in its place.
 *
 * @param others values of the other column; like those of `values` as `block-codec.ts` shifts them.
 * @returns the first byte of the column; null when the values are too far apart, or not by whole numbers:
 *   then nothing is changed.
 * @cost two passes.
 */
export function toRest(
  form: Relation['form'],
  values: Float64Array,
  others: Float64Array,
  rows: number,
): number | null {
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

/** Undoes `toRest`. @cost one pass. */
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
  } else {
    for (let row = 0; row < rows; row++) {
      const rest = values[row]!;
      values[row] = others[row]! + (rest % 2 === 1 ? -(rest + 1) / 2 : rest / 2);
    }
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

function placeOf(value: number): number {
  return Math.imul(value, SPREAD) >>> PLACE_SHIFT;
}
