/** Medians and percentiles of a few figures. Control plane. */

/** A figure measured several times: its median and how far the runs lay apart. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/**
 * A percentile by the nearest-rank rule.
 *
 * @param share 0.5 for the median, 0.99 for p99.
 * @returns NaN without samples.
 */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = Float64Array.from(samples).sort();
  const rank = Math.ceil(sorted.length * share);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1] as number;
}

/** Median, smallest and largest; all NaN without samples. */
export function spreadOf(samples: readonly number[]): Spread {
  if (samples.length === 0) return { median: Number.NaN, min: Number.NaN, max: Number.NaN };
  const sorted = Float64Array.from(samples).sort();
  const middle = sorted.length >> 1;
  const isOdd = sorted.length % 2 === 1;
  const upper = sorted[middle] as number;
  const median = isOdd ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  return { median, min: sorted[0] as number, max: sorted.at(-1) as number };
}
