/**
 * Pairs seen in the last hour, each with the latest time it was seen: how many of them, by their
 * first side, lie in the last n seconds.
 *
 * Data plane. A pair is a node: found by a hash over both sides, linked into the bucket of its
 * latest time, 1,024 ms wide. A window keeps a count per first side and the instant where it begins;
 * as that moves on, only the pairs that fall out are visited. So a hit costs two look-ups and a
 * question nothing, however many pairs there are.
 *
 *     ring:   | bucket b | b + 1 | …  | b + 4095 |   69 minutes; what is older than 61 is let go,
 *                  └▶ node ─▶ node ─▶ …              at the latest when its slot is needed again
 *     window: counts[first] = pairs whose time ≥ startMs
 *
 * Times are never ahead of the clock: whoever fills this sees to it (`active-watch.ts`).
 */

import { assert } from '../../base/assert.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/limits.ts';

const BUCKET_MS = 1_024;
/** Buckets of the ring, a power of two: more than is kept. */
const BUCKET_COUNT = 4_096;
const BUCKET_MASK = BUCKET_COUNT - 1;
/** Pairs older than this are let go; more than an hour, for clocks that step back a little. */
const KEPT_MS = HOUR_MS + MINUTE_MS;
const NODES_MIN = 64;
/** Windows kept beside each other; the one asked for longest ago makes room. */
const WINDOW_COUNT_MAX = 4;
const NO_NODE = 0;

/** The pairs of the last `seconds`. */
interface Window {
  seconds: number;
  /** First instant of the window when it was last asked for. */
  startMs: number;
  /** Pairs in the window by first side. */
  counts: Uint32Array<ArrayBuffer>;
  /** Turn in which it was last asked for. */
  turn: number;
}

/** Pairs of unsigned 32-bit numbers with the latest time of each. */
export class RecentPairs {
  /** Nodes in use. */
  count = 0;
  // Node 0 is no node. A free node's `next` leads to the next free one.
  #first = new Uint32Array(NODES_MIN);
  #second = new Uint32Array(NODES_MIN);
  #timeMs = new Float64Array(NODES_MIN);
  #next = new Uint32Array(NODES_MIN);
  #previous = new Uint32Array(NODES_MIN);
  #free = NO_NODE;
  #used = 1;
  /** Node in a slot of the hash, `NO_NODE` when free; at most half full. */
  #slots = new Uint32Array(NODES_MIN * 2);
  readonly #heads = new Uint32Array(BUCKET_COUNT);
  /** Number of the bucket that a slot of the ring holds. */
  readonly #buckets = new Uint32Array(BUCKET_COUNT);
  /** Buckets before this one are emptied and take nothing more. */
  #sweptBucket = 0;
  #firstMax = 0;
  #windows: Window[] = [];
  #turn = 0;

  /** Bytes of the arrays. */
  get bytes(): number {
    const perNode = this.#first.length * 24 + this.#slots.length * 4;
    const perWindow = this.#windows.reduce((sum, { counts }) => sum + counts.byteLength, 0);
    return perNode + perWindow + BUCKET_COUNT * 8;
  }

