/**
 * Blocks on disk: up to 1,024 rows of one table, column by column, each as narrow as its values.
 *
 * Data plane. A column is stored as `value - least value of the block` in 0, 1, 2 or 4 bytes, or
 * as plain doubles when it does not fit. The pointer values NONE and BOUND_ELSEWHERE sit at the top
 * of the range, so columns of pointers are shifted by two first (0 and 1 stand for them).
 *
 *     | version u8 | columns u8 | rows u16 | columns × { width u8, 7 × 0, base f64 } | data … |
 */

import { assert } from '../base/assert.ts';
import type { Layout } from './layout.ts';
import { BLOCK_ROWS, type Columns, type Table } from './table.ts';

const VERSION = 1;
const HEAD_BYTES = 8;
const DESCRIPTOR_BYTES = 16;

// One scratch per thread: encoding and decoding are synchronous and never nested.
const scratch = new ArrayBuffer(BLOCK_ROWS * 8);
const scratch8 = new Uint8Array(scratch);
const scratch16 = new Uint16Array(scratch);
const scratch32 = new Uint32Array(scratch);
const scratch64 = new Float64Array(scratch);
const shifted = new Float64Array(BLOCK_ROWS);

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * Bytes of one block of a table.
 *
 * @returns a fresh array of its own.
 * @cost one pass to find the bounds and one to write, per column.
 */
export function encodeBlock<L extends Layout>(table: Table<L>, block: number): Uint8Array {
  const first = block * BLOCK_ROWS;
  const rows = Math.min(table.rowCount - first, BLOCK_ROWS);
  assert(rows > 0, 'the block has rows');
  const columnCount = table.names.length;
  const dataStart = HEAD_BYTES + columnCount * DESCRIPTOR_BYTES;
  const bytes = new Uint8Array(dataStart + columnCount * rows * 8);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  bytes[1] = columnCount;
  view.setUint16(2, rows, true);
  let offset = dataStart;
  for (let index = 0; index < columnCount; index++) {
    const name = table.names[index] as keyof L & string;
    const base = shift(table.columns[name], first, rows);
    const width = narrow(base, rows);
    const descriptor = HEAD_BYTES + index * DESCRIPTOR_BYTES;
    bytes[descriptor] = width;
    view.setFloat64(descriptor + 8, base, true);
    bytes.set(scratch8.subarray(0, width * rows), offset);
    offset += width * rows;
  }
  return bytes.subarray(0, offset);
}

/**
 * Writes a block's rows into a table that has room for them (`reserve`), at the block's place.
 *
 * @returns how many rows the block has.
 */
export function decodeBlock<L extends Layout>(
  table: Table<L>,
  block: number,
  bytes: Uint8Array,
): number {
  assert(bytes[0] === VERSION, 'the block has a known format');
  assert(bytes[1] === table.names.length, 'the block has the columns of its table');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows = view.getUint16(2, true);
  const first = block * BLOCK_ROWS;
  assert(first + rows <= table.capacity, 'the table has room for the block');
  let offset = HEAD_BYTES + table.names.length * DESCRIPTOR_BYTES;
  for (let index = 0; index < table.names.length; index++) {
    const descriptor = HEAD_BYTES + index * DESCRIPTOR_BYTES;
    const width = bytes[descriptor] as number;
    const base = view.getFloat64(descriptor + 8, true);
    scratch8.set(bytes.subarray(offset, offset + width * rows));
    const column = table.columns[table.names[index] as keyof L & string];
    widen(column, { first, rows, width, base });
    offset += width * rows;
  }
  return rows;
}

/** Puts the column's values into `shifted`, pointers moved to the bottom; returns the least. */
function shift(column: Columns<Layout>[string], first: number, rows: number): number {
  const values = column as Column;
  let least = Number.POSITIVE_INFINITY;
  if (values instanceof Uint32Array) {
    for (let row = 0; row < rows; row++) {
      const value = (values[first + row]! + 2) >>> 0;
      shifted[row] = value;
      if (value < least) least = value;
    }
    return least;
  }
  for (let row = 0; row < rows; row++) {
    const value = values[first + row]!;
    shifted[row] = value;
    if (value < least) least = value;
  }
  return least;
}

/** Writes `shifted - base` into the scratch as narrow as it fits; returns the width in bytes. */
function narrow(base: number, rows: number): number {
  let most = 0;
  let whole = true;
  for (let row = 0; row < rows; row++) {
    const delta = shifted[row]! - base;
    if (delta > most) most = delta;
    if (delta !== Math.floor(delta)) whole = false;
  }
  if (!whole || most > 0xffff_ffff) {
    for (let row = 0; row < rows; row++) scratch64[row] = shifted[row]!;
    return 8;
  }
  if (most === 0) return 0;
  const width = most <= 0xff ? 1 : most <= 0xffff ? 2 : 4;
  const target = width === 1 ? scratch8 : width === 2 ? scratch16 : scratch32;
  for (let row = 0; row < rows; row++) target[row] = shifted[row]! - base;
  return width;
}

function widen(
  column: Columns<Layout>[string],
  block: { first: number; rows: number; width: number; base: number },
): void {
  const { first, rows, width, base } = block;
  const values = column as Column;
  // Undoes the shift of `shift`: arithmetic modulo 2^32 brings the pointers back to the top.
  const start = values instanceof Uint32Array && width !== 8 ? base - 2 : base;
  if (width === 0) {
    values.fill(values instanceof Uint32Array ? start >>> 0 : start, first, first + rows);
    return;
  }
  if (width === 8) {
    for (let row = 0; row < rows; row++) values[first + row] = scratch64[row]!;
    return;
  }
  const source = width === 1 ? scratch8 : width === 2 ? scratch16 : scratch32;
  for (let row = 0; row < rows; row++) values[first + row] = source[row]! + start;
}
