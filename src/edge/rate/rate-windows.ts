/**
 * Sliding windows of a minute for all edges of a node: who has sent how much, in shared memory (M-90).
 *
 * Control plane, asked once per request of an endpoint with a limit. Exact: a window keeps the time
 * of each request that it let in, as many as the largest limit. Edges ask it where they are, so that
 * no request waits for another thread; a lock keeps them apart for a microsecond.
 *
 *   head │ buckets: first slot by hash │ slots: key 16 B, neighbours, count, latest time, times
 *
 * At most `RATE_WINDOW_COUNT_MAX` windows: the one that was not used for longest gives its slot away.
 * A key is 128 bits of SHA-256, so nobody finds two names of one window. Memory that no window has
 * used is never touched, and so not taken from the machine.
 */
import { assert } from '../../base/assert.ts';
import { sha256 } from '../../base/hash.ts';
import { MINUTE_MS, RATE_REQUEST_COUNT_MAX, RATE_WINDOW_COUNT_MAX } from '../../model/limits.ts';

/** How long a request counts. */
export const RATE_WINDOW_MS = MINUTE_MS;

/** How a window stands after a request. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** When the oldest request leaves the window: milliseconds since the epoch. */
  readonly resetMs: number;
  /** Too many: the request does not count and must change nothing. */
  readonly isRefused: boolean;
  /** The time it counts under, for `giveBack`. */
  readonly atMs: number;
}

// Words of the head.
const LOCK = 0;
const USED = 1;
const NEWEST = 2;
const OLDEST = 3;
const SLOT_COUNT = 4;
const BUCKET_COUNT = 5;
const HEAD_WORDS = 6;

// Words of a slot. Slots are numbered from 1: 0 is none.
const KEY = 0;
const KEY_WORDS = 4;
const NEXT = 4;
const NEWER = 5;
const OLDER = 6;
const COUNT = 7;
/** Two words: a float64. */
const LATEST = 8;
const TIMES = 10;
const SLOT_WORDS = TIMES + RATE_REQUEST_COUNT_MAX;

const BYTES_PER_WORD = 4;
/** How long a thread sleeps at most before it tries the lock again. */
const LOCK_WAIT_MS = 1;

/** One thread's view of the windows; pass `memory` to a thread and open it there again. */
export class RateWindows {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #floats: Float64Array;
  readonly #slotMax: number;
  readonly #buckets: number;
  readonly #slots: number;

  constructor(memory: SharedArrayBuffer) {
    assert(SLOT_WORDS % 2 === 0, 'times of windows lie where a float64 may');
    this.memory = memory;
    this.#words = new Int32Array(memory);
    this.#floats = new Float64Array(memory);
    this.#slotMax = this.#words[SLOT_COUNT] as number;
    this.#buckets = this.#words[BUCKET_COUNT] as number;
    this.#slots = HEAD_WORDS + this.#buckets;
  }

