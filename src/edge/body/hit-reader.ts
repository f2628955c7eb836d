/**
 * The bodies of collection requests, read field by field where they lie.
 *
 * Data plane. `JSON.parse` makes a string of every text and an object of every shape; here texts
 * that come again are recalled by their bytes (`known-texts.ts`), all hits have one hidden class,
 * and unknown fields are passed over. The order of fields is guessed: after `ip` comes what came
 * after `ip` before. Whatever is not plainly a hit or a list of them (an error, an escaped name, a
 * number in an odd form, one more level of arrays) is left to `JSON.parse`, which says what it is:
 * this reader never refuses. `test/edge/body/hit-reader.test.ts` holds it against `JSON.parse`.
 */

import { isUtf8 } from 'node:buffer';
import type { RawHit } from '../../ingest/raw-hit.ts';
import { BATCH_ITEM_COUNT_MAX, HIT_READER_BYTES_MAX, JSON_DEPTH_MAX } from '../../model/limits.ts';
import { type BlankHit, blankHit, FIELDS, put } from './hit-fields.ts';
import { BOM_BYTES, BOM_FIRST, hasBom } from './json-text.ts';
import {
  BODY_AT,
  byteAt,
  bytesAt,
  endOfText,
  isNameAt,
  loadBody,
  parseOrNull,
  skipText,
  textAt,
  wordAt,
} from './known-texts.ts';

/** What `readHits` answers for a body that is left to `JSON.parse`. */
export const NOT_PLAIN = undefined;

const UNKNOWN = FIELDS.length;

/** Levels around what a field holds: the list and the hit. */
const OUTER_LEVELS = 2;

const QUOTE = 0x22;
const COMMA = 0x2c;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const LETTER_E = 0x65;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const FIRST_WIDE = 0x80;
/** Digits of a number that is read here: no more than fit a small integer. */
const DIGIT_COUNT_MAX = 9;
/** `true`, `null`, `fals` as words. */
const TRUE_WORD = 0x65757274;
const NULL_WORD = 0x6c6c756e;
const FALS_WORD = 0x736c6166;

// By field, and once more for the first: the field that came next.
const following = new Uint8Array(FIELDS.length + 2);
let place = 0;

/**
 * Reads a body.
 *
 * @param body copied at once.
 * @returns a hit, or a list of hits; `NOT_PLAIN` for anything else, errors included.
 */
export function readHits(body: Uint8Array): RawHit | RawHit[] | typeof NOT_PLAIN {
  if (body.length > HIT_READER_BYTES_MAX) return NOT_PLAIN;
  loadBody(body);
  place = BODY_AT;
  let first = nextByte();
  if (first === BOM_FIRST && hasBom(body)) {
    place += BOM_BYTES;
    first = nextByte();
  }
  let read: RawHit | RawHit[] | null = null;
  if (first === OPENING_BRACE) read = readHit();
  else if (first === OPENING_BRACKET) read = readList();
  if (read === null) return NOT_PLAIN;
  // Zeros follow a body: nothing but white space may come before them.
  return nextByte() === 0 && place === BODY_AT + body.length ? read : NOT_PLAIN;
}

/** The byte behind white space; `place` stands on it. */
function nextByte(): number {
  let byte = byteAt(place);
  while (byte === 0x20 || (byte <= 0x0d && (byte === 0x0a || byte === 0x0d || byte === 0x09))) {
    byte = byteAt(++place);
  }
  return byte;
}

function readList(): RawHit[] | null {
  const hits: RawHit[] = [];
  place++;
  if (nextByte() === CLOSING_BRACKET) {
    place++;
    return hits;
  }
  // A longer list is refused; here its empty objects would take more memory than elsewhere.
  while (hits.length < BATCH_ITEM_COUNT_MAX) {
    if (nextByte() !== OPENING_BRACE) return null;
    const hit = readHit();
    if (hit === null) return null;
    hits.push(hit);
    const byte = nextByte();
    place++;
    if (byte === CLOSING_BRACKET) return hits;
    if (byte !== COMMA) return null;
  }
  return null;
}

