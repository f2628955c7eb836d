/**
 * A shard actor: the single writer of its shards. It applies records, saves, and answers edges.
 *
 * Data plane. Everything is synchronous and runs on the actor's own thread; the thread's loop
 * (`runtime/threads/actor-thread.ts`) calls `onRecords`, `ask` and `tick`.
 */

import type { LogReader, LogRecord } from '../../bus/log/interface.ts';
import { DROP_REASONS } from '../../model/drop-reasons.ts';
import { errors, type OperatingError } from '../../model/errors.ts';
import { asSequence, type Epoch, type Sequence, type ShardId } from '../../model/ids.ts';
import type { LedgerSums } from '../../model/ledger.ts';
import { budgets } from '../../model/memory.ts';
import { metrics } from '../../model/metrics.ts';
import { type CountedDay, keepCounts } from '../../segment/disk/day-counts.ts';
import { keepSum, type SummedDays } from '../../segment/disk/day-sums.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { LiveTaps } from '../live/live-taps.ts';
import { DayLoader } from '../save/day-loading.ts';
import { DayEviction } from '../save/evict-days.ts';
import { SaveLoop } from '../save/save-loop.ts';
import type { LeaseTable } from '../state/lease-table.ts';
import { OpenMemory } from '../state/open-memory.ts';
import { type Opening, OpenShards } from '../state/open-shards.ts';
import { Sessionizer } from '../state/sessionizer.ts';
import type { Shard } from '../state/shard.ts';
import { PositionWaiters } from './position-waiters.ts';
import type { ActorRequest } from './protocol.ts';
import { RequestQueue } from './request-queue.ts';

const NO_SUMS = { views: 0, events: 0, keepAlives: 0, openings: 0 } as const;

/** What an actor is given. */
export interface ActorOptions {
  dataDir: string;
  /** Ids of the shards that are open from the start; others come with `open`. */
  shards: readonly ShardId[];
  /** A shard whose lease has lapsed is neither saved nor answered for. */
  leases: LeaseTable;
  /** A checkpoint failed and will be tried again, or stored data of a site is damaged. */
  onFault: (error: OperatingError) => void;
  /** The disk takes checkpoints again. */
  onMended?: () => void;
  /** So many bytes of records wait for a large day to be opened, more or less than before. */
  onHeld?: (bytes: number) => void;
  /** Bytes of the days that it has open; default: the budget of its thread. */
  openBytesMax?: number;
}

/** The single writer of some shards. */
export class Actor {
  readonly #shards: OpenShards;
  readonly #dayLoader: DayLoader;
  readonly #saveLoop: SaveLoop;
  readonly #requests: RequestQueue;
  readonly #positionWaiters: PositionWaiters;
  readonly #onFault: ActorOptions['onFault'];
  readonly #memory = new OpenMemory();
  /** Who looks at domains as hits come. */
  readonly taps = new LiveTaps();
  readonly #eviction: DayEviction;
  /** Wall clock, as it was last told. */
  #nowMs = 0;