  /**
   * Notes that a pair was seen.
   *
   * @param first small and dense: windows count by it.
   * @param timeMs not ahead of the clock; older than what is known of the pair changes nothing.
   * @cost constant.
   */
  note(first: number, second: number, timeMs: number): void {
    const bucket = Math.floor(timeMs / BUCKET_MS);
    const ring = bucket & BUCKET_MASK;
    const held = this.#buckets[ring]!;
    // Swept, or the slot has gone on to a newer bucket: this is more than an hour old.
    if (bucket < this.#sweptBucket || held > bucket) return;
    if (held < bucket) {
      this.#empty(ring);
      this.#buckets[ring] = bucket;
    }
    const slot = this.#slotOf(first, second);
    let node = this.#slots[slot]!;
    if (node === NO_NODE) {
      node = this.#add(slot, first, second, timeMs);
      this.#link(node, ring);
      return;
    }
    const beforeMs = this.#timeMs[node]!;
    if (timeMs <= beforeMs) return;
    this.#timeMs[node] = timeMs;
    for (let index = 0; index < this.#windows.length; index++) {
      const window = this.#windows[index]!;
      if (beforeMs < window.startMs && timeMs >= window.startMs) count(window, first, 1);
    }
    const before = Math.floor(beforeMs / BUCKET_MS) & BUCKET_MASK;
    if (before === ring) return;
    this.#unlink(node, before);
    this.#link(node, ring);
  }

  /**
   * Pairs by first side whose latest time lies in the last `seconds` before `nowMs`, edges included.
   *
   * @param nowMs the clock; no pair is ahead of it.
   * @returns one count per first side up to the largest; valid until the next call of any method.
   * @cost the pairs that fell out since the same seconds were asked for; the first time and after
   *   a clock that went back, all pairs of the window.
   */
  countsOf(seconds: number, nowMs: number): Uint32Array {
    assert(seconds * SECOND_MS <= KEPT_MS, 'the window is not longer than what is kept');
    const startMs = nowMs - seconds * SECOND_MS;
    this.#sweep(Math.floor((nowMs - KEPT_MS) / BUCKET_MS));
    this.#turn++;
    let window = this.#windows.find((known) => known.seconds === seconds);
    if (window !== undefined && startMs < window.startMs) {
      this.#windows = this.#windows.filter((known) => known !== window);
      window = undefined;
    }
    if (window === undefined) window = this.#openWindow(seconds, startMs);
    else this.#moveStart(window, startMs);
    window.turn = this.#turn;
    if (window.counts.length <= this.#firstMax) grow(window, this.#firstMax);
    return window.counts.subarray(0, this.#firstMax + 1);
  }

  #openWindow(seconds: number, startMs: number): Window {
    const counts = new Uint32Array(this.#firstMax + 1);
    const window = { seconds, startMs, counts, turn: 0 };
    const firstBucket = Math.floor(startMs / BUCKET_MS);
    for (let ring = 0; ring < BUCKET_COUNT; ring++) {
      if (this.#buckets[ring]! < firstBucket) continue;
      for (let node = this.#heads[ring]!; node !== NO_NODE; node = this.#next[node]!) {
        if (this.#timeMs[node]! >= startMs) counts[this.#first[node]!]!++;
      }
    }
    if (this.#windows.length === WINDOW_COUNT_MAX) {
      const oldest = this.#windows.reduce((left, right) => (left.turn < right.turn ? left : right));
      this.#windows = this.#windows.filter((known) => known !== oldest);
    }
    this.#windows.push(window);
    return window;
  }

  /** Takes the pairs out that a window has left behind. */
  #moveStart(window: Window, startMs: number): void {
    const { startMs: beforeMs, counts } = window;
    const first = Math.floor(beforeMs / BUCKET_MS);
    const last = Math.floor(startMs / BUCKET_MS);
    // Buckets that left the ring were taken out when they were emptied.
    const end = Math.min(last - first, BUCKET_MASK);
    for (let offset = 0; offset <= end; offset++) {
      const ring = (first + offset) & BUCKET_MASK;
      if (this.#buckets[ring]! < first || this.#buckets[ring]! > last) continue;
      for (let node = this.#heads[ring]!; node !== NO_NODE; node = this.#next[node]!) {
        const timeMs = this.#timeMs[node]!;
        if (timeMs >= beforeMs && timeMs < startMs) counts[this.#first[node]!]!--;
      }
    }
    window.startMs = startMs;
  }

  /** Slot of a pair in the hash, or the free one where it belongs. */
  #slotOf(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash(first, second) & mask;
    for (;;) {
      const node = slots[slot]!;
      if (node === NO_NODE) return slot;
      if (this.#first[node] === first && this.#second[node] === second) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #add(slot: number, first: number, second: number, timeMs: number): number {
    let node = this.#free;
    if (node !== NO_NODE) this.#free = this.#next[node]!;
    else node = this.#used++;
    this.#slots[slot] = node;
    this.#first[node] = first;
    this.#second[node] = second;
    this.#timeMs[node] = timeMs;
    if (first > this.#firstMax) this.#firstMax = first;
    for (let index = 0; index < this.#windows.length; index++) {
      const window = this.#windows[index]!;
      if (timeMs >= window.startMs) count(window, first, 1);
    }
    this.count++;
    if (this.#used === this.#first.length) this.#growNodes();
    return node;
  }

  #link(node: number, ring: number): void {
    const head = this.#heads[ring]!;
    this.#next[node] = head;
    this.#previous[node] = NO_NODE;
    if (head !== NO_NODE) this.#previous[head] = node;
    this.#heads[ring] = node;
  }

  #unlink(node: number, ring: number): void {
    const next = this.#next[node]!;
    const previous = this.#previous[node]!;
    if (previous === NO_NODE) this.#heads[ring] = next;
    else this.#next[previous] = next;
    if (next !== NO_NODE) this.#previous[next] = previous;
  }

  /** Empties the buckets before `end`: else a burst would be held until its slot is needed again. */
  #sweep(end: number): void {
    const first = Math.max(this.#sweptBucket, end - BUCKET_COUNT);
    for (let bucket = first; bucket < end; bucket++) {
      if (this.#buckets[bucket & BUCKET_MASK]! < end) this.#empty(bucket & BUCKET_MASK);
    }
    this.#sweptBucket = Math.max(this.#sweptBucket, end);
  }

  /** Forgets the pairs of a slot of the ring: they are older than any window. */
  #empty(ring: number): void {
    let node = this.#heads[ring]!;
    this.#heads[ring] = NO_NODE;
    while (node !== NO_NODE) {
      const next = this.#next[node]!;
      for (let index = 0; index < this.#windows.length; index++) {
        const window = this.#windows[index]!;
        if (this.#timeMs[node]! >= window.startMs) count(window, this.#first[node]!, -1);
      }
      this.#removeSlot(this.#slotOf(this.#first[node]!, this.#second[node]!));
      this.#next[node] = this.#free;
      this.#free = node;
      this.count--;
      node = next;
    }
  }

  /** Frees a slot of the hash; what was pushed behind it by probing moves up. */
  #removeSlot(removed: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = removed;
    for (let slot = (hole + 1) & mask; slots[slot] !== NO_NODE; slot = (slot + 1) & mask) {
      const node = slots[slot]!;
      const home = hash(this.#first[node]!, this.#second[node]!) & mask;
      // It stays when its home lies behind the hole on the way to where it is.
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = node;
      hole = slot;
    }
    slots[hole] = NO_NODE;
  }

  #growNodes(): void {
    const length = this.#first.length * 2;
    this.#first = copyOf(this.#first, length);
    this.#second = copyOf(this.#second, length);
    this.#next = copyOf(this.#next, length);
    this.#previous = copyOf(this.#previous, length);
    const times = new Float64Array(length);
    times.set(this.#timeMs);
    this.#timeMs = times;
    const held = this.#slots;
    this.#slots = new Uint32Array(length * 2);
    for (let slot = 0; slot < held.length; slot++) {
      const node = held[slot]!;
      if (node === NO_NODE) continue;
      this.#slots[this.#slotOf(this.#first[node]!, this.#second[node]!)] = node;
    }
  }
}

function count(window: Window, first: number, by: number): void {
  if (first >= window.counts.length) grow(window, first);
  window.counts[first] = window.counts[first]! + by;
}

function grow(window: Window, first: number): void {
  window.counts = copyOf(window.counts, Math.max(first + 1, window.counts.length * 2));
}

function copyOf(words: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(words);
  return copy;
}

/** As in `pair-index.ts`: two odd multipliers and a fold spread small numbers over the low bits. */
function hash(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 0x7f4a7c15, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
