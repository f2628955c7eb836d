/**
 * What threads count with: counters, gauges, histograms and timers over cells of their own.
 *
 * Data plane. A write is an add to a typed array at an offset that is fixed when the table is loaded: no
 * lock, no atomic instruction, nothing allocated. Who is to read the cells, and when, says `table.ts`.
 */

import { BUCKET_COUNT, bucketOf } from './buckets.ts';

/** Where a metric lies among the cells of a thread. */
export interface Place {
  /** Its first cell. */
  readonly first: number;
  /** Values of the second label, 1 without one. */
  readonly width: number;
}

/** Counts what happens. */
export class Counter {
  readonly #cells: Float64Array;
  readonly #first: number;
  readonly #width: number;

  constructor(cells: Float64Array, { first, width }: Place) {
    this.#cells = cells;
    this.#first = first;
    this.#width = width;
  }

  /** @param label index of the first label's value, `second` of the second's. */
  add(count: number, label = 0, second = 0): void {
    this.#cells[this.#first + label * this.#width + second]! += count;
  }
}

/** Holds what is now. */
export class Gauge {
  readonly #cells: Float64Array;
  readonly #first: number;

  constructor(cells: Float64Array, { first }: Place) {
    this.#cells = cells;
    this.#first = first;
  }

  /** @param label index of the label's value. */
  set(value: number, label = 0): void {
    this.#cells[this.#first + label] = value;
  }
}

/** Cells of one histogram: its buckets, and behind them the sum of all amounts. */
export const HISTOGRAM_CELL_COUNT = BUCKET_COUNT + 1;

/** Counts amounts by size, and adds them up. */
export class Histogram {
  readonly #cells: Float64Array;
  readonly #first: number;

  constructor(cells: Float64Array, { first }: Place) {
    this.#cells = cells;
    this.#first = first;
  }

  /** @param label index of the label's value. */
  record(amount: number, label = 0): void {
    const cells = this.#cells;
    const first = this.#first + label * HISTOGRAM_CELL_COUNT;
    cells[first + bucketOf(amount)]! += 1;
    cells[first + BUCKET_COUNT]! += amount;
  }
}

/** What a timer counts in. */
export const TIMER_UNITS_PER_MS = 1_000;

/** A histogram of durations, in microseconds. */
export class Timer extends Histogram {
  /** @param label index of the label's value. */
  recordMs(durationMs: number, label = 0): void {
    this.record(durationMs * TIMER_UNITS_PER_MS, label);
  }
}
