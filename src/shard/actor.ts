/**
 * A shard actor: the single writer of its shards. It applies records, saves, and answers edges.
 *
 * Data plane. Everything is synchronous and runs on the actor's own thread; the thread's loop
 * (`runtime/actor-thread.ts`) calls `onRecords`, `onRequest` and `tick`.
 */

import type { LogReader, LogRecord } from '../bus/log.ts';
import { errors, OperatingError } from '../model/errors.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../model/limits.ts';
import { runActive } from '../query/active.ts';
import type { StatisticsQuery } from '../query/request.ts';
import type { OpenSegment } from '../segment/open-segment.ts';
import { checkpoint, forgetKeys, packDays } from './checkpoint.ts';
import type { DomainState } from './domain-state.ts';
import { eraseNextDay } from './erasure.ts';
import { type ActorReply, type ActorRequest, failedReply } from './protocol.ts';
import { SaveSchedule } from './save-schedule.ts';
import { Sessionizer } from './sessionizer.ts';
import { Shard } from './shard.ts';

/** A finished day without activity for this long leaves memory. Longer than any active window. */
const SEAL_AFTER_MS = 2 * HOUR_MS;
/** Blocks a shard packs in one tick: some ten milliseconds; a larger day goes at once. */
const PACKED_BLOCK_COUNT = 256;
/** Open segments of one actor beyond which days without activity are saved and sealed at once. */
const OPEN_SEGMENT_COUNT_MAX = 4_000;
/** After a failed checkpoint the next ones wait this long: a full disk does not empty at once. */
const RETRY_AFTER_MS = 5 * SECOND_MS;
/** A slice of an erasure takes no further day after this long: hits and queries wait meanwhile. */
const ERASE_SLICE_MS = 20;
/** Requests that may wait for the log; more are refused. */
const WAITING_COUNT_MAX = 10_000;

/** What an actor is given. */
export interface ActorOptions {
  dataDir: string;
  /** Ids of the shards it owns. */
  shards: readonly number[];
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
  readonly #shards = new Map<number, Shard>();
  readonly #reply: ActorOptions['reply'];
  readonly #onFault: ActorOptions['onFault'];
  readonly #schedule = new SaveSchedule();
  #waiting: Waiting[] = [];
  #lastForgottenHour = 0;
  #savesFromMs = 0;
  /** Shards saved by a slice of an erasure since the last tick. */
  readonly #savedBySlice = new Set<Shard>();

