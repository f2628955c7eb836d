/**
 * The shards that a node reads from the stream, and the way of their records to the actors.
 *
 * Data plane at batch granularity. Shards are started and stopped while others run. What an actor is
 * handed begins, for each opening of a shard, with a message that says so: records of an opening before
 * may still be on their way. An actor that is behind gets no more until it has caught up.
 */

import type { JetStreamManager, NatsConnection } from 'nats';
import { errors } from '../../model/errors.ts';
import { budgets } from '../../model/memory.ts';
import {
  type BeginMessage,
  type LogWriterLink,
  type RecordsMessage,
  raisePosition,
} from '../log/links.ts';
import { checkRecord } from '../log/record-frame.ts';
import { LeaderFeed } from './leader-feed.ts';
import { type Feed, ShardFeed } from './shard-feed.ts';
import { hitStreamName, hitSubject, lastSequenceOf } from './streams.ts';

/** How often paused feeds are looked after. */
const CARE_MS = 50;
/** How often a feed is looked at while somebody waits for it. */
const REACHED_POLL_MS = 5;

/** From where a shard is read. */
export interface FeedStart {
  shard: number;
  /** Position behind which it is read. */
  after: number;
  /** Number of the actor's opening of the shard. */
  opening: number;
}

/** The question for a shard's last sequence that is under way, and the one that comes after it. */
interface Question {
  asked: Promise<number>;
  next: Promise<number> | null;
}

/** What it is made of. */
export interface NatsFeedsOptions {
  connection: NatsConnection;
  manager: JetStreamManager;
  prefix: string;
  link: LogWriterLink;
  /** Servers that keep the stream. */
  replicas: number;
  /** Stores a mark behind everything of a shard that is acknowledged. @returns its sequence. */
  mark: (shard: number) => Promise<number>;
  onFault: (error: Error) => void;
}

/** See above. */
export class NatsFeeds {
  readonly #options: NatsFeedsOptions;
  readonly #feeds = new Map<number, Feed>();
  readonly #questions = new Map<number, Question>();
  // By actor: bodies of this turn.
  readonly #held: RecordsMessage[];
  readonly #care: NodeJS.Timeout;
  #isHanding = false;

  constructor(options: NatsFeedsOptions) {
    this.#options = options;
    this.#held = options.link.actors.map(() => []);
    this.#care = setInterval(() => this.#lookAfter(), CARE_MS);
  }

