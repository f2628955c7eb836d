/**
 * Blocks on disk: up to 1,024 rows of one table (4,096 where rows never change), column by column,
 * each as narrow as its values.
 *
 * Data plane. How a column is written is in `column-codec.ts`. The pointer values NONE and
 * BOUND_ELSEWHERE sit at the top of the range, so columns of pointers are shifted by two first (0
 * and 1 stand for them).
 *
 *     | version u8 | columns u8 | rows u16 | columns × (crc u32, bytes u16) | column | column | …
 *
 * Each column has a checksum of its own, since a question decodes a few of many. It begins with what the
 * head says and the column's position, so that it holds for no other place.
 *
 * A column that is added to a table comes last, so a block with fewer of them is one that was written
 * before: what it lacks is 0. A column may be written as what differs from another one of the block
 * (`related-columns.ts`), where that is shorter and the block full; version 5 had none of these.
 *
 * Measured on 10 million page views of 3.3 million sessions: 24 bytes per view, 34 with whole bytes
 * per value (version 1).
 */

import { crc32 } from 'node:zlib';
import { assert } from '../../base/assert.ts';
import type { Columns } from '../memory/columns.ts';
import { type ColumnWidth, type Layout, type Relation, relationsOf } from '../memory/layout.ts';
import { APPENDED_BLOCK_ROWS, type Table } from '../memory/table.ts';
import { type ByteCursor, ColumnCodec, columnBytesMax } from './column-codec.ts';
import { fromRest, hasOther, isRest, toRest } from './related-columns.ts';

const VERSION = 6;
const FIRST_VERSION = 5;
const HEAD_BYTES = 4;
/** Of a column: its checksum and its length. */
const ENTRY_BYTES = 6;
const CRC_BYTES = 4;
/** Before what is left of a column: its kind, and the position of the other one or the first value. */
const REST_HEAD_BYTES = { other: 2, first: 5 } as const;
/** What decoding says of bytes that are not what was written. */
export const DAMAGED = -1;

// One per thread: encoding and decoding are synchronous and never nested.
const codec = new ColumnCodec(APPENDED_BLOCK_ROWS);
const others = new Float64Array(APPENDED_BLOCK_ROWS);
const cursor: ByteCursor = { bytes: new Uint8Array(0), at: 0 };
let scratch = new Uint8Array(0);

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * Bytes of one block of a table.
 *
 * @returns a fresh array of its own.
 * @cost two passes per column, four more per related one of a full block.
 */
export function encodeBlock<L extends Layout>(table: Table<L>, block: number): Uint8Array {
  const first = block * table.blockRows;
  const rows = Math.min(table.rowCount - first, table.blockRows);
  assert(rows > 0, 'the block has rows');
  const columnCount = table.storedNames.length;
  const bytesMax =
    HEAD_BYTES + columnCount * ENTRY_BYTES + (columnCount + 1) * columnBytesMax(rows);
  if (scratch.length < bytesMax) scratch = new Uint8Array(bytesMax);
  const bytes = scratch;
  bytes[0] = VERSION;
  bytes[1] = columnCount;
  putU16(bytes, 2, rows);
  cursor.bytes = bytes;
  cursor.at = HEAD_BYTES + columnCount * ENTRY_BYTES;
  // The last block is written again and again while it grows: that is to cost no more.
  const relations = rows < table.blockRows ? {} : relationsOf(table.layout);
  for (let index = 0; index < columnCount; index++) {
    const start = cursor.at;
    const name = table.storedNames[index] as keyof L & string;
    take(table, name, { first, rows });
    codec.encode(rows, cursor);
    const relation = relations[name];
    if (relation !== undefined) encodeRest(table, { name, relation, start }, { first, rows });
    const entry = HEAD_BYTES + index * ENTRY_BYTES;
    const seed = seedOf(bytes, index);
    putU32(bytes, entry, crc32(bytes.subarray(start, cursor.at), seed));
    putU16(bytes, entry + CRC_BYTES, cursor.at - start);
  }
  return bytes.slice(0, cursor.at);
}

