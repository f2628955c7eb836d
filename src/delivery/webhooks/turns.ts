/**
 * Who may have a connection (O-2): few for those who fail, and for all webhooks of one domain, so that
 * neither a receiver that hangs nor a customer who has many of them takes the turns of others.
 *
 * Control plane.
 */
import { assert } from '../../base/assert.ts';
import type { DomainId } from '../../model/ids.ts';
import {
  OUTBOUND_CONNECTION_COUNT_MAX,
  OUTBOUND_DOMAIN_CONNECTION_COUNT_MAX,
} from '../../model/outgoing-limits.ts';
import type { Lane } from './lane.ts';

/** Of any number of connections so much is for those whose last attempt failed. */
const FAILING_SHARE = 0.5;

/** Attempts under way. */
class Count {
  readonly #most: number;
  #all = 0;
  #failing = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#all === 0;
  }

  hasRoom(isFailing: boolean): boolean {
    if (this.#all >= this.#most) return false;
    return !isFailing || this.#failing < this.#most * FAILING_SHARE;
  }

  add(by: 1 | -1, isFailing: boolean): void {
    this.#all += by;
    if (isFailing) this.#failing += by;
  }
}

/** The connections of one thread. */
export class Turns {
  readonly #node = new Count(OUTBOUND_CONNECTION_COUNT_MAX);
  readonly #domains = new Map<DomainId, Count>();

  /** Whether any webhook may begin an attempt: one that has not failed, of a domain with none. */
  get hasRoom(): boolean {
    return this.#node.hasRoom(false);
  }

  /** Whether this one may. */
  hasRoomFor({ head, isFailing }: Lane): boolean {
    if (!this.#node.hasRoom(isFailing)) return false;
    return this.#domains.get(head.domainId)?.hasRoom(isFailing) ?? true;
  }

  /** It does. @returns what ends it. */
  take({ head, isFailing }: Lane): () => void {
    const { domainId } = head;
    const domain = this.#domains.get(domainId) ?? new Count(OUTBOUND_DOMAIN_CONNECTION_COUNT_MAX);
    this.#domains.set(domainId, domain);
    for (const count of [this.#node, domain]) count.add(1, isFailing);
    let isOver = false;
    return () => {
      assert(!isOver, 'a connection is given back once');
      isOver = true;
      for (const count of [this.#node, domain]) count.add(-1, isFailing);
      if (domain.isEmpty) this.#domains.delete(domainId);
    };
  }
}
