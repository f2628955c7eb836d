/**
 * What a domain used since its last save, by UTC day (S-99), and when its first row is (M-17).
 *
 * Data plane, an increment per hit. Counts are made beside the rows and never taken back, so that a
 * deletion of statistics does not reach them; a checkpoint adds them to the stored sums in the same
 * transaction that saves the rows (`usage-store.ts`). So they are exact for the same reason as the rows:
 * what a replay applies again was not added.
 */

import { DAY_MS } from '../../model/limits.ts';

/** What is counted of a day: rows of page views, rows of events, keep-alives that extended a session. */
export interface DayUsage {
  views: number;
  events: number;
  keepAlives: number;
  /** Page views that were written by an event that opened a session (I-50). */
  openings: number;
}

/** First row of a domain without rows. */
export const NO_ROW = Number.POSITIVE_INFINITY;
/** A deletion may have taken the first row: the next one has to be looked for. */
export const ROW_UNKNOWN = Number.NEGATIVE_INFINITY;

/** The unsaved counts of one domain. */
export class UsageCounts {
  /** By UTC day, since the last save. */
  readonly days = new Map<number, DayUsage>();
  #firstRowMs: number;
  /** What is stored of the first row; undefined: nothing. */
  #storedFirstRowMs: number | undefined;
  #day = -1;
  #current: DayUsage = { views: 0, events: 0, keepAlives: 0, openings: 0 };

  /** @param storedFirstRowMs undefined: nothing was ever stored of the domain's use. */
  constructor(storedFirstRowMs: number | undefined) {
    this.#storedFirstRowMs = storedFirstRowMs;
    this.#firstRowMs = storedFirstRowMs ?? NO_ROW;
  }

  /** Instant of the first row, `NO_ROW` or `ROW_UNKNOWN`. */
  get firstRowMs(): number {
    return this.#firstRowMs;
  }

  /** Whether there is something to store that no record of the log would bring back. */
  get isUnsaved(): boolean {
    return this.days.size > 0 || this.#firstRowMs !== this.#storedFirstRowMs;
  }

  countView(timeMs: number): void {
    this.of(Math.floor(timeMs / DAY_MS)).views++;
    if (timeMs < this.#firstRowMs) this.#firstRowMs = timeMs;
  }

  countEvent(timeMs: number): void {
    this.of(Math.floor(timeMs / DAY_MS)).events++;
    if (timeMs < this.#firstRowMs) this.#firstRowMs = timeMs;
  }

  /** An event that opens a session is a page view, too (I-50). */
  countOpeningEvent(timeMs: number): void {
    this.countView(timeMs);
    this.countEvent(timeMs);
    this.of(Math.floor(timeMs / DAY_MS)).openings++;
  }

  countKeepAlive(timeMs: number): void {
    this.of(Math.floor(timeMs / DAY_MS)).keepAlives++;
  }

  /** The counts of a day. @cost a comparison while the day is that of the hit before. */
  of(day: number): DayUsage {
    if (day === this.#day) return this.#current;
    let counts = this.days.get(day);
    if (counts === undefined) {
      counts = { views: 0, events: 0, keepAlives: 0, openings: 0 };
      this.days.set(day, counts);
    }
    this.#day = day;
    this.#current = counts;
    return counts;
  }

  /** A deletion has taken rows. */
  forgetFirstRow(): void {
    this.#firstRowMs = ROW_UNKNOWN;
  }

  /** The first row was looked for. @param firstRowMs of all that is there. */
  setFirstRow(firstRowMs: number): void {
    this.#firstRowMs = firstRowMs;
  }

  /** What is counted is stored. */
  markSaved(): void {
    this.days.clear();
    this.#day = -1;
    this.#storedFirstRowMs = this.#firstRowMs;
  }
}
