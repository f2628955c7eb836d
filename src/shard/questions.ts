/**
 * What edges ask of an actor, and its answers: at once, or when the log has come that far.
 *
 * Data plane at query granularity. What waits is bounded.
 */

import { errors, OperatingError } from '../model/errors.ts';
import { HOUR_MS } from '../model/limits.ts';
import { runActive } from '../query/active.ts';
import type { StatisticsQuery } from '../query/request.ts';
import type { Lanes } from './lanes.ts';
import type { OpenShards } from './open-shards.ts';
import { type ActorReply, type ActorRequest, failedReply } from './protocol.ts';
import { saveDomain } from './save-domain.ts';
import type { Shard } from './shard.ts';

/** Requests that may wait for the log; more are refused. */
const WAITING_COUNT_MAX = 10_000;

interface Waiting {
  request: ActorRequest;
  edge: number;
}

/** The requests of one actor. */
export class Questions {
  readonly #shards: OpenShards;
  readonly #lanes: Lanes | null;
  readonly #reply: (message: ActorReply, edge: number) => void;
  #waiting: Waiting[] = [];

  constructor(options: {
    shards: OpenShards;
    /** null where nothing has lanes. */
    lanes: Lanes | null;
    reply: (message: ActorReply, edge: number) => void;
  }) {
    this.#shards = options.shards;
    this.#lanes = options.lanes;
    this.#reply = options.reply;
  }

  /** Serves a request of an edge now, or once the log has come that far. */
  ask(request: ActorRequest, edge: number, nowMs: number): void {
    if (this.#isCaughtUp(request)) {
      this.#serve(request, edge, nowMs);
      return;
    }
    if (this.#waiting.length >= WAITING_COUNT_MAX) {
      const error = errors.OVERLOADED({ reason: 'too many queries wait for their domain' });
      this.#reply(failedReply(request.id, error), edge);
      return;
    }
    this.#waiting.push({ request, edge });
  }

  /** Serves what waited for records that have been applied. */
  serveWaiting(nowMs: number): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { request, edge } of waiting) this.ask(request, edge, nowMs);
  }

  /** A shard is let go of: what waits for it is refused. */
  refuse(shard: number): void {
    const refused = this.#waiting.filter(({ request }) => request.shard === shard);
    this.#waiting = this.#waiting.filter(({ request }) => request.shard !== shard);
    for (const { request, edge } of refused) {
      this.#reply(failedReply(request.id, errors.SHARD_MOVED({})), edge);
    }
  }

  #isCaughtUp(request: ActorRequest): boolean {
    const shard = this.#shards.get(request.shard);
    return shard === undefined || shard.appliedSequence >= request.sequence;
  }

  #serve(request: ActorRequest, edge: number, nowMs: number): void {
    const lanes = this.#lanes;
    if (request.kind === 'save' && lanes?.has(request.shard)) {
      void this.#serveSave(lanes, request, edge);
      return;
    }
    try {
      const { shard, epoch } = this.#held(request.shard);
      if (request.kind === 'save') {
        saveDomain(shard, request.domainId);
        this.#finish(request, edge, { value: epoch, epoch });
      } else {
        this.#finish(request, edge, { value: this.#active(shard, request, nowMs), epoch });
      }
    } catch (error) {
      this.#fail(request, edge, error);
    }
  }

  /** The lanes save at the same time as this thread, and the answer waits for them. */
  async #serveSave(lanes: Lanes, request: ActorRequest, edge: number): Promise<void> {
    try {
      const { shard, epoch } = this.#held(request.shard);
      const isSplit = shard.isSplit(request.domainId);
      const saved = isSplit ? lanes.save(shard.id, request.domainId) : null;
      // When the base fails nobody waits for it any more.
      saved?.catch(() => {});
      saveDomain(shard, request.domainId);
      if (saved !== null) await saved;
      this.#finish(request, edge, { value: epoch, epoch });
    } catch (error) {
      this.#fail(request, edge, error);
    }
  }

  #active(shard: Shard, request: ActorRequest & { kind: 'active' }, nowMs: number): string | null {
    // No lane knows all who are active.
    if (shard.isSplit(request.domainId)) return null;
    const domain = shard.existingDomain(request.domainId, nowMs);
    const query = request.query as StatisticsQuery;
    // A text crosses threads for less than the objects it is made of.
    if (domain === null) return JSON.stringify(runActive(query, []));
    domain.reopenDays(nowMs - HOUR_MS);
    return JSON.stringify(domain.active.answer(query, domain.segments.values(), nowMs));
  }

  #held(id: number): { shard: Shard; epoch: number } {
    const shard = this.#shards.get(id);
    const epoch = this.#shards.epochOf(id);
    if (shard === undefined || epoch === 0) throw errors.SHARD_MOVED({});
    return { shard, epoch };
  }

  #finish(
    request: ActorRequest,
    edge: number,
    { value, epoch }: { value: unknown; epoch: number },
  ): void {
    // The process may have been stopped meanwhile: what is answered now must be true now.
    if (this.#shards.epochOf(request.shard) !== epoch) throw errors.SHARD_MOVED({});
    this.#reply({ id: request.id, value, error: null }, edge);
  }

  #fail(request: ActorRequest, edge: number, error: unknown): void {
    if (!(error instanceof OperatingError)) throw error;
    this.#reply(failedReply(request.id, error), edge);
  }
}
