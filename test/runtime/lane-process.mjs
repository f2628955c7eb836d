/** A process with `lane-actor.mjs` on a thread: something that can be killed. Its data comes over IPC. */
import { Worker } from 'node:worker_threads';

process.once('message', (data) => {
  const worker = new Worker(new URL('./lane-actor.mjs', import.meta.url), { workerData: data });
  worker.on('message', (message) => process.send(message));
  worker.on('exit', () => process.disconnect());
});
