/**
 * Commands from the main thread to a worker over the worker's own port, and the worker's start.
 *
 * Control plane. Few messages: start, registry changes, stop.
 */

import { parentPort, type Worker } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { failedStart, type ThreadStart } from './threads.ts';

/** Number of a thread that has ended. */
const ENDED = -1;

/** Sends a command and waits for the thread's word that it is done; at once if it has ended. */
export async function commandThread(worker: Worker, command: string): Promise<void> {
  if (worker.threadId === ENDED) return;
  const id = `${command}-done`;
  const done = new Promise<void>((resolve) => {
    const listen = (message: unknown) => {
      if (message !== id) return;
      worker.off('message', listen);
      resolve();
    };
    worker.on('message', listen);
  });
  // Not `once`: it rejects when the thread fails, and that is told by whoever watches the thread.
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage(command);
  await Promise.race([done, ended]);
}

/**
 * A worker's entry: starts it, says so, and carries out commands until it is told to stop.
 *
 * @param start what to build; `tell` sends the main thread anything else.
 */
export async function runThread<Found>(
  start: (tell: (message: unknown) => void) => Promise<{
    found: Found;
    command: (command: string) => Promise<void>;
  }>,
): Promise<void> {
  const port = parentPort;
  assert(port !== null, 'a thread entry runs in a worker');
  try {
    const { found, command } = await start((message) => port.postMessage(message));
    port.on('message', (name: string) => {
      void command(name).then(() => {
        port.postMessage(`${name}-done`);
        if (name === 'stop') port.close();
      });
    });
    port.postMessage({ ready: found } satisfies ThreadStart<Found>);
  } catch (error) {
    port.postMessage(failedStart(error));
  }
}