  constructor(options: ActorOptions) {
    const { dataDir, shards, leases, onFault } = options;
    const { onMended = () => {}, onHeld = () => {} } = options;
    const { openBytesMax: bytesMax = budgets.openDays } = options;
    const memory = this.#memory;
    this.#onFault = onFault;
    const { taps } = this;
    this.#shards = new OpenShards(dataDir, leases, {
      ...{ sessionizer: new Sessionizer(), memory, taps },
    });
    this.#eviction = new DayEviction(this.#shards, { memory, bytesMax, onFault });
    this.#dayLoader = new DayLoader({
      apply: (record) => this.#saveLoop.count(this.#apply(record, this.#nowMs)),
      onApplied: () => this.#serve(this.#nowMs),
      onHeld,
      nowMs: () => this.#nowMs,
    });
    const dayLoader = this.#dayLoader;
    this.#saveLoop = new SaveLoop(this.#shards, { dayLoader, onFault, onMended });
    memory.onNoted(this.#saveLoop.saveNoted);
    const save = this.#saveLoop.saveAsked;
    this.#requests = new RequestQueue({ shards: this.#shards, save });
    this.#positionWaiters = new PositionWaiters(this.#shards);
    for (const id of shards) this.#shards.openFed(id);
  }

  /**
   * Opens a shard as it is on disk; its records come once `begin` was called.
   *
   * @returns its position: the log is to be read from behind it.
   */
  async open(opening: Opening): Promise<Sequence> {
    return (await this.#shards.open(opening)).savedSequence;
  }

  /** What comes now of a shard is what follows its position. */
  begin(shard: ShardId, opening: number): void {
    this.#shards.begin(shard, opening);
  }

  /** Resolves when a shard has come to a position; rejects with SHARD_MOVED when it goes before. */
  caughtUp(shard: ShardId, sequence: Sequence): Promise<void> {
    return this.#positionWaiters.wait(shard, sequence);
  }

  /** Saves a shard, if it is still held, and lets go of it. */
  async closeShard(id: ShardId): Promise<void> {
    const shard = this.#shards.get(id);
    if (shard !== undefined) this.#saveLoop.saveAll(shard);
    await this.drop(id);
  }

  /** Lets go of a shard as it is; the log has the rest. @returns when its files are closed. */
  async drop(id: ShardId): Promise<void> {
    this.#dayLoader.drop(id);
    const closed = this.#shards.release(id);
    this.#positionWaiters.settleReached();
    this.#requests.refuse(id);
    await closed;
  }

  /**
   * Applies what the log holds beyond the checkpoints.
   *
   * @returns how many hits were applied again.
   * @throws LOG_BEHIND_CHECKPOINT when the log ends before a checkpoint: it was lost or replaced.
   */
  recover(reader: LogReader, nowMs: number): number {
    let hits = 0;
    let start = Number.POSITIVE_INFINITY;
    let newest = 0;
    for (const shard of this.#shards.values()) {
      start = Math.min(start, shard.savedSequence);
      newest = Math.max(newest, shard.savedSequence);
    }
    const last = reader.replay(asSequence(Number.isFinite(start) ? start : 0), (record) => {
      hits += this.#apply(record, nowMs);
    });
    if (last < newest) throw errors.LOG_BEHIND_CHECKPOINT({ checkpoint: newest, last });
    return hits;
  }

  /** Applies records in order and serves the requests that waited for them. */
  onRecords(records: readonly LogRecord[], nowMs: number): void {
    this.#nowMs = nowMs;
    let hits = 0;
    for (let index = 0; index < records.length; index++) {
      const record = records[index]!;
      if (!this.#holds(record, nowMs)) hits += this.#apply(record, nowMs);
    }
    this.#saveLoop.count(hits);
    this.#serve(nowMs);
  }

  /** Whether a record waits for a day that is being opened. */
  #holds(record: LogRecord, nowMs: number): boolean {
    const shard = this.#shards.fed(record.shard);
    return shard !== undefined && this.#dayLoader.holds(shard, record, nowMs);
  }

  #apply(record: LogRecord, nowMs: number): number {
    const shard = this.#shards.fed(record.shard);
    if (shard === undefined) return 0;
    this.#memory.noteRecord(record.payload.length);
    if (this.#memory.isDue) this.#memory.check();
    const hits = shard.apply(record, nowMs);
    metrics.recordsApplied.add(1);
    metrics.hitsApplied.add(hits);
    return hits;
  }

  /** Serves who waited for what was applied. */
  #serve(nowMs: number): void {
    this.#requests.serveWaiting(nowMs);
    this.#positionWaiters.settleReached();
  }

  /** Answers a request now, or once the log has come that far; see `RequestQueue.submit`. */
  ask(request: ActorRequest, nowMs: number): Promise<unknown> {
    this.#nowMs = nowMs;
    return this.#requests.submit(request, nowMs);
  }

  /**
   * Saves what is due and evicts quiet days.
   *
   * @returns shards whose position on disk moved: the log may be trimmed to it.
   * @throws STATE_SYNC_FAILED when only a start can tell what is on disk: the thread has to end.
   */
  tick(nowMs: number): Shard[] {
    this.#nowMs = nowMs;
    for (const shard of this.#shards.values()) {
      const lost = lossOf(shard);
      if (lost !== null) throw lost;
      shard.aside.takeUntold().forEach(this.#onFault);
    }
    // What questions and deletions have opened.
    if (this.#memory.isDue) this.#memory.check();
    return this.#saveLoop.tick(nowMs);
  }

  /** Tells what was dropped since the last call, by index in `DROP_REASONS`. */
  takeDrops(tell: (reason: number, count: number) => void): void {
    for (const { drops } of this.#shards.values()) {
      for (let reason = 0; reason < drops.length; reason++) {
        if (drops[reason] === 0) continue;
        tell(reason, drops[reason]!);
        drops[reason] = 0;
      }
    }
  }

  /**
   * What the domains of all its shards were sent; of a shard whose sums are not known, nothing.
   *
   * @cost a step for each domain with something unsaved.
   */
  ledgerSums(): LedgerSums {
    const all = { ...NO_SUMS, dropped: DROP_REASONS.map(() => 0) };
    for (const { totals, unsaved } of this.#shards.values()) {
      const sums = totals.with(unsaved);
      if (sums === null) continue;
      all.views += sums.views;
      all.events += sums.events;
      all.keepAlives += sums.keepAlives;
      all.openings += sums.openings;
      for (const [reason, count] of sums.dropped.entries()) all.dropped[reason]! += count;
    }
    return all;
  }

  /** Tells which shards may have something new to be told, since the last call. */
  takeOutboxNews(tell: (shard: ShardId) => void): void {
    for (const shard of this.#shards.values()) {
      if (!shard.hasOutboxNews || this.#shards.epochOf(shard.id) === 0) continue;
      shard.hasOutboxNews = false;
      if (shard.hasEnvironment) tell(shard.id);
    }
  }

  /** About what its open days take, in bytes. */
  get openBytes(): number {
    return this.#eviction.openBytes;
  }

  /**
   * Keeps what query threads counted of days at rest, of those that are still as they were.
   *
   * @param days of one shard. A disk that refuses says so at the next checkpoint, here it costs time.
   */
  async keepCounts(days: readonly CountedDay[]): Promise<void> {
    const [first] = days;
    if (first !== undefined) this.#keep(first, (environment) => keepCounts(environment, days));
  }

  /** The same of a sum of days. */
  async keepSum(sum: SummedDays): Promise<void> {
    this.#keep(sum, (environment) => keepSum(environment, sum));
  }

  #keep(
    of: { readonly shard: ShardId; readonly epoch: Epoch },
    write: (environment: StateEnvironment) => void,
  ): void {
    if (this.#shards.epochOf(of.shard) !== of.epoch) return;
    const shard = this.#shards.get(of.shard);
    if (shard?.hasEnvironment !== true) return;
    try {
      write(shard.environment());
    } catch {
      // Whoever wants it counts again.
    }
  }

  /** Domains evicted since the last call: their memory waits for a garbage collection. */
  takeEvictedDomains(): number {
    return this.#saveLoop.takeEvictedDomains();
  }

  /**
   * Carries erasures on for a slice of time, and saves how far they are.
   *
   * @param elapsedMs a monotonic clock; when a slice ends changes nothing of the outcome.
   * @returns whether there is more to do.
   */
  erase(nowMs: number, elapsedMs: () => number): boolean {
    return this.#saveLoop.erase(nowMs, elapsedMs);
  }

  /**
   * Saves everything; before the thread ends.
   *
   * @throws STATE_SYNC_FAILED as `tick`, also of a checkpoint that was refused since the last one.
   */
  async close(): Promise<void> {
    this.taps.close();
    let lost: OperatingError | null = null;
    for (const shard of this.#shards.values()) {
      this.#saveLoop.saveAll(shard);
      lost ??= lossOf(shard);
      await this.drop(shard.id);
    }
    if (lost !== null) throw lost;
  }

  /** Position up to which every record of a shard is on disk. */
  savedSequences(): { shard: ShardId; sequence: Sequence }[] {
    return this.#shards.values().map(({ id, savedSequence }) => ({
      shard: id,
      sequence: savedSequence,
    }));
  }
}

/** Why a shard cannot be read or written until the next start; null while it can. */
function lossOf(shard: Shard): OperatingError | null {
  return shard.hasEnvironment ? shard.environment().lost : null;
}
