/**
 * What was dropped of a domain since its last save, by UTC day, reason and program (A-8, P-31).
 *
 * Data plane, an increment per drop of a record. Counted where the record is applied, and added to the
 * stored sums by the checkpoint that saves its rows (`drop-store.ts`): as exact over replays as those.
 */

import { LEDGER_BOT_COUNT_MAX } from '../../model/limits.ts';

/** Dropped items of one day. */
export interface DropSum {
  /** Index in `DROP_REASONS`. */
  readonly reason: number;
  readonly bot: string;
  count: number;
}

/** Whose items are counted together once a day has as many names as are kept. */
export const OTHER_BOTS = '(other)';

/** The sums of one day; bounded, for a name that comes once too many is another one. */
export class DaySums {
  readonly #sums = new Map<string, DropSum>();
  readonly #bots = new Set<string>();

  /** The sum that items count in. */
  of(reason: number, name: string): DropSum {
    const isKnown = name === '' || this.#bots.has(name);
    const bot = isKnown || this.#bots.size < LEDGER_BOT_COUNT_MAX ? name : OTHER_BOTS;
    const key = `${reason} ${bot}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { reason, bot, count: 0 };
      this.#sums.set(key, sum);
      if (bot !== '') this.#bots.add(bot);
    }
    return sum;
  }

  values(): Iterable<DropSum> {
    return this.#sums.values();
  }
}

/** The unsaved drops of one domain. */
export class DropCounts {
  readonly #days = new Map<number, DaySums>();
  // Where the item before was counted: neighbours are nearly always alike.
  #day = -1;
  #name = '';
  #last: DropSum | null = null;

  /** Whether there is something to store. */
  get isUnsaved(): boolean {
    return this.#days.size > 0;
  }

  /** By UTC day. */
  get days(): ReadonlyMap<number, DaySums> {
    return this.#days;
  }

  /** @cost three comparisons while items are like the one before. */
  add(reason: number, day: number, bot: string, count: number): void {
    let sum = this.#last;
    if (sum === null || sum.reason !== reason || day !== this.#day || bot !== this.#name) {
      sum = this.#sumsOf(day).of(reason, bot);
      this.#day = day;
      this.#name = bot;
      this.#last = sum;
    }
    sum.count += count;
  }

  /** What is counted is stored. */
  markSaved(): void {
    this.#days.clear();
    this.#last = null;
  }

  #sumsOf(day: number): DaySums {
    let sums = this.#days.get(day);
    if (sums === undefined) {
      sums = new DaySums();
      this.#days.set(day, sums);
    }
    return sums;
  }
}
