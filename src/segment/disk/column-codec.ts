/**
 * One column of a block in as few bits as its values need.
 *
 * Data plane. Values are whole numbers from 0 (pointers are shifted beforehand, see
 * `block-codec.ts`); the shortest of these forms is taken:
 *
 *     constant  | 0 | value varint |
 *     offsets   | 1 | bits u8 | least varint | (value - least) × rows, `bits` each |
 *     steps     | 2 | bits u8 | first varint | least step zigzag varint | (step - least) × (rows - 1) |
 *     doubles   | 3 | f64 × rows |        what is neither whole nor within 2^32 of its neighbours
 *     mostly    | 4 | bits u8 | least varint | others u16 | 1 bit × rows | (value - least) × others |
 *
 * `mostly` wins where most rows have the least value: campaigns, referrers. Steps win where values
 * nearly ascend: times, ends of pairs, ordinals of new visitors. Bits run from the low end of
 * little-endian words.
 */

const CONSTANT = 0;
const OFFSETS = 1;
const STEPS = 2;
const DOUBLES = 3;
const MOSTLY = 4;

const SPREAD_MAX = 0xffff_ffff;

/** Bytes that a column of this many rows never exceeds. */
export function columnBytesMax(rows: number): number {
  // Kind, bits, two varints of a double's whole numbers, words.
  return 32 + rows * 8;
}

/** A column's bytes at the place where they are written or read. */
export interface ByteCursor {
  bytes: Uint8Array;
  at: number;
}

/** Encodes and decodes columns of up to `rowsMax` rows; one per thread, never nested. */
export class ColumnCodec {
  /** What `encode` writes down and `decode` gives back. */
  readonly values: Float64Array;
  readonly #words: Uint32Array;
  readonly #wordBytes: Uint8Array;
  readonly #doubleBytes: Uint8Array;

  constructor(rowsMax: number) {
    this.values = new Float64Array(rowsMax);
    this.#words = new Uint32Array(rowsMax + 1);
    this.#wordBytes = new Uint8Array(this.#words.buffer);
    this.#doubleBytes = new Uint8Array(this.values.buffer);
  }

  /**
   * Writes the first `rows` of `values`.
   *
   * @param rows at least 1.
   * @param into has room for `columnBytesMax(rows)`; its place moves behind what was written.
   * @cost two passes.
   */
  encode(rows: number, into: ByteCursor): void {
    const { values } = this;
    let least = values[0]!;
    let leastCount = 1;
    let most = least;
    let leastStep = Number.POSITIVE_INFINITY;
    let mostStep = Number.NEGATIVE_INFINITY;
    let isWhole = least === Math.floor(least);
    for (let row = 1; row < rows; row++) {
      const value = values[row]!;
      const step = value - values[row - 1]!;
      if (value < least) {
        least = value;
        leastCount = 1;
      } else if (value === least) leastCount++;
      if (value > most) most = value;
      if (step < leastStep) leastStep = step;
      if (step > mostStep) mostStep = step;
      if (value !== Math.floor(value)) isWhole = false;
    }
    if (!isWhole || least < 0 || most > Number.MAX_SAFE_INTEGER) this.#putDoubles(rows, into);
    else if (most === least) {
      putByte(into, CONSTANT);
      putVarint(into, least);
    } else if (mostStep - leastStep < most - least && mostStep - leastStep <= SPREAD_MAX) {
      this.#putSteps(rows, { least: leastStep, spread: mostStep - leastStep }, into);
    } else if (isSparse(rows, rows - leastCount, most - least)) {
      this.#putMostly(rows, { least, spread: most - least }, into);
    } else if (most - least <= SPREAD_MAX) {
      this.#putOffsets(rows, { least, spread: most - least }, into);
    } else this.#putDoubles(rows, into);
  }

  /** Reads `rows` values; the cursor's place moves behind them. @cost one pass. */
  decode(rows: number, from: ByteCursor): void {
    const { values } = this;
    const kind = from.bytes[from.at++]!;
    if (kind === CONSTANT) {
      values.fill(takeVarint(from), 0, rows);
      return;
    }
    if (kind === DOUBLES) {
      this.#doubleBytes.set(from.bytes.subarray(from.at, from.at + rows * 8));
      from.at += rows * 8;
      return;
    }
    const bits = from.bytes[from.at++]!;
    const base = takeVarint(from);
    if (kind === MOSTLY) {
      this.#takeMostly(rows, { least: base, bits }, from);
      return;
    }
    if (kind === OFFSETS) {
      this.#unpack(rows, bits, from);
      for (let row = 0; row < rows; row++) values[row] = values[row]! + base;
      return;
    }
    const leastStep = takeZigzag(from);
    this.#unpack(rows - 1, bits, from);
    let value = base;
    for (let row = 0; row < rows; row++) {
      const step = values[row]!;
      values[row] = value;
      value += step + leastStep;
    }
  }

  #putDoubles(rows: number, into: ByteCursor): void {
    putByte(into, DOUBLES);
    into.bytes.set(this.#doubleBytes.subarray(0, rows * 8), into.at);
    into.at += rows * 8;
  }

