/** Entry of the thread that reads location databases: it lives as long as it reads. */
import { workerData } from 'node:worker_threads';
import { runThread } from '../src/runtime/link/thread-link.ts';
import type { PlacesThreadData } from '../src/runtime/places/node-places.ts';
import { readPlaceFile } from '../src/runtime/places/read-place-files.ts';

await runThread(() => {
  const { files } = workerData as PlacesThreadData;
  return Promise.resolve({ found: files.map(readPlaceFile), command: () => Promise.resolve() });
});
