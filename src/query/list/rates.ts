/**
 * From counts to figures: rates and averages. Done once per group, after all segments are added up.
 */

/** A raw fraction; a denominator is at least 1 (semantics, Terms). */
export function rate(part: number, whole: number): number {
  return part / Math.max(whole, 1);
}

/**
 * Average of whole seconds, rounded half-even (S-9).
 *
 * Worked out in integers, so that 4.5 is a tie and not 4.499… (sums stay below 2^53).
 *
 * @returns whole seconds; 0 when `count` is 0.
 */
export function meanHalfEven(sum: number, count: number): number {
  if (count === 0) return 0;
  const whole = Math.floor(sum / count);
  const twiceRest = 2 * (sum - whole * count);
  if (twiceRest < count) return whole;
  if (twiceRest > count) return whole + 1;
  return whole % 2 === 0 ? whole : whole + 1;
}

/** Average of whole seconds, fraction dropped (S-9); 0 when `count` is 0. */
export function meanTruncated(sum: number, count: number): number {
  return count === 0 ? 0 : Math.floor(sum / count);
}
