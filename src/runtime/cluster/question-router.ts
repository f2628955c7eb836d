/**
 * Where a query is answered: by this node's actors, or by the node that owns the shard.
 *
 * Control plane, on the main thread. The owner asks the stream for the shard's last position after
 * the query arrived, and answers when it has applied everything up to it: a hit that any node has
 * acknowledged is in the answer of every node. While a shard moves, or its owner is dead,
 * the query waits and is asked again until its time is over.
 */

import { monotonicMs, systemClock } from '../../base/clock.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import type { Sequence, ShardId } from '../../model/ids.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { ActorClient } from '../../shard/actor/actor-client.ts';
import { catchUp } from '../query/query-door.ts';
import type { RoutedTask, ScanTask } from '../query/scan-task.ts';
import { AnsweredQuestions, AskedQuestions, questionId } from './remote-questions.ts';

/** A question is asked again after this long even if nothing is heard of its shard. */
const RETRY_MS = 100;
/**
 * A message that a broken connection lost is never answered, so the owner is asked again after this
 * long, and then after twice as long each time: what only takes long comes to its end.
 */
const PATIENCE_MS = 3 * SECOND_MS;
/** Questions that may wait in the main thread; more are answered 503. */
const WAITING_COUNT_MAX = 10_000;
/** As many of them may be of one domain, so that a flood leaves room for the others. */
const WAITING_OF_DOMAIN_COUNT_MAX = 1_000;

type IdentifiedTask = RoutedTask & { readonly id: string };

/** Who owns what (`membership.ts` has this shape). */
export interface Owners {
  readonly self: string;
  ownerOf(shard: ShardId): string;
  serves(shard: ShardId): boolean;
  onceChanged(listener: () => void): () => void;
}

/** What it is made of. */
export interface RouterParts {
  owners: Owners;
  actors: Pick<ActorClient, 'ask'>;
  /** Position of a shard's last record, asked of the stream after the call. */
  latest: (shard: ShardId) => Promise<Sequence>;
  /** Runs a scan over a shard that is held; SHARD_MOVED when it is not. */
  scan: (task: ScanTask) => Promise<Uint8Array>;
  /** Asks another node. */
  ask: (node: string, question: Uint8Array, timeoutMs: number) => Promise<Uint8Array>;
}

/** The router of one node. */
export class QuestionRouter {
  readonly #parts: RouterParts;
  readonly #asked: AskedQuestions;
  readonly #answered: AnsweredQuestions;
  /** By domain. */
  readonly #waiting = new Map<string, number>();
  #waitingCount = 0;

  constructor(parts: RouterParts) {
    this.#parts = parts;
    this.#asked = new AskedQuestions(parts.ask);
    this.#answered = new AnsweredQuestions((task) => this.#here(task));
  }

  /**
   * Answers a question of this node's edges.
   *
   * @returns JSON bytes. Rejects with the operating error of whoever answered; with SHARD_MOVED or
   *   NODE_AWAY when nobody could within the question's time; with OVERLOADED when too many wait.
   */
  async run(task: RoutedTask): Promise<Uint8Array> {
    const domainId = domainOf(task.query);
    const ofDomain = this.#waiting.get(domainId) ?? 0;
    if (this.#waitingCount >= WAITING_COUNT_MAX || ofDomain >= WAITING_OF_DOMAIN_COUNT_MAX) {
      throw errors.OVERLOADED({ reason: 'too many queries wait for their node' });
    }
    this.#count(domainId, 1);
    try {
      return await this.#insist({ ...task, id: questionId() });
    } finally {
      this.#count(domainId, -1);
    }
  }

  #count(domainId: string, change: 1 | -1): void {
    this.#waitingCount += change;
    const ofDomain = (this.#waiting.get(domainId) ?? 0) + change;
    if (ofDomain === 0) this.#waiting.delete(domainId);
    else this.#waiting.set(domainId, ofDomain);
  }

  /** Answers a question of another node. @throws SHARD_MOVED when the shard is not served here. */
  answer(bytes: Uint8Array): Promise<Uint8Array> {
    return this.#answered.take(bytes);
  }

