/**
 * What the main thread and the query threads say to each other: plain data.
 *
 * Control plane.
 */

import type { TraceContext } from '../../base/tracing/trace-context.ts';
import type { Outcome } from '../../bus/request-reply.ts';
import type { SentError } from '../../model/errors.ts';
import type { Epoch, ShardId } from '../../model/ids.ts';
import type { ImportsQuestion } from '../../model/imported-sum.ts';
import type { LedgerQuestion } from '../../model/ledger.ts';
import type { DeliveryQuestion } from '../../model/outbox.ts';
import type { UsageQuestion } from '../../model/usage.ts';
import type { BatchQuestion } from '../../query/question/batch.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { CountedDay } from '../../segment/disk/day-counts.ts';
import type { SummedDays } from '../../segment/disk/day-sums.ts';
import type { SlowQuery } from './slow-query.ts';

/** What a query thread is started with. */
export interface ScanThreadData {
  dataDir: string;
  /** Of a thread's budget for decoded segments. */
  cacheShare: number;
  /** Shared with the main thread: how many questions wait for a thread. */
  waiting: Int32Array<SharedArrayBuffer>;
}

/** What a query thread is asked. */
export interface ScanTask {
  shard: ShardId;
  /** Of the lease under which the shard was saved for this query; 0 while that is not known. */
  epoch: Epoch;
  query: StatisticsQuery | BatchQuestion;
  /** Wall clock of its arrival: what it waited since counts as its time. */
  arrivedMs: number;
  secondsMax: number;
  /** Of a sampled request: what is done for it elsewhere is a part of this; absent: nobody traces it. */
  trace?: TraceContext;
  /** Shared with the edge: not 0 once nobody waits for the answer. */
  abandoned: Int32Array<SharedArrayBuffer>;
}

/** A question as an edge sends it in a cluster: the lease is found out on its way. */
export interface RoutedTask extends Omit<ScanTask, 'epoch' | 'query'> {
  query:
    | StatisticsQuery
    | BatchQuestion
    | UsageQuestion
    | LedgerQuestion
    | ImportsQuestion
    | DeliveryQuestion;
}

/** A turn of a question: its first, or of a batch that gave way to others one of the next. */
export type ScanTurn = (ScanTask & { readonly id: number }) | { readonly resumed: number };

/**
 * What it answers: JSON bytes or an operating error, and what is to be logged of it. Null: a batch gives
 * way to others, and has to be resumed on the same thread.
 */
export interface ScanResult {
  readonly outcome: Outcome<Uint8Array | null>;
  readonly slow: readonly SlowQuery[];
  /** Damage that a question of a batch met: it is answered in its place. */
  readonly damage: SentError | null;
}

/** What a query thread says after a turn. */
export interface ScanReport extends ScanResult {
  /** What it counted of days at rest, for their actor to keep. */
  readonly counted: readonly CountedDay[];
  /** Sums that it made of them. */
  readonly summed: readonly SummedDays[];
}
