/** Entry of an edge's thread: an HTTP front end, stateless. */
import { workerData } from 'node:worker_threads';
import {
  type EdgeCommand,
  type EdgeThreadData,
  openEdgeThread,
} from '../src/runtime/edge-thread.ts';
import { runThread } from '../src/runtime/thread-link.ts';

await runThread(async () => {
  const edge = await openEdgeThread(workerData as EdgeThreadData);
  return { found: edge.port, command: (name) => edge.command(name as EdgeCommand) };
});
