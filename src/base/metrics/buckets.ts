/**
 * Buckets of every histogram: log-linear, two equal steps per doubling, from 16 to 2^26 units.
 *
 * Data plane. In microseconds that is 16 µs to 67 s, in bytes 16 bytes to 64 MiB; a bound is at most
 * half as much again as the one before. The bucket of an amount follows from its highest bits:
 *
 *     amount    (0, 16]  (16, 24]  (24, 32]  (32, 48]  (48, 64]  …  (1.5 · 2^25, 2^26]  (2^26, ∞)
 *     bucket        0        1         2         3         4     …           44             45
 */

const LOWEST_EXPONENT = 4;
const HIGHEST_EXPONENT = 26;
const LOWEST = 2 ** LOWEST_EXPONENT;
const HIGHEST = 2 ** HIGHEST_EXPONENT;
const STEPS_PER_DOUBLING = 2;
const TOP_BIT = 31;

/** Number of buckets, that of amounts beyond the last bound included. */
export const BUCKET_COUNT = (HIGHEST_EXPONENT - LOWEST_EXPONENT) * STEPS_PER_DOUBLING + 2;

/** Upper bounds of all buckets but the last, which has none; a bound belongs to the bucket below it. */
export const BUCKET_BOUNDS: readonly number[] = Array.from({ length: BUCKET_COUNT - 1 }, (_, at) =>
  at % 2 === 0 ? LOWEST * 2 ** (at / 2) : 1.5 * LOWEST * 2 ** ((at - 1) / 2),
);

/** The bucket of an amount. @param amount not NaN; what is negative is in the first bucket. */
export function bucketOf(amount: number): number {
  if (amount <= LOWEST) return 0;
  if (amount > HIGHEST) return BUCKET_COUNT - 1;
  // A whole number below the amount: that of a bound lies in the bucket below it.
  const below = Math.ceil(amount) - 1;
  const exponent = TOP_BIT - Math.clz32(below);
  const step = (below >>> (exponent - 1)) & 1;
  return (exponent - LOWEST_EXPONENT) * STEPS_PER_DOUBLING + step + 1;
}
