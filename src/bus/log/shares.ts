/**
 * Fair admission to a bound that all domains of an edge share.
 *
 * Data plane. Use is not counted up to a quarter of the bound. Beyond that it is counted by domain,
 * and a domain is admitted while its own use is at most what is left: one flooding domain can take
 * half of the rest, two can take two thirds, and a domain that needs little is always admitted.
 *
 *     | free for all | taken, counted by domain …………… | left |     own ≤ left, or it is refused
 *     0             1/4                                          max
 */

import type { DomainId } from '../../model/ids.ts';

/** Share of the whole up to which nobody counts. */
const UNCOUNTED_SHARE = 1 / 4;

/** The shares of one thing. */
export class Shares {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  /** @param max the whole, in whatever unit. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Whether a domain may take more.
   *
   * @param used of the whole, by all domains.
   * @cost constant, and as good as nothing while there is plenty.
   */
  admits(domainId: DomainId, used: number): boolean {
    if (used <= this.#max * UNCOUNTED_SHARE) {
      if (this.#taken.size > 0) this.#taken.clear();
      return true;
    }
    return used <= this.#max && (this.#taken.get(domainId) ?? 0) <= this.#max - used;
  }

  /** Counts what a domain took, if it is counted. @param used as before it was taken. */
  note(domainId: DomainId, amount: number, used: number): void {
    if (used <= this.#max * UNCOUNTED_SHARE) return;
    this.#taken.set(domainId, (this.#taken.get(domainId) ?? 0) + amount);
  }
}
