/**
 * The texts of the records that an actor reads, each with one number and one string for all records.
 *
 * Data plane. Hundreds of records a second carry the same few thousand texts. They are found by
 * their bytes, so a text that was seen before makes no string, and whoever remembers something of
 * it does so by its number. Full, the table forgets everything at once between two records.
 */

import { hashOfWords, IS_WIDE, PROBE_COUNT_MAX, withRoom, wordsOf } from './utf8-words.ts';

/** Texts and words beyond which the table starts over. */
const COUNT_MAX = 65_536;
const WORDS_MAX = 1_024 * 1_024;
const COUNT_FIRST = 1_024;
const WORDS_FIRST = 8 * COUNT_FIRST;

/** Texts by number. One per reading thread. */
export class TextTable {
  /** Moves when all numbers lose their meaning. */
  epoch = 1;
  /** The strings, by number. */
  texts: string[] = [''];
  // Number by hash, open addressing; 0 is an empty slot, for the empty text is never looked up.
  #slots = new Uint32Array(COUNT_FIRST * 2);
  // By number.
  #hashes = new Uint32Array(COUNT_FIRST);
  #starts = new Uint32Array(COUNT_FIRST);
  #lengths = new Uint32Array(COUNT_FIRST);
  #words = new Uint32Array(WORDS_FIRST);
  #wordCount = 0;

  /** Makes room before the texts of a record are looked up; may begin a new epoch. */
  prepare(texts: number, words: number): void {
    const isFull = this.texts.length + texts > COUNT_MAX || this.#wordCount + words > WORDS_MAX;
    if (isFull && this.texts.length > 1) this.#clear();
    this.#words = withRoom(this.#words, this.#wordCount, words);
    const count = this.texts.length + texts;
    if (count > this.#hashes.length) this.#grow(count);
  }

  /**
   * Number of a text, added if new.
   *
   * @param words of a record, the text's from `at` on; `length` in bytes, with `IS_WIDE`.
   * @cost a step per word; a string is made of a new text only.
   */
  numberOf(words: Uint32Array<ArrayBuffer>, at: number, length: number): number {
    const end = at + wordsOf(length);
    const hash = hashOfWords(words, at, end);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let probe = 0; probe < PROBE_COUNT_MAX; probe++) {
      const number = slots[slot]!;
      if (number === 0) {
        slots[slot] = this.texts.length;
        break;
      }
      const isLike = this.#hashes[number] === hash && this.#lengths[number] === length;
      if (isLike && this.#isSame(number, words, at, end)) return number;
      slot = (slot + 1) & mask;
    }
    return this.#add(words, at, length, hash);
  }

  #isSame(number: number, words: Uint32Array, at: number, end: number): boolean {
    const own = this.#words;
    let mine = this.#starts[number]!;
    for (let index = at; index < end; index++) if (own[mine++] !== words[index]) return false;
    return true;
  }

  #add(words: Uint32Array<ArrayBuffer>, at: number, length: number, hash: number): number {
    const number = this.texts.length;
    const count = wordsOf(length);
    const start = this.#wordCount;
    for (let index = 0; index < count; index++) this.#words[start + index] = words[at + index]!;
    this.#wordCount = start + count;
    this.#starts[number] = start;
    this.#lengths[number] = length;
    this.#hashes[number] = hash;
    const bytes = Buffer.from(words.buffer, words.byteOffset + at * 4, (length & ~IS_WIDE) >>> 0);
    this.texts.push(bytes.toString(length >= IS_WIDE ? 'utf8' : 'latin1'));
    return number;
  }

  #clear(): void {
    this.epoch++;
    this.texts = [''];
    this.#slots = new Uint32Array(COUNT_FIRST * 2);
    this.#hashes = new Uint32Array(COUNT_FIRST);
    this.#starts = new Uint32Array(COUNT_FIRST);
    this.#lengths = new Uint32Array(COUNT_FIRST);
    this.#words = new Uint32Array(WORDS_FIRST);
    this.#wordCount = 0;
  }

  #grow(count: number): void {
    let capacity = this.#hashes.length;
    while (capacity < count) capacity *= 2;
    this.#hashes = withRoom(this.#hashes, this.texts.length, capacity - this.texts.length);
    this.#starts = withRoom(this.#starts, this.texts.length, capacity - this.texts.length);
    this.#lengths = withRoom(this.#lengths, this.texts.length, capacity - this.texts.length);
    this.#slots = new Uint32Array(capacity * 2);
    for (let number = 1; number < this.texts.length; number++) this.#seat(number);
  }

  #seat(number: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = this.#hashes[number]! & mask;
    for (let probe = 0; probe < PROBE_COUNT_MAX; probe++) {
      if (slots[slot] === 0) {
        slots[slot] = number;
        return;
      }
      slot = (slot + 1) & mask;
    }
  }
}
