/**
 * Room for many small arrays of words: parts of a few large ones, which the collector need not visit.
 *
 * Data plane. An array of its own is three objects for the engine and a call of the allocator; a site
 * has one for each of its long sessions.
 */

/** Words of the first array; the next ones are as long as all before, up to a bound. */
const CHUNK_WORDS_MIN = 64;
const CHUNK_WORDS_MAX = 1 << 16;

/** A part of an array. */
export interface WordRange {
  readonly words: Uint32Array;
  /** Where it begins. */
  readonly at: number;
}

/** Hands out parts of a power of two words. */
export class WordRoom {
  /** The array that is cut, and how far it is. */
  #chunk = new Uint32Array(0);
  #used = 0;
  #total = 0;
  /** Parts that were given back, by the logarithm of their size. */
  readonly #free: WordRange[][] = [];

  /** A part of `size` words, all 0. @param size a power of two. */
  take(size: number): WordRange {
    const free = this.#free[Math.log2(size)]?.pop();
    if (free !== undefined) {
      free.words.fill(0, free.at, free.at + size);
      return free;
    }
    if (this.#used + size > this.#chunk.length) this.#cutNew(size);
    const at = this.#used;
    this.#used += size;
    return { words: this.#chunk, at };
  }

  /** Takes a part back: it is handed out again. */
  give(words: Uint32Array, at: number, size: number): void {
    const order = Math.log2(size);
    const free = this.#free[order] ?? [];
    free.push({ words, at });
    this.#free[order] = free;
  }

  #cutNew(size: number): void {
    const least = Math.min(Math.max(this.#total, CHUNK_WORDS_MIN), CHUNK_WORDS_MAX);
    this.#chunk = new Uint32Array(Math.max(least, size));
    this.#total += this.#chunk.length;
    this.#used = 0;
  }
}
