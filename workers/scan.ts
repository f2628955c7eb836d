/** Entry of a query thread; Piscina calls the default export with every task. */
import { workerData } from 'node:worker_threads';
import type { ScanThreadData } from '../src/runtime/query/scan-task.ts';
import { openScanThread } from '../src/runtime/query/scan-thread.ts';

// biome-ignore lint/style/noDefaultExport: Piscina takes the default export of a module
export default openScanThread(workerData as ScanThreadData);