/** Writes a column anew, as what is left of it, if that is shorter than it stands from `start` on. */
function encodeRest<L extends Layout>(
  table: Table<L>,
  { name, relation, start }: { name: keyof L & string; relation: Relation; start: number },
  range: { first: number; rows: number },
): void {
  const { rows } = range;
  const { bytes, at: end } = cursor;
  const other = relation.to as (keyof L & string) | undefined;
  if (other !== undefined) {
    take(table, other, range);
    others.set(codec.values.subarray(0, rows));
  }
  take(table, name, range);
  const firstValue = codec.values[0]!;
  const kind = toRest(relation.form, codec.values, others, rows);
  if (kind === null) return;
  bytes[end] = kind;
  if (other === undefined) putU32(bytes, end + 1, firstValue);
  else bytes[end + 1] = table.storedNames.indexOf(other);
  cursor.at = end + REST_HEAD_BYTES[other === undefined ? 'first' : 'other'];
  codec.encode(rows, cursor);
  const isShorter = cursor.at - end < end - start;
  if (isShorter) bytes.copyWithin(start, end, cursor.at);
  cursor.at = isShorter ? start + cursor.at - end : end;
}

/**
 * Writes a block's rows into a table that has room for them (`reserve`), at the block's place.
 *
 * @returns how many rows the block has; DAMAGED when the bytes are not what was written.
 */
export function decodeBlock<L extends Layout>(
  table: Table<L>,
  block: number,
  bytes: Uint8Array,
): number {
  const columnCount = bytes[1] ?? 0;
  const isKnown = columnCount > 0 && columnCount <= table.storedNames.length;
  if (!isReadable(bytes) || !isKnown) return DAMAGED;
  const rows = u16At(bytes, 2);
  const first = block * table.blockRows;
  if (first + rows > table.capacity) return DAMAGED;
  let at = HEAD_BYTES + columnCount * ENTRY_BYTES;
  for (let index = 0; index < columnCount; index++) {
    const end = at + lengthOf(bytes, index);
    if (!decodeOne(bytes, index, { at, end, rows })) return DAMAGED;
    at = end;
    const name = table.storedNames[index] as keyof L & string;
    const width = table.layout[name] as ColumnWidth;
    if (width === 'id') table.widen(name, mostPointer(rows));
    unshift(table.columns[name], isPointer(width), { first, rows });
  }
  for (const name of table.storedNames.slice(columnCount)) {
    table.columns[name].fill(0, first, first + rows);
  }
  return rows;
}

/** Where one column of a table is decoded to. */
export interface ColumnTarget {
  /** Its position in the blocks. */
  readonly position: number;
  readonly width: ColumnWidth;
  /** The array as wide as a value needs; told the largest of a block before that is written. */
  room(most: number): Columns<Layout>[string];
}

/**
 * Writes one column of a block into an array that has room for it.
 *
 * @param first row of the array that the block's first row goes to.
 * @returns how many rows the block has; DAMAGED when the bytes are not what was written.
 */
export function decodeColumn(bytes: Uint8Array, target: ColumnTarget, first: number): number {
  const { position: index, width } = target;
  const columnCount = bytes[1] ?? 0;
  if (!isReadable(bytes) || columnCount === 0) return DAMAGED;
  const rows = u16At(bytes, 2);
  if (first + rows > target.room(0).length) return DAMAGED;
  if (index >= columnCount) return decodeMissing(bytes, target.room(0), first);
  if (!decodeOne(bytes, index, { ...placeOf(bytes, index), rows })) return DAMAGED;
  const column = target.room(width === 'id' ? mostPointer(rows) : 0);
  unshift(column, isPointer(width), { first, rows });
  return rows;
}

/**
 * Zeros of a column that the block was written without.
 *
 * That it has no more columns its head says, for which its first column's checksum vouches.
 */
function decodeMissing(bytes: Uint8Array, column: Columns<Layout>[string], first: number): number {
  const rows = u16At(bytes, 2);
  if (!decodeOne(bytes, 0, { ...placeOf(bytes, 0), rows })) return DAMAGED;
  column.fill(0, first, first + rows);
  return rows;
}

