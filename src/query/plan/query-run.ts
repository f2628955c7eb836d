/**
 * One query while it runs: its budget, which indexes it may use, its working arrays, and what was
 * decided segment by segment.
 *
 * Data plane. A query visits dozens of segments of about one size, and fresh arrays for each cost more
 * than the pass over the rows. So the executor that fills an array declares it once, beside its
 * functions; the array itself is the run's and garbage with it. An array stands until its executor
 * takes it again.
 *
 *     const ROWS = new WorkingWords();            …            const rows = ROWS.raw(run, count);
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { Budget } from '../question/budget.ts';
import type { IndexUse } from './planner.ts';

let runCount = 0;
let byteArrayCount = 0;
let wordArrayCount = 0;

/** One query on its way over the segments. */
export class QueryRun {
  /** Looked at whenever a segment is begun; null: unbounded. */
  readonly budget: Budget | null;
  readonly indexes: IndexUse;
  /** Tells the queries of a thread apart. */
  readonly serial = ++runCount;
  /** What was decided of each segment; null unless somebody wants to know. */
  readonly decisions: Map<Segment, Set<string>> | null;
  /** By the number of the working array that they belong to. */
  readonly bytes: Uint8Array[] = [];
  readonly words: Uint32Array[] = [];

  constructor(budget: Budget | null = null, indexes: IndexUse = 'never', notes = false) {
    this.budget = budget;
    this.indexes = indexes;
    this.decisions = notes ? new Map() : null;
  }

  /**
   * Notes what the planner decided for a segment, if it is to be told.
   *
   * @returns the choice.
   * @cost a comparison per segment and decision.
   */
  decided<Choice extends string>(segment: Segment, step: string, choice: Choice): Choice {
    if (this.decisions !== null) {
      const known = this.decisions.get(segment) ?? new Set();
      this.decisions.set(segment, known.add(`${step}: ${choice}`));
    }
    return choice;
  }
}

/** Bytes that one executor fills, an array per query. */
export class WorkingBytes {
  readonly #number = byteArrayCount++;

  /** `length` bytes, all 0. */
  zeroed({ bytes }: QueryRun, length: number): Uint8Array {
    const known = bytes[this.#number];
    if (known !== undefined && known.length >= length) return known.subarray(0, length).fill(0);
    const made = new Uint8Array(roomFor(length));
    bytes[this.#number] = made;
    return made.subarray(0, length);
  }
}

/** Words of 32 bits that one executor fills, an array per query. */
export class WorkingWords {
  readonly #number = wordArrayCount++;

  /** `length` words, all 0. */
  zeroed(run: QueryRun, length: number): Uint32Array {
    return this.raw(run, length).fill(0);
  }

  /** `length` words with whatever the last use left in them. */
  raw({ words }: QueryRun, length: number): Uint32Array {
    const known = words[this.#number];
    if (known !== undefined && known.length >= length) return known.subarray(0, length);
    const made = new Uint32Array(roomFor(length));
    words[this.#number] = made;
    return made.subarray(0, length);
  }
}

/** An eighth more than asked for, so that segments of nearly one size share an array. */
function roomFor(length: number): number {
  return length + (length >>> 3) + 16;
}
