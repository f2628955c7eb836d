/**
 * The pools of query threads. The only user of Piscina.
 *
 * Control plane, on the main thread; edges ask through it. Piscina never gets more queries than it
 * has threads: at every answer it moves what waits to the end of its own queue, so every second
 * query could wait for ever. `ScanQueue` decides which query is next, and on which thread, since a batch
 * goes on where it began: each thread is a pool of its own.
 */

import type { ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { recordPart, spanMs } from '../../base/tracing/tracer.ts';
import { takeValue } from '../../bus/request-reply.ts';
import { type OperatingError, restoreError } from '../../model/errors.ts';
import type { Budgets } from '../../model/memory.ts';
import { planFor } from '../../query/answers/run.ts';
import type { BatchQuestion } from '../../query/question/batch.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { CountedDay } from '../../segment/disk/day-counts.ts';
import type { SummedDays } from '../../segment/disk/day-sums.ts';
import { freeSeatAtEnd, heapLimitsOf, threadFile } from '../link/threads.ts';
import { type ScanLane, ScanQueue } from './scan-queue.ts';
import type { ScanReport, ScanTask, ScanThreadData, ScanTurn } from './scan-task.ts';
import type { SlowQuery } from './slow-query.ts';

/** A thread beyond the first of all that had nothing to do for this long gives its memory back. */
const IDLE_THREAD_MS = 60_000;
/** What the thread of short questions keeps beside a long one's cache: it reads pre-aggregates only. */
const SHORT_CACHE_SHARE = 1 / 8;

/** What query threads are started with, and who is told of what they meet. */
interface ScanPoolOptions {
  readonly dataDir: string;
  readonly threads: number;
  readonly budgets: Budgets;
  readonly onSlow: (query: SlowQuery) => void;
  readonly onDamage: (error: OperatingError) => void;
  readonly onCounted: (days: readonly CountedDay[]) => void;
  readonly onSummed: (sum: SummedDays) => void;
}

/** Query threads over LMDB snapshots. */
export class ScanPool {
  readonly #pools: readonly Piscina[];
  readonly #queue: ScanQueue;
  /** Of sampled questions, by what they share with their edge: when they came. */
  readonly #arrived = new WeakMap<object, number>();

  /**
   * @param options.threads for long questions; one more takes short ones only.
   * @param options.onSlow is told of each query that took long.
   * @param options.onDamage is told of damage that a question of a batch met.
   * @param options.onCounted is told what was counted of days at rest, all of one shard.
   * @param options.onSummed is told of each sum that was made of them.
   */
  constructor(options: ScanPoolOptions) {
    const { dataDir, threads } = options;
    const resourceLimits = heapLimitsOf('scan', options.budgets);
    const waiting = new Int32Array(new SharedArrayBuffer(4));
    const open = (least: number, cacheShare: number) =>
      openPool(least, { data: { dataDir, cacheShare, waiting }, resourceLimits });
    // One is always warm: starting a thread takes longer than any query.
    const long = Array.from({ length: threads }, (_, index) => open(index === 0 ? 1 : 0, 1));
    const short = open(0, SHORT_CACHE_SHARE);
    this.#pools = [...long, short];
    const lanes = this.#pools.map((pool): ScanLane => {
      const run = (turn: ScanTurn) => this.#traced(turn, () => runIn(pool, turn, options));
      return { takesLong: pool !== short, run };
    });
    this.#queue = new ScanQueue(lanes, { waiting, isShort: ({ query }) => isShort(query) });
  }

  /**
   * Answers a query from the state on disk as of its start.
   *
   * @throws OVERLOADED when too many queries wait, or what the query itself throws.
   */
  run(task: ScanTask): Promise<Uint8Array> {
    if (task.trace !== undefined) this.#arrived.set(task.abandoned, spanMs());
    return this.#queue.run(task);
  }

  /** The first turn of a sampled question: what it waited for, and the work of the query thread. */
  async #traced<Answer>(turn: ScanTurn, work: () => Promise<Answer>): Promise<Answer> {
    if (!('trace' in turn) || turn.trace === undefined) return work();
    const { trace, abandoned } = turn;
    const startMs = spanMs();
    const arrivedMs = this.#arrived.get(abandoned) ?? startMs;
    recordPart(trace, { name: 'wait', startMs: arrivedMs, endMs: startMs });
    try {
      return await work();
    } finally {
      recordPart(trace, { name: 'scan', startMs, endMs: spanMs(), thread: 'scan' });
    }
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

/** A batch is short when all of its questions are. */
function isShort(query: StatisticsQuery | BatchQuestion): boolean {
  if (!('kind' in query)) return planFor(query).queue === 'short';
  return query.entries.every((entry) => 'refused' in entry || isShort(entry));
}

function openPool(
  least: number,
  { data, resourceLimits }: { data: ScanThreadData; resourceLimits: ResourceLimits },
): Piscina {
  const pool = new Piscina({
    filename: threadFile('scan').href,
    workerData: data,
    resourceLimits,
    minThreads: least,
    maxThreads: 1,
    idleTimeout: IDLE_THREAD_MS,
    maxQueue: 1,
  });
  pool.on('workerCreate', ({ id }: { id: number }) => {
    const worker = pool.threads.find(({ threadId }) => threadId === id);
    if (worker !== undefined) freeSeatAtEnd(worker);
  });
  return pool;
}

async function runIn(
  pool: Piscina,
  turn: ScanTurn,
  { onSlow, onDamage, onCounted, onSummed }: ScanPoolOptions,
): Promise<Uint8Array | null> {
  const { outcome, slow, damage, counted, summed } = (await pool.run(turn)) as ScanReport;
  slow.forEach(onSlow);
  if (counted.length > 0) onCounted(counted);
  summed.forEach(onSummed);
  if (damage !== null) onDamage(restoreError(damage));
  return takeValue(outcome);
}