  #putOffsets(rows: number, range: { least: number; spread: number }, into: ByteCursor): void {
    const { values } = this;
    const bits = bitsOf(range.spread);
    putByte(into, OFFSETS);
    putByte(into, bits);
    putVarint(into, range.least);
    for (let row = 0; row < rows; row++) values[row] = values[row]! - range.least;
    this.#pack(rows, bits, into);
  }

  #putMostly(rows: number, range: { least: number; spread: number }, into: ByteCursor): void {
    const { values } = this;
    const bits = bitsOf(range.spread);
    putByte(into, MOSTLY);
    putByte(into, bits);
    putVarint(into, range.least);
    const flagsAt = into.at + 2;
    const flagBytes = packedBytes(rows, 1);
    into.bytes.fill(0, flagsAt, flagsAt + flagBytes);
    let others = 0;
    for (let row = 0; row < rows; row++) {
      const offset = values[row]! - range.least;
      if (offset === 0) continue;
      into.bytes[flagsAt + (row >>> 3)]! |= 1 << (row & 7);
      values[others++] = offset;
    }
    putByte(into, others & 0xff);
    putByte(into, others >>> 8);
    into.at += flagBytes;
    this.#pack(others, bits, into);
  }

  #takeMostly(rows: number, form: { least: number; bits: number }, from: ByteCursor): void {
    const { values } = this;
    const { bytes } = from;
    let others = bytes[from.at]! | (bytes[from.at + 1]! << 8);
    const flagsAt = from.at + 2;
    from.at = flagsAt + packedBytes(rows, 1);
    this.#unpack(others, form.bits, from);
    // From the last row on: a value's place is never before the one it is taken from.
    for (let row = rows - 1; row >= 0; row--) {
      const isOther = (bytes[flagsAt + (row >>> 3)]! & (1 << (row & 7))) !== 0;
      values[row] = isOther ? form.least + values[--others]! : form.least;
    }
  }

  #putSteps(rows: number, range: { least: number; spread: number }, into: ByteCursor): void {
    const { values } = this;
    const bits = bitsOf(range.spread);
    putByte(into, STEPS);
    putByte(into, bits);
    putVarint(into, values[0]!);
    putZigzag(into, range.least);
    // Each step goes one place to the front, over the value that has been read already.
    let before = values[0]!;
    for (let row = 1; row < rows; row++) {
      const value = values[row]!;
      values[row - 1] = value - before - range.least;
      before = value;
    }
    this.#pack(rows - 1, bits, into);
  }

  #pack(count: number, bits: number, into: ByteCursor): void {
    const { values } = this;
    const words = this.#words;
    let word = 0;
    let filled = 0;
    let at = 0;
    for (let index = 0; index < count; index++) {
      const value = values[index]! >>> 0;
      word |= value << filled;
      filled += bits;
      if (filled < 32) continue;
      words[at++] = word;
      filled -= 32;
      word = filled === 0 ? 0 : value >>> (bits - filled);
    }
    if (filled > 0) words[at] = word;
    const length = packedBytes(count, bits);
    into.bytes.set(this.#wordBytes.subarray(0, length), into.at);
    into.at += length;
  }

  #unpack(count: number, bits: number, from: ByteCursor): void {
    const { values } = this;
    const words = this.#words;
    const length = packedBytes(count, bits);
    this.#wordBytes.set(from.bytes.subarray(from.at, from.at + length));
    from.at += length;
    const mask = bits === 32 ? 0xffff_ffff : (1 << bits) - 1;
    let at = 0;
    let used = 0;
    for (let index = 0; index < count; index++) {
      let value = words[at]! >>> used;
      used += bits;
      if (used >= 32) {
        at++;
        used -= 32;
        if (used > 0) value |= words[at]! << (bits - used);
      }
      values[index] = (value & mask) >>> 0;
    }
  }
}

/** Whether a bit per row and the others' bits are less than every row's. */
function isSparse(rows: number, others: number, spread: number): boolean {
  if (spread > SPREAD_MAX) return false;
  const bits = bitsOf(spread);
  return rows + others * bits + 16 < rows * bits;
}

function bitsOf(spread: number): number {
  return 32 - Math.clz32(spread);
}

function packedBytes(count: number, bits: number): number {
  return Math.ceil((count * bits) / 8);
}

function putByte(into: ByteCursor, value: number): void {
  into.bytes[into.at++] = value;
}

/** Seven bits a byte, low ones first; whole numbers up to 2^53. */
function putVarint(into: ByteCursor, value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    into.bytes[into.at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  into.bytes[into.at++] = rest;
}

function takeVarint(from: ByteCursor): number {
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = from.bytes[from.at++]!;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 0x80;
  }
}

/** Signed: 0, −1, 1, −2, … as 0, 1, 2, 3, … */
function putZigzag(into: ByteCursor, value: number): void {
  putVarint(into, value < 0 ? -2 * value - 1 : 2 * value);
}

function takeZigzag(from: ByteCursor): number {
  const value = takeVarint(from);
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}
