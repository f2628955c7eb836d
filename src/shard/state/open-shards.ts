/**
 * The shards an actor has open, under which lease each, and whether its records have begun to
 * arrive.
 *
 * Data plane at the look-up of a record's shard, control plane elsewhere. When a shard is opened
 * while others run, records of an earlier opening may still be in transit. They are skipped until
 * the log announces, among the records, that those of this opening follow.
 */

import { type Epoch, NO_LEASE, type ShardId } from '../../model/ids.ts';
import type { LiveTaps } from '../live/live-taps.ts';
import type { LeaseTable } from './lease-table.ts';
import type { OpenMemory } from './open-memory.ts';
import type { Sessionizer } from './sessionizer.ts';
import { Shard } from './shard.ts';

/** One opening of a shard. */
export interface Opening {
  shard: ShardId;
  /** Of the lease under which it is open. */
  epoch: Epoch;
  /** Number of the opening: no two are alike on a node. */
  opening: number;
}

interface OpenShard extends Opening {
  readonly state: Shard;
}

/** The open shards of one actor. */
export class OpenShards {
  readonly #dataDir: string;
  readonly #leases: LeaseTable;
  readonly #sessionizer: Sessionizer;
  readonly #memory: OpenMemory;
  readonly #taps: LiveTaps;
  readonly #openShards = new Map<ShardId, OpenShard>();
  readonly #fed = new Map<ShardId, Shard>();
  readonly #closing = new Map<ShardId, Promise<void>>();

  /** @param options.memory where the days are counted that the shards open. */
  constructor(
    dataDir: string,
    leases: LeaseTable,
    options: { sessionizer: Sessionizer; memory: OpenMemory; taps: LiveTaps },
  ) {
    this.#dataDir = dataDir;
    this.#leases = leases;
    this.#sessionizer = options.sessionizer;
    this.#memory = options.memory;
    this.#taps = options.taps;
  }

  /** Opens a shard whose records come from the first on. */
  openFed(shard: ShardId): void {
    this.#open({ shard, epoch: this.#leases.epochOf(shard), opening: 0 });
    this.begin(shard, 0);
  }

  /** Opens a shard whose records come after `begin`; an earlier opening is let go of first. */
  async open(opening: Opening): Promise<Shard> {
    await this.release(opening.shard);
    return this.#open(opening);
  }

  /** From now on records of the shard are those of this opening. */
  begin(shard: ShardId, opening: number): void {
    const open = this.#openShards.get(shard);
    if (open?.opening === opening) this.#fed.set(shard, open.state);
  }

  /** The shard that takes a record; undefined when it is not open, or not yet. */
  fed(shard: ShardId): Shard | undefined {
    return this.#fed.get(shard);
  }

  get(shard: ShardId): Shard | undefined {
    return this.#openShards.get(shard)?.state;
  }

  values(): Shard[] {
    return [...this.#openShards.values()].map(({ state }) => state);
  }

  /** Epoch under which the shard is open and held at this moment; 0 when it is not. */
  epochOf(shard: ShardId): Epoch {
    const open = this.#openShards.get(shard);
    if (open === undefined || this.#leases.epochOf(shard) !== open.epoch) return NO_LEASE;
    return open.epoch;
  }

  /** Lets go of a shard at once, saved or not. @returns when its files are closed. */
  async release(shard: ShardId): Promise<void> {
    const state = this.get(shard);
    this.#openShards.delete(shard);
    this.#fed.delete(shard);
    if (state === undefined) return this.#closing.get(shard);
    const closing = state.close().finally(() => {
      if (this.#closing.get(shard) === closing) this.#closing.delete(shard);
    });
    this.#closing.set(shard, closing);
    return closing;
  }

  #open(opening: Opening): Shard {
    const state = new Shard(this.#dataDir, opening.shard, this.#sessionizer, this.#memory);
    state.taps = this.#taps;
    this.#openShards.set(opening.shard, { ...opening, state });
    return state;
  }
}
