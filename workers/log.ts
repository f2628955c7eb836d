/** Entry of the log's thread: the local log's writer, or the node's end of the log on JetStream. */
import { parentPort, workerData } from 'node:worker_threads';
import { runLogThread } from '../src/runtime/log-thread.ts';
import { runNatsLogThread } from '../src/runtime/nats-log-thread.ts';

const tell = (message: unknown) => parentPort?.postMessage(message);
if (workerData.kind === 'nats') await runNatsLogThread(workerData, tell);
else runLogThread(workerData, tell);
