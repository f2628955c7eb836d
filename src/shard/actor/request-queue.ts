/**
 * Requests of edges: answered at once, or queued until the log has been applied up to their
 * position.
 *
 * Data plane at query granularity. The queue is bounded.
 */

import { errors } from '../../model/errors.ts';
import type { DomainId, ShardId } from '../../model/ids.ts';
import { HOUR_MS } from '../../model/limits.ts';
import type { ActiveAnswer } from '../../query/live/active.ts';
import type { ExplainedAnswer } from '../../query/plan/explain.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import { ActiveVisitors } from '../active/active-visitors.ts';
import { isActiveCold } from '../save/cold-days.ts';
import type { OpenShards } from '../state/open-shards.ts';
import type { Shard } from '../state/shard.ts';
import { ActiveFills } from './active-fills.ts';
import { answerCrowds } from './crowd-answers.ts';
import { answerDeliveries, answerOutbox, isOutboxCall } from './outbox-answers.ts';
import type { ActorRequest, ToScan } from './protocol.ts';
import { answerUsage } from './usage-answers.ts';

/** Requests that may wait for the log; more are refused. */
const WAITING_COUNT_MAX = 10_000;

interface QueuedRequest {
  readonly request: ActorRequest;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The queue of one actor. */
export class RequestQueue {
  readonly #shards: OpenShards;
  readonly #fills: ActiveFills;
  readonly #save: (shard: Shard, domainId: DomainId, nowMs: number) => void;
  #waiting: QueuedRequest[] = [];

  constructor(options: {
    shards: OpenShards;
    /** Saves a domain; throws STATE_WRITE_FAILED. */
    save: (shard: Shard, domainId: DomainId, nowMs: number) => void;
  }) {
    this.#shards = options.shards;
    this.#fills = new ActiveFills(options.shards);
    this.#save = options.save;
  }

  /**
   * Answers a request now, or once the log has come that far.
   *
   * @throws SHARD_MOVED, OVERLOADED when too many wait, and what the answer throws.
   */
  submit(request: ActorRequest, nowMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#serveOrQueue({ request, resolve, reject }, nowMs);
    });
  }

  #serveOrQueue(queued: QueuedRequest, nowMs: number): void {
    const { request, reject } = queued;
    if (this.#isCaughtUp(request)) this.#serve(queued, nowMs);
    else if (this.#waiting.length < WAITING_COUNT_MAX) this.#waiting.push(queued);
    else reject(errors.OVERLOADED({ reason: 'too many queries wait for their domain' }));
  }

  /** Serves what waited for records that have been applied. */
  serveWaiting(nowMs: number): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const queued of waiting) this.#serveOrQueue(queued, nowMs);
  }

  /** A shard is let go of: what waits for it is refused. */
  refuse(shard: ShardId): void {
    const refused = this.#waiting.filter(({ request }) => request.shard === shard);
    this.#waiting = this.#waiting.filter(({ request }) => request.shard !== shard);
    for (const { reject } of refused) reject(errors.SHARD_MOVED({}));
  }

  #isCaughtUp(request: ActorRequest): boolean {
    const shard = this.#shards.get(request.shard);
    return shard === undefined || shard.appliedSequence >= request.sequence;
  }

  #serve({ request, resolve, reject }: QueuedRequest, nowMs: number): void {
    try {
      const answer = this.#answer(request, nowMs);
      // The process may have been stopped meanwhile: what is answered now must be true now.
      if (this.#shards.epochOf(request.shard) === 0) throw errors.SHARD_MOVED({});
      resolve(answer);
    } catch (error) {
      reject(error);
    }
  }

  #answer(request: ActorRequest, nowMs: number): unknown {
    const shard = this.#shards.get(request.shard);
    const epoch = this.#shards.epochOf(request.shard);
    if (shard === undefined || epoch === 0) throw errors.SHARD_MOVED({});
    if (isOutboxCall(request)) return answerOutbox(shard, request);
    const isHeld = () => this.#shards.epochOf(request.shard) === epoch;
    if (request.kind === 'crowds') return answerCrowds(shard, request, { nowMs, isHeld });
    if (request.kind === 'save') {
      this.#save(shard, request.domainId, nowMs);
      return epoch;
    }
    if (request.kind === 'usage') return answerUsage(shard, request, isHeld);
    if (request.kind === 'ledger') {
      const [domainId] = request.domainIds;
      return JSON.stringify(shard.usage.ledger(domainId, request, true));
    }
    if (request.kind === 'imports') {
      return JSON.stringify(shard.usage.imports(request.domainIds[0]));
    }
    if (request.kind === 'attempts' || request.kind === 'resend') {
      return answerDeliveries(shard, request);
    }
    const answer = this.#activeOf(shard, request, nowMs);
    // A text crosses threads for less than the objects it is made of.
    if (answer !== null) return JSON.stringify(answer);
    this.#save(shard, request.domainId, nowMs);
    return { epoch, nowMs } satisfies ToScan;
  }

  /** Who is active, from memory; null when that would hold everybody up. */
  #activeOf(
    shard: Shard,
    { domainId, query }: ActorRequest & { kind: 'active' },
    nowMs: number,
  ): ActiveAnswer | ExplainedAnswer | null {
    // A query thread reads a large day without all that hits need of it.
    if (isActiveCold(shard, domainId, nowMs)) return null;
    const domain = shard.existingDomain(domainId, nowMs);
    const asked = query as StatisticsQuery;
    domain?.reopenDays(nowMs - HOUR_MS);
    const active = domain?.active ?? new ActiveVisitors();
    const days = domain?.segments.values() ?? [];
    const answer = asked.isExplained
      ? active.explain(asked, days, nowMs)
      : active.answer(asked, days, nowMs);
    if (domain?.active.isFilling) this.#fills.begin(shard, domain);
    return answer;
  }
}
