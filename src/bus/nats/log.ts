/**
 * The log on JetStream: what a node's edges append goes into the stream, and what the stream holds
 * for the node's shards goes to its actors.
 *
 * Data plane at batch granularity; runs on a thread of its own and speaks the links of the local
 * log, so that edges and actors do not know which log there is. The stream gives the order: the
 * actors get their own node's records like all others, from the stream, never past it.
 *
 *     edges ── bodies ──▶ publish, one message per record ──▶ stream ──▶ NatsFeeds ── bodies ──▶ actors
 *       ▲                        │ acknowledged
 *       └── answers, in order ◀──┘ (positions first: who is answered finds them, A-64)
 */

import type { JetStreamManager, NatsConnection } from 'nats';
import { errors, OperatingError, type SentError, sendError } from '../../model/errors.ts';
import {
  type AppendMessage,
  type AppendsSettled,
  type LogWriterLink,
  raisePosition,
} from '../log/links.ts';
import { makeBody, readBody } from '../log/record-frame.ts';
import { SpoolGate, type SpoolGateOptions } from '../spool/append-router.ts';
import { type NatsAccess, openNats } from './connection.ts';
import { NatsFeeds } from './feeds.ts';
import { NatsPublisher } from './publisher.ts';
import { NatsStreamWatch } from './stream-watch.ts';
import { type HitStreamOptions, hitStreamName, hitSubject, openHitStream } from './streams.ts';

/** What marks a place in a shard without a record. */
const NO_BYTES = new Uint8Array(0);

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
  readonly #options: NatsLogOptions;
  readonly #link: LogWriterLink;
  readonly #publisher: NatsPublisher;
  readonly #spool: SpoolGate | null;
  readonly #onFault: (error: Error) => void;
  readonly #feeds: NatsFeeds;
  readonly #watch: NatsStreamWatch;
  // By edge: appends in the order they came, answered in that order.
  readonly #appends: Append[][];
  #isClosing = false;
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
    const { connection, manager, link, onFault } = parts;
    const { prefix, replicas } = parts.options;
    const mark = (shard: number): Promise<number> =>
      this.#publisher.publish(hitSubject(prefix, shard), NO_BYTES);
    const feeds = { connection, manager, prefix, replicas, link, mark, onFault };
    this.#feeds = new NatsFeeds(feeds);
    const { created } = parts;
    this.#watch = new NatsStreamWatch({ manager, name: stream, created, memory });
    for (const [edge, port] of parts.link.edges.entries()) {
      port.on('message', (message: AppendMessage) => this.#append(edge, message));
    }
    void this.#follow();
  }

  /**
   * Connects and opens the stream; nothing is read until a feed is started.
   *
   * @param onFault the log cannot go on: a foreign record, or a connection that is closed for good.
   * @throws NATS_UNREACHABLE, NATS_REFUSED, JETSTREAM_UNAVAILABLE, STREAM_MISMATCH.
   */
  static async open(
    options: NatsLogOptions,
    link: LogWriterLink,
    onFault: (error: Error) => void,
  ): Promise<NatsLog> {
    const connection = await openNats(options.access, options.name);
    try {
      const { manager, info } = await openHitStream(connection, options);
      const { created, state } = info;
      const lastSequence = state.last_seq;
      return new NatsLog({ connection, manager, created, lastSequence, options, link, onFault });
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Which shards are read; started and stopped as the node opens and closes them. */
  get feeds(): NatsFeeds {
    return this.#feeds;
  }

  /** Answers what the edges had sent, then lets go of the connection. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#watch.close();
    this.#feeds.close();
    while (this.#appends.some((appends) => appends.length > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await this.#spool?.close();
    await this.#connection.close();
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
    raisePosition(this.#link.memory, shard, await publisher.publish(subject, bytes, id));
    this.#feeds.nudge(shard);
  }

  #settle(edge: number, append: Append, error: unknown): void {
    append.open--;
    if (error !== null) {
      void this.#watch.look();
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
      this.#feeds.renew();
    }
  }
}
