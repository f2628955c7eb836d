/**
 * Which rates are tried when the limit of a target is looked for: up until one is too high, then
 * between the last good and the first bad one. Control plane, pure.
 */

/** From step to step, until one is too high. */
const RATE_FACTOR = 1.3;
const STEP_COUNT_MAX = 30;
/** Steps between the last rate that was good and the first that was not. */
const NARROWING_STEPS = 3;

/** One search. */
export class LimitSearch {
  #good = 0;
  #bad = Number.POSITIVE_INFINITY;
  #steps = 0;
  #narrowing = 0;

  /** @returns the rate to try after one that was good or not; null when the place is found. */
  after(rate: number, isGood: boolean): number | null {
    if (isGood) this.#good = Math.max(this.#good, rate);
    else this.#bad = Math.min(this.#bad, rate);
    if (++this.#steps === STEP_COUNT_MAX) return null;
    const next = Math.round(this.#next(rate));
    if (next < 1 || next === this.#good || next === this.#bad) return null;
    return next;
  }

  #next(rate: number): number {
    if (this.#bad === Number.POSITIVE_INFINITY) return rate * RATE_FACTOR;
    // The first rate was too high already: down to where it is good.
    if (this.#good === 0) return rate / RATE_FACTOR ** 2;
    return this.#narrowing++ === NARROWING_STEPS ? 0 : Math.sqrt(this.#good * this.#bad);
  }
}