/** An object, from its brace on; null when it is not plain. */
function readHit(): RawHit | null {
  const hit = blankHit();
  place++;
  if (nextByte() === CLOSING_BRACE) {
    place++;
    return hit as RawHit;
  }
  let before = UNKNOWN + 1;
  for (;;) {
    if (nextByte() !== QUOTE) return null;
    place++;
    const field = readName(before);
    if (field < 0 || nextByte() !== COLON) return null;
    place++;
    const isRead = nextByte() === QUOTE ? readText(hit, field) : readOther(hit, field);
    if (!isRead) return null;
    const byte = nextByte();
    place++;
    if (byte === CLOSING_BRACE) return hit as RawHit;
    if (byte !== COMMA) return null;
    before = field;
  }
}

/** The field whose name stands here, `UNKNOWN` for none of ours; -1 when the name is not plain. */
function readName(before: number): number {
  const guess = following[before]!;
  if (isNameAt(guess, place)) {
    place = endOfText();
    return guess;
  }
  for (let field = 0; field < UNKNOWN; field++) {
    if (!isNameAt(field, place)) continue;
    following[before] = field;
    place = endOfText();
    return field;
  }
  // An escape may spell one of our names.
  if (!skipText(place)) return -1;
  place = endOfText();
  return UNKNOWN;
}

function readText(hit: BlankHit, field: number): boolean {
  const start = place + 1;
  if (field === UNKNOWN) {
    if (!skipText(start)) return false;
  } else {
    const text = textAt(field, start);
    if (text === null) return false;
    put(hit, field, text);
  }
  place = endOfText();
  return true;
}

/** Numbers, objects, `true`, `false`, `null`. */
function readOther(hit: BlankHit, field: number): boolean {
  const start = place;
  const byte = byteAt(start);
  let value: unknown;
  if (byte >= DIGIT_0 && byte <= DIGIT_9) value = readNumber();
  else if (byte === OPENING_BRACE) value = readObject();
  else {
    const word = wordAt(start);
    place += 4;
    if (word === TRUE_WORD) value = true;
    else if (word === NULL_WORD) value = null;
    else if (word === FALS_WORD && byteAt(start + 4) === LETTER_E) {
      place++;
      value = false;
    }
  }
  if (value === undefined) return false;
  if (field !== UNKNOWN) put(hit, field, value);
  return true;
}

/** Whole numbers are made here; whatever goes on after the digits is left to `JSON.parse`. */
function readNumber(): number | undefined {
  const start = place;
  let at = start;
  let value = 0;
  let byte = byteAt(at);
  while (byte >= DIGIT_0 && byte <= DIGIT_9) {
    value = value * 10 + byte - DIGIT_0;
    byte = byteAt(++at);
  }
  place = at;
  const digits = at - start;
  const hasZeroInFront = digits > 1 && byteAt(start) === DIGIT_0;
  return digits > DIGIT_COUNT_MAX || hasZeroInFront || goesOn(byte) ? undefined : value;
}

/** Tags and metadata: where the object ends is found here, what it holds by `JSON.parse`. */
function readObject(): unknown {
  const start = place;
  const end = objectEnd(start);
  if (end < 0) return undefined;
  place = end;
  const bytes = bytesAt(start, end);
  return isUtf8(bytes) ? (parseOrNull(bytes.toString('utf8')) ?? undefined) : undefined;
}

/** Where the object at a place ends; -1 when it does not, or is nested deeper than allowed. */
function objectEnd(start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; ; at++) {
    const byte = byteAt(at);
    // A body's end, or a byte that no object holds.
    if (byte === 0 || (byte >= FIRST_WIDE && !isInString)) return -1;
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      if (++depth > JSON_DEPTH_MAX - OUTER_LEVELS) return -1;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      if (--depth === 0) return at + 1;
    }
  }
}

/** A fraction or an exponent. */
function goesOn(byte: number): boolean {
  return byte === 0x2e || (byte | 0x20) === LETTER_E;
}
