/** The actor's live side of the local log: records as they become durable. */

import type { LocalLogActorLink, RecordsMessage } from './local-log-links.ts';
import type { LogRecord } from './log.ts';
import { readBody } from './record-body.ts';

/** One actor's feed. */
export class LocalLogFeed {
  readonly #link: LocalLogActorLink;
  readonly #applied: Int32Array;

  constructor(link: LocalLogActorLink) {
    this.#link = link;
    this.#applied = new Int32Array(link.memory.applied);
  }

  /**
   * Calls `handle` with every batch of records, in order. What it was given counts as applied when
   * it returns; payloads are valid for good.
   */
  onRecords(handle: (records: readonly LogRecord[]) => void): void {
    this.#link.port.on('message', ({ first, sequences, body }: RecordsMessage) => {
      const records: LogRecord[] = [];
      readBody(body, first, (record) => {
        if (sequences !== null) record.sequence = sequences[records.length]!;
        records.push(record);
      });
      handle(records);
      Atomics.add(this.#applied, this.#link.index, body.length);
    });
  }

  close(): void {
    this.#link.port.close();
  }
}
