/** Entry of an actor's thread: the single writer of its shards. */
import { workerData } from 'node:worker_threads';
import { runThread } from '../src/runtime/link/thread-link.ts';
import { type ActorThreadData, openActorThread } from '../src/runtime/threads/actor-thread.ts';

await runThread(async (tell) => {
  const actor = openActorThread(workerData as ActorThreadData, (saved) => tell({ saved }));
  return { found: actor.saved, command: () => actor.close() };
});
