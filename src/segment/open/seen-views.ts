/**
 * What page views were in: pages, hours and minutes of the clock, tag keys, and their span of time.
 *
 * Data plane; of a long session or of all sessions of a visitor, derived from the rows when it is first
 * needed and never on disk (see `shard/rollup/long-sessions.ts`). It answers in constant time what a
 * walk over the rows would. Pages are in open addressing by path, at most five eighths full.
 */

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

const SLOTS_MIN = 32;
/** What the objects take beside the slots, with their entry in a map. */
const OBJECT_BYTES = 350;
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
  // Two words a slot: path + 1, 0 when free, and title.
  #pages = new Uint32Array(SLOTS_MIN * 2);
  #pageCount = 0;
  /** Where the page that was looked for last stands, or would. */
  #at = 0;

  /** What of a page view the added ones have, as bits. @cost constant but for paths of many titles. */
  look({ path, title, hour, minute }: ViewPlace): number {
    let seen = this.#pageCount > 0 ? SEEN_ANY : 0;
    if (((this.#hours >>> hour) & 1) === 1) seen |= SEEN_HOUR;
    const minutes = minute < HALF_HOUR ? this.#minutes : this.#laterMinutes;
    if (((minutes >>> (minute % HALF_HOUR)) & 1) === 1) seen |= SEEN_MINUTE;
    const pages = this.#pages;
    const mask = pages.length - 1;
    let at = placeOf(path, mask);
    for (; pages[at] !== 0; at = (at + 2) & mask) {
      if (pages[at] !== path + 1) continue;
      seen |= SEEN_PATH;
      if (pages[at + 1] !== title) continue;
      seen |= SEEN_TITLED;
      break;
    }
    this.#at = at;
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
    this.#pages.fill(0);
    this.#pageCount = 0;
  }

  /** Rough bytes held in memory. */
  get bytes(): number {
    return OBJECT_BYTES + this.#pages.byteLength;
  }

  #addPage(path: number, title: number): void {
    this.#pages[this.#at] = path + 1;
    this.#pages[this.#at + 1] = title;
    this.#pageCount++;
    if (this.#pageCount * 2 > this.#pages.length * LOAD_MAX) this.#grow();
  }

  #grow(): void {
    const before = this.#pages;
    const pages = new Uint32Array(before.length * 2);
    const mask = pages.length - 1;
    for (let from = 0; from < before.length; from += 2) {
      if (before[from] === 0) continue;
      let at = placeOf(before[from]! - 1, mask);
      while (pages[at] !== 0) at = (at + 2) & mask;
      pages[at] = before[from]!;
      pages[at + 1] = before[from + 1]!;
    }
    this.#pages = pages;
  }
}

/** Ids are small and dense; the upper bits of the product are the ones that are spread. */
function placeOf(path: number, mask: number): number {
  return ((Math.imul(path, 0x9e3779b1) >>> 16) << 1) & mask;
}
