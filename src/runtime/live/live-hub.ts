/**
 * Who looks at which domain, and what was stored of it: between the edges of a node, its actors, and in
 * a cluster the other nodes (O-51).
 *
 * Control plane, on the main thread: a message when somebody begins or ends to look, and some tens a
 * second for each domain that is looked at and has hits. Nodes say what they look at again and again,
 * to all others: whoever owns a shard knows it, and what a dead node wanted is forgotten.
 *
 *     edge ─ wish ─▶ hub ─ wish ─▶ actor           hub ◀─ wishes ─ other nodes
 *     edge ◀─ news ─ hub ◀─ news ─ actor           hub ── news ──▶ those that want it
 */

import { deserialize, serialize } from 'node:v8';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { monotonicMs } from '../../base/clock.ts';
import type { DomainId, ShardId } from '../../model/ids.ts';
import type { LiveNews, LiveWish } from '../../model/live.ts';
import { actorOf } from '../../shard/state/placement.ts';

/** From one word of a node about its wishes to the next. */
const SAY_MS = 2_000;
/** What was not said again for this long is no wish any more. */
const FORGET_MS = 7_000;
/** A message of NATS has 1 MiB; news beyond this go in two. */
const NEWS_BYTES_MAX = 512 * 1_024;

/** The other nodes (`bus/nats/peer.ts` has this shape). */
export interface LivePeers {
  readonly node: string;
  /** To all others, or to one of them; may be lost. */
  tell(subject: string, bytes: Uint8Array): void;
  onTold(subject: string, listener: (bytes: Uint8Array) => void): void;
}

interface SaidWishes {
  readonly node: string;
  readonly wishes: readonly (readonly [DomainId, ShardId])[];
}

interface Watched {
  readonly shard: ShardId;
  readonly edges: Set<MessagePort>;
  /** By node: until when. */
  readonly nodes: Map<string, number>;
}

const WISHES = 'live';
const newsOf = (node: string) => `live.${node}`;

/** The hub of one node. */
export class LiveHub {
  readonly #actors: readonly MessagePort[];
  readonly #watched = new Map<DomainId, Watched>();
  #peers: LivePeers | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param actors a port to each. */
  constructor(actors: readonly MessagePort[]) {
    this.#actors = actors;
    for (const port of actors) {
      port.on('message', (news: LiveNews) => this.#spread(news, true));
      port.unref();
    }
  }

  /** @returns a port for an edge: its wishes come in, and it is told. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (wish: LiveWish) => this.#wish(port1, wish));
    port1.unref();
    return port2;
  }

  /** The node is one of several from here on. */
  join(peers: LivePeers): void {
    this.#peers = peers;
    peers.onTold(WISHES, (bytes) => this.#hear(deserialize(bytes) as SaidWishes));
    peers.onTold(newsOf(peers.node), (bytes) =>
      this.#spread(deserialize(bytes) as LiveNews, false),
    );
    this.#timer = setInterval(() => this.#say(), SAY_MS);
    this.#timer.unref();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#peers = null;
  }

  #wish(edge: MessagePort, { domainId, shard, isWatched }: LiveWish): void {
    const watched = this.#watchedOf(domainId, shard, isWatched);
    if (isWatched) watched?.edges.add(edge);
    else watched?.edges.delete(edge);
    this.#settle(domainId);
    if (isWatched) this.#say();
  }

  #hear({ node, wishes }: SaidWishes): void {
    if (node === this.#peers?.node) return;
    const untilMs = monotonicMs() + FORGET_MS;
    for (const [domainId, shard] of wishes) {
      this.#watchedOf(domainId, shard, true)?.nodes.set(node, untilMs);
    }
  }

  #watchedOf(domainId: DomainId, shard: ShardId, isWatched: boolean): Watched | undefined {
    const known = this.#watched.get(domainId);
    if (known !== undefined || !isWatched) return known;
    const watched: Watched = { shard, edges: new Set(), nodes: new Map() };
    this.#watched.set(domainId, watched);
    this.#tellActor({ domainId, shard, isWatched: true });
    return watched;
  }

  /** Nobody looks any more: the actor does nothing for it. */
  #settle(domainId: DomainId): void {
    const watched = this.#watched.get(domainId);
    if (watched === undefined || watched.edges.size > 0 || watched.nodes.size > 0) return;
    this.#watched.delete(domainId);
    this.#tellActor({ domainId, shard: watched.shard, isWatched: false });
  }

  #tellActor(wish: LiveWish): void {
    this.#actors[actorOf(wish.shard, this.#actors.length)]?.postMessage(wish);
  }

  #say(): void {
    if (this.#peers === null) return;
    const nowMs = monotonicMs();
    const wishes: [DomainId, ShardId][] = [];
    for (const [domainId, { shard, edges, nodes }] of this.#watched) {
      if (edges.size > 0) wishes.push([domainId, shard]);
      for (const [node, untilMs] of nodes) if (untilMs < nowMs) nodes.delete(node);
      this.#settle(domainId);
    }
    if (wishes.length === 0) return;
    const said: SaidWishes = { node: this.#peers.node, wishes };
    this.#peers.tell(WISHES, serialize(said));
  }

  /** @param isOwn from an actor of this node. */
  #spread(news: LiveNews, isOwn: boolean): void {
    const watched = this.#watched.get(news.domainId);
    if (watched === undefined) return;
    for (const edge of watched.edges) edge.postMessage(news);
    if (isOwn) for (const node of watched.nodes.keys()) this.#send(node, news);
  }

  #send(node: string, news: LiveNews): void {
    const bytes = serialize(news);
    const { rows } = news;
    if (bytes.length <= NEWS_BYTES_MAX || rows.length < 2) {
      this.#peers?.tell(newsOf(node), bytes);
      return;
    }
    const half = rows.length >> 1;
    this.#send(node, { ...news, rows: rows.slice(0, half), moreCount: 0 });
    this.#send(node, { ...news, rows: rows.slice(half) });
  }
}
