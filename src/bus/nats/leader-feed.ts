/**
 * One shard's records out of a stream that several servers keep: read from its leader, one by one.
 *
 * Data plane at batch granularity. A consumer lives on any one of the servers and reads that server's
 * copy, and a copy that comes back after a crash can lack messages the others have (seen on NATS 2.9:
 * a consumer went from 2,214 to 3,608 while the leader had all between). So here every message is asked
 * for by the position before it, of the leader, whose copy is what was acknowledged. It costs a round
 * trip per record; a single server's only copy is read by a consumer (`shard-feed.ts`).
 */

import type { StoredMsg } from 'nats';
import { PartAssembler } from './chunked-messages.ts';
import type { Feed, ShardFeedOptions } from './shard-feed.ts';

/** Rests between looks when there is nothing new: doubled up to the longest. */
const REST_MS_MIN = 2;
const REST_MS_MAX = 500;
/** Rest after an answer that failed. */
const RETRY_MS = 200;

const NO_MESSAGE = 404;

/** A shard's reader; a nudge ends its rest. */
export class LeaderFeed implements Feed {
  readonly #options: ShardFeedOptions;
  readonly #parts = new PartAssembler();
  #position: number;
  #visited: number;
  #isPaused = false;
  #isClosed = false;
  #isOpen = false;
  #restMs = REST_MS_MIN;
  /** Ends the rest that is under way. */
  #wake: (() => void) | null = null;
  #wasNudged = false;

  constructor(options: ShardFeedOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#visited = options.after;
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

  get isPaused(): boolean {
    return this.#isPaused;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    void this.#read();
  }

  renew(): void {
    this.nudge();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.nudge();
  }

  nudge(): void {
    this.#restMs = REST_MS_MIN;
    this.#wasNudged = true;
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async #read(): Promise<void> {
    while (!this.#isClosed) {
      this.#wasNudged = false;
      const restMs = this.#isPaused ? REST_MS_MAX : await this.#readNext();
      if (restMs > 0 && !this.#wasNudged && !this.#isClosed) await this.#rest(restMs);
    }
  }

  /** @returns milliseconds to rest before the next look. */
  async #readNext(): Promise<number> {
    const { manager, stream, subject } = this.#options;
    // The server knows `next_by_subj`; the client's type does not.
    const query = { seq: this.#position + 1, next_by_subj: subject };
    let message: StoredMsg;
    try {
      message = await manager.streams.getMessage(stream, query);
    } catch (error) {
      if (!isNoMessage(error)) return RETRY_MS;
      this.#restMs = Math.min(2 * this.#restMs, REST_MS_MAX);
      return this.#restMs;
    }
    if (this.#isClosed || message.seq <= this.#position) return RETRY_MS;
    this.#restMs = REST_MS_MIN;
    this.#position = message.seq;
    const bytes = this.#parts.add(message.seq, { headers: message.header, data: message.data });
    if (bytes !== null) {
      this.#visited = message.seq;
      this.#options.visit(message.seq, bytes);
    }
    return 0;
  }

  #rest(restMs: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(end, restMs);
      const wake = (): void => end();
      function end(): void {
        clearTimeout(timer);
        resolve();
      }
      this.#wake = wake;
    }).then(() => {
      this.#wake = null;
    });
  }
}

function isNoMessage(error: unknown): boolean {
  return (error as { api_error?: { code?: number } }).api_error?.code === NO_MESSAGE;
}
