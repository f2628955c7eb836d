/**
 * Working arrays of one query, reused from segment to segment.
 *
 * Data plane. A query visits dozens of segments of about one size; taking fresh arrays for each costs
 * more than the scan. An array belongs to whoever took its slot until the slot is taken again.
 */

import type { Budget } from '../question/budget.ts';

/** When rows by value are made use of: not at all, once they pay, or whenever they can be. */
export type IndexUse = 'never' | 'kept' | 'always';

let queryCount = 0;

/** Arrays by slot name; garbage with the query that made it. */
export class Scratch {
  /** Looked at whenever a segment is begun; null: unbounded. */
  readonly budget: Budget | null;
  readonly indexes: IndexUse;
  /** Tells the queries of a thread apart. */
  readonly serial: number;
  // A handful of names, looked up a few times per segment, never per row.
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #words = new Map<string, Uint32Array>();

  constructor(budget: Budget | null = null, indexes: IndexUse = 'never') {
    this.budget = budget;
    this.indexes = indexes;
    queryCount++;
    this.serial = queryCount;
  }

  /** `length` bytes, all 0. */
  bytes(slot: string, length: number): Uint8Array {
    return this.rawBytes(slot, length).fill(0);
  }

  /** `length` bytes with whatever the last owner left in them. */
  rawBytes(slot: string, length: number): Uint8Array {
    const held = this.#bytes.get(slot);
    if (held !== undefined && held.length >= length) return held.subarray(0, length);
    const bytes = new Uint8Array(roomFor(length));
    this.#bytes.set(slot, bytes);
    return bytes.subarray(0, length);
  }

  /** `length` words, all 0. */
  words(slot: string, length: number): Uint32Array {
    return this.rawWords(slot, length).fill(0);
  }

  /** `length` words with whatever the last owner left in them. */
  rawWords(slot: string, length: number): Uint32Array {
    const held = this.#words.get(slot);
    if (held !== undefined && held.length >= length) return held.subarray(0, length);
    const words = new Uint32Array(roomFor(length));
    this.#words.set(slot, words);
    return words.subarray(0, length);
  }
}

/** An eighth more than asked for, so that segments of nearly one size share an array. */
function roomFor(length: number): number {
  return length + (length >>> 3) + 16;
}
