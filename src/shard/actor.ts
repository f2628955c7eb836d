/**
 * A shard actor: the single writer of its shards. It applies records, saves, and answers edges.
 *
 * Data plane. Everything is synchronous and runs on the actor's own thread; the thread's loop
 * (`runtime/actor-thread.ts`) calls `onRecords`, `onRequest` and `tick`.
 */

import type { LogReader, LogRecord } from '../bus/log.ts';
import { errors, OperatingError } from '../model/errors.ts';
import { HOUR_MS, SECOND_MS } from '../model/limits.ts';
import { runActive } from '../query/active.ts';
import type { StatisticsQuery } from '../query/request.ts';
import { Arrivals } from './arrivals.ts';
import { checkpoint, forgetKeys } from './checkpoint.ts';
import type { DomainState } from './domain-state.ts';
import { eraseNextDay } from './erasure.ts';
import type { LeaseTable } from './lease-table.ts';
import { type Opening, OpenShards } from './open-shards.ts';
import { type ActorReply, type ActorRequest, failedReply } from './protocol.ts';
import { letRest, reopenOver } from './resting.ts';
import { SaveSchedule } from './save-schedule.ts';
import { addSealable, packOver, SealRounds, seal } from './sealing.ts';
import { Sessionizer } from './sessionizer.ts';
import type { Shard } from './shard.ts';

/** After a failed checkpoint the next ones wait this long: a full disk does not empty at once. */
const RETRY_AFTER_MS = 5 * SECOND_MS;
/** A slice of an erasure takes no further day after this long: hits and queries wait meanwhile. */
const ERASE_SLICE_MS = 20;
/** Requests that may wait for the log; more are refused. */
const WAITING_COUNT_MAX = 10_000;

/** What an actor is given. */
export interface ActorOptions {
  dataDir: string;
  /** Ids of the shards that are open from the start; others come with `open`. */
  shards: readonly number[];
  /** A shard whose lease has lapsed is neither saved nor answered for. */
  leases: LeaseTable;
  reply: (message: ActorReply, edge: number) => void;
  /** A checkpoint failed and will be tried again. */
  onFault: (error: OperatingError) => void;
}

interface Waiting {
  request: ActorRequest;
  edge: number;
}

/** The single writer of some shards. */
export class Actor {
  readonly #shards: OpenShards;
  readonly #reply: ActorOptions['reply'];
  readonly #onFault: ActorOptions['onFault'];
  readonly #schedule = new SaveSchedule();
  readonly #rounds = new SealRounds();
  #waiting: Waiting[] = [];
  readonly #arrivals: Arrivals;
  #lastForgottenHour = 0;
  #savesFromMs = 0;
  #restedDomains = 0;
  /** Shards saved by a slice of an erasure since the last tick. */
  readonly #savedBySlice = new Set<Shard>();

  constructor(options: ActorOptions) {
    this.#reply = options.reply;
    this.#onFault = options.onFault;
    this.#shards = new OpenShards(options.dataDir, options.leases, new Sessionizer());
    this.#arrivals = new Arrivals(this.#shards);
    for (const id of options.shards) this.#shards.openFed(id);
  }

