/**
 * Counts of who is active on large sites are made slice by slice, so that nobody waits for them.
 *
 * Data plane. To count a million visitors takes more than half a second; meanwhile questions are
 * answered by the query threads (`actor/request-queue.ts`). Sites take turns.
 */

import { monotonicMs } from '../base/clock.ts';
import { Turns } from '../base/turns.ts';
import { OPENING_SLICE_MS } from '../model/limits.ts';
import type { DomainState } from './state/domain-state.ts';
import type { OpenShards } from './state/open-shards.ts';
import type { Shard } from './state/shard.ts';

/** The countings of one actor. */
export class ActiveFills {
  readonly #shards: OpenShards;
  /** In the order of their turns. */
  readonly #filling = new Map<DomainState, Shard>();
  readonly #turns = new Turns(() => this.#turn());

  constructor(shards: OpenShards) {
    this.#shards = shards;
  }

  /** The counts of a domain are not all there yet. */
  begin(shard: Shard, domain: DomainState): void {
    if (this.#filling.has(domain)) return;
    this.#filling.set(domain, shard);
    this.#turns.begin();
  }

  #turn(): boolean {
    const [next] = this.#filling;
    if (next === undefined) return false;
    const [domain, shard] = next;
    this.#filling.delete(domain);
    const endMs = monotonicMs() + OPENING_SLICE_MS;
    // The shard was let go of, or the domain has left memory.
    const isHeld = this.#shards.get(shard.id) === shard;
    if (isHeld && shard.domains.get(domain.domainId) === domain) {
      const isDone = domain.active.fill(() => monotonicMs() >= endMs);
      if (!isDone) this.#filling.set(domain, shard);
    }
    return this.#filling.size > 0;
  }
}
