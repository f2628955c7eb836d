/**
 * What page views were in: pages, hours and minutes of the clock, tag keys, and their span of time.
 *
 * Data plane; of a long session or of all sessions of a visitor, derived from the rows when it is first
 * needed and never on disk (see `shard/rollup/long-sessions.ts`). It answers in constant time what a
 * walk over the rows would. Pages are in open addressing by path, at most five eighths full.
 */

import { WordRoom } from './word-room.ts';

/** What of a page view was seen before. */
export const SEEN_PATH = 1;
export const SEEN_TITLED = 2;
export const SEEN_HOUR = 4;
export const SEEN_MINUTE = 8;
export const SEEN_ANY = 16;

/** A page view as it is looked for. */
export interface ViewPlace {
  readonly timeMs: number;
  readonly path: number;
  readonly title: number;
  /** Hour of the day and minute of the hour, UTC. */
  readonly hour: number;
  readonly minute: number;
}

/** Two words a slot: path + 1, 0 when free, and title. */
const WORDS_MIN = 64;
/** What the object takes beside its words, with its entry in a map. */
const OBJECT_BYTES = 200;
const LOAD_MAX = 0.625;
/** Minutes that fit one small integer of the engine. */
const HALF_HOUR = 30;

/** The page views that were added. */
export class SeenViews {
  firstMs = Number.POSITIVE_INFINITY;
  lastMs = Number.NEGATIVE_INFINITY;
  /** Ids; made with the first. */
  #tagKeys: Set<number> | null = null;
  // Sets as bits.
  #hours = 0;
  #minutes = 0;
  #laterMinutes = 0;
  readonly #room: WordRoom;
  // The slots are `#size` words of an array from `#base` on.
  #words: Uint32Array;
  #base: number;
  #size = WORDS_MIN;
  #pageCount = 0;
  /** Where the page that was looked for last stands, or would. */
  #at = 0;

  /** @param room of its slots: many are to share one. */
  constructor(room = new WordRoom()) {
    this.#room = room;
    const { words, at } = room.take(WORDS_MIN);
    this.#words = words;
    this.#base = at;
  }

  /** What of a page view the added ones have, as bits. @cost constant but for paths of many titles. */
  look({ path, title, hour, minute }: ViewPlace): number {
    let seen = this.#pageCount > 0 ? SEEN_ANY : 0;
    if (((this.#hours >>> hour) & 1) === 1) seen |= SEEN_HOUR;
    const minutes = minute < HALF_HOUR ? this.#minutes : this.#laterMinutes;
    if (((minutes >>> (minute % HALF_HOUR)) & 1) === 1) seen |= SEEN_MINUTE;
    const words = this.#words;
    const base = this.#base;
    const mask = this.#size - 1;
    let at = placeOf(path, mask);
    for (; words[base + at] !== 0; at = (at + 2) & mask) {
      if (words[base + at] !== path + 1) continue;
      seen |= SEEN_PATH;
      if (words[base + at + 1] !== title) continue;
      seen |= SEEN_TITLED;
      break;
    }
    this.#at = base + at;
    return seen;
  }

  /** Adds a page view. @returns what of it the others have, as `look` does. */
  add(view: ViewPlace): number {
    const seen = this.look(view);
    const { timeMs, minute } = view;
    if ((seen & SEEN_TITLED) === 0) this.#addPage(view.path, view.title);
    this.#hours |= 1 << view.hour;
    if (minute < HALF_HOUR) this.#minutes |= 1 << minute;
    else this.#laterMinutes |= 1 << (minute - HALF_HOUR);
    if (timeMs < this.firstMs) this.firstMs = timeMs;
    if (timeMs > this.lastMs) this.lastMs = timeMs;
    return seen;
  }

  /** Whether a view with a tag key was added. */
  hasTag(key: number): boolean {
    return this.#tagKeys?.has(key) === true;
  }

  /** Adds a tag key. @returns whether it is new. */
  addTag(key: number): boolean {
    if (this.hasTag(key)) return false;
    this.#tagKeys ??= new Set();
    this.#tagKeys.add(key);
    return true;
  }

  /** Forgets all of it. */
  clear(): void {
    this.firstMs = Number.POSITIVE_INFINITY;
    this.lastMs = Number.NEGATIVE_INFINITY;
    this.#tagKeys = null;
    this.#hours = 0;
    this.#minutes = 0;
    this.#laterMinutes = 0;
    this.#words.fill(0, this.#base, this.#base + this.#size);
    this.#pageCount = 0;
  }

  /** Gives its slots back to the room; nobody uses it any more. */
  release(): void {
    this.#room.give(this.#words, this.#base, this.#size);
  }

  /** Rough bytes held in memory. */
  get bytes(): number {
    return OBJECT_BYTES + this.#size * Uint32Array.BYTES_PER_ELEMENT;
  }

  #addPage(path: number, title: number): void {
    this.#words[this.#at] = path + 1;
    this.#words[this.#at + 1] = title;
    this.#pageCount++;
    if (this.#pageCount * 2 > this.#size * LOAD_MAX) this.#grow();
  }

  #grow(): void {
    const size = this.#size * 2;
    const mask = size - 1;
    const { words, at: base } = this.#room.take(size);
    const before = this.#words;
    const end = this.#base + this.#size;
    for (let from = this.#base; from < end; from += 2) {
      if (before[from] === 0) continue;
      let at = placeOf(before[from]! - 1, mask);
      while (words[base + at] !== 0) at = (at + 2) & mask;
      words[base + at] = before[from]!;
      words[base + at + 1] = before[from + 1]!;
    }
    this.release();
    this.#words = words;
    this.#base = base;
    this.#size = size;
  }
}

/** Ids are small and dense; the upper bits of the product are the ones that are spread. */
function placeOf(path: number, mask: number): number {
  return ((Math.imul(path, 0x9e3779b1) >>> 16) << 1) & mask;
}
