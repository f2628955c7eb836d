/** The actor's live side of a log, whichever it is: records as they become durable. Data plane. */

import type { LogRecord } from './interface.ts';
import type { BeginMessage, LogActorLink, RecordsMessage } from './links.ts';
import { readBody } from './record-frame.ts';

/** One actor's feed. Keeps its thread alive from `onRecords` until it is closed. */
export class LogLinkFeed {
  readonly #link: LogActorLink;

  constructor(link: LogActorLink) {
    this.#link = link;
  }

  /**
   * Calls `handle` with the records of every commit, in order, from the first that was sent: what
   * came before this call waits. What it was given counts as applied when it returns.
   *
   * @param handle gets payloads that are its own for good.
   * @param onBegin the records of a shard's opening follow.
   */
  onRecords(
    handle: (records: readonly LogRecord[]) => void,
    onBegin?: (begin: BeginMessage['begin']) => void,
  ): void {
    const { port, memory, index } = this.#link;
    port.on('message', (bodies: RecordsMessage | BeginMessage) => {
      if ('begin' in bodies) {
        onBegin?.(bodies.begin);
        return;
      }
      const records: LogRecord[] = [];
      const keep = (record: LogRecord) => {
        records.push(record);
      };
      let bytes = 0;
      for (const { first, body } of bodies) {
        readBody(body, first, keep);
        bytes += body.length;
      }
      handle(records);
      Atomics.add(memory.applied, index, bytes);
    });
  }

  close(): void {
    this.#link.port.close();
  }
}
