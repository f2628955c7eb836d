/**
 * A shard actor: the single writer of its shards. It applies records, saves, and answers edges.
 *
 * Data plane. Everything is synchronous and runs on the actor's own thread; the thread's loop
 * (`runtime/actor-thread.ts`) calls `onRecords`, `onRequest` and `tick`.
 */

import { assert } from '../base/assert.ts';
import type { LogReader, LogRecord } from '../bus/log.ts';
import { errors, type OperatingError } from '../model/errors.ts';
import { budgets } from '../model/memory.ts';
import { Arrivals } from './arrivals.ts';
import { applyAndFreeze, holdsSplit } from './lane-apply.ts';
import type { SpawnLane } from './lane-protocol.ts';
import { Lanes } from './lanes.ts';
import type { LeaseTable } from './lease-table.ts';
import { OpenMemory } from './open-memory.ts';
import { type Opening, OpenShards } from './open-shards.ts';
import type { ActorReply, ActorRequest } from './protocol.ts';
import { Questions } from './questions.ts';
import { Relief } from './relief.ts';
import { saveDomain } from './save-domain.ts';
import { Saves } from './saves.ts';
import { Sessionizer } from './sessionizer.ts';
import type { Shard } from './shard.ts';

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
  /** Which lane of its shards it is; default: their base. */
  lane?: number;
  /** Starts lanes for a base; without it no domain can be split. */
  spawn?: SpawnLane;
  /** Bytes of the days that it has open; default: the budget of its thread. */
  openBytesMax?: number;
}

/** The single writer of some shards. */
export class Actor {
  readonly #shards: OpenShards;
  readonly #saves: Saves;
  readonly #questions: Questions;
  readonly #arrivals: Arrivals;
  /** null in a lane: what is relayed to it goes no further. */
  readonly #lanes: Lanes | null;
  readonly #onFault: ActorOptions['onFault'];
  readonly #memory: OpenMemory;
  readonly #relief: Relief;
  /** Position up to which the state on disk reaches, at least; of the shards open from the start. */
  #start = Number.POSITIVE_INFINITY;
  #newest = 0;
  /** In a lane: shards whose lanes have changed, so that others have written what is to be read. */
  readonly #changed = new Set<number>();

