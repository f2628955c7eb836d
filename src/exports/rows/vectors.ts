/**
 * Rows of a table of an export in columns, as they come out of a segment: a few thousand at a time.
 *
 * Data plane. Vectors may be longer than their batch, and stand until the next one is made: the arrays
 * are the same ones again and again (`Room`).
 */

import type { TextBytes } from '../../segment/memory/text-bytes.ts';

/** Texts by their ids; the list stands as long as the segment that it is of. */
export interface TextVector {
  readonly kind: 'texts';
  readonly ids: Uint32Array;
  readonly texts: TextBytes;
}

/** Whole numbers: counts, instants in milliseconds, UTC days since 1970, 0 or 1. */
export interface NumberVector {
  readonly kind: 'numbers';
  readonly values: Uint32Array | Float64Array;
}

/** Unsigned numbers of 64 bits. */
export interface IdVector {
  readonly kind: 'ids';
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

export type Vector = TextVector | NumberVector | IdVector;

/** Rows of one table: a vector for each of its columns, in their order. */
export interface Batch {
  readonly rows: number;
  readonly vectors: readonly Vector[];
}

/** A column of numbers. */
export function numbers(values: Uint32Array | Float64Array): NumberVector {
  return { kind: 'numbers', values };
}

/** A column of texts. */
export function textsBy(ids: Uint32Array, texts: TextBytes): TextVector {
  return { kind: 'texts', ids, texts };
}

/** Arrays by name that are used again and again. What is in one stands until it is asked for again. */
export class Room {
  readonly #words = new Map<string, Uint32Array>();
  readonly #doubles = new Map<string, Float64Array>();

  /** At least so many places, with whatever was in them. */
  words(name: string, length: number): Uint32Array {
    const known = this.#words.get(name);
    if (known !== undefined && known.length >= length) return known;
    const made = new Uint32Array(roomy(length));
    this.#words.set(name, made);
    return made;
  }

  /** The same for what may be above 2^32. */
  doubles(name: string, length: number): Float64Array {
    const known = this.#doubles.get(name);
    if (known !== undefined && known.length >= length) return known;
    const made = new Float64Array(roomy(length));
    this.#doubles.set(name, made);
    return made;
  }
}

const ROOM_MIN = 4_096;

/** The next power of two: days differ a little in their rows. */
function roomy(length: number): number {
  return Math.max(ROOM_MIN, 2 ** Math.ceil(Math.log2(length)));
}

/** Texts as they come, each once. */
export class TextList {
  readonly texts: string[] = [''];
  readonly #ids = new Map([['', 0]]);

  idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.texts.length;
    this.texts.push(text);
    this.#ids.set(text, id);
    return id;
  }
}
