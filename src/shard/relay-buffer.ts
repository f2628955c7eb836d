/**
 * Records on their way from an actor to its lanes: gathered by one, read by the others.
 *
 * Data plane. Copied once into memory that all lanes see, however many they are.
 */

import type { LogRecord } from '../bus/log.ts';
import type { RelayedRecords } from './lane-protocol.ts';

/** Bytes at which the records are sent on: lanes work while the actor still reads its batch. */
const FULL_BYTES = 256 * 1_024;
const NUMBERS_PER_RECORD = 3;

/** What is to be relayed. */
export class RelayBuffer {
  #bytes = new Uint8Array(FULL_BYTES);
  #length = 0;
  #index: number[] = [];

  /** Whether it is time to send. */
  get isFull(): boolean {
    return this.#length >= FULL_BYTES;
  }

  /** Copies a record. */
  add({ shard, sequence, payload }: LogRecord): void {
    const end = this.#length + payload.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(payload, this.#length);
    this.#length = end;
    this.#index.push(shard, sequence, end);
  }

  /** Everything since the last call; null if that is nothing. */
  take(): RelayedRecords | null {
    if (this.#index.length === 0) return null;
    const body = new SharedArrayBuffer(this.#length);
    new Uint8Array(body).set(this.#bytes.subarray(0, this.#length));
    const index = Float64Array.from(this.#index);
    this.#index = [];
    this.#length = 0;
    // One large record need not be remembered for good.
    if (this.#bytes.length > 2 * FULL_BYTES) this.#bytes = new Uint8Array(FULL_BYTES);
    return { body, index };
  }
}

/** The records again, with payloads of this thread's own. */
export function readRelayed({ body, index }: RelayedRecords): LogRecord[] {
  const bytes = new Uint8Array(new Uint8Array(body));
  const records: LogRecord[] = [];
  let start = 0;
  for (let at = 0; at < index.length; at += NUMBERS_PER_RECORD) {
    const end = index[at + 2]!;
    const payload = bytes.subarray(start, end);
    records.push({ shard: index[at]!, sequence: index[at + 1]!, payload });
    start = end;
  }
  return records;
}
