/** Entry of the log's thread: the local log's writer, or the node's end of the log on JetStream. */
import { parentPort, workerData } from 'node:worker_threads';

const tell = (message: unknown) => parentPort?.postMessage(message);
// What is not used takes no memory: NATS and its client are half of what this thread would hold.
if (workerData.kind === 'nats') {
  const { runNatsLogThread } = await import('../src/runtime/threads/nats-log-thread.ts');
  await runNatsLogThread(workerData, tell);
} else {
  const { runLogThread } = await import('../src/runtime/threads/log-thread.ts');
  runLogThread(workerData, tell);
}
