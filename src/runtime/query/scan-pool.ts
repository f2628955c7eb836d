/**
 * The pools of query threads. The only user of Piscina.
 *
 * Control plane. Lives on the main thread; edges ask through it. Piscina is handed as many questions as
 * it has threads and never one more: it puts whatever waits to its back at every answer, so that every
 * second question may wait for ever. `ScanQueue` says who is next.
 */

import type { ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { restoreError } from '../../model/errors.ts';
import type { Budgets } from '../../model/memory.ts';
import { isShort } from '../../query/answers/rolled.ts';
import { heapLimitsOf, threadFile } from '../link/threads.ts';
import { type ScanLane, ScanQueue } from './scan-queue.ts';
import type { ScanResult, ScanTask, ScanThreadData } from './scan-task.ts';

/** A thread beyond the first of all that had nothing to do for this long gives its memory back. */
const IDLE_THREAD_MS = 60_000;
/** What the thread of short questions keeps beside a long one's cache: it reads pre-aggregates only. */
const SHORT_CACHE_SHARE = 1 / 8;

/** Query threads over LMDB snapshots. */
export class ScanPool {
  readonly #pools: readonly Piscina[];
  readonly #queue: ScanQueue;

  /** @param options.threads for long questions; one more takes short ones only. */
  constructor(options: { dataDir: string; threads: number; budgets: Budgets }) {
    const { dataDir, threads } = options;
    const resourceLimits = heapLimitsOf('scan', options.budgets);
    const open = (count: [number, number], cacheShare: number) =>
      openPool(count, { data: { dataDir, cacheShare }, resourceLimits });
    // One is always warm: starting a thread takes longer than any query.
    const long = open([1, threads], 1);
    const short = open([0, 1], SHORT_CACHE_SHARE);
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

function openPool(
  [least, most]: [number, number],
  { data, resourceLimits }: { data: ScanThreadData; resourceLimits: ResourceLimits },
): Piscina {
  return new Piscina({
    filename: threadFile('scan').href,
    workerData: data,
    resourceLimits,
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
