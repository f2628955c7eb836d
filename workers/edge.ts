/** Entry of an edge's thread: an HTTP front end, stateless. */
import { workerData } from 'node:worker_threads';
import { runThread } from '../src/runtime/link/thread-link.ts';
import {
  type EdgeCommand,
  type EdgeThreadData,
  openEdgeThread,
} from '../src/runtime/threads/edge-thread.ts';

await runThread(async () => {
  const edge = await openEdgeThread(workerData as EdgeThreadData);
  return { found: edge.port, command: (name) => edge.command(name as EdgeCommand) };
});
