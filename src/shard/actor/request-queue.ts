/**
 * What edges ask of an actor, and its answers: at once, or when the log has come that far.
 *
 * Data plane at query granularity. What waits is bounded.
 */

import { errors, OperatingError } from '../../model/errors.ts';
import { HOUR_MS } from '../../model/limits.ts';
import { runActive } from '../../query/live/active.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { DayOpenings } from '../save/day-loading.ts';
import type { OpenShards } from '../state/open-shards.ts';
import type { Shard } from '../state/shard.ts';
import { type ActorReply, type ActorRequest, failedReply } from './protocol.ts';

/** Requests that may wait for the log; more are refused. */
const WAITING_COUNT_MAX = 10_000;

interface Waiting {
  request: ActorRequest;
  edge: number;
}

/** The requests of one actor. */
export class Questions {
  readonly #shards: OpenShards;
  readonly #openings: DayOpenings;
  readonly #save: (shard: Shard, domainId: string, nowMs: number) => void;
  readonly #reply: (message: ActorReply, edge: number) => void;
  #waiting: Waiting[] = [];

  constructor(options: {
    shards: OpenShards;
    openings: DayOpenings;
    /** Saves a domain; throws STATE_WRITE_FAILED. */
    save: (shard: Shard, domainId: string, nowMs: number) => void;
    reply: (message: ActorReply, edge: number) => void;
  }) {
    this.#shards = options.shards;
    this.#openings = options.openings;
    this.#save = options.save;
    this.#reply = options.reply;
  }

  /** Serves a request of an edge now, or once the log has come that far. */
  ask(request: ActorRequest, edge: number, nowMs: number): void {
    if (this.#isCaughtUp(request) && !this.#isDelayed(request, nowMs)) {
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

  /** Whether a large day has to be opened first: only who is active is asked of days in memory. */
  #isDelayed(request: ActorRequest, nowMs: number): boolean {
    if (request.kind !== 'active') return false;
    const shard = this.#shards.get(request.shard);
    if (shard === undefined) return false;
    return this.#openings.delays(shard, request.domainId, nowMs);
  }

  #serve(request: ActorRequest, edge: number, nowMs: number): void {
    try {
      const value = this.#answer(request, nowMs);
      // The process may have been stopped meanwhile: what is answered now must be true now.
      if (this.#shards.epochOf(request.shard) === 0) throw errors.SHARD_MOVED({});
      this.#reply({ id: request.id, value, error: null }, edge);
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      this.#reply(failedReply(request.id, error), edge);
    }
  }

  #answer(request: ActorRequest, nowMs: number): unknown {
    const shard = this.#shards.get(request.shard);
    const epoch = this.#shards.epochOf(request.shard);
    if (shard === undefined || epoch === 0) throw errors.SHARD_MOVED({});
    if (request.kind === 'save') {
      this.#save(shard, request.domainId, nowMs);
      return epoch;
    }
    const domain = shard.existingDomain(request.domainId, nowMs);
    const query = request.query as StatisticsQuery;
    // A text crosses threads for less than the objects it is made of.
    if (domain === null) return JSON.stringify(runActive(query, []));
    domain.reopenDays(nowMs - HOUR_MS);
    return JSON.stringify(domain.active.answer(query, domain.segments.values(), nowMs));
  }
}
