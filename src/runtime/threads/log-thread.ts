/** The log's thread, whichever driver it is: opens it, says which log that is, serves it until closed. */

import type { MessagePort } from 'node:worker_threads';
import { driverOf } from '../../bus/drivers.ts';
import type { LogIdentity, OpenLog } from '../../bus/log/driver.ts';
import type { LogWriterLink } from '../../bus/log/links.ts';
import { answerCalls } from '../../bus/request-reply.ts';
import { failedStart, type ThreadStart } from '../link/threads.ts';
import { watchThread } from '../telemetry/thread-metrics.ts';

/** What the thread is started with. */
export interface LogThreadData {
  /** Of the driver, and what it made of the settings. */
  kind: string;
  options: unknown;
  link: LogWriterLink;
  /** Calls of the main thread. */
  calls: MessagePort;
}

/** Opens the log and serves it until the supervisor closes it. */
export async function runLogThread(
  { kind, options, link, calls }: LogThreadData,
  tell: (message: ThreadStart<LogIdentity>) => void,
): Promise<void> {
  watchThread('log', 0);
  let log: OpenLog;
  try {
    log = await driverOf(kind).open(options as never, link, die);
  } catch (error) {
    tell(failedStart(error));
    return;
  }
  answerCalls(calls, (call: never) => log.answer(call));
  tell({ ready: log.identity });
  await log.run();
  for (const port of [link.control, calls, ...link.edges, ...link.actors]) port.close();
}

/** Out of a client's callback, which would swallow it: the thread dies, and the node with it. */
function die(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
