/**
 * This node's membership in its cluster: it takes turns on the board, opens the shards it was given
 * and closes those it has to give back.
 *
 * Control plane, on the main thread. A failed turn is followed by the next one. While NATS is away
 * the leases expire by the clock in `LeaseTable`, which every thread checks; when NATS is back the
 * node goes on. After a move that changed an owner the other nodes get a hint, so that a hand-over
 * does not wait for their next turn.
 *
 *     taken ─▶ opening ─▶ open ─▶ (surplus) closing ─▶ given back
 *                 └──────────┴──────────┴──▶ (lost) dropped
 */

import { setTimeout as pause } from 'node:timers/promises';
import { onceElected } from '../../bus/nats/streams.ts';
import { OperatingError } from '../../model/errors.ts';
import { type Epoch, type ShardId, shardIds } from '../../model/ids.ts';
import type { Log } from '../../model/log.ts';
import { SHARD_STATES } from '../../model/metric-labels.ts';
import { metrics } from '../../model/metrics.ts';
import { LeaseTable } from '../../shard/state/lease-table.ts';
import type { ClusterStatus } from '../telemetry/cluster-status.ts';
import { type BoardStore, LEASE_MS, Leases } from './leases.ts';

/** From one turn to the next. */
const TURN_MS = 400;
/** Conflicting moves of others after which a turn is left to the next. */
const ATTEMPT_COUNT_MAX = 4;
/** Before such a turn is tried again; every node its own time, so that two do not keep meeting. */
const CONFLICT_WAIT_MS_MAX = 30;
/** Shards that were closed within this time are given back in one move. */
const GATHER_MS = 20;
/** The last move of a node that leaves without closing its shards may take this long. */
const GIVE_MS_MAX = 1_000;
/** A shard that could not be opened is tried again after this long. */
const REOPEN_MS = 1_000;

/** What opens and closes shards (`shard-mover.ts` has this shape). */
export interface Mover {
  open(shard: ShardId, epoch: Epoch): Promise<{ isRestored: boolean }>;
  close(shard: ShardId): Promise<void>;
  drop(shard: ShardId): void;
}

/** What it is made of. */
export interface MembershipOptions {
  store: BoardStore;
  self: string;
  previous: readonly string[];
  shards: number;
  mover: Mover;
  table: LeaseTable;
  status: ClusterStatus;
  log: Log;
  /** Whether hits wait in the spool of this node. */
  hasSpooled: () => boolean;
  /** Tells the others that an owner changed. */
  hint: () => void;
}

/** A shard from when it was taken until it is given back or lost. */
interface OwnedShard {
  readonly epoch: Epoch;
  phase: 'opening' | 'open' | 'closing';
}