  constructor(options: ActorOptions) {
    const { dataDir, leases, onFault, reply, lane = 0, spawn = refuseLanes } = options;
    const memory = new OpenMemory();
    this.#onFault = onFault;
    this.#memory = memory;
    this.#shards = new OpenShards(dataDir, leases, {
      sessionizer: new Sessionizer(),
      lane,
      memory,
    });
    this.#relief = new Relief(this.#shards, {
      memory,
      bytesMax: options.openBytesMax ?? budgets.openDays,
      onFault,
    });
    this.#lanes = lane > 0 ? null : new Lanes({ spawn, onFault });
    this.#saves = new Saves(this.#shards, onFault);
    this.#questions = new Questions({ shards: this.#shards, lanes: this.#lanes, reply });
    this.#arrivals = new Arrivals(this.#shards);
    for (const id of options.shards) {
      const { state, opening } = this.#shards.openFed(id);
      const { least, newest } = this.#lanes?.open(state, opening) ?? NOTHING;
      this.#start = Math.min(this.#start, least);
      this.#newest = Math.max(this.#newest, newest);
    }
  }

  /**
   * Opens a shard as it is on disk, with its lanes; its records come once `begin` was called.
   *
   * @returns its position: the log is to be read from behind it.
   */
  async open(opening: Opening): Promise<number> {
    // Under an earlier lease it may be open still.
    await this.drop(opening.shard);
    const shard = await this.#shards.open(opening);
    return this.#lanes?.open(shard, opening).least ?? shard.savedSequence;
  }

  /** Opens a lane's part of a shard, unless it is open; its records come at once. */
  openAsLane(opening: Opening): void {
    this.#shards.openNow(opening);
  }

  /** What comes now of a shard is what follows its position. */
  begin(shard: number, opening: number): void {
    this.#shards.begin(shard, opening);
  }

  /**
   * Resolves when a shard has come to a position, its lanes included; rejects with SHARD_MOVED when it
   * goes before.
   */
  async caughtUp(shard: number, sequence: number): Promise<void> {
    await this.#arrivals.wait(shard, sequence);
    await this.#lanes?.settled(shard);
  }

  /**
   * Saves what is unsaved of a domain; nothing if its shard is not open.
   *
   * @throws SHARD_MOVED when its lease has lapsed, STATE_WRITE_FAILED.
   */
  saveDomain(id: number, domainId: string): void {
    const shard = this.#shards.get(id);
    if (shard === undefined) return;
    if (this.#shards.epochOf(id) === 0) throw errors.SHARD_MOVED({});
    saveDomain(shard, domainId);
  }

  /** Saves a shard, if it is still held, and lets go of it. */
  async closeShard(id: number): Promise<void> {
    const lanes = this.#lanes?.close(id, 'close');
    const shard = this.#shards.get(id);
    if (shard !== undefined) this.#saves.saveAll(shard);
    await Promise.all([lanes, this.drop(id)]);
  }

  /** Lets go of a shard if everything of it is saved and done. @returns whether that is so. */
  async release(id: number): Promise<boolean> {
    const shard = this.#shards.get(id);
    if (shard === undefined) return true;
    this.#saves.saveAll(shard);
    if (shard.unsaved.size > 0 || shard.erasing.size > 0) return false;
    await this.drop(id);
    return true;
  }

  /** Lets go of a shard as it is; the log has the rest. @returns when its files are closed. */
  async drop(id: number): Promise<void> {
    const closed = [this.#lanes?.close(id, 'drop'), this.#shards.release(id)];
    this.#arrivals.note();
    this.#questions.refuse(id);
    await Promise.all(closed);
  }

  /**
   * Applies what the log holds beyond the checkpoints.
   *
   * @returns how many hits were applied again.
   * @throws LOG_BEHIND_CHECKPOINT when the log ends before a checkpoint: it was lost or replaced.
   */
  recover(reader: LogReader, nowMs: number): number {
    let hits = 0;
    const start = Number.isFinite(this.#start) ? this.#start : 0;
    const last = reader.replay(start, (record) => {
      hits += this.#apply(record, nowMs);
    });
    const checkpoint = this.#newest;
    if (last < checkpoint) throw errors.LOG_BEHIND_CHECKPOINT({ checkpoint, last });
    this.#lanes?.drain();
    return hits;
  }

  /** Applies records in order and serves the requests that waited for them. */
  onRecords(records: readonly LogRecord[], nowMs: number): void {
    let hits = 0;
    for (let index = 0; index < records.length; index++) {
      hits += this.#apply(records[index]!, nowMs);
    }
    this.#lanes?.flush();
    this.#saves.count(hits);
    this.#questions.serveWaiting(nowMs);
    this.#arrivals.note();
  }

  /** Serves a request of an edge now, or once the log has come that far. */
  onRequest(request: ActorRequest, edge: number, nowMs: number): void {
    this.#questions.ask(request, edge, nowMs);
  }

  /**
   * Saves what is due and lets quiet days go.
   *
   * @returns shards whose position on disk moved; the log may be trimmed once `flushed` resolves.
   */
  tick(nowMs: number): Shard[] {
    this.#lanes?.releaseUnneeded((shard) => this.#shards.epochOf(shard) !== 0);
    // What questions and deletions have opened.
    if (this.#memory.isDue) this.#memory.relieve();
    return this.#saves.tick(nowMs);
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

  /** About what its open days take, in bytes. */
  get openBytes(): number {
    return this.#relief.openBytes;
  }

  /** Domains that left memory since the last call: what they held waits for a collection. */
  takeRested(): number {
    return this.#saves.takeRested();
  }

  /**
   * Carries erasures on for a slice of time, and saves how far they are.
   *
   * @param elapsedMs a monotonic clock; when a slice ends changes nothing of the outcome.
   * @returns whether there is more to do.
   */
  erase(nowMs: number, elapsedMs: () => number): boolean {
    return this.#saves.erase(nowMs, elapsedMs);
  }

  /** Saves everything; before the thread ends. */
  async close(): Promise<void> {
    for (const { id } of this.#shards.values()) await this.closeShard(id);
    await this.#lanes?.ended();
  }

  /**
   * A position that `tick` has moved is on disk for good.
   *
   * @param lane 0 for this actor's own, else which of its lanes says so.
   * @returns the position of the shard as a whole: the log is not needed up to it; null when the shard
   *   is not open.
   */
  noteFlushed(lane: number, shard: number, sequence: number): number | null {
    if (this.#lanes === null) return sequence;
    this.#lanes.noteSaved(lane, shard, sequence);
    return this.#lanes.position(shard);
  }

  /** Position up to which every record of a shard is on disk, its lanes included. */
  savedSequences(): { shard: number; sequence: number }[] {
    return this.#shards.values().map(({ id, savedSequence }) => ({
      shard: id,
      sequence: this.#lanes?.position(id) ?? savedSequence,
    }));
  }

  #apply(record: LogRecord, nowMs: number): number {
    const shard = this.#shards.fed(record.shard);
    if (shard === undefined) return 0;
    this.#memory.noteRecord(record.payload.length);
    if (this.#memory.isDue) this.#memory.relieve();
    if (this.#lanes !== null) return this.#lanes.apply(shard, record, nowMs);
    // By now every lane has saved what the change before has frozen.
    if (this.#changed.size > 0 && this.#changed.delete(shard.id)) shard.environment().refresh();
    if (holdsSplit(record.payload)) this.#changed.add(shard.id);
    return applyAndFreeze(shard, record, { nowMs, onFault: this.#onFault });
  }
}

const NOTHING = { least: 0, newest: 0 };

function refuseLanes(): never {
  assert(false, 'an actor whose domains are split was told how to start lanes');
}