  /** Nobody has sent anything. @param windows most that are kept. */
  static create(windows: number = RATE_WINDOW_COUNT_MAX): RateWindows {
    // A power of two: the low bits of a key say its bucket.
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, windows)));
    const size = HEAD_WORDS + buckets + windows * SLOT_WORDS;
    const memory = new SharedArrayBuffer(size * BYTES_PER_WORD);
    const head = new Int32Array(memory, 0, HEAD_WORDS);
    head[SLOT_COUNT] = windows;
    head[BUCKET_COUNT] = buckets;
    return new RateWindows(memory);
  }

  /**
   * Counts a request if there is room for it.
   *
   * @param name whose window, and of which kind.
   * @param limit requests of a minute, at most `RATE_REQUEST_COUNT_MAX`.
   */
  take(name: string, limit: number, nowMs: number): RateState {
    assert(limit > 0 && limit <= RATE_REQUEST_COUNT_MAX, 'a window has room for its limit');
    return this.#locked(name, (slot) => this.#takeAt(slot, limit, nowMs));
  }

  /** Takes back what was counted under a time: it did not happen after all. */
  giveBack(name: string, atMs: number): void {
    this.#locked(name, (slot) => {
      const words = this.#words;
      const count = words[slot + COUNT] as number;
      const times = slot + TIMES;
      const at = words.subarray(times, times + count).lastIndexOf(toWord(atMs));
      if (at === -1) return;
      words.copyWithin(times + at, times + at + 1, times + count);
      words[slot + COUNT] = count - 1;
    });
  }

  #takeAt(slot: number, limit: number, nowMs: number): RateState {
    const words = this.#words;
    const times = slot + TIMES;
    const latest = (slot + LATEST) >>> 1;
    const latestMs = this.#floats[latest] as number;
    // Threads read the clock one after the other; one that was set back begins anew.
    const atMs = latestMs - nowMs > RATE_WINDOW_MS ? nowMs : Math.max(nowMs, latestMs);
    const isStale = Math.abs(atMs - latestMs) >= RATE_WINDOW_MS;
    let count = isStale ? 0 : (words[slot + COUNT] as number);
    let gone = 0;
    while (gone < count && ageOf(words[times + gone] as number, atMs) >= RATE_WINDOW_MS) gone++;
    if (gone > 0) words.copyWithin(times, times + gone, times + count);
    count -= gone;
    const isRefused = count >= limit;
    if (!isRefused) words[times + count++] = toWord(atMs);
    words[slot + COUNT] = count;
    this.#floats[latest] = atMs;
    // What has to leave the window until one more fits; a window that shrank waits for more.
    const next = words[times + Math.max(0, count - limit)] as number;
    const resetMs = atMs - ageOf(next, atMs) + RATE_WINDOW_MS;
    return { limit, remaining: Math.max(0, limit - count), resetMs, isRefused, atMs };
  }

  #locked<Found>(name: string, work: (slot: number) => Found): Found {
    const key = new Int32Array(Uint8Array.from(sha256(name)).buffer, 0, KEY_WORDS);
    const words = this.#words;
    while (Atomics.compareExchange(words, LOCK, 0, 1) !== 0) {
      Atomics.wait(words, LOCK, 1, LOCK_WAIT_MS);
    }
    try {
      return work(this.#wordOf(this.#slotOf(key)));
    } finally {
      Atomics.store(words, LOCK, 0);
      Atomics.notify(words, LOCK, 1);
    }
  }

  /** The slot of a window; it is the newest one from then on. */
  #slotOf(key: Int32Array): number {
    const words = this.#words;
    const bucket = HEAD_WORDS + ((key[0] as number) & (this.#buckets - 1));
    let slot = words[bucket] as number;
    while (slot !== 0 && !this.#hasKey(slot, key)) slot = this.#at(slot, NEXT);
    if (slot !== 0) {
      this.#unlink(slot);
    } else {
      slot = this.#freeSlot();
      const first = this.#wordOf(slot);
      words.set(key, first + KEY);
      words[first + COUNT] = 0;
      this.#floats[(first + LATEST) >>> 1] = 0;
      words[first + NEXT] = words[bucket] as number;
      words[bucket] = slot;
    }
    this.#linkNewest(slot);
    return slot;
  }

  #freeSlot(): number {
    const words = this.#words;
    const used = words[USED] as number;
    if (used < this.#slotMax) {
      words[USED] = used + 1;
      return used + 1;
    }
    const oldest = words[OLDEST] as number;
    this.#unlink(oldest);
    // Out of its bucket as well.
    let place = HEAD_WORDS + (this.#at(oldest, KEY) & (this.#buckets - 1));
    while (words[place] !== oldest) place = this.#wordOf(words[place] as number) + NEXT;
    words[place] = this.#at(oldest, NEXT);
    return oldest;
  }

  #unlink(slot: number): void {
    const newer = this.#at(slot, NEWER);
    const older = this.#at(slot, OLDER);
    this.#words[newer === 0 ? NEWEST : this.#wordOf(newer) + OLDER] = older;
    this.#words[older === 0 ? OLDEST : this.#wordOf(older) + NEWER] = newer;
  }

  #linkNewest(slot: number): void {
    const words = this.#words;
    const second = words[NEWEST] as number;
    words[this.#wordOf(slot) + NEWER] = 0;
    words[this.#wordOf(slot) + OLDER] = second;
    words[second === 0 ? OLDEST : this.#wordOf(second) + NEWER] = slot;
    words[NEWEST] = slot;
  }

  #hasKey(slot: number, key: Int32Array): boolean {
    const first = this.#wordOf(slot) + KEY;
    for (let word = 0; word < KEY_WORDS; word++) {
      if (this.#words[first + word] !== key[word]) return false;
    }
    return true;
  }

  #at(slot: number, word: number): number {
    return this.#words[this.#wordOf(slot) + word] as number;
  }

  /** Where a slot begins. */
  #wordOf(slot: number): number {
    return this.#slots + (slot - 1) * SLOT_WORDS;
  }
}

/** Milliseconds as a window keeps them: 49 days come round, and a window is a minute long. */
function toWord(ms: number): number {
  return ms | 0;
}

/** Milliseconds from a kept time until `nowMs`, which is later. */
function ageOf(word: number, nowMs: number): number {
  return (toWord(nowMs) - word) >>> 0;
}
