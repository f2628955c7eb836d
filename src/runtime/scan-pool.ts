/**
 * The pools of query threads. The only user of Piscina.
 *
 * Control plane. Lives on the main thread; edges ask through it. Piscina is handed as many questions as
 * it has threads and never one more: it puts whatever waits to its back at every answer, so that every
 * second question may wait for ever. `ScanQueue` says who is next.
 */

import { Piscina } from 'piscina';
import { restoreError } from '../model/errors.ts';
import { isShort } from '../query/rolled.ts';
import { type ScanLane, ScanQueue } from './scan-queue.ts';
import type { ScanResult, ScanTask, ScanThreadData } from './scan-task.ts';
import { threadFile } from './threads.ts';

/** A thread beyond the first of all that had nothing to do for this long gives its memory back. */
const IDLE_THREAD_MS = 60_000;
/** Decoded segments kept by all query threads together. */
const SEGMENT_CACHE_BYTES = 1_024 * 1_024 * 1_024;
/** The share of them that the thread of short questions has: it reads pre-aggregates only. */
const SHORT_CACHE_SHARE = 1 / 8;

/** Query threads over LMDB snapshots. */
export class ScanPool {
  readonly #pools: readonly Piscina[];
  readonly #queue: ScanQueue;

  /** @param options.threads for long questions; one more takes short ones only. */
  constructor(options: { dataDir: string; threads: number }) {
    const { dataDir, threads } = options;
    const longBytes = (SEGMENT_CACHE_BYTES * (1 - SHORT_CACHE_SHARE)) / threads;
    const shortBytes = SEGMENT_CACHE_BYTES * SHORT_CACHE_SHARE;
    // One is always warm: starting a thread takes longer than any query.
    const long = openPool([1, threads], { dataDir, segmentCacheBytes: longBytes });
    const short = openPool([0, 1], { dataDir, segmentCacheBytes: shortBytes });
    this.#pools = [long, short];
    this.#queue = new ScanQueue(
      [
        { threads, takesLong: true, run: (task) => runIn(long, task) },
        { threads: 1, takesLong: false, run: (task) => runIn(short, task) },
      ] satisfies ScanLane[],
      ({ query }) => isShort(query),
    );
  }

  /**
   * Answers a query from the state on disk as of its start.
   *
   * @throws OVERLOADED when too many queries wait, or what the query itself throws.
   */
  run(task: ScanTask): Promise<Uint8Array> {
    return this.#queue.run(task);
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }
}

function openPool([least, most]: [number, number], data: ScanThreadData): Piscina {
  return new Piscina({
    filename: threadFile('scan').href,
    workerData: data,
    minThreads: least,
    maxThreads: most,
    idleTimeout: IDLE_THREAD_MS,
    maxQueue: most,
  });
}

async function runIn(pool: Piscina, task: ScanTask): Promise<Uint8Array> {
  const result = (await pool.run(task)) as ScanResult;
  if (result.error !== null) throw restoreError(result.error);
  return result.bytes;
}
