/**
 * The pools of query threads. The only user of Piscina.
 *
 * Control plane, on the main thread; edges ask through it. Piscina never gets more queries than it
 * has threads: at every answer it moves what waits to the end of its own queue, so every second
 * query could wait for ever. `ScanQueue` decides which query is next.
 */

import type { ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { takeValue } from '../../bus/request-reply.ts';
import type { Budgets } from '../../model/memory.ts';
import { planFor } from '../../query/answers/run.ts';
import { freeSeatAtEnd, heapLimitsOf, threadFile } from '../link/threads.ts';
import { ScanQueue, type ThreadGroup } from './scan-queue.ts';
import type { ScanResult, ScanTask, ScanThreadData } from './scan-task.ts';
import type { SlowQuery } from './slow-query.ts';

/** A thread beyond the first of all that had nothing to do for this long gives its memory back. */
const IDLE_THREAD_MS = 60_000;
/** What the thread of short questions keeps beside a long one's cache: it reads pre-aggregates only. */
const SHORT_CACHE_SHARE = 1 / 8;

/** Query threads over LMDB snapshots. */
export class ScanPool {
  readonly #pools: readonly Piscina[];
  readonly #queue: ScanQueue;

  /**
   * @param options.threads for long questions; one more takes short ones only.
   * @param options.onSlow is told of each query that took long.
   */
  constructor(options: {
    dataDir: string;
    threads: number;
    budgets: Budgets;
    onSlow: (query: SlowQuery) => void;
  }) {
    const { dataDir, threads, onSlow } = options;
    const resourceLimits = heapLimitsOf('scan', options.budgets);
    const open = (count: [number, number], cacheShare: number) =>
      openPool(count, { data: { dataDir, cacheShare }, resourceLimits });
    // One is always warm: starting a thread takes longer than any query.
    const long = open([1, threads], 1);
    const short = open([0, 1], SHORT_CACHE_SHARE);
    this.#pools = [long, short];
    this.#queue = new ScanQueue(
      [
        { threads, takesLong: true, run: (task) => runIn(long, task, onSlow) },
        { threads: 1, takesLong: false, run: (task) => runIn(short, task, onSlow) },
      ] satisfies ThreadGroup[],
      ({ query }) => planFor(query).queue === 'short',
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

  /** Questions that wait for a thread. */
  get waitingCount(): number {
    return this.#queue.size;
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
  const pool = new Piscina({
    filename: threadFile('scan').href,
    workerData: data,
    resourceLimits,
    minThreads: least,
    maxThreads: most,
    idleTimeout: IDLE_THREAD_MS,
    maxQueue: most,
  });
  pool.on('workerCreate', ({ id }: { id: number }) => {
    const worker = pool.threads.find(({ threadId }) => threadId === id);
    if (worker !== undefined) freeSeatAtEnd(worker);
  });
  return pool;
}

async function runIn(
  pool: Piscina,
  task: ScanTask,
  onSlow: (query: SlowQuery) => void,
): Promise<Uint8Array> {
  const { outcome, slow } = (await pool.run(task)) as ScanResult;
  if (slow !== null) onSlow(slow);
  return takeValue(outcome);
}
