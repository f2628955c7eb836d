/**
 * Latencies as a histogram of three digits: constant memory however long a run is, and percentiles
 * that are not averaged. Control plane; the only importer of hdr-histogram-js.
 */
import { build } from 'hdr-histogram-js';

/** Longest latency that is told apart, µs; whatever took longer counts as this. */
const LATENCY_US_MAX = 600_000_000;
const DIGITS = 3;

/** Percentiles that reports name, in ms; NaN where nothing was recorded. */
export interface Percentiles {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** One distribution of latencies. */
export class Latencies {
  readonly #histogram = build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: LATENCY_US_MAX,
    numberOfSignificantValueDigits: DIGITS,
    useWebAssembly: false,
  });

  /** @param ms a negative one, which a clock of two readings can give, counts as none. */
  record(ms: number): void {
    const us = Math.round(ms * 1_000);
    this.#histogram.recordValue(Math.max(0, Math.min(us, LATENCY_US_MAX)));
  }

  /** Adds those of another. */
  add(other: Latencies): void {
    this.#histogram.add(other.#histogram);
  }

  reset(): void {
    this.#histogram.reset();
  }

  /** Of a share from 0 to 1, in ms. */
  at(share: number): number {
    if (this.#histogram.totalCount === 0) return Number.NaN;
    return this.#histogram.getValueAtPercentile(share * 100) / 1_000;
  }

  get percentiles(): Percentiles {
    const { totalCount: count, mean, maxValue } = this.#histogram;
    return {
      count,
      mean: count === 0 ? Number.NaN : mean / 1_000,
      p50: this.at(0.5),
      p90: this.at(0.9),
      p99: this.at(0.99),
      p999: this.at(0.999),
      max: count === 0 ? Number.NaN : maxValue / 1_000,
    };
  }
}
