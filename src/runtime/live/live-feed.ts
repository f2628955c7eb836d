/**
 * What an edge hears of the domains that its streams look at: one wish a domain, however many look.
 *
 * Control plane.
 */

import type { MessagePort } from 'node:worker_threads';
import type { LivePort } from '../../api/ports.ts';
import type { DomainId, ShardId } from '../../model/ids.ts';
import type { LiveNews, LiveWish } from '../../model/live.ts';

type Listener = (news: LiveNews) => void;

/** The end of an edge. */
export class LiveFeed implements LivePort {
  readonly #port: MessagePort;
  readonly #shardOf: (domainId: DomainId) => ShardId;
  readonly #listeners = new Map<DomainId, Set<Listener>>();

  constructor(port: MessagePort, shardOf: (domainId: DomainId) => ShardId) {
    this.#port = port;
    this.#shardOf = shardOf;
    port.on('message', (news: LiveNews) => {
      for (const listener of this.#listeners.get(news.domainId) ?? []) listener(news);
    });
  }

  watch(domainId: DomainId, listener: Listener): () => void {
    const listeners = this.#listeners.get(domainId) ?? new Set();
    if (listeners.size === 0) this.#wish(domainId, true);
    this.#listeners.set(domainId, listeners.add(listener));
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.#listeners.delete(domainId);
      this.#wish(domainId, false);
    };
  }

  close(): void {
    this.#port.close();
  }

  #wish(domainId: DomainId, isWatched: boolean): void {
    const wish: LiveWish = { shard: this.#shardOf(domainId), domainId, isWatched };
    this.#port.postMessage(wish);
  }
}
