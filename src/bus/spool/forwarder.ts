/**
 * Brings what waits in a node's spool into the stream: in order, each shard's one after the other.
 *
 * Data plane at batch granularity. The next message of a shard is sent only after the one before it
 * was acknowledged, so that the numbers of the spool rise along every shard, whatever is repeated.
 */

import type { Spool, WaitingRecord } from './spool.ts';
import { encodeSpooled } from './spooled-records.ts';

/** Stores a record of a shard; the id names it for as long as the server remembers ids. */
export type PublishSpooled = (shard: number, payload: Uint8Array, id: string) => Promise<void>;

/** Read from the disk at once. */
const WINDOW_BYTES = 4 * 1_024 * 1_024;
/** Payloads that one message takes together. */
const MESSAGE_BYTES = 256 * 1_024;
/** Rest after a message that was refused, or while there is no server. */
const RETRY_MS = 200;

/** One node's forwarder. */
export class SpoolForwarder {
  readonly #spool: Spool;
  readonly #publish: PublishSpooled;
  readonly #onChange: () => void;
  #isClosed = false;
  #running: Promise<void> | null = null;

  /** @param onChange called when records have left the spool. */
  constructor(spool: Spool, publish: PublishSpooled, onChange: () => void) {
    this.#spool = spool;
    this.#publish = publish;
    this.#onChange = onChange;
  }

  /** There may be something to forward. */
  wake(): void {
    if (this.#running !== null || this.#isClosed || this.#spool.isEmpty) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      this.wake();
    });
  }

  /** Resolves when nothing is on its way any more; what waits stays. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed && !this.#spool.isEmpty) {
      const records = this.#spool.read(WINDOW_BYTES);
      const byShard = new Map<number, WaitingRecord[]>();
      for (const record of records) {
        const own = byShard.get(record.shard);
        if (own === undefined) byShard.set(record.shard, [record]);
        else own.push(record);
      }
      const sent = await Promise.all(
        [...byShard].map(([shard, own]) => this.#send(shard, messagesOf(own))),
      );
      if (sent.includes(false)) return;
      this.#spool.forwarded(records);
      this.#onChange();
    }
  }

  /** @returns false when it was closed before all were stored. */
  async #send(shard: number, messages: readonly WaitingRecord[][]): Promise<boolean> {
    for (const message of messages) {
      const spool = message[0]?.spool ?? '';
      const payload = encodeSpooled(spool, message);
      const id = `${spool}-${message[0]?.number}-${message.at(-1)?.number}`;
      while (!(await this.#isStored(shard, payload, id))) {
        if (this.#isClosed) return false;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    return true;
  }

  async #isStored(shard: number, payload: Uint8Array, id: string): Promise<boolean> {
    try {
      await this.#publish(shard, payload, id);
      return true;
    } catch {
      // Whatever it was, the record stays until it is stored.
      return false;
    }
  }
}

function messagesOf(records: readonly WaitingRecord[]): WaitingRecord[][] {
  const messages: WaitingRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const isOther = messages.at(-1)?.[0]?.spool !== record.spool;
    if (isOther || bytes + record.payload.length > MESSAGE_BYTES) {
      messages.push([]);
      bytes = 0;
    }
    messages.at(-1)?.push(record);
    bytes += record.payload.length;
  }
  return messages;
}
