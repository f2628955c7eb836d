/**
 * Texts by their bytes: what was read before is not decoded, hashed or allocated again.
 *
 * Data plane. The long texts of a hit (user agent, client hints, languages) come again and again.
 * They are looked up as they stand in the body, quotes and escapes included, some bytes at a time;
 * the string that is found brings its hash along, so that caches further on find it faster. What
 * the field held last is tried first. A slot counts when its bytes are the same; a set of two slots
 * bounds every search: no input makes it slow, none makes it grow.
 *
 *     slots   one per field: its name   │ one per field: its last text │ sets of two, by hash
 *     slot    hash i32 │ length i32 │ the text as sent, with the quote that ends it
 */

import { isUtf8 } from 'node:buffer';
import { HIT_READER_BYTES_MAX } from '../../model/limits.ts';
import { FIELDS } from './hit-fields.ts';

/** Hash and length stand with the bytes, so that a look-up touches few lines of the cache. */
const SLOT_BYTES = 256;
const LENGTH_AT = 4;
const TEXT_AT = 8;
/** A text that is longer with its closing quote is decoded each time. */
const TEXT_BYTES_MAX = SLOT_BYTES - TEXT_AT;
/** Sets of two slots: half a megabyte, small enough to stay near the processor. */
const SET_COUNT = 1_024;

/** Words of four equal bytes, for looking at four bytes at once. */
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const SPACES = 0x20202020;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const FIRST_WIDE = 0x80;
/** 2^32 by the golden ratio: spreads neighbouring words over all bits. */
const SPREAD = 0x9e3779b1 | 0;

/** Zeros behind a body: whoever reads some bytes at once never leaves the memory. */
const PADDING_BYTES = 32;

const SLOT_COUNT = FIELDS.length * 2 + SET_COUNT * 2;
/** Where the body stands: behind the slots. */
export const BODY_AT = SLOT_COUNT * SLOT_BYTES;

// One memory per thread, for reading is synchronous and never nested: the compiler then knows where
// it lies. The kernel gives it page by page, as it is used.
const MEMORY_BYTES = BODY_AT + HIT_READER_BYTES_MAX + PADDING_BYTES;
const memory = new DataView(new ArrayBuffer(MEMORY_BYTES));
const bytes = Buffer.from(memory.buffer);
/** Of every Buffer, but not in its types. */
const slices = bytes as unknown as Readonly<
  Record<'latin1Slice' | 'utf8Slice', (start: number, end: number) => string>
>;
const texts = new Array<string>(SLOT_COUNT).fill('');
/** By field: the slot of its last text. */
const lastSlots = new Uint32Array(FIELDS.length);
let turn = 0;
// What the scan found: kept here, so that it returns without an object.
let textEnd = 0;
let textHash = 0;
let isEscaped = false;
let isWide = false;

for (const [field, { name }] of FIELDS.entries()) {
  fillSlot(field, name);
  fillSlot(FIELDS.length + field, '');
  lastSlots[field] = FIELDS.length + field;
}

/** Puts a body of at most HIT_READER_BYTES_MAX where it is read, from `BODY_AT` on, zeros behind. */
export function loadBody(body: Uint8Array): void {
  bytes.set(body, BODY_AT);
  const end = BODY_AT + body.length;
  for (let at = end; at < end + PADDING_BYTES; at += 8) memory.setFloat64(at, 0);
}

/** The byte at a place. */
export function byteAt(at: number): number {
  return memory.getUint8(at);
}

/** Four bytes at a place, little-endian. */
export function wordAt(at: number): number {
  return memory.getInt32(at, true);
}

/** Bytes of the body, valid until the next one. */
export function bytesAt(start: number, end: number): Buffer {
  return bytes.subarray(start, end);
}

/** Where the text that was read last ends: behind its closing quote. */
export function endOfText(): number {
  return textEnd;
}

/** Whether a field's name and its closing quote begin at a place. */
export function isNameAt(field: number, at: number): boolean {
  return isSlotAt(field, at);
}

/**
 * The text of a field, from behind its opening quote.
 *
 * @returns null when it is no text of JSON.
 * @cost known texts: a few steps per four bytes, no allocation.
 */
export function textAt(field: number, at: number): string | null {
  const last = lastSlots[field]!;
  return isSlotAt(last, at) ? texts[last]! : findText(field, at);
}

/**
 * Passes over a text from behind its opening quote.
 *
 * @returns false when it ends nowhere, or only decoding could say whether it is one.
 */
export function skipText(at: number): boolean {
  return scan(at) && !isEscaped && !isWide;
}

function findText(field: number, at: number): string | null {
  if (!scan(at)) return null;
  if (textEnd - at > TEXT_BYTES_MAX) return decode(at);
  let slot = FIELDS.length + field;
  if (FIELDS[field]!.recurs) {
    slot = (FIELDS.length + (textHash & (SET_COUNT - 1))) * 2;
    if (!isKnown(slot, at)) slot++;
    if (isKnown(slot, at)) {
      lastSlots[field] = slot;
      return texts[slot]!;
    }
    // Of the set of two, one after the other is given up.
    turn ^= 1;
    slot -= turn;
  }
  const text = decode(at);
  if (text === null) return null;
  keep(slot, text, at);
  lastSlots[field] = slot;
  return text;
}