  /**
   * Reads a shard from behind a position and goes on reading; one that is read already begins anew.
   *
   * @returns position of the last record in the stream at the call, once its actor was handed it.
   * @throws STREAM_WENT_BACK when the stream ends before the position, SHARD_MOVED when it is stopped.
   */
  async start({ shard, after, opening }: FeedStart): Promise<number> {
    const { connection, manager, prefix, link } = this.#options;
    this.stop(shard);
    const stream = hitStreamName(prefix);
    const feed: Feed = new (this.#options.replicas === 1 ? ShardFeed : LeaderFeed)({
      ...{ connection, manager, stream, subject: hitSubject(prefix, shard), after },
      visit: (at, bytes) => {
        if (!feed.isClosed) this.#deliver(shard, at, bytes);
      },
    });
    this.#feeds.set(shard, feed);
    const { state } = await manager.streams.info(stream).catch(unavailable);
    const last = state.last_seq < after ? await this.#lastConfirmed(shard) : state.last_seq;
    if (after > last) throw errors.STREAM_WENT_BACK({ stream, shard, counted: after, last });
    if (feed.isClosed) throw errors.SHARD_MOVED({});
    // What is held of an opening before goes first.
    this.#hand();
    const begin: BeginMessage = { begin: { shard, opening } };
    link.actors[shard % link.actors.length]!.postMessage(begin);
    raisePosition(link.memory, shard, after);
    feed.open();
    return await this.latest(shard);
  }

  /** Reads a shard no more. */
  stop(shard: number): void {
    this.#feeds.get(shard)?.close();
    this.#feeds.delete(shard);
  }

  /**
   * Position of a shard's last record in the stream, asked of the stream after the call, and read.
   *
   * @throws SHARD_MOVED when the shard is not read here, LOG_UNAVAILABLE when nobody answers.
   */
  latest(shard: number): Promise<number> {
    const running = this.#questions.get(shard);
    if (running === undefined) return this.#ask(shard);
    // What was stored after the running question was asked may not be in its answer.
    running.next ??= running.asked.then(
      () => this.#ask(shard),
      () => this.#ask(shard),
    );
    return running.next;
  }

  /** Something was stored for a shard. */
  nudge(shard: number): void {
    this.#feeds.get(shard)?.nudge();
  }

  /** The connection is a new one: every shard is asked for again. */
  renew(): void {
    for (const feed of this.#feeds.values()) feed.renew();
  }

  close(): void {
    clearInterval(this.#care);
    for (const shard of [...this.#feeds.keys()]) this.stop(shard);
  }

  #ask(shard: number): Promise<number> {
    const asked = this.#findLatest(shard).finally(() => {
      if (this.#questions.get(shard) === question) this.#questions.delete(shard);
    });
    const question: Question = { asked, next: null };
    this.#questions.set(shard, question);
    return asked;
  }

  async #findLatest(shard: number): Promise<number> {
    const { link } = this.#options;
    const feed = this.#feeds.get(shard);
    if (feed === undefined) throw errors.SHARD_MOVED({});
    const last = await this.#lastConfirmed(shard);
    feed.nudge();
    while (feed.position < last) {
      if (feed.isClosed) throw errors.SHARD_MOVED({});
      await new Promise((resolve) => setTimeout(resolve, REACHED_POLL_MS));
    }
    // Not `last`: that may be a part of a record that nobody has finished.
    raisePosition(link.memory, shard, feed.visited);
    return feed.visited;
  }

  /**
   * A sequence that everything acknowledged before the call lies before, or at.
   *
   * The only server there is knows its last message. A leader that was just elected may not have applied
   * what its predecessor acknowledged: there a message that goes through all servers marks the place.
   */
  async #lastConfirmed(shard: number): Promise<number> {
    const { replicas, mark, manager, prefix } = this.#options;
    if (replicas > 1) {
      try {
        return await mark(shard);
      } catch (error) {
        // No room for a mark, and none for hits: what is there can still be asked for.
        if ((error as { code?: string }).code !== 'LOG_FULL') throw error;
      }
    }
    return await lastSequenceOf(manager, { prefix, shard }).catch(unavailable);
  }

  #deliver(shard: number, sequence: number, body: Uint8Array<ArrayBuffer>): void {
    const { link, prefix, onFault } = this.#options;
    const fault = checkRecord(body, shard);
    if (fault !== null) {
      const stream = hitStreamName(prefix);
      onFault(errors.LOG_FOREIGN_RECORD({ stream, sequence, fault }));
      return;
    }
    const actor = shard % link.actors.length;
    raisePosition(link.memory, shard, sequence);
    Atomics.add(link.memory.handed, actor, body.length);
    this.#held[actor]!.push({ first: sequence, body });
    if (this.#isHanding) return;
    this.#isHanding = true;
    setImmediate(() => this.#hand());
  }

  /** Hands on what came in this turn. */
  #hand(): void {
    this.#isHanding = false;
    for (const [actor, message] of this.#held.entries()) {
      if (message.length === 0) continue;
      this.#held[actor] = [];
      const moved = message.map(({ body }) => body.buffer);
      this.#options.link.actors[actor]!.postMessage(message, moved);
      if (this.#backlog(actor) > budgets.backlog) this.#pause(actor);
    }
  }

  #backlog(actor: number): number {
    const { handed, applied } = this.#options.link.memory;
    return (Atomics.load(handed, actor) - Atomics.load(applied, actor)) | 0;
  }

  #pause(actor: number): void {
    for (const [shard, feed] of this.#feeds) {
      if (shard % this.#held.length === actor) feed.pause();
    }
  }

  #lookAfter(): void {
    for (const [shard, feed] of this.#feeds) {
      if (!feed.isPaused) continue;
      if (this.#backlog(shard % this.#held.length) < budgets.backlog / 2) feed.resume();
    }
  }
}

function unavailable(cause: Error): never {
  throw errors.LOG_UNAVAILABLE({ reason: cause.message }, cause);
}
