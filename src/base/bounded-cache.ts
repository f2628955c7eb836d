/**
 * A map that forgets: remembers at least the newest half of its bound, never more than the bound.
 *
 * Data plane. Two generations: entries are written to the current one; when that is full it becomes
 * the previous one and the older half is dropped whole. A hit in the previous generation is carried
 * over, so what is in use stays. No list to relink per read, no eviction loop: a read of a warm
 * entry is one map lookup, which is what a least-recently-used list cannot give.
 */

import { assert } from './assert.ts';

/** A bounded map; `undefined` is not a value it can hold. */
export class BoundedCache<Key, Value> {
  // Maps of objects: keys are texts from outside and cannot be numbered before they are looked up.
  #current = new Map<Key, Value>();
  #previous = new Map<Key, Value>();
  readonly #generationMax: number;
  // The entry asked for last: the hits of a visit come in a row, and comparing two texts costs a
  // tenth of hashing one.
  #lastKey: Key | undefined = undefined;
  #lastValue: Value | undefined = undefined;

  /** @param entryCountMax bound of both generations together; at least 2. */
  constructor(entryCountMax: number) {
    assert(entryCountMax >= 2, 'a cache has room for two generations');
    this.#generationMax = entryCountMax >> 1;
  }

  /** Entries held now. */
  get entryCount(): number {
    return this.#current.size + this.#previous.size;
  }

  /**
   * What is remembered for the key, `undefined` if nothing is.
   *
   * @cost one map lookup when warm; two and a write when the entry is carried over.
   */
  get(key: Key): Value | undefined {
    if (key === this.#lastKey) return this.#lastValue;
    const value = this.#current.get(key);
    if (value !== undefined) {
      this.#lastKey = key;
      this.#lastValue = value;
      return value;
    }
    const carried = this.#previous.get(key);
    if (carried === undefined) return undefined;
    this.#previous.delete(key);
    this.set(key, carried);
    return carried;
  }

  /** Forgets everything. @param visit is given each value once. */
  clear(visit: (value: Value) => void): void {
    for (const value of this.#current.values()) visit(value);
    for (const value of this.#previous.values()) visit(value);
    this.#current = new Map();
    this.#previous = new Map();
    this.#lastKey = undefined;
    this.#lastValue = undefined;
  }

  /** Remembers the value; may forget the older half of everything. */
  set(key: Key, value: Value): void {
    if (this.#current.size >= this.#generationMax && !this.#current.has(key)) {
      this.#previous = this.#current;
      this.#current = new Map();
    }
    this.#current.set(key, value);
    this.#lastKey = key;
    this.#lastValue = value;
  }
}