  constructor(options: ActorOptions) {
    this.#reply = options.reply;
    this.#onFault = options.onFault;
    const sessionizer = new Sessionizer();
    for (const id of options.shards) {
      this.#shards.set(id, new Shard(options.dataDir, id, sessionizer));
    }
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
      hits += this.#shards.get(record.shard)?.apply(record, nowMs) ?? 0;
    });
    if (last < newest) throw errors.LOG_BEHIND_CHECKPOINT({ checkpoint: newest, last });
    return hits;
  }

  /** Applies records in order and serves the requests that waited for them. */
  onRecords(records: readonly LogRecord[], nowMs: number): void {
    for (let index = 0; index < records.length; index++) {
      const record = records[index]!;
      this.#schedule.count(this.#shards.get(record.shard)?.apply(record, nowMs) ?? 0);
    }
    if (this.#waiting.length > 0) this.#serveWaiting(nowMs);
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
    const isCrowded = this.#openSegmentCount() > OPEN_SEGMENT_COUNT_MAX;
    const moved = [...this.#savedBySlice];
    this.#savedBySlice.clear();
    for (const shard of this.#shards.values()) {
      const due = this.#schedule.due(shard.unsaved, nowMs);
      if (isCrowded) addSealable(due, shard, nowMs);
      if (due.length > 0) {
        if (this.#tryCheckpoint(shard, due)) {
          if (!moved.includes(shard)) moved.push(shard);
        } else this.#savesFromMs = nowMs + RETRY_AFTER_MS;
      }
      if (!this.#try(() => packOver(shard, nowMs))) this.#savesFromMs = nowMs + RETRY_AFTER_MS;
      seal(shard, nowMs, isCrowded);
    }
    this.#forgetKeys(nowMs);
    return moved;
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
    for (const shard of this.#shards.values()) {
      const unsaved = [...shard.domains.values()].filter(
        (domain) => domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures,
      );
      if (unsaved.length > 0) this.#tryCheckpoint(shard, unsaved);
      await shard.close();
    }
  }

  /** Position up to which every record of a shard is on disk. */
  savedSequences(): { shard: number; sequence: number }[] {
    return [...this.#shards.values()].map(({ id, savedSequence }) => ({
      shard: id,
      sequence: savedSequence,
    }));
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
      this.#reply({ id: request.id, value: this.#answer(request, nowMs), error: null }, edge);
    } catch (error) {
      if (!(error instanceof OperatingError)) throw error;
      this.#reply(failedReply(request.id, error), edge);
    }
  }

  #answer(request: ActorRequest, nowMs: number): unknown {
    const shard = this.#shards.get(request.shard);
    const domain = shard?.existingDomain(request.domainId, nowMs) ?? null;
    if (request.kind === 'save') {
      if (shard !== undefined && domain !== null && domain.firstUnsavedSequence !== 0) {
        checkpoint(shard, [domain]);
      }
      return null;
    }
    const query = request.query as StatisticsQuery;
    // A text crosses threads for less than the objects it is made of.
    if (domain === null) return JSON.stringify(runActive(query, []));
    return JSON.stringify(domain.active.answer(query, domain.segments.values(), nowMs));
  }

  #openSegmentCount(): number {
    let count = 0;
    for (const shard of this.#shards.values()) {
      for (const domain of shard.domains.values()) count += domain.segments.size;
    }
    return count;
  }

  #forgetKeys(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === this.#lastForgottenHour) return;
    this.#lastForgottenHour = hour;
    for (const shard of this.#shards.values()) {
      if (shard.domains.size > 0) this.#try(() => forgetKeys(shard, nowMs));
    }
  }
}

/** Adds the unsaved domains with days that could leave memory: an import of old hits opens many. */
function addSealable(due: DomainState[], shard: Shard, nowMs: number): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  for (const domain of shard.unsaved) {
    if (due.includes(domain)) continue;
    for (const { segment } of domain.segments.values()) {
      if (segment.maxMs >= quietMs) continue;
      due.push(domain);
      break;
    }
  }
}

/** Packs saved days that are over and quiet, and drops them from memory: some days a tick. */
function packOver(shard: Shard, nowMs: number): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  let blocks = 0;
  for (const domain of shard.domains.values()) {
    if (blocks >= PACKED_BLOCK_COUNT) return;
    if (domain.firstUnsavedSequence !== 0 || domain.hasUnsavedErasures) continue;
    const days: OpenSegment[] = [];
    for (const [day, open] of domain.segments) {
      if (!isQuiet(open, quietMs) || !isToBePacked(day, open, quietMs)) continue;
      days.push(open);
      for (const versions of open.header?.blockVersions ?? []) blocks += versions.length;
    }
    if (days.length === 0) continue;
    packDays(shard, domain, days);
    for (const { day } of days) domain.segments.delete(day);
  }
}

/** Whether a day has ended and is stored in blocks of their own. */
function isToBePacked(day: number, open: OpenSegment, quietMs: number): boolean {
  return (day + 1) * DAY_MS < quietMs && open.header !== null && open.header.packed === null;
}

function isQuiet(open: OpenSegment, quietMs: number): boolean {
  return !open.isDirty && open.segment.maxMs < quietMs;
}

/** Drops packed days that are over and quiet from memory, and domains that hold none. */
function seal(shard: Shard, nowMs: number, isCrowded: boolean): void {
  const quietMs = nowMs - SEAL_AFTER_MS;
  for (const domain of shard.domains.values()) {
    domain.active.rest(nowMs);
    if (domain.firstUnsavedSequence !== 0) continue;
    for (const [day, open] of domain.segments) {
      if (!isQuiet(open, quietMs)) continue;
      const isOver = (day + 1) * DAY_MS < quietMs && !isToBePacked(day, open, quietMs);
      if (isOver || isCrowded) domain.segments.delete(day);
    }
    const isErasing = shard.erasing.has(domain.domainId);
    if (domain.segments.size === 0 && !isErasing) shard.domains.delete(domain.domainId);
  }
}
