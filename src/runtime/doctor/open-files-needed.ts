/** How many files a service of the settings opens without a single client. Control plane. */

import {
  OPEN_FILE_COUNT_MIN,
  OPEN_FILE_COUNT_PER_SHARD,
  OPEN_FILE_COUNT_PER_THREAD,
} from '../../model/limits.ts';
import type { Settings } from '../../settings/schema.ts';

/** For `footfall serve`, which refuses to start with fewer, and `footfall doctor`. */
export function openFilesNeeded({ shards, edges, actors, queryThreads }: Settings): number {
  const threads = edges + actors + queryThreads;
  return (
    OPEN_FILE_COUNT_MIN + shards * OPEN_FILE_COUNT_PER_SHARD + threads * OPEN_FILE_COUNT_PER_THREAD
  );
}
