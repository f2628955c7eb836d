/** Entry of the thread that sends what is due outwards. */
import { workerData } from 'node:worker_threads';
import { runThread } from '../src/runtime/link/thread-link.ts';
import {
  type JobsCommand,
  type JobsThreadData,
  openJobsThread,
} from '../src/runtime/threads/jobs-thread.ts';

await runThread(async () => {
  const jobs = await openJobsThread(workerData as JobsThreadData);
  return { found: null, command: (command) => jobs.command(command as JobsCommand) };
});
