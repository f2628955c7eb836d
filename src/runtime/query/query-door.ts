/**
 * The way of edges, and of what goes out, to statistics: bring the domain up to date, then ask the
 * query threads.
 *
 * Control plane. Both steps cross threads. Their order makes a query see every hit that was
 * acknowledged before it was sent: a hit is acknowledged only after its position is in the
 * shared memory that `durableSequence` reads. In a cluster the main thread does both steps
 * (`cluster/question-router.ts`), because another node may have acknowledged the hit and may own
 * the shard.
 */

import type { MessagePort } from 'node:worker_threads';
import type { QueryCaller } from '../../api/ports.ts';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import { currentTrace, OpenSpan } from '../../base/tracing/tracer.ts';
import type { LogAppender } from '../../bus/log/interface.ts';
import { PortCaller } from '../../bus/request-reply.ts';
import { errors } from '../../model/errors.ts';
import type { DomainId, Epoch, Sequence, ShardId } from '../../model/ids.ts';
import type { ImportSummary, ImportsQuestion } from '../../model/imported-sum.ts';
import type { LedgerDay, LedgerQuestion } from '../../model/ledger.ts';
import {
  SECOND_MS,
  USAGE_QUESTION_DOMAIN_COUNT_MAX,
  USAGE_SECONDS_MAX,
} from '../../model/limits.ts';
import { type QueryKind, queryKindNumber } from '../../model/metric-labels.ts';
import { metrics } from '../../model/metrics.ts';
import type { DeliveryQuestion } from '../../model/outbox.ts';
import type { DaySpan, DomainUsage, UsageQuestion } from '../../model/usage.ts';
import { planFor } from '../../query/answers/run.ts';
import { activeAsOf } from '../../query/live/active.ts';
import type { BatchEntry, BatchQuestion } from '../../query/question/batch.ts';
import type { StatisticsQuery } from '../../query/question/request.ts';
import type { ActorClient } from '../../shard/actor/actor-client.ts';
import type { ToScan } from '../../shard/actor/protocol.ts';
import type { LeaseTable } from '../../shard/state/lease-table.ts';
import type { ScanPool } from './scan-pool.ts';
import type { RoutedTask, ScanTask } from './scan-task.ts';

/** What a query door needs of its thread. */
export interface QueryDoorOptions {
  /** To the main thread, which holds the pool. */
  scanPort: MessagePort;
  /** null in a cluster: the main thread knows who owns the shard and does both steps. */
  actors: ActorClient | null;
  /** Where the log is. */
  appender: Pick<LogAppender, 'durableSequence' | 'hasten'>;
  shardOf: (domainId: DomainId) => ShardId;
  /** Bounds of one query. */
  rowsMax: number;
  secondsMax: number;
}

type AnswerLimits = Pick<RoutedTask, 'arrivedMs' | 'secondsMax' | 'abandoned'>;

const encoder = new TextEncoder();

/** Runs statistics queries for one thread. */
export class QueryDoor {
  readonly #options: QueryDoorOptions;
  readonly #scans: PortCaller<RoutedTask | ScanTask>;

