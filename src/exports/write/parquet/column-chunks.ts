/**
 * Columns of a group of rows while they are gathered, and their pages.
 *
 * Data plane. The columns of a segment are numbers of texts already, so a column of texts is gathered by
 * giving each text of a segment its number in the group once. Measured: `bench/README.md`.
 *
 *     segment's ids ─▶ ids of the group ─▶ page of packed bits      few different texts
 *                                     └──▶ page of texts, one a row  nearly all of them different
 */

import type { TextBytes } from '../../../segment/memory/text-bytes.ts';
import type { TextVector } from '../../rows/vectors.ts';
import { bitWidthOf, packedPage } from './bit-packing.ts';
import { TextPage } from './text-page.ts';

/** Encodings of Parquet by their numbers. */
export const ENCODING = { plain: 0, rle: 3, dictionary: 8 } as const;

/** What is written of a column: its dictionary and its values. */
export interface ColumnPages {
  readonly dictionary: { readonly bytes: Uint8Array; readonly values: number } | null;
  readonly values: Uint8Array;
}

/** A column of the group at hand. */
export interface ColumnChunk<Value> {
  /** Adds the values of a batch; there is room for them. */
  add(vector: Value, first: number, count: number): void;
  /** The pages of what was added; empty afterwards. */
  take(): ColumnPages;
}

/** Of so many rows: below it a dictionary is always worth its place. */
const SMALL_DICTIONARY = 256;

/** Texts. */
export class TextChunk implements ColumnChunk<Omit<TextVector, 'kind'>> {
  readonly #numbers: Uint32Array;
  readonly #page = new TextPage();
  #count = 0;
  /** Numbers plus one by id, of the list of texts that was last added from. */
  #known = new Uint32Array(0);
  #knownOf: TextBytes | null = null;
  /** Whether there are only texts of this list in the group: no list has a text twice. */
  #isAlone = true;

  constructor(rowsMax: number) {
    this.#numbers = new Uint32Array(rowsMax);
  }

  add({ ids, texts }: Omit<TextVector, 'kind'>, first: number, count: number): void {
    const page = this.#page;
    if (texts !== this.#knownOf) {
      const length = texts.ends.length;
      if (this.#known.length < length) this.#known = new Uint32Array(length * 2);
      else this.#known.fill(0);
      this.#knownOf = texts;
      this.#isAlone = page.count === 0;
    }
    const isAlone = this.#isAlone;
    const known = this.#known;
    const numbers = this.#numbers;
    let at = this.#count;
    for (let row = first; row < first + count; row++) {
      const id = ids[row]!;
      let number = known[id]!;
      if (number === 0) {
        number = 1 + (isAlone ? page.add(texts, id) : page.find(texts, id));
        known[id] = number;
      }
      numbers[at++] = number - 1;
    }
    this.#count = at;
  }

  take(): ColumnPages {
    const page = this.#page;
    const count = this.#count;
    const isWorthIt = page.count <= SMALL_DICTIONARY || page.count * 2 <= count;
    const pages = isWorthIt
      ? {
          dictionary: { bytes: page.bytes, values: page.count },
          values: packedPage(this.#numbers, count, bitWidthOf(page.count)),
        }
      : { dictionary: null, values: page.inOrder(this.#numbers.subarray(0, count)) };
    page.clear();
    this.#count = 0;
    this.#knownOf = null;
    return pages;
  }
}

/** Whole numbers of 32 or 64 bits. */
export class NumberChunk implements ColumnChunk<{ readonly values: ArrayLike<number> }> {
  /** The low words, or low and high in turns. */
  readonly #words: Uint32Array;
  readonly #isWide: boolean;
  #count = 0;

  constructor(rowsMax: number, isWide: boolean) {
    this.#isWide = isWide;
    this.#words = new Uint32Array(isWide ? rowsMax * 2 : rowsMax);
  }

  add({ values }: { readonly values: ArrayLike<number> }, first: number, count: number): void {
    const words = this.#words;
    let at = this.#count;
    if (this.#isWide) {
      for (let row = first; row < first + count; row++) {
        const value = values[row]!;
        const high = Math.floor(value / WORD);
        words[at++] = value - high * WORD;
        words[at++] = high;
      }
    } else {
      for (let row = first; row < first + count; row++) words[at++] = values[row]!;
    }
    this.#count = at;
  }

  take(): ColumnPages {
    const pages = { dictionary: null, values: bytesOf(this.#words, this.#count) };
    this.#count = 0;
    return pages;
  }
}

const WORD = 2 ** 32;

/** Unsigned numbers of 64 bits in two halves. */
export class IdChunk
  implements ColumnChunk<{ readonly low: ArrayLike<number>; readonly high: ArrayLike<number> }>
{
  readonly #words: Uint32Array;
  #count = 0;

  constructor(rowsMax: number) {
    this.#words = new Uint32Array(rowsMax * 2);
  }

  add(
    { low, high }: { readonly low: ArrayLike<number>; readonly high: ArrayLike<number> },
    first: number,
    count: number,
  ): void {
    for (let row = first; row < first + count; row++) {
      this.#words[this.#count++] = low[row]!;
      this.#words[this.#count++] = high[row]!;
    }
  }

  take(): ColumnPages {
    const pages = { dictionary: null, values: bytesOf(this.#words, this.#count) };
    this.#count = 0;
    return pages;
  }
}

/** True and false, eight to a byte. */
export class FlagChunk implements ColumnChunk<{ readonly values: ArrayLike<number> }> {
  readonly #bits: Uint8Array;
  #count = 0;

  constructor(rowsMax: number) {
    this.#bits = new Uint8Array(Math.ceil(rowsMax / 8));
  }

  add({ values }: { readonly values: ArrayLike<number> }, first: number, count: number): void {
    for (let row = first; row < first + count; row++) {
      if (values[row] === 1) this.#bits[this.#count >>> 3]! |= 1 << (this.#count & 7);
      this.#count++;
    }
  }

  take(): ColumnPages {
    const values = this.#bits.slice(0, Math.ceil(this.#count / 8));
    this.#bits.fill(0);
    this.#count = 0;
    return { dictionary: null, values };
  }
}

/** The first words of an array, which stand until it is written to again. */
function bytesOf(words: Uint32Array, count: number): Uint8Array {
  return new Uint8Array(words.buffer, 0, count * words.BYTES_PER_ELEMENT);
}