function isKnown(slot: number, at: number): boolean {
  const end = textEnd;
  const start = slot * SLOT_BYTES;
  if (memory.getInt32(start, true) !== textHash) return false;
  if (memory.getInt32(start + LENGTH_AT, true) !== end - at) return false;
  return isSlotAt(slot, at);
}

/**
 * Whether a slot's bytes stand at a place; then `textEnd` is behind them. The slot is not empty. Its
 * bytes hold no zero, so where a body ends there is a difference.
 */
function isSlotAt(slot: number, at: number): boolean {
  const length = memory.getInt32(slot * SLOT_BYTES + LENGTH_AT, true);
  let own = slot * SLOT_BYTES + TEXT_AT;
  let there = at;
  const end = own + length;
  for (; own + 16 <= end; own += 16, there += 16) {
    const differs =
      (memory.getInt32(own, true) ^ memory.getInt32(there, true)) |
      (memory.getInt32(own + 4, true) ^ memory.getInt32(there + 4, true)) |
      (memory.getInt32(own + 8, true) ^ memory.getInt32(there + 8, true)) |
      (memory.getInt32(own + 12, true) ^ memory.getInt32(there + 12, true));
    if (differs !== 0) return false;
  }
  for (; own + 4 <= end; own += 4, there += 4) {
    if (memory.getInt32(own, true) !== memory.getInt32(there, true)) return false;
  }
  const mask = (1 << ((end - own) << 3)) - 1;
  if (((memory.getInt32(own, true) ^ memory.getInt32(there, true)) & mask) !== 0) return false;
  textEnd = at + length;
  return true;
}

function keep(slot: number, text: string, at: number): void {
  const length = textEnd - at;
  const start = slot * SLOT_BYTES;
  memory.setInt32(start, textHash, true);
  memory.setInt32(start + LENGTH_AT, length, true);
  // What follows in the last word does not matter: the length says how far it is compared.
  for (let index = 0; index < length; index += 4) {
    memory.setInt32(start + TEXT_AT + index, memory.getInt32(at + index, true), true);
  }
  texts[slot] = text;
}

/**
 * Looks for the end of a text and hashes its bytes.
 *
 * Eight bytes at once where nothing is to be found, else four.
 *
 * @returns false at a control character, which no text of JSON may hold.
 */
function scan(start: number): boolean {
  let at = start;
  let hash = 0;
  isEscaped = false;
  isWide = false;
  for (;;) {
    const word = memory.getInt32(at, true);
    const next = memory.getInt32(at + 4, true);
    const found = marks(word);
    if (found === 0) {
      const isPlain = marks(next) === 0;
      hash = mixed(hash, word);
      if (isPlain) hash = mixed(hash, next);
      at += isPlain ? 8 : 4;
      continue;
    }
    const bits = (31 - Math.clz32(found & -found)) & ~7;
    at += bits >>> 3;
    const part = word & ((1 << bits) - 1);
    const byte = memory.getUint8(at++);
    hash = mixed(hash, part ^ (byte << 24));
    if (byte === QUOTE) break;
    if (byte < SPACE) return false;
    if (byte >= FIRST_WIDE) isWide = true;
    else if (byte === BACKSLASH) {
      isEscaped = true;
      hash ^= memory.getUint8(at++);
    }
  }
  textEnd = at;
  textHash = hash ^ (hash >>> 15);
  return true;
}

/** @returns null when the bytes are no UTF-8 or an escape is none. */
function decode(at: number): string | null {
  const end = textEnd - 1;
  if (isWide && !isUtf8(bytes.subarray(at, end))) return null;
  if (!isEscaped) return stringAt(at, end);
  return parseOrNull(stringAt(at - 1, end + 1)) as string | null;
}

/** Of the text that was scanned last. What `toString` asks first costs a tenth of reading a hit. */
function stringAt(start: number, end: number): string {
  return isWide ? slices.utf8Slice(start, end) : slices.latin1Slice(start, end);
}

/** Puts an ASCII text into a slot. */
function fillSlot(slot: number, text: string): void {
  const start = slot * SLOT_BYTES;
  const sent = `${text}"`;
  for (let index = 0; index < sent.length; index++) {
    memory.setUint8(start + TEXT_AT + index, sent.charCodeAt(index));
  }
  memory.setInt32(start + LENGTH_AT, sent.length, true);
  texts[slot] = text;
}

/**
 * Of four bytes, the lowest high bit that is set marks the first one that is a quote, a backslash,
 * below a space or beyond ASCII; bits above it may be set by a borrow.
 */
function marks(word: number): number {
  return (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | (word - SPACES)) & HIGH_BITS;
}

function mixed(hash: number, word: number): number {
  return Math.imul(((hash << 5) | (hash >>> 27)) ^ word, SPREAD);
}

/** A value of JSON; null when it is none, and for `null`. Reached for texts that are new. */
export function parseOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
