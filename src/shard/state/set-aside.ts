/**
 * Sites whose stored data turned out to be damaged when the shard needed it: they are not counted any
 * further, so that nothing is built on damage, and the rest of the shard goes on.
 *
 * Data plane, a look-up per group of hits while any is set aside. What comes for such a site stays in
 * the log: the shard's position does not go beyond the first record of it, so a start with the state
 * restored counts everything. Until then questions about the site are refused.
 *
 *     damage is met ─▶ the site leaves memory, unsaved or not ─▶ its next record is parked: the position
 *                      stays before the first that is neither saved nor counted
 */

import { OperatingError } from '../../model/errors.ts';

interface Aside {
  readonly error: OperatingError;
  /** Position before the first record that is not in the state; null while every one is. */
  after: number | null;
}

/** Whether an error says that stored data is damaged. */
export function isDamage(error: unknown): error is OperatingError {
  return error instanceof OperatingError && error.code === 'STATE_DAMAGED';
}

/** The sites of one shard that are set aside, by the name that the shard stores them under. */
export class SetAside {
  readonly #sites = new Map<string, Aside>();
  #untold: OperatingError[] = [];

  /** Sets a site aside. @param after position before its first record that is not saved; null: all are. */
  add(domainId: string, error: OperatingError, after: number | null): void {
    this.tell(error);
    if (!this.#sites.has(domainId)) this.#sites.set(domainId, { error, after });
  }

  /** Notes damage for the operator. */
  tell(error: OperatingError): void {
    this.#untold.push(error);
  }

  /** Whether a record is not to be counted: from now on the position stays before it. */
  parks(domainId: string, previousSequence: number): boolean {
    if (this.#sites.size === 0) return false;
    const aside = this.#sites.get(domainId);
    if (aside === undefined) return false;
    aside.after ??= previousSequence;
    return true;
  }

  has(domainId: string): boolean {
    return this.#sites.has(domainId);
  }

  /** @throws STATE_DAMAGED when the site is set aside. */
  check(domainId: string): void {
    const aside = this.#sites.get(domainId);
    if (aside !== undefined) throw aside.error;
  }

  /** @throws STATE_DAMAGED when the state does not have every record of the site. */
  checkComplete(domainId: string): void {
    const aside = this.#sites.get(domainId);
    if (aside !== undefined && aside.after !== null) throw aside.error;
  }

  /** The least position that something parked needs; infinite when nothing is. */
  get position(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { after } of this.#sites.values()) least = Math.min(least, after ?? least);
    return least;
  }

  /** Damage that was met since the last call. */
  takeUntold(): OperatingError[] {
    if (this.#untold.length === 0) return [];
    const untold = this.#untold;
    this.#untold = [];
    return untold;
  }
}
