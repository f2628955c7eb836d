/** Entry of the thread that sends mails. */
import { workerData } from 'node:worker_threads';
import { runThread } from '../src/runtime/link/thread-link.ts';
import { type MailThreadData, openMailThread } from '../src/runtime/threads/mail-thread.ts';

await runThread(async () => {
  const thread = await openMailThread(workerData as MailThreadData);
  return { found: null, command: thread.command };
});
