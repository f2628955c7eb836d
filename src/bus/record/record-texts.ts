/**
 * The texts of one record while it is made: numbered, as UTF-8 words side by side.
 *
 * Data plane. A text that is a new string each time, such as a page's path, is looked up by its bytes:
 * the engine would hash it anew, which costs more than to write it down and compare words.
 */

import {
  encodeText,
  hashOfWords,
  PROBE_COUNT_MAX,
  textWordsMax,
  withRoom,
  wordsOf,
} from './utf8-words.ts';

const COUNT_MIN = 64;
/** Slots that are kept for the next record; more are given back. */
const SLOTS_KEPT_MAX = 32_768;

/** Texts by number, from 1; the empty one is number 0, counts, and is not written. */
export class RecordTexts {
  count = 1;
  /** By number − 1: length in bytes, with `IS_WIDE`. */
  lengths = new Uint32Array(COUNT_MIN);
  words = new Uint32Array(COUNT_MIN * 8);
  wordCount = 0;
  /** By number − 1: the first word. */
  #starts = new Uint32Array(COUNT_MIN);
  // Number by hash, open addressing; 0 is an empty slot.
  #slots = new Uint32Array(COUNT_MIN * 2);

  /** Number of a text that is not empty, added unless it was looked up before. */
  numberOf(text: string): number {
    const length = this.#write(text);
    const at = this.wordCount;
    const end = at + wordsOf(length);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOfWords(this.words, at, end) & mask;
    for (let probe = 0; probe < PROBE_COUNT_MAX; probe++) {
      const number = slots[slot]!;
      if (number === 0) {
        slots[slot] = this.count;
        break;
      }
      if (this.lengths[number - 1] === length && this.#isSame(number, at, end)) return number;
      slot = (slot + 1) & mask;
    }
    return this.#take(length);
  }

  /** Adds a text that is not empty. @returns its number. */
  add(text: string): number {
    return this.#take(this.#write(text));
  }

  /** Starts over for the next record. */
  clear(): void {
    this.count = 1;
    this.wordCount = 0;
    if (this.#slots.length > SLOTS_KEPT_MAX) this.#slots = new Uint32Array(COUNT_MIN * 2);
    else this.#slots.fill(0);
  }

  /** Writes a text behind the others, where it stays if it is taken. @returns its length. */
  #write(text: string): number {
    this.words = withRoom(this.words, this.wordCount, textWordsMax(text));
    return encodeText(text, this.words, this.wordCount);
  }

  #take(length: number): number {
    const number = this.count;
    this.count = number + 1;
    this.lengths = withRoom(this.lengths, number - 1, 1);
    this.#starts = withRoom(this.#starts, number - 1, 1);
    this.lengths[number - 1] = length;
    this.#starts[number - 1] = this.wordCount;
    this.wordCount += wordsOf(length);
    if (number * 2 > this.#slots.length) this.#grow();
    return number;
  }

  #isSame(number: number, at: number, end: number): boolean {
    const { words } = this;
    let own = this.#starts[number - 1]!;
    for (let index = at; index < end; index++) if (words[own++] !== words[index]) return false;
    return true;
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 1; number < this.count; number++) {
      const start = this.#starts[number - 1]!;
      const end = start + wordsOf(this.lengths[number - 1]!);
      let slot = hashOfWords(this.words, start, end) & mask;
      for (let probe = 0; probe < PROBE_COUNT_MAX && slots[slot] !== 0; probe++) {
        slot = (slot + 1) & mask;
      }
      if (slots[slot] === 0) slots[slot] = number;
    }
    this.#slots = slots;
  }
}
