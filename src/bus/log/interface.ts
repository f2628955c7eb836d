/**
 * The log: the only hand-off between edge and actor, and the source of truth.
 *
 * One append-only sequence of records; each record belongs to a shard. Positions are global and
 * strictly ascending, so a shard's checkpoint is one number; an actor gets the records of a shard
 * in their order. The drivers are the rows of `bus/drivers.ts`; all pass
 * `test/conformance/log.conformance.ts`.
 */

import type { TraceContext } from '../../base/tracing/trace-context.ts';
import type { Sequence, ShardId } from '../../model/ids.ts';

/** One record to append: packed hit groups of one shard, or an erasure (see `codec.ts`). */
export interface ShardBatch {
  shard: ShardId;
  payload: Uint8Array;
}

/** One record as it comes out of the log. */
export interface LogRecord {
  shard: ShardId;
  /** Position in the log, from 1. */
  sequence: Sequence;
  payload: Uint8Array;
}

/** Called once per append: null when all its records are durable, an error when none counts. */
export type AppendDone = (error: Error | null) => void;

/** The edge's side of the log. */
export interface LogAppender {
  /**
   * Appends records in order. `done` says that all of them are durable.
   *
   * @param batches at least one. Payloads are copied before it returns: the encoder's buffer may be
   *   used again.
   * @param traces of sampled requests with hits among them: what is done elsewhere is a part of them.
   * @param done called exactly once, later, after the records are durable. The actors get them
   *   within milliseconds. An error means that the client may try again: the local log has stored
   *   nothing then; a log over a network may have, which only an Idempotency-Key can tell.
   */
  append(batches: readonly ShardBatch[], done: AppendDone, traces?: readonly TraceContext[]): void;
  /** Last durable sequence of a shard, 0 if none: what a query must wait for. */
  durableSequence(shard: ShardId): Sequence;
  /** Hands what is durable on to the actors at once: somebody waits for it. */
  hasten(): void;
  /** Bytes handed to the actors and not applied yet: the edge refuses hits beyond a bound. */
  backlogBytes(): number;
}

/** The actor's side of the log, used in recovery. */
export interface LogReader {
  /**
   * Visits every durable record after `after` in order of sequence.
   *
   * @param visit gets a payload that is valid during the call.
   * @returns the last sequence in the log, 0 when it never had a record.
   */
  replay(after: Sequence, visit: (record: LogRecord) => void): number;
}
