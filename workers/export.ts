/** Entry of the thread that writes an export: it lives as long as it writes. */
import { workerData } from 'node:worker_threads';
import { type ExportThreadData, writeExport } from '../src/runtime/exports/export-thread.ts';
import { runThread } from '../src/runtime/link/thread-link.ts';

await runThread(async () => {
  const found = await writeExport(workerData as ExportThreadData);
  return { found, command: () => Promise.resolve() };
});
