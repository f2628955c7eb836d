/**
 * The pool of query threads. The only user of Piscina.
 *
 * Control plane. Lives on the main thread; edges ask through it. A query that is not started within
 * the queue's bound is refused, so that a burst of slow queries cannot hold memory without end.
 */

import { Piscina } from 'piscina';
import { errors, restoreError, type SentError } from '../model/errors.ts';
import type { Budgets } from '../model/memory.ts';
import type { StatisticsQuery } from '../query/request.ts';
import { heapLimitsOf, threadFile } from './threads.ts';

/** Queries that may wait for a thread; more are answered 503. */
const QUEUED_QUERY_COUNT_MAX = 1_000;
/** A thread beyond the first that had nothing to do for this long gives its memory back. */
const IDLE_THREAD_MS = 60_000;

/** What a query thread is started with. */
export interface ScanThreadData {
  dataDir: string;
}

/** What a query thread is asked. */
export interface ScanTask {
  shard: number;
  /** Of the lease under which the shard was saved for this query; 0 while that is not known. */
  epoch: number;
  query: StatisticsQuery;
  /** Wall clock of its arrival: what it waited since counts as its time. */
  arrivedMs: number;
  secondsMax: number;
  /** Shared with the edge: not 0 once the client has left. */
  abandoned: Int32Array<SharedArrayBuffer>;
}

/** What it answers: JSON bytes, or an operating error. */
export type ScanResult = { bytes: Uint8Array; error: null } | { bytes: null; error: SentError };

/** Query threads over LMDB snapshots. */
export class ScanPool {
  readonly #pool: Piscina;

  constructor(options: { dataDir: string; threads: number; budgets: Budgets }) {
    const data: ScanThreadData = { dataDir: options.dataDir };
    this.#pool = new Piscina({
      filename: threadFile('scan').href,
      workerData: data,
      resourceLimits: heapLimitsOf('scan', options.budgets),
      // One is always warm: starting a thread takes longer than any query.
      minThreads: 1,
      maxThreads: options.threads,
      idleTimeout: IDLE_THREAD_MS,
      maxQueue: QUEUED_QUERY_COUNT_MAX,
    });
  }

  /**
   * Answers a query from the state on disk as of now.
   *
   * @throws OVERLOADED when too many queries wait, or what the query itself throws.
   */
  async run(task: ScanTask): Promise<Uint8Array> {
    if (this.#pool.queueSize >= QUEUED_QUERY_COUNT_MAX) {
      throw errors.OVERLOADED({ reason: 'too many queries wait' });
    }
    const result = (await this.#pool.run(task)) as ScanResult;
    if (result.error !== null) throw restoreError(result.error);
    return result.bytes;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
