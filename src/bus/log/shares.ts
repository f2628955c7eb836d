/**
 * Who takes how much of something that all domains of an edge share and that has become scarce.
 *
 * Data plane. A quarter is free for all, and nobody counts. From there on it is counted by domain, and
 * a domain may take as much as is left: one that floods has half of the rest for itself, two have two
 * thirds, and there is always something for who takes little. So no domain's flood refuses another's
 * hits.
 *
 *     | free for all | taken, counted by domain …………… | left |     own ≤ left, or it is refused
 *     0             1/4                                          max
 */

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
  admits(domainId: string, used: number): boolean {
    if (used <= this.#max * UNCOUNTED_SHARE) {
      if (this.#taken.size > 0) this.#taken.clear();
      return true;
    }
    return used <= this.#max && (this.#taken.get(domainId) ?? 0) <= this.#max - used;
  }

  /** Counts what a domain took, if it is counted. @param used as before it was taken. */
  note(domainId: string, amount: number, used: number): void {
    if (used <= this.#max * UNCOUNTED_SHARE) return;
    this.#taken.set(domainId, (this.#taken.get(domainId) ?? 0) + amount);
  }
}
