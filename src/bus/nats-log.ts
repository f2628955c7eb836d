/**
 * The log on JetStream: what a node's edges append goes into the stream, and what the stream holds
 * for the node's shards goes to its actors.
 *
 * Data plane at batch granularity; runs on a thread of its own and speaks the links of the local
 * log, so that edges and actors do not know which log there is. The stream gives the order: the
 * actors get their own node's records like all others, from the stream, never past it.
 *
 *     edges ── bodies ──▶ publish, one message per record ──▶ stream ──▶ ShardFeed ── bodies ──▶ actors
 *       ▲                        │ acknowledged
 *       └── answers, in order ◀──┘ (positions first: who is answered finds them, A-64)
 */

import type { JetStreamManager, NatsConnection } from 'nats';
import { errors, OperatingError, type SentError, sendError } from '../model/errors.ts';
import { LOG_BACKLOG_BYTES_MAX } from '../model/limits.ts';
import type {
  AppendMessage,
  AppendsSettled,
  ConsumeFrom,
  LogMemory,
  LogWriterLink,
  RecordsMessage,
} from './log-links.ts';
import { type NatsAccess, openNats } from './nats-connection.ts';
import { LeaderFeed } from './nats-leader-feed.ts';
import { NatsPublisher } from './nats-publisher.ts';
import { type Feed, ShardFeed } from './nats-shard-feed.ts';
import {
  claimStream,
  type HitStreamOptions,
  hitStreamName,
  hitSubject,
  openHitStream,
} from './nats-streams.ts';
import { checkRecord, makeBody, readBody } from './record-body.ts';
import { SpoolGate, type SpoolGateOptions } from './spool-gate.ts';

/** How often paused feeds and trimming are looked after. */
const CARE_MS = 50;

/** Where the log is and what it is made of. */
export interface NatsLogOptions extends HitStreamOptions {
  access: NatsAccess;
  /** Shown in the server's list of connections. */
  name: string;
  /** Where appends wait while the servers are away; absent: nowhere. */
  spool?: SpoolGateOptions;
}

interface Append {
  /** Records that have no answer yet. */
  open: number;
  error: SentError | null;
}

/** A node's end of the log. */
export class NatsLog {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #options: NatsLogOptions;
  readonly #link: LogWriterLink;
  readonly #publisher: NatsPublisher;
  readonly #spool: SpoolGate | null;
  readonly #onFault: (error: Error) => void;
  readonly #feeds = new Map<number, Feed>();
  // By edge: appends in the order they came, answered in that order.
  readonly #appends: Append[][];
  // By actor: bodies of this turn.
  readonly #held: RecordsMessage[];
  #isHanding = false;
  #isClosing = false;
  #trimTo = 0;
  #trimmed = 0;
  #isTrimming = false;
  #care: NodeJS.Timeout | null = null;
  /** When the stream was made: a stream made later is another one. */
  readonly created: string;
  readonly lastSequence: number;

