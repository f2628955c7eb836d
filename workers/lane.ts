/** Entry of a lane's thread: an actor's visitors of split domains, some of them. */
import { workerData } from 'node:worker_threads';
import { type LaneThreadData, openLaneThread } from '../src/runtime/lane-thread.ts';
import { runThread } from '../src/runtime/thread-link.ts';

await runThread(async (tell) => {
  const lane = openLaneThread(workerData as LaneThreadData, tell);
  return { found: null, command: () => lane.close() };
});
