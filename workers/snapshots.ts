/** Entry of the thread of snapshots: stores what shards have counted, and restores it. */
import { workerData } from 'node:worker_threads';
import { runThread } from '../src/runtime/link/thread-link.ts';
import {
  openSnapshotsThread,
  type SnapshotsThreadData,
} from '../src/runtime/threads/snapshots-thread.ts';

await runThread(async () => {
  const snapshots = await openSnapshotsThread(workerData as SnapshotsThreadData);
  return { found: null, command: () => snapshots.close() };
});
