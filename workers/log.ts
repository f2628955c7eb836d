/** Entry of the log's thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { type LogThreadData, runLogThread } from '../src/runtime/threads/log-thread.ts';

await runLogThread(workerData as LogThreadData, (message) => parentPort?.postMessage(message));
