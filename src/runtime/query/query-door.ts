/**
 * The edge's way to statistics: catch the domain up, then ask the query threads.
 *
 * Control plane. Both steps cross threads; the order makes a query see every hit that was
 * acknowledged before it was sent: an acknowledgement is given only after its position is in
 * the shared memory that `durableSequence` reads. In a cluster both steps are the main thread's
 * (`cluster/question-router.ts`): another node may have acknowledged, and may own the shard.
 */

import type { MessagePort } from 'node:worker_threads';
import type { QueryCaller } from '../../api/ports.ts';
import { systemClock } from '../../base/clock.ts';
import type { LogAppender } from '../../bus/log/interface.ts';
import {
  errors,
  OperatingError,
  restoreError,
  type SentError,
  sendError,
} from '../../model/errors.ts';
import { SECOND_MS } from '../../model/limits.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { ActorClient } from '../../shard/actor/actor-client.ts';
import type { LeaseTable } from '../../shard/state/lease-table.ts';
import type { ScanPool } from './scan-pool.ts';
import type { ScanTask } from './scan-task.ts';

/** From an edge to the main thread. */
export interface ScanRequest {
  id: number;
  task: ScanTask;
}

/** Back: JSON bytes or the error. */
export type ScanReply =
  | { id: number; bytes: Uint8Array; error: null }
  | { id: number; bytes: null; error: SentError };

/** What a query door needs of its thread. */
export interface QueryDoorOptions {
  /** To the main thread, which holds the pool. */
  scanPort: MessagePort;
  /** null in a cluster: the main thread knows who owns the shard and does both steps. */
  actors: ActorClient | null;
  appender: LogAppender;
  shardOf: (domainId: string) => number;
  /** Bounds of one query. */
  rowsMax: number;
  secondsMax: number;
}

interface Pending {
  resolve: (bytes: Uint8Array) => void;
  reject: (error: Error) => void;
}

const encoder = new TextEncoder();

/** Runs statistics queries for one edge. */
export class QueryDoor {
  readonly #options: QueryDoorOptions;
  // Answers arrive in any order; a Map by id is what a request-reply protocol needs.
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(options: QueryDoorOptions) {
    this.#options = options;
    options.scanPort.on('message', (reply: ScanReply) => this.#settle(reply));
  }

  /**
   * Answers a query over everything acknowledged so far.
   *
   * @param caller tells when nobody waits any more: the query then ends at its next look.
   * @returns JSON bytes. Rejects with the operating error of the query, the pool or the actor, and with
   *   QUERY_BUDGET_EXCEEDED when its time is over, wherever it is by then.
   */
  run(asked: StatisticsQuery, caller?: QueryCaller): Promise<Uint8Array> {
    const { shardOf, rowsMax, secondsMax } = this.#options;
    const abandoned = new Int32Array(new SharedArrayBuffer(4));
    const leave = () => Atomics.store(abandoned, 0, 1);
    caller?.onLeft(leave);
    const query = { ...asked, rowsMax };
    const shard = shardOf(query.domainId);
    const arrivedMs = systemClock();
    const task = { shard, epoch: 0, query, arrivedMs, secondsMax, abandoned };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave();
        reject(timeOver(secondsMax));
      }, secondsMax * SECOND_MS);
      const answer = this.#answer(task).finally(() => clearTimeout(timer));
      answer.then(resolve, reject);
    });
  }

  async #answer(task: ScanTask): Promise<Uint8Array> {
    const { actors, appender } = this.#options;
    const { shard, query } = task;
    const { domainId } = query;
    if (actors === null) return this.#scan(task);
    const sequence = appender.durableSequence(shard);
    appender.hasten();
    if (query.statistic === 'active') {
      const answer = await actors.ask({ kind: 'active', shard, domainId, sequence, query });
      return encoder.encode(answer as string);
    }
    const epoch = (await actors.ask({ kind: 'save', shard, domainId, sequence })) as number;
    if (Atomics.load(task.abandoned, 0) !== 0) throw timeOver(task.secondsMax);
    return this.#scan({ ...task, epoch });
  }

  close(): void {
    this.#options.scanPort.close();
    this.#options.actors?.close();
  }

  #scan(task: ScanTask): Promise<Uint8Array> {
    this.#lastId++;
    const request: ScanRequest = { id: this.#lastId, task };
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
      this.#options.scanPort.postMessage(request);
    });
  }

  #settle(reply: ScanReply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if (reply.error === null) pending.resolve(reply.bytes);
    else pending.reject(restoreError(reply.error));
  }
}

function timeOver(secondsMax: number): Error {
  return errors.QUERY_BUDGET_EXCEEDED({ budget: `${secondsMax} s` });
}

/** The main thread's side: runs what edges ask and answers them. */
export function serveScans(
  run: (task: ScanTask) => Promise<Uint8Array>,
  port: MessagePort,
  onFault: (error: unknown) => void,
): void {
  port.on('message', ({ id, task }: ScanRequest) => {
    run(task).then(
      (bytes) => port.postMessage({ id, bytes, error: null } satisfies ScanReply),
      (error: unknown) => {
        if (!(error instanceof OperatingError)) onFault(error);
        const known = error instanceof OperatingError ? error : errors.INTERNAL({});
        port.postMessage({ id, bytes: null, error: sendError(known) } satisfies ScanReply);
      },
    );
  });
}

/**
 * Runs a query over a shard that this node holds from before its save until its answer.
 *
 * @throws SHARD_MOVED when it does not, and what the query throws.
 */
export async function scanHeld(
  { pool, leases }: { pool: ScanPool; leases: LeaseTable },
  task: ScanTask,
): Promise<Uint8Array> {
  const isHeld = () => leases.epochOf(task.shard) === task.epoch;
  if (!isHeld()) throw errors.SHARD_MOVED({});
  const bytes = await pool.run(task);
  if (!isHeld()) throw errors.SHARD_MOVED({});
  return bytes;
}
