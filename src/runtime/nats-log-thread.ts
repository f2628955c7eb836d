/**
 * The thread of the log on JetStream: connects, then publishes and reads until it is closed.
 *
 * Control plane. Unlike the writer of the local log it has an event loop, since it waits for a network.
 */

import type { ConsumeFrom, LogControl, LogWriterLink } from '../bus/log-links.ts';
import { NatsLog, type NatsLogOptions } from '../bus/nats-log.ts';
import { failedStart, type ThreadStart } from './threads.ts';

/** What the thread is started with. */
export interface NatsLogThreadData {
  kind: 'nats';
  options: NatsLogOptions;
  link: LogWriterLink;
}

/** What it says when it is connected. */
export interface NatsLogFound {
  created: string;
  lastSequence: number;
}

/** What it says later: the actors have all that the stream held, or why that cannot be. */
export type Consumed = { consumed: true } | { failed: ReturnType<typeof failedStart>['failed'] };

/** Opens the log, tells what it found, and serves the supervisor's port. */
export async function runNatsLogThread(
  { options, link }: NatsLogThreadData,
  tell: (message: ThreadStart<NatsLogFound> | Consumed) => void,
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
  link.control.on('message', (message: LogControl | { consume: ConsumeFrom }) => {
    if (message === 'close') {
      void log.close().then(() => {
        link.control.close();
        for (const port of [...link.edges, ...link.actors]) port.close();
      });
    } else if ('trim' in message) log.trim(message.trim);
    else void log.consume(message.consume).then(() => tell({ consumed: true }), failed(tell));
  });
  tell({ ready: { created: log.created, lastSequence: log.lastSequence } });
}

function failed(tell: (message: Consumed) => void): (error: unknown) => void {
  return (error) => tell(failedStart(error));
}
