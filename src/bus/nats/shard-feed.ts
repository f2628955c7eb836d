/**
 * One shard's records out of the stream, in order, each once, for as long as it is open.
 *
 * Data plane at batch granularity. The reader's own position is the only one there is: the server
 * keeps none for it. It asks for everything from there on; whenever something is missing (a gap, a
 * missed heartbeat, a new connection, a reader that was too slow) it asks again from its position.
 *
 *     open(from) ─▶ messages ─ gap? ask again ─▶ parts put together ─▶ visit(record)
 */

import {
  AckPolicy,
  createInbox,
  DeliverPolicy,
  type JetStreamManager,
  type Msg,
  type NatsConnection,
  nanos,
  type Subscription,
} from 'nats';
import { monotonicMs } from '../../base/clock.ts';
import { PartAssembler } from './chunked-messages.ts';

/** The server says that it is there this often, and is asked again after twice as long. */
const HEARTBEAT_MS = 2_000;
/** The server forgets a reader that is gone for this long. */
const FORGOTTEN_AFTER_MS = 30_000;
const REOPEN_WAIT_MS = 200;

/** What a feed needs. */
export interface ShardFeedOptions {
  connection: NatsConnection;
  manager: JetStreamManager;
  stream: string;
  subject: string;
  /** Position behind which it begins. */
  after: number;
  /** Gets every record with its sequence, that of its last part; bytes are the receiver's own. */
  visit: (sequence: number, bytes: Uint8Array<ArrayBuffer>) => void;
}

/** Reads one shard's records; which way depends on how many servers keep the stream. */
export interface Feed {
  /** Sequence of the last message seen; everything up to it has been visited or is in parts. */
  readonly position: number;
  /** Sequence of the last record visited: behind it there are only parts. */
  readonly visited: number;
  readonly isPaused: boolean;
  readonly isClosed: boolean;
  /** Begins to read. */
  open(): void;
  /** Asks again from the position: the connection is a new one. */
  renew(): void;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  /** There is something new: a reader that looks from time to time looks now. */
  nudge(): void;
  close(): void;
}

/** The reader of a stream that one server keeps: a consumer sends what is new. */
export class ShardFeed implements Feed {
  readonly #options: ShardFeedOptions;
  readonly #parts: PartAssembler;
  #subscription: Subscription | null = null;
  /** Sequence of the last message seen. */
  #position: number;
  /** Sequence of the last record that was whole. */
  #visited: number;
  /** Count of the server's messages to this subscription. */
  #delivered = 0;
  #heardMs = 0;
  #isPaused = false;
  #isClosed = false;
  #isOpening = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: ShardFeedOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#visited = options.after;
    this.#parts = new PartAssembler();
  }

  get position(): number {
    return this.#position;
  }

  get visited(): number {
    return this.#visited;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  open(): void {
    this.#reopen();
    this.#timer ??= setInterval(() => this.#watch(), HEARTBEAT_MS);
  }

  renew(): void {
    if (!this.#isPaused && !this.#isClosed) this.#reopen();
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#drop();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#reopen();
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  nudge(): void {
    // The server sends by itself.
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#drop();
  }

  #drop(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = null;
  }

  #watch(): void {
    if (this.#isPaused || this.#isOpening) return;
    if (monotonicMs() - this.#heardMs > 2 * HEARTBEAT_MS) this.#reopen();
  }

  #reopen(): void {
    this.#drop();
    const { connection } = this.#options;
    // Parts that were cut off come again from the first.
    this.#position = this.#parts.restart(this.#position);
    this.#delivered = 0;
    this.#heardMs = monotonicMs();
    const inbox = createInbox();
    const subscription = connection.subscribe(inbox, {
      callback: (error, message) => {
        if (error === null && this.#subscription === subscription) this.#take(message);
      },
    });
    this.#subscription = subscription;
    this.#isOpening = true;
    this.#ask(inbox).then(
      () => {
        this.#isOpening = false;
      },
      () => {
        // The server is away or not ready yet: again, soon, unless a newer attempt is at work.
        setTimeout(() => {
          if (this.#subscription !== subscription || this.#isClosed) return;
          this.#isOpening = false;
          this.#reopen();
        }, REOPEN_WAIT_MS).unref();
      },
    );
  }

  async #ask(inbox: string): Promise<void> {
    const { manager, stream, subject } = this.#options;
    await manager.consumers.add(stream, {
      deliver_subject: inbox,
      filter_subject: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#position + 1,
      ack_policy: AckPolicy.None,
      max_deliver: 1,
      flow_control: true,
      idle_heartbeat: nanos(HEARTBEAT_MS),
      inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
      mem_storage: true,
      num_replicas: 1,
    });
  }

  #take(message: Msg): void {
    this.#heardMs = monotonicMs();
    if (message.headers?.code === 100) {
      this.#obey(message);
      return;
    }
    const { sequence, delivered } = readReply(message.reply ?? '');
    if (delivered !== this.#delivered + 1) {
      this.#reopen();
      return;
    }
    this.#delivered = delivered;
    this.#position = sequence;
    const bytes = this.#parts.add(sequence, message);
    if (bytes === null) return;
    this.#visited = sequence;
    this.#options.visit(sequence, bytes);
  }

  /** Flow control wants an answer; a heartbeat says how much was sent. */
  #obey(message: Msg): void {
    if (message.reply) {
      message.respond();
      return;
    }
    const stalled = message.headers?.get('Nats-Consumer-Stalled');
    if (stalled) this.#options.connection.publish(stalled);
    const sent = Number(message.headers?.get('Nats-Last-Consumer'));
    if (Number.isInteger(sent) && sent !== this.#delivered) this.#reopen();
  }
}

/**
 * Where a message stands, from its reply subject:
 * `$JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.delivered.time.pending[.token]`
 */
function readReply(reply: string): { sequence: number; delivered: number } {
  const tokens = reply.split('.');
  const at = tokens.length >= 11 ? 7 : 5;
  return { sequence: Number(tokens[at]), delivered: Number(tokens[at + 1]) };
}