  async #insist(task: IdentifiedTask): Promise<Uint8Array> {
    const spentMs = Math.max(systemClock() - task.arrivedMs, 0);
    const endMs = monotonicMs() + task.secondsMax * SECOND_MS - spentMs;
    for (let patienceMs = PATIENCE_MS; ; ) {
      const change = new Change(this.#parts.owners);
      const startMs = monotonicMs();
      try {
        return await this.#attempt(task, { endMs, patienceMs }, change);
      } catch (error) {
        // A timer may end a part of a millisecond early.
        if (Math.ceil(monotonicMs() - startMs) >= patienceMs) patienceMs *= 2;
        const leftMs = endMs - monotonicMs();
        const isLeft = Atomics.load(task.abandoned, 0) !== 0;
        if (!isPassing(error) || isLeft || leftMs <= 0) throw error;
        await change.within(Math.min(RETRY_MS, leftMs));
      } finally {
        change.forget();
      }
    }
  }

  /** One attempt; it is given up when the shard's owner is another one, or the time is over. */
  #attempt(
    task: IdentifiedTask,
    { endMs, patienceMs }: { endMs: number; patienceMs: number },
    change: Change,
  ): Promise<Uint8Array> {
    const { owners } = this.#parts;
    const { shard, secondsMax } = task;
    const owner = owners.ownerOf(shard);
    const leftMs = Math.max(endMs - monotonicMs(), 1);
    if (owner === '') return Promise.reject(errors.SHARD_MOVED({}));
    const isHere = owner === owners.self;
    const spentMs = secondsMax * SECOND_MS - leftMs;
    const waitMs = Math.min(leftMs, patienceMs);
    const answer = isHere ? this.#here(task) : this.#asked.ask(owner, task, { spentMs, waitMs });
    // The other node may be stopped and say nothing for as long as it is.
    const moved = change.until(() => owners.ownerOf(shard) !== owner, leftMs);
    return Promise.race([answer, moved]);
  }

  async #here({ shard, query, arrivedMs, secondsMax, abandoned }: RoutedTask): Promise<Uint8Array> {
    const { owners, actors, latest, scan } = this.#parts;
    if (!owners.serves(shard)) throw errors.SHARD_MOVED({});
    const sequence = await latest(shard);
    const caught = await catchUp(actors, { shard, query, sequence });
    if (caught instanceof Uint8Array) return caught;
    return await scan({ shard, ...caught, arrivedMs, secondsMax, abandoned });
  }
}

/** Says when something moved. */
class Change {
  readonly #owners: Owners;
  readonly #ends = new Set<() => void>();
  #isForgotten = false;

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  /** Resolves at the next change, or after a time. */
  within(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        back();
        clearTimeout(timer);
        this.#ends.delete(end);
        resolve();
      };
      const back = this.#owners.onceChanged(end);
      const timer = setTimeout(end, ms);
      this.#ends.add(end);
    });
  }

  /** Rejects with SHARD_MOVED when a change makes `isOver` true, or after a time. */
  async until(isOver: () => boolean, ms: number): Promise<never> {
    const endMs = monotonicMs() + ms;
    let leftMs = ms;
    while (leftMs > 0 && !isOver() && !this.#isForgotten) {
      await this.within(leftMs);
      leftMs = endMs - monotonicMs();
    }
    throw errors.SHARD_MOVED({});
  }

  /** Ends all waiting. */
  forget(): void {
    this.#isForgotten = true;
    for (const end of [...this.#ends]) end();
  }
}

/** Whom a question counts for; one about many domains counts for one of them. */
function domainOf(query: RoutedTask['query']): string {
  return 'domainIds' in query ? (query.domainIds[0] ?? '') : query.domainId;
}

/** What goes away by itself: asked again, by then of whoever owns the shard. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof OperatingError)) return false;
  const { code } = error;
  return code === 'SHARD_MOVED' || code === 'NODE_AWAY' || code === 'LOG_UNAVAILABLE';
}
