/**
 * What the main thread and the query threads say to each other: plain data.
 *
 * Control plane.
 */

import type { SentError } from '../../model/errors.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';

/** What a query thread is started with. */
export interface ScanThreadData {
  dataDir: string;
  /** Of a thread's budget for decoded segments. */
  cacheShare: number;
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
  /** Shared with the edge: not 0 once nobody waits for the answer. */
  abandoned: Int32Array<SharedArrayBuffer>;
}

/** A question as an edge sends it in a cluster: the lease is found out on its way. */
export type RoutedTask = Omit<ScanTask, 'epoch'>;

/** What it answers: JSON bytes, or an operating error. */
export type ScanResult = { bytes: Uint8Array; error: null } | { bytes: null; error: SentError };
