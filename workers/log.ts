/** Entry of the log's writer thread: says where the log ends, then writes until it is closed. */
import { parentPort, workerData } from 'node:worker_threads';
import { runLogThread } from '../src/runtime/log-thread.ts';

runLogThread(workerData, (message) => parentPort?.postMessage(message));