  /**
   * Opens a shard as it is on disk; its records come once `begin` was called.
   *
   * @returns its position: the log is to be read from behind it.
   */
  async open(opening: Opening): Promise<number> {
    return (await this.#shards.open(opening)).savedSequence;
  }

  /** What comes now of a shard is what follows its position. */
  begin(shard: number, opening: number): void {
    this.#shards.begin(shard, opening);
  }

  /** Resolves when a shard has come to a position; rejects with SHARD_MOVED when it goes before. */
  caughtUp(shard: number, sequence: number): Promise<void> {
    return this.#arrivals.wait(shard, sequence);
  }

  /** Saves a shard, if it is still held, and lets go of it. */
  async closeShard(id: number): Promise<void> {
    const shard = this.#shards.get(id);
    if (shard !== undefined) this.#saveAll(shard);
    await this.drop(id);
  }

  /** Lets go of a shard as it is; the log has the rest. @returns when its files are closed. */
  async drop(id: number): Promise<void> {
    const shard = this.#shards.get(id);
    if (shard !== undefined) this.#savedBySlice.delete(shard);
    const closed = this.#shards.release(id);
    this.#arrivals.note();
    const waiting = this.#waiting.filter(({ request }) => request.shard === id);
    this.#waiting = this.#waiting.filter(({ request }) => request.shard !== id);
    for (const { request, edge } of waiting) {
      this.#reply(failedReply(request.id, errors.SHARD_MOVED({})), edge);
    }
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
    const last = reader.replay(Number.isFinite(start) ? start : 0, (record) => {
      hits += this.#shards.fed(record.shard)?.apply(record, nowMs) ?? 0;
    });
    if (last < newest) throw errors.LOG_BEHIND_CHECKPOINT({ checkpoint: newest, last });
    return hits;
  }

  /** Applies records in order and serves the requests that waited for them. */
  onRecords(records: readonly LogRecord[], nowMs: number): void {
    let hits = 0;
    for (let index = 0; index < records.length; index++) {
      const record = records[index]!;
      hits += this.#shards.fed(record.shard)?.apply(record, nowMs) ?? 0;
    }
    this.#schedule.count(hits);
    this.#rounds.count(hits);
    if (this.#waiting.length > 0) this.#serveWaiting(nowMs);
    this.#arrivals.note();
  }

  /** Serves a request of an edge now, or once the log has come that far. */
  onRequest(request: ActorRequest, edge: number, nowMs: number): void {
    if (this.#isCaughtUp(request)) {
      this.#serve(request, edge, nowMs);
      return;
    }
    if (this.#waiting.length >= WAITING_COUNT_MAX) {
      const error = errors.OVERLOADED({ reason: 'too many queries wait for their domain' });
      this.#reply(failedReply(request.id, error), edge);
      return;
    }
    this.#waiting.push({ request, edge });
  }

  /**
   * Saves what is due and lets quiet days go.
   *
   * @returns shards whose position on disk moved; the log may be trimmed once `flushed` resolves.
   */
  tick(nowMs: number): Shard[] {
    if (nowMs < this.#savesFromMs) return [];
    this.#schedule.begin(nowMs);
    const shards = this.#shards.values();
    const looks = this.#rounds.begin(shards, nowMs);
    const moved = [...this.#savedBySlice];
    this.#savedBySlice.clear();
    for (const shard of shards) {
      if (this.#shards.epochOf(shard.id) === 0) continue;
      const due = this.#schedule.due(shard.unsaved, nowMs);
      if (looks && this.#rounds.isCrowded) addSealable(due, shard, nowMs);
      if (due.length > 0) {
        if (this.#tryCheckpoint(shard, due)) {
          if (!moved.includes(shard)) moved.push(shard);
        } else this.#savesFromMs = nowMs + RETRY_AFTER_MS;
      }
      if (looks) this.#letGo(shard, nowMs);
    }
    this.#forgetKeys(nowMs);
    return moved;
  }

  /** Domains that left memory since the last call: what they held waits for a collection. */
  takeRested(): number {
    const count = this.#restedDomains;
    this.#restedDomains = 0;
    return count;
  }

  /** Packs and drops what has become quiet. */
  #letGo(shard: Shard, nowMs: number): void {
    if (reopenOver(shard, nowMs)) this.#rounds.next(nowMs);
    const isDone = this.#try(() => {
      if (packOver(shard, nowMs)) this.#rounds.next(nowMs);
    });
    if (!isDone) this.#savesFromMs = nowMs + RETRY_AFTER_MS;
    this.#rounds.next(seal(shard, nowMs, this.#rounds.isCrowded));
    this.#restedDomains += letRest(shard, nowMs);
  }

  /**
   * Carries erasures on for a slice of time, and saves how far they are.
   *
   * @param elapsedMs a monotonic clock; when a slice ends changes nothing of the outcome.
   * @returns whether there is more to do.
   */
  erase(nowMs: number, elapsedMs: () => number): boolean {
    if (nowMs < this.#savesFromMs) return false;
    for (const shard of this.#shards.values()) {
      if (shard.erasing.size === 0 || this.#shards.epochOf(shard.id) === 0) continue;
      for (const domainId of shard.erasing) {
        this.#eraseSlice(shard, domainId, { nowMs, elapsedMs });
        return true;
      }
    }
    return false;
  }

  #eraseSlice(
    shard: Shard,
    domainId: string,
    clocks: { nowMs: number; elapsedMs: () => number },
  ): void {
    const domain = shard.existingDomain(domainId, clocks.nowMs);
    if (domain === null) {
      shard.erasing.delete(domainId);
      return;
    }
    const endMs = clocks.elapsedMs() + ERASE_SLICE_MS;
    do eraseNextDay(domain);
    while (domain.pendingErasures.size > 0 && clocks.elapsedMs() < endMs);
    if (this.#tryCheckpoint(shard, [domain])) this.#savedBySlice.add(shard);
    else this.#savesFromMs = clocks.nowMs + RETRY_AFTER_MS;
    seal(shard, clocks.nowMs, false);
  }

  /** Saves everything; before the thread ends. */
  async close(): Promise<void> {
    for (const { id } of this.#shards.values()) await this.closeShard(id);
  }

  /** Position up to which every record of a shard is on disk. */
  savedSequences(): { shard: number; sequence: number }[] {
    return [...this.#shards.values()].map(({ id, savedSequence }) => ({
      shard: id,
      sequence: savedSequence,
    }));
  }

  #saveAll(shard: Shard): void {
    if (this.#shards.epochOf(shard.id) === 0) return;
    const unsaved = [...shard.domains.values()].filter(
      (domain) => domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures,
    );
    if (unsaved.length > 0) this.#tryCheckpoint(shard, unsaved);
  }

  /** @returns false when the disk refused: memory and the log keep what could not be saved. */
  #tryCheckpoint(shard: Shard, domains: readonly DomainState[]): boolean {
    return this.#try(() => checkpoint(shard, domains));
  }

  #try(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      this.#onFault(error);
      return false;
    }
  }

  #isCaughtUp(request: ActorRequest): boolean {
    const shard = this.#shards.get(request.shard);
    return shard === undefined || shard.appliedSequence >= request.sequence;
  }

