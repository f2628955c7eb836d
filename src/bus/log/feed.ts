/** The actor's live side of a log, whichever it is: records as they become durable. Data plane. */

import { recordPart, spanMs, tracing } from '../../base/tracing/tracer.ts';
import type { LogRecord } from './interface.ts';
import type { BeginMessage, LogActorLink, RecordsMessage } from './links.ts';
import { readFrames } from './record-frame.ts';

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
    port.on('message', (buffers: RecordsMessage | BeginMessage) => {
      if ('begin' in buffers) {
        onBegin?.(buffers.begin);
        return;
      }
      const records: LogRecord[] = [];
      const keep = (record: LogRecord) => {
        records.push(record);
      };
      let bytes = 0;
      for (const { first, frames } of buffers) {
        readFrames(frames, first, keep);
        bytes += frames.length;
      }
      const startMs = tracing() === null ? 0 : spanMs();
      handle(records);
      if (startMs !== 0) recordCommits(buffers, startMs);
      Atomics.add(memory.applied, index, bytes);
    });
  }

  close(): void {
    this.#link.port.close();
  }
}

/** What the log's thread and this one did for sampled requests. @param startMs of this thread's part. */
function recordCommits(buffers: RecordsMessage, startMs: number): void {
  for (const { traced } of buffers) {
    if (traced === undefined) continue;
    const { traces, startMs: commitMs, endMs } = traced;
    for (const trace of traces) {
      recordPart(trace, { name: 'commit', startMs: commitMs, endMs, thread: 'log-0' });
      recordPart(trace, { name: 'apply', startMs, endMs: spanMs() });
    }
  }
}
