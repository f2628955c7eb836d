/**
 * The keys of the days (P-22) in memory that all threads of a node share: one place, so that a key
 * that is overwritten there is gone for all of them.
 *
 * Both planes. The main thread alone writes (`runtime/visitor-keys/`); edges read when they derive
 * the key of a domain and a day, which they then remember, so no hit looks here. A version around
 * each write, odd while it lasts, keeps a reader from taking half a key.
 *
 *     version │ today │ day of place 0 … 15 │ key of place 0 … 15
 */

import { assert } from '../../base/assert.ts';
import { errors } from '../../model/errors.ts';
import { dayKeyPlace } from '../../model/key-days.ts';
import { DAY_KEY_BYTES, DAY_KEY_PLACE_COUNT, DAY_KEY_REST_DAYS } from '../../model/limits.ts';

const VERSION = 0;
const TODAY = 1;
const FIRST_DAY = 2;
const WORDS = FIRST_DAY + DAY_KEY_PLACE_COUNT;
const NO_DAY = -(2 ** 31);

/** Where the key of a day is read. */
export interface DayKeys {
  /**
   * Reads the key that ids of a day are made with: that of the day, or today's where the day's is
   * over.
   *
   * @param dayIndex days since the epoch.
   * @param out gets it: `DAY_KEY_BYTES`.
   * @throws DAY_KEY_MISSING
   */
  read(dayIndex: number, out: Uint8Array): void;
}

/** The keys of a node. */
export class SharedDayKeys implements DayKeys {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #keys: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, WORDS);
    this.#keys = new Uint8Array(memory, WORDS * 4, DAY_KEY_PLACE_COUNT * DAY_KEY_BYTES);
  }

  /** Makes new memory, without a key. */
  static create(): SharedDayKeys {
    const bytes = WORDS * 4 + DAY_KEY_PLACE_COUNT * DAY_KEY_BYTES;
    const keys = new SharedDayKeys(new SharedArrayBuffer(bytes));
    keys.#words.fill(NO_DAY, TODAY);
    return keys;
  }

  get today(): number {
    return Atomics.load(this.#words, TODAY);
  }

  set today(dayIndex: number) {
    Atomics.store(this.#words, TODAY, dayIndex);
  }

  read(dayIndex: number, out: Uint8Array): void {
    const { today } = this;
    if (this.#copy(dayIndex, out)) return;
    const isOver = dayIndex < today - DAY_KEY_REST_DAYS;
    if (isOver && this.#copy(today, out)) return;
    throw errors.DAY_KEY_MISSING({});
  }

  /** Puts a day's key, in place of whichever stands there. */
  put(dayIndex: number, key: Uint8Array): void {
    assert(key.length === DAY_KEY_BYTES, 'the key of a day has its length');
    const place = dayKeyPlace(dayIndex);
    this.#write(place, dayIndex, () => this.#keys.set(key, place * DAY_KEY_BYTES));
  }

  /** Overwrites the key of a day; of another day that stands in its place nothing. */
  erase(dayIndex: number): void {
    const place = dayKeyPlace(dayIndex);
    if (this.#words[FIRST_DAY + place] === dayIndex) this.#clear(place);
  }

  /** Overwrites all. */
  eraseAll(): void {
    for (let place = 0; place < DAY_KEY_PLACE_COUNT; place++) this.#clear(place);
  }

  #clear(place: number): void {
    const start = place * DAY_KEY_BYTES;
    this.#write(place, NO_DAY, () => this.#keys.fill(0, start, start + DAY_KEY_BYTES));
  }

  #write(place: number, dayIndex: number, writeKey: () => void): void {
    Atomics.add(this.#words, VERSION, 1);
    writeKey();
    Atomics.store(this.#words, FIRST_DAY + place, dayIndex);
    Atomics.add(this.#words, VERSION, 1);
  }

  /** @returns false: there is none of that day. */
  #copy(dayIndex: number, out: Uint8Array): boolean {
    const place = dayKeyPlace(dayIndex);
    const start = place * DAY_KEY_BYTES;
    for (;;) {
      const version = Atomics.load(this.#words, VERSION);
      const isThere = Atomics.load(this.#words, FIRST_DAY + place) === dayIndex;
      if (isThere) out.set(this.#keys.subarray(start, start + DAY_KEY_BYTES));
      // A write takes a microsecond, once a day.
      const isWhole = version % 2 === 0 && Atomics.load(this.#words, VERSION) === version;
      if (isWhole) return isThere;
    }
  }
}