  #serveWaiting(nowMs: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { request, edge } of waiting) this.onRequest(request, edge, nowMs);
  }

  #serve(request: ActorRequest, edge: number, nowMs: number): void {
    try {
      const value = this.#answer(request, nowMs);
      // The process may have been stopped meanwhile: what is answered now must be true now.
      if (this.#shards.epochOf(request.shard) === 0) throw errors.SHARD_MOVED({});
      this.#reply({ id: request.id, value, error: null }, edge);
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      this.#reply(failedReply(request.id, error), edge);
    }
  }

  #answer(request: ActorRequest, nowMs: number): unknown {
    const shard = this.#shards.get(request.shard);
    const epoch = this.#shards.epochOf(request.shard);
    if (shard === undefined || epoch === 0) throw errors.SHARD_MOVED({});
    if (request.kind === 'save') {
      // One that is not in memory has nothing to save.
      const held = shard.domains.get(request.domainId);
      if (held !== undefined && held.firstUnsavedSequence !== 0) checkpoint(shard, [held]);
      return epoch;
    }
    const domain = shard.existingDomain(request.domainId, nowMs);
    const query = request.query as StatisticsQuery;
    // A text crosses threads for less than the objects it is made of.
    if (domain === null) return JSON.stringify(runActive(query, []));
    return JSON.stringify(domain.active.answer(query, domain.segments.values(), nowMs));
  }

  #forgetKeys(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === this.#lastForgottenHour) return;
    this.#lastForgottenHour = hour;
    for (const shard of this.#shards.values()) {
      if (shard.domains.size === 0 || this.#shards.epochOf(shard.id) === 0) continue;
      this.#try(() => forgetKeys(shard, nowMs));
    }
  }
}
