/**
 * Sites that are set aside because their stored data turned out to be damaged: they are not counted
 * any further, so nothing is built on damage, and the rest of the shard goes on.
 *
 * Data plane, a look-up per group of hits while any site is set aside. Its records stay in the log:
 * the shard's position does not pass the first of them, so a start with the restored state counts
 * everything. Until then queries about the site are refused.
 *
 *     damage is met ─▶ the site leaves memory, unsaved or not ─▶ its next record is parked: the position
 *                      stays before the first that is neither saved nor counted
 */

import { OperatingError } from '../../model/errors.ts';
import { asSequence, type DomainId, type Sequence } from '../../model/ids.ts';

interface Aside {
  readonly error: OperatingError;
  /** Position before the first record that is not in the state; null while every one is. */
  after: Sequence | null;
}

/** Whether an error says that stored data is damaged. */
export function isDamage(error: unknown): error is OperatingError {
  return error instanceof OperatingError && error.code === 'STATE_DAMAGED';
}

/** The sites of one shard that are set aside, by the name that the shard stores them under. */
export class SetAside {
  readonly #sites = new Map<DomainId, Aside>();
  #untold: OperatingError[] = [];

  /** Sets a site aside. @param after position before its first record that is not saved; null: all are. */
  add(domainId: DomainId, error: OperatingError, after: Sequence | null): void {
    this.tell(error);
    if (!this.#sites.has(domainId)) this.#sites.set(domainId, { error, after });
  }

  /** Notes damage for the operator. */
  tell(error: OperatingError): void {
    this.#untold.push(error);
  }

  /** Whether a record is not to be counted: from now on the position stays before it. */
  parks(domainId: DomainId, previousSequence: Sequence): boolean {
    if (this.#sites.size === 0) return false;
    const aside = this.#sites.get(domainId);
    if (aside === undefined) return false;
    aside.after ??= previousSequence;
    return true;
  }

  has(domainId: DomainId): boolean {
    return this.#sites.has(domainId);
  }

  /** @throws STATE_DAMAGED when the site is set aside. */
  check(domainId: DomainId): void {
    const aside = this.#sites.get(domainId);
    if (aside !== undefined) throw aside.error;
  }

  /** @throws STATE_DAMAGED when the state does not have every record of the site. */
  checkComplete(domainId: DomainId): void {
    const aside = this.#sites.get(domainId);
    if (aside !== undefined && aside.after !== null) throw aside.error;
  }

  /** The least position that something parked needs; infinite when nothing is. */
  get position(): Sequence {
    let least: number = Number.POSITIVE_INFINITY;
    for (const { after } of this.#sites.values()) least = Math.min(least, after ?? least);
    return asSequence(least);
  }

  /** Damage that was met since the last call. */
  takeUntold(): OperatingError[] {
    if (this.#untold.length === 0) return [];
    const untold = this.#untold;
    this.#untold = [];
    return untold;
  }
}
