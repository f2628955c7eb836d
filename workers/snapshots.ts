/** Entry of the thread of snapshots: stores what shards have counted, and restores it. */
import { workerData } from 'node:worker_threads';
import { openSnapshotsThread, type SnapshotsThreadData } from '../src/runtime/snapshots-thread.ts';
import { runThread } from '../src/runtime/thread-link.ts';

await runThread(async () => {
  const snapshots = await openSnapshotsThread(workerData as SnapshotsThreadData);
  return { found: null, command: () => snapshots.close() };
});