/** Decodes a column into the codec if it, and what it is related to, is what was written. */
function decodeOne(
  bytes: Uint8Array,
  index: number,
  { at, end, rows }: { at: number; end: number; rows: number },
): boolean {
  if (!isSound(bytes, index, { at, end })) return false;
  const kind = bytes[at]!;
  if (!isRest(kind)) {
    decodeAt(bytes, at, rows);
    return true;
  }
  let head: keyof typeof REST_HEAD_BYTES = 'first';
  if (hasOther(kind)) {
    head = 'other';
    const position = bytes[at + 1]!;
    const other = placeOf(bytes, position);
    if (!isSound(bytes, position, other)) return false;
    decodeAt(bytes, other.at, rows);
    others.set(codec.values.subarray(0, rows));
  } else others[0] = u32At(bytes, at + 1);
  decodeAt(bytes, at + REST_HEAD_BYTES[head], rows);
  fromRest(kind, codec.values, others, rows);
  return true;
}

function decodeAt(bytes: Uint8Array, at: number, rows: number): void {
  cursor.bytes = bytes;
  cursor.at = at;
  codec.decode(rows, cursor);
}

function isReadable(bytes: Uint8Array): boolean {
  const version = bytes[0] ?? 0;
  return version >= FIRST_VERSION && version <= VERSION;
}

/** Where a column of a block is. */
function placeOf(bytes: Uint8Array, index: number): { at: number; end: number } {
  let at = HEAD_BYTES + bytes[1]! * ENTRY_BYTES;
  for (let before = 0; before < index; before++) at += lengthOf(bytes, before);
  return { at, end: at + lengthOf(bytes, index) };
}

function lengthOf(bytes: Uint8Array, index: number): number {
  return u16At(bytes, HEAD_BYTES + index * ENTRY_BYTES + CRC_BYTES);
}

function isSound(
  bytes: Uint8Array,
  index: number,
  { at, end }: { at: number; end: number },
): boolean {
  const crc = u32At(bytes, HEAD_BYTES + index * ENTRY_BYTES);
  return crc32(bytes.subarray(at, end), seedOf(bytes, index)) === crc;
}

/** Of a column's checksum: number of columns, rows and the column's position. */
function seedOf(bytes: Uint8Array, index: number): number {
  return ((bytes[1]! << 24) | (index << 16) | u16At(bytes, 2)) >>> 0;
}

/** Columns of up to 32 bits may hold pointer values, whatever they are wide in memory. */
function isPointer(width: ColumnWidth): boolean {
  return width === 'u32' || width === 'id';
}

/** The largest of the pointers that the codec has just decoded. */
function mostPointer(rows: number): number {
  const shifted = codec.values;
  let most = 0;
  for (let row = 0; row < rows; row++) {
    const value = (shifted[row]! - 2) >>> 0;
    if (value > most) most = value;
  }
  return most;
}

/** Puts a column of a table into the codec. */
function take<L extends Layout>(
  table: Table<L>,
  name: keyof L & string,
  range: { first: number; rows: number },
): void {
  shift(table.columns[name], isPointer(table.layout[name] as ColumnWidth), range);
}

/** Puts a column's values into the codec, pointers moved to the bottom. */
function shift(
  column: Columns<Layout>[string],
  isMoved: boolean,
  { first, rows }: { first: number; rows: number },
): void {
  const values = column as Column;
  const shifted = codec.values;
  if (isMoved) {
    for (let row = 0; row < rows; row++) shifted[row] = (values[first + row]! + 2) >>> 0;
  } else {
    for (let row = 0; row < rows; row++) shifted[row] = values[first + row]!;
  }
}

/** Undoes `shift`: arithmetic modulo 2^32 brings the pointers back to the top. */
function unshift(
  column: Columns<Layout>[string],
  isMoved: boolean,
  { first, rows }: { first: number; rows: number },
): void {
  const values = column as Column;
  const shifted = codec.values;
  if (isMoved) {
    for (let row = 0; row < rows; row++) values[first + row] = shifted[row]! - 2;
  } else {
    for (let row = 0; row < rows; row++) values[first + row] = shifted[row]!;
  }
}

function putU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value & 0xff;
  bytes[at + 1] = value >>> 8;
}

function putU32(bytes: Uint8Array, at: number, value: number): void {
  putU16(bytes, at, value & 0xffff);
  putU16(bytes, at + 2, value >>> 16);
}

function u32At(bytes: Uint8Array, at: number): number {
  return (u16At(bytes, at) | (u16At(bytes, at + 2) << 16)) >>> 0;
}

function u16At(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}