/** The membership of one node. */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #leases: Leases;
  readonly #owned = new Map<ShardId, OwnedShard>();
  #listeners = new Set<() => void>();
  #wake: () => void = () => {};
  #isWoken = false;
  #isEnded = false;
  #isFailing = false;
  readonly #conflictWaitMs: number;
  #running: Promise<void> = Promise.resolve();
  #boardEpoch = 0;
  #opened = { shards: 0, restored: 0, sinceMs: 0 };

  private constructor(options: MembershipOptions) {
    this.#options = options;
    this.#conflictWaitMs = conflictWaitMs(options.self);
    this.#leases = new Leases({
      ...{ store: options.store, self: options.self, previous: options.previous },
      shards: options.shards,
      ...{ nowMs: LeaseTable.nowMs, hasSpooled: options.hasSpooled },
      events: {
        taken: (shard, epoch) => this.#take(shard, epoch),
        held: (shard, epoch, untilMs) => options.table.grant(shard, epoch, untilMs),
        surplus: (shard) => this.#close(shard),
        lost: (shard) => this.#lose(shard),
      },
    });
  }

  /**
   * Takes the first turn and goes on taking them.
   *
   * @throws what the first read of the board throws, once its servers have had time to elect a leader.
   */
  static async join(options: MembershipOptions): Promise<Membership> {
    const membership = new Membership(options);
    await onceElected(() => membership.#move());
    membership.#running = membership.#run();
    return membership;
  }

  /** Id of this node. */
  get self(): string {
    return this.#options.self;
  }

  /** The node that owns a shard as far as this one knows; '' when nobody does. */
  ownerOf(shard: ShardId): string {
    return this.#leases.ownerOf(shard);
  }

  /** Whether this node answers for a shard at this moment. */
  serves(shard: ShardId): boolean {
    return this.#owned.get(shard)?.phase === 'open' && this.#options.table.epochOf(shard) !== 0;
  }

  /**
   * Calls `listener` once, at the next change of owners or of what this node serves.
   *
   * @returns takes it back.
   */
  onceChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes its next turn at once: somebody else has moved. */
  hurry(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /**
   * Closes all shards and gives them to the others. What is not closed in time is given as it is.
   *
   * @param withinMs 0: everything is given as it is, because this node cannot close any more.
   * @returns whether all of it was closed.
   */
  async leave(withinMs: number): Promise<boolean> {
    this.#leases.leave();
    this.hurry();
    const isOrderly = await this.#gone(withinMs);
    if (!isOrderly) {
      for (const shard of [...this.#owned.keys()]) this.#give(shard);
      this.hurry();
      await this.#gone(GIVE_MS_MAX);
    }
    this.#isEnded = true;
    this.hurry();
    // The turn that is under way still needs the board.
    await Promise.race([this.#running, pause(GIVE_MS_MAX)]);
    return isOrderly;
  }

  async #gone(withinMs: number): Promise<boolean> {
    const endMs = LeaseTable.nowMs() + withinMs;
    while (!this.#leases.isGone && LeaseTable.nowMs() < endMs) await pause(GATHER_MS);
    return this.#leases.isGone;
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      await this.#pause();
      if (this.#isEnded) return;
      try {
        await this.#move();
        this.#isFailing = false;
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  /** Until the next turn is due, or somebody hurries. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isWoken) {
        this.#isWoken = false;
        resolve();
        return;
      }
      const timer = setTimeout(() => this.#wake(), TURN_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        this.#isWoken = false;
        resolve();
      };
    });
  }

  async #move(): Promise<void> {
    const { status, hint } = this.#options;
    for (let attempt = 1; attempt <= ATTEMPT_COUNT_MAX; attempt++) {
      const startMs = LeaseTable.nowMs();
      const isMoved = await this.#leases.turn();
      status.boardKnown(startMs + LEASE_MS, this.#leases.hasSpooled);
      const { epoch } = this.#leases;
      if (epoch !== this.#boardEpoch) {
        this.#boardEpoch = epoch;
        if (isMoved) hint();
        this.#changed();
      }
      if (isMoved) return;
      await pause(this.#conflictWaitMs);
    }
  }

  #fail(error: unknown): void {
    if (!(error instanceof OperatingError)) throw error;
    if (!this.#isFailing) {
      this.#options.log.tell('cluster.turn-failed', { err: error });
    }
    this.#isFailing = true;
  }

  #take(shard: ShardId, epoch: Epoch): void {
    const owned: OwnedShard = { epoch, phase: 'opening' };
    this.#owned.set(shard, owned);
    if (this.#opened.sinceMs === 0) this.#opened.sinceMs = LeaseTable.nowMs();
    this.#open(shard, owned);
  }

  #open(shard: ShardId, owned: OwnedShard): void {
    this.#options.mover.open(shard, owned.epoch).then(
      ({ isRestored }) => {
        if (this.#owned.get(shard) !== owned || owned.phase !== 'opening') return;
        owned.phase = 'open';
        this.#opened.shards++;
        if (isRestored) this.#opened.restored++;
        this.#changed();
      },
      (error: unknown) => {
        if (this.#owned.get(shard) !== owned || owned.phase !== 'opening') return;
        this.#options.log.tell('shard.open-failed', { err: error, shard });
        setTimeout(() => {
          if (this.#owned.get(shard) === owned && owned.phase === 'opening')
            this.#open(shard, owned);
        }, REOPEN_MS).unref();
      },
    );
  }

  #close(shard: ShardId): void {
    const owned = this.#owned.get(shard);
    if (owned === undefined) return;
    owned.phase = 'closing';
    const { mover, log } = this.#options;
    const given = () => {
      if (this.#owned.get(shard) !== owned) return;
      this.#give(shard);
      setTimeout(() => this.hurry(), GATHER_MS);
    };
    mover.close(shard).then(given, (error: unknown) => {
      // What could not be stored is in the stream: whoever takes the shard reads it again.
      log.tell('shard.closed-unsaved', { err: error, shard });
      given();
    });
    this.#changed();
  }

  /** One line for all that were taken together. */
  #tellOpened(): void {
    const { shards, restored, sinceMs } = this.#opened;
    if (shards === 0) return;
    const tookMs = Math.round(LeaseTable.nowMs() - sinceMs);
    this.#options.log.tell('shards.opened', { shards, restored, tookMs });
    this.#opened = { shards: 0, restored: 0, sinceMs: 0 };
  }

  #give(shard: ShardId): void {
    this.#owned.delete(shard);
    // Before the board says so: from then on the shard may be another's at any moment.
    this.#options.table.revoke(shard);
    this.#leases.closed(shard);
  }

  #lose(shard: ShardId): void {
    this.#options.table.revoke(shard);
    if (!this.#owned.delete(shard)) return;
    this.#options.mover.drop(shard);
    this.#changed();
  }

  #changed(): void {
    const { shards, status } = this.#options;
    let ownerless = 0;
    for (const shard of shardIds(shards)) if (!this.#leases.hasOwner(shard)) ownerless++;
    const opening = [...this.#owned.values()].filter(({ phase }) => phase === 'opening').length;
    status.counted({ ownerless, opening });
    metrics.shards.set(this.#owned.size - opening, SHARD_STATES.indexOf('open'));
    metrics.shards.set(opening, SHARD_STATES.indexOf('opening'));
    metrics.shards.set(ownerless, SHARD_STATES.indexOf('ownerless'));
    if (opening === 0) this.#tellOpened();
    const listeners = this.#listeners;
    this.#listeners = new Set();
    for (const listener of listeners) listener();
  }
}

function conflictWaitMs(self: string): number {
  let mixed = 0;
  for (let index = 0; index < self.length; index++) mixed = mixed * 31 + self.charCodeAt(index);
  return 1 + (mixed % CONFLICT_WAIT_MS_MAX);
}
