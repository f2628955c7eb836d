/**
 * Large days that were opened ahead of their use (`save/day-loading.ts`), until their domain takes them.
 *
 * Data plane, a look-up when a day is opened.
 */

import type { DomainId } from '../../model/ids.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';

/** Those of one shard, by domain. */
export class PreloadedDays {
  readonly #days = new Map<DomainId, Map<number, OpenSegment>>();

  /** A day was opened ahead of its use. */
  add(domainId: DomainId, open: OpenSegment): void {
    const days = this.#days.get(domainId) ?? new Map<number, OpenSegment>();
    this.#days.set(domainId, days.set(open.day, open));
  }

  has(domainId: DomainId, day: number): boolean {
    return this.#days.get(domainId)?.has(day) === true;
  }

  /** Those of a domain that are not taken yet. */
  of(domainId: DomainId): OpenSegment[] {
    return [...(this.#days.get(domainId)?.values() ?? [])];
  }

  /** Hands a day over, once; null if there is none. */
  take(domainId: DomainId, day: number): OpenSegment | null {
    const days = this.#days.get(domainId);
    const open = days?.get(day) ?? null;
    days?.delete(day);
    if (days?.size === 0) this.#days.delete(domainId);
    return open;
  }

  /** Forgets what nobody took of a domain. */
  drop(domainId: DomainId): void {
    this.#days.delete(domainId);
  }
}