  constructor(options: QueryDoorOptions) {
    this.#options = options;
    this.#scans = new PortCaller(options.scanPort);
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
    const query = { ...asked, rowsMax };
    const kind = query.statistic === 'active' ? 'active' : planFor(query).source;
    return timed(kind, () =>
      this.#within(secondsMax, caller, (limits) =>
        this.#answer({ shard: shardOf(query.domainId), query, ...limits }),
      ),
    );
  }

  /**
   * Answers several questions about a domain from one state of it (D-14).
   *
   * @returns `{position, results}` as JSON bytes; what a question is refused for stands in its place.
   *   Rejects as `run` does.
   */
  batch(
    domainId: DomainId,
    asked: readonly BatchEntry[],
    caller?: QueryCaller,
  ): Promise<Uint8Array> {
    const { shardOf, rowsMax, secondsMax } = this.#options;
    const entries = asked.map((entry) => ('refused' in entry ? entry : { ...entry, rowsMax }));
    const query: BatchQuestion = { kind: 'batch', domainId, entries };
    return timed('batch', () =>
      this.#within(secondsMax, caller, (limits) =>
        this.#answer({ shard: shardOf(domainId), query, ...limits }),
      ),
    );
  }

  /**
   * What domains used, and when their first rows are, of everything acknowledged so far: a question to
   * every shard that has some of them.
   *
   * @param span null: the first rows only.
   * @returns by domain. Rejects as `run` does: all of them are answered, or none.
   */
  usage(
    domainIds: readonly DomainId[],
    span: DaySpan | null,
    caller?: QueryCaller,
  ): Promise<Map<DomainId, DomainUsage>> {
    const { shardOf } = this.#options;
    const secondsMax = Math.min(this.#options.secondsMax, USAGE_SECONDS_MAX);
    const ask = async (limits: AnswerLimits) => {
      const found = new Map<DomainId, DomainUsage>();
      await Promise.all(
        portions(domainIds, shardOf).map(async ([shard, ids]) => {
          const query: UsageQuestion = { kind: 'usage', domainIds: ids, span };
          const bytes = await this.#answer({ shard, query, ...limits });
          const answers = JSON.parse(Buffer.from(bytes).toString()) as DomainUsage[];
          for (const [index, id] of ids.entries()) found.set(id, answers[index] as DomainUsage);
        }),
      );
      return found;
    };
    return timed('usage', () => this.#within(secondsMax, caller, ask));
  }

  /**
   * What became of everything that was sent and acknowledged so far (P-31). Rejects as `run` does.
   */
  ledger(
    domainId: DomainId,
    { span, hasBots }: Pick<LedgerQuestion, 'span' | 'hasBots'>,
    caller?: QueryCaller,
  ): Promise<LedgerDay[]> {
    const query: LedgerQuestion = { kind: 'ledger', domainIds: [domainId], span, hasBots };
    return this.#within(this.#options.secondsMax, caller, async (limits) => {
      const shard = this.#options.shardOf(domainId);
      const bytes = await this.#answer({ shard, query, ...limits });
      return JSON.parse(Buffer.from(bytes).toString()) as LedgerDay[];
    });
  }

  /** Which imports a domain has (S-98), of everything acknowledged so far. Rejects as `run` does. */
  imports(domainId: DomainId, caller?: QueryCaller): Promise<ImportSummary[]> {
    const query: ImportsQuestion = { kind: 'imports', domainIds: [domainId] };
    return this.#within(this.#options.secondsMax, caller, async (limits) => {
      const shard = this.#options.shardOf(domainId);
      const bytes = await this.#answer({ shard, query, ...limits });
      return JSON.parse(Buffer.from(bytes).toString()) as ImportSummary[];
    });
  }

  /** Asks the owner of a domain about the deliveries of a webhook (O-13). Rejects as `run` does. */
  deliveries<Answer>(query: DeliveryQuestion, caller?: QueryCaller): Promise<Answer> {
    return this.#within(this.#options.secondsMax, caller, async (limits) => {
      const shard = this.#options.shardOf(query.domainIds[0]);
      const bytes = await this.#answer({ shard, query, ...limits });
      return JSON.parse(Buffer.from(bytes).toString()) as Answer;
    });
  }

  /** Bounds an answer in time, and ends it when nobody waits for it any more. */
  #within<Answer>(
    secondsMax: number,
    caller: QueryCaller | undefined,
    answer: (limits: AnswerLimits) => Promise<Answer>,
  ): Promise<Answer> {
    const abandoned = new Int32Array(new SharedArrayBuffer(4));
    const leave = () => Atomics.store(abandoned, 0, 1);
    caller?.onLeft(leave);
    const arrivedMs = systemClock();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        leave();
        reject(timeOver(secondsMax));
      }, secondsMax * SECOND_MS);
      const answered = answer({ arrivedMs, secondsMax, abandoned });
      answered.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }

  async #answer(task: RoutedTask): Promise<Uint8Array> {
    const { actors, appender } = this.#options;
    const { shard, query } = task;
    const trace = currentTrace();
    const traced = trace === null ? task : { ...task, trace };
    if (actors === null) return this.#scans.call(traced);
    const sequence = appender.durableSequence(shard);
    appender.hasten();
    const span = trace && new OpenSpan(trace, 'catch up');
    let caught: Awaited<ReturnType<typeof catchUp>>;
    try {
      caught = await catchUp(actors, { shard, query, sequence });
    } finally {
      span?.end();
    }
    if (caught instanceof Uint8Array) return caught;
    if (Atomics.load(task.abandoned, 0) !== 0) throw timeOver(task.secondsMax);
    return this.#scans.call({ ...traced, ...caught });
  }

  close(): void {
    this.#scans.close();
    this.#options.actors?.close();
  }
}

/**
 * Brings an actor up to a position for a question.
 *
 * @returns JSON bytes where it answers from memory; else it has saved the domain: what a query thread
 *   is to be asked, and under which lease.
 */
export async function catchUp(
  actors: Pick<ActorClient, 'ask'>,
  { shard, query, sequence }: Pick<RoutedTask, 'shard' | 'query'> & { sequence: Sequence },
): Promise<Uint8Array | Pick<ScanTask, 'query' | 'epoch'>> {
  if ('kind' in query && query.kind !== 'batch') {
    const answer = (await actors.ask({ ...query, shard, sequence })) as string;
    return encoder.encode(answer);
  }
  const at = { shard, domainId: query.domainId, sequence };
  if ('kind' in query || query.statistic !== 'active') {
    return { query, epoch: (await actors.ask({ kind: 'save', ...at })) as Epoch };
  }
  const answer = (await actors.ask({ kind: 'active', ...at, query })) as string | ToScan;
  if (typeof answer === 'string') return encoder.encode(answer);
  return { query: activeAsOf(query, answer.nowMs), epoch: answer.epoch };
}

/** Domains by their shards, so many at once that an answer fits into a message between nodes. */
function portions(
  domainIds: readonly DomainId[],
  shardOf: (domainId: DomainId) => ShardId,
): [ShardId, DomainId[]][] {
  const open = new Map<ShardId, DomainId[]>();
  const all: [ShardId, DomainId[]][] = [];
  for (const domainId of domainIds) {
    const shard = shardOf(domainId);
    let ids = open.get(shard);
    if (ids === undefined || ids.length >= USAGE_QUESTION_DOMAIN_COUNT_MAX) {
      ids = [];
      open.set(shard, ids);
      all.push([shard, ids]);
    }
    ids.push(domainId);
  }
  return all;
}

/** Records how long an answer took, also one that is a refusal. */
async function timed<Answer>(kind: QueryKind, answer: () => Promise<Answer>): Promise<Answer> {
  const startMs = monotonicMs();
  try {
    return await answer();
  } finally {
    metrics.querySeconds.recordMs(monotonicMs() - startMs, queryKindNumber(kind));
  }
}

function timeOver(secondsMax: number): Error {
  return errors.QUERY_BUDGET_EXCEEDED({ budget: `${secondsMax} s` });
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
