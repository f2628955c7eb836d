/**
 * The thread of the log on JetStream: connects, then publishes and reads until it is closed.
 *
 * Control plane. Unlike the writer of the local log it has an event loop, since it waits for a network.
 */

import type { MessagePort } from 'node:worker_threads';
import type { LogControl, LogWriterLink } from '../../bus/log/links.ts';
import type { FeedStart } from '../../bus/nats/feeds.ts';
import { NatsLog, type NatsLogOptions } from '../../bus/nats/log.ts';
import { answerCalls } from '../link/port-calls.ts';
import { failedStart, type ThreadStart } from '../link/threads.ts';

/** What the thread is started with. */
export interface NatsLogThreadData {
  kind: 'nats';
  options: NatsLogOptions;
  link: LogWriterLink;
  /** Calls of the main thread. */
  calls: MessagePort;
}

/** What it says when it is connected. */
export interface NatsLogFound {
  created: string;
  lastSequence: number;
}

/** What the main thread may ask of it. */
export type NatsLogCall =
  /** Reads a shard from behind a position: the position of its last record, once it was handed on. */
  | { kind: 'start'; from: FeedStart }
  | { kind: 'stop'; shard: number }
  /** Position of the shard's last record in the stream, asked of the stream now. */
  | { kind: 'latest'; shard: number };

/** Opens the log, tells what it found, and serves the supervisor's port. */
export async function runNatsLogThread(
  { options, link, calls }: NatsLogThreadData,
  tell: (message: ThreadStart<NatsLogFound>) => void,
): Promise<void> {
  let log: NatsLog;
  try {
    log = await NatsLog.open(options, link, (error) => {
      // Out of the client's callback, which would swallow it: the thread dies, and the node with it.
      setImmediate(() => {
        throw error;
      });
    });
  } catch (error) {
    tell(failedStart(error));
    return;
  }
  serveNatsLog(log, calls);
  link.control.on('message', (message: LogControl) => {
    // Forgetting is the snapshots' business: only behind one that is stored.
    if (message !== 'close') return;
    void log.close().then(() => {
      for (const port of [link.control, calls, ...link.edges, ...link.actors]) port.close();
    });
  });
  tell({ ready: { created: log.created, lastSequence: log.lastSequence } });
}

/** Answers the main thread's calls for an open log. */
export function serveNatsLog(log: NatsLog, calls: MessagePort): void {
  answerCalls(calls, (call: NatsLogCall) => {
    if (call.kind === 'start') return log.feeds.start(call.from);
    return call.kind === 'stop' ? log.feeds.stop(call.shard) : log.feeds.latest(call.shard);
  });
}