  private constructor(parts: {
    connection: NatsConnection;
    manager: JetStreamManager;
    created: string;
    lastSequence: number;
    options: NatsLogOptions;
    link: LogWriterLink;
    onFault: (error: Error) => void;
  }) {
    this.#connection = parts.connection;
    this.#manager = parts.manager;
    this.#options = parts.options;
    this.#link = parts.link;
    this.#onFault = parts.onFault;
    this.created = parts.created;
    this.lastSequence = parts.lastSequence;
    const stream = hitStreamName(parts.options.prefix);
    this.#publisher = new NatsPublisher(parts.connection, stream, () => {
      return this.#spool?.noteTrouble() ?? false;
    });
    const forwarding = new NatsPublisher(parts.connection, stream, () => this.#isClosing);
    const { spool } = parts.options;
    const publish = (shard: number, payload: Uint8Array, id: string) =>
      this.#store(forwarding, { shard, payload, id });
    const { memory } = parts.link;
    this.#spool = spool ? SpoolGate.open(spool, { memory, publish, onFault: parts.onFault }) : null;
    this.#appends = parts.link.edges.map(() => []);
    this.#held = parts.link.actors.map(() => []);
    for (const [edge, port] of parts.link.edges.entries()) {
      port.on('message', (message: AppendMessage) => this.#append(edge, message));
    }
    void this.#follow();
  }

  /**
   * Connects and opens the stream; nothing is read until `consume`.
   *
   * @param onFault the log cannot go on: a foreign record, or a connection that is closed for good.
   * @throws NATS_UNREACHABLE, NATS_REFUSED, JETSTREAM_UNAVAILABLE, STREAM_MISMATCH, STREAM_IN_USE.
   */
  static async open(
    options: NatsLogOptions,
    link: LogWriterLink,
    onFault: (error: Error) => void,
  ): Promise<NatsLog> {
    const connection = await openNats(options.access, options.name);
    try {
      const { manager, info } = await openHitStream(connection, options);
      await claimStream(connection, options);
      const { created, state } = info;
      const lastSequence = state.last_seq;
      return new NatsLog({ connection, manager, created, lastSequence, options, link, onFault });
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /**
   * Reads every shard from behind its checkpoint and goes on reading.
   *
   * @returns when the actors have been given all that the stream held at the call.
   * @throws LOG_BEHIND_CHECKPOINT when the stream ends before a checkpoint.
   */
  async consume({ positions }: ConsumeFrom): Promise<void> {
    const { connection, manager, stream } = this.#stream();
    const { state } = await manager.streams.info(stream);
    const waits: Promise<void>[] = [];
    for (const { shard, sequence } of positions) {
      if (sequence > state.last_seq) {
        throw errors.LOG_BEHIND_CHECKPOINT({ checkpoint: sequence, last: state.last_seq });
      }
      const subject = hitSubject(this.#options.prefix, shard);
      const last = await lastSequenceOf(manager, stream, subject);
      raise(this.#link.memory, shard, Math.max(last, sequence));
      const isKeptByOne = this.#options.replicas === 1;
      const feed = new (isKeptByOne ? ShardFeed : LeaderFeed)({
        ...{ connection, manager, stream, subject, after: sequence },
        visit: (at, bytes) => this.#deliver(shard, at, bytes),
      });
      this.#feeds.set(shard, feed);
      feed.open();
      waits.push(reached(feed, last));
    }
    this.#care ??= setInterval(() => this.#lookAfter(), CARE_MS);
    await Promise.all(waits);
  }

  /** Forgets records up to a sequence that no checkpoint needs. */
  trim(sequence: number): void {
    this.#trimTo = Math.max(this.#trimTo, sequence);
  }

  /** Answers what the edges had sent, then lets go of the connection. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#care !== null) clearInterval(this.#care);
    for (const feed of this.#feeds.values()) feed.close();
    while (this.#appends.some((appends) => appends.length > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await this.#spool?.close();
    await this.#connection.close();
  }

  #stream() {
    const stream = hitStreamName(this.#options.prefix);
    return { connection: this.#connection, manager: this.#manager, stream };
  }

  #append(edge: number, message: AppendMessage): void {
    const append: Append = { open: 0, error: null };
    this.#appends[edge]!.push(append);
    if (this.#spool === null || this.#spool.isOpen) {
      this.#send(edge, append, message);
      return;
    }
    append.open = 1;
    this.#spool.add({
      bodies: message.map(({ body }) => body),
      done: (error) => this.#settle(edge, append, error),
      send: () => {
        append.open = 0;
        this.#send(edge, append, message);
      },
    });
  }

  #send(edge: number, append: Append, message: AppendMessage): void {
    for (const { body } of message) {
      readBody(body, 0, ({ shard, payload }) => {
        append.open++;
        this.#publish(shard, payload).then(
          () => this.#settle(edge, append, null),
          (error: unknown) => this.#settle(edge, append, error),
        );
      });
    }
  }

  async #publish(shard: number, payload: Uint8Array): Promise<void> {
    // While there is no server nothing is kept: the client is told at once and may try again.
    if (Atomics.load(this.#link.memory.isAway, 0) !== 0) {
      throw errors.LOG_UNAVAILABLE({ reason: 'NATS is away' });
    }
    await this.#store(this.#publisher, { shard, payload });
  }

  async #store(
    publisher: NatsPublisher,
    { shard, payload, id }: { shard: number; payload: Uint8Array; id?: string },
  ): Promise<void> {
    const bytes = makeBody([{ shard, payload }]);
    const subject = hitSubject(this.#options.prefix, shard);
    raise(this.#link.memory, shard, await publisher.publish(subject, bytes, id));
    this.#feeds.get(shard)?.nudge();
  }

  #settle(edge: number, append: Append, error: unknown): void {
    append.open--;
    if (error !== null) {
      const isKnown = error instanceof OperatingError;
      append.error = sendError(isKnown ? error : errors.INTERNAL({}));
      if (!isKnown) this.#onFault(error as Error);
    }
    const appends = this.#appends[edge]!;
    while (appends.length > 0 && appends[0]!.open === 0) {
      const settled: AppendsSettled = { count: 1, error: appends.shift()!.error };
      this.#link.edges[edge]!.postMessage(settled);
    }
  }

  #deliver(shard: number, sequence: number, body: Uint8Array<ArrayBuffer>): void {
    const fault = checkRecord(body, shard);
    if (fault !== null) {
      const stream = hitStreamName(this.#options.prefix);
      this.#onFault(errors.LOG_FOREIGN_RECORD({ stream, sequence, fault }));
      return;
    }
    const { memory, actors } = this.#link;
    const actor = shard % actors.length;
    raise(memory, shard, sequence);
    Atomics.add(memory.handed, actor, body.length);
    this.#held[actor]!.push({ first: sequence, body });
    if (this.#isHanding) return;
    this.#isHanding = true;
    setImmediate(() => this.#hand());
  }

  /** Hands on what came in this turn; an actor that is behind gets no more until it has caught up. */
  #hand(): void {
    this.#isHanding = false;
    for (const [actor, message] of this.#held.entries()) {
      if (message.length === 0) continue;
      this.#held[actor] = [];
      const moved = message.map(({ body }) => body.buffer);
      this.#link.actors[actor]!.postMessage(message, moved);
      if (this.#backlog(actor) > LOG_BACKLOG_BYTES_MAX) this.#pause(actor);
    }
  }

  #backlog(actor: number): number {
    const { handed, applied } = this.#link.memory;
    return (Atomics.load(handed, actor) - Atomics.load(applied, actor)) | 0;
  }

  #pause(actor: number): void {
    for (const [shard, feed] of this.#feeds) {
      if (shard % this.#link.actors.length === actor) feed.pause();
    }
  }

  #lookAfter(): void {
    for (const [shard, feed] of this.#feeds) {
      if (!feed.isPaused) continue;
      const backlog = this.#backlog(shard % this.#link.actors.length);
      if (backlog < LOG_BACKLOG_BYTES_MAX / 2) feed.resume();
    }
    if (this.#isTrimming || this.#trimTo <= this.#trimmed) return;
    this.#isTrimming = true;
    const sequence = this.#trimTo;
    const { manager, stream } = this.#stream();
    manager.streams.purge(stream, { seq: sequence + 1 }).then(
      () => {
        this.#isTrimming = false;
        this.#trimmed = sequence;
      },
      () => {
        // Nothing depends on it: the next round tries again.
        this.#isTrimming = false;
      },
    );
  }

  /** Follows the connection: says when it is away, reads on when it is back. */
  async #follow(): Promise<void> {
    const { isAway } = this.#link.memory;
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') {
        Atomics.store(isAway, 0, 1);
        this.#spool?.connectionChanged(true);
      }
      if (type !== 'reconnect') continue;
      Atomics.store(isAway, 0, 0);
      this.#spool?.connectionChanged(false);
      for (const feed of this.#feeds.values()) feed.renew();
    }
  }
}

/** A position only ever rises, whichever of publisher and feed comes first. */
function raise({ durable }: LogMemory, shard: number, sequence: number): void {
  if (Number(Atomics.load(durable, shard)) < sequence) {
    Atomics.store(durable, shard, BigInt(sequence));
  }
}

/** Sequence of a subject's last message, 0 when it has none. */
export async function lastSequenceOf(
  manager: JetStreamManager,
  stream: string,
  subject: string,
): Promise<number> {
  try {
    return (await manager.streams.getMessage(stream, { last_by_subj: subject })).seq;
  } catch (error) {
    if (isNoMessage(error)) return 0;
    throw error;
  }
}

function isNoMessage(error: unknown): boolean {
  return (error as { api_error?: { code?: number } }).api_error?.code === 404;
}

async function reached(feed: Feed, sequence: number): Promise<void> {
  while (feed.position < sequence) await new Promise((resolve) => setTimeout(resolve, 5));
}
