/**
 * The shards an actor has open: under which lease, and whether their records have begun to come.
 *
 * Data plane at the look-up of a record's shard, control plane elsewhere. A shard that is opened while
 * others run may still have records of an earlier opening on their way; they are passed over until
 * the log says, among the records, that those of this opening follow.
 */

import type { LeaseTable } from './lease-table.ts';
import type { OpenMemory } from './open-memory.ts';
import type { Sessionizer } from './sessionizer.ts';
import { Shard } from './shard.ts';

/** One opening of a shard. */
export interface Opening {
  shard: number;
  /** Of the lease under which it is open. */
  epoch: number;
  /** Number of the opening: no two are alike on a node. */
  opening: number;
}

interface Term extends Opening {
  readonly state: Shard;
}

/** See above. */
export class OpenShards {
  readonly #dataDir: string;
  readonly #leases: LeaseTable;
  readonly #sessionizer: Sessionizer;
  readonly #memory: OpenMemory;
  readonly #terms = new Map<number, Term>();
  readonly #fed = new Map<number, Shard>();
  readonly #closing = new Map<number, Promise<void>>();

  /** @param options.memory where the days are counted that the shards open. */
  constructor(
    dataDir: string,
    leases: LeaseTable,
    options: { sessionizer: Sessionizer; memory: OpenMemory },
  ) {
    this.#dataDir = dataDir;
    this.#leases = leases;
    this.#sessionizer = options.sessionizer;
    this.#memory = options.memory;
  }

  /** Opens a shard whose records come from the first on. */
  openFed(shard: number): void {
    this.#open({ shard, epoch: this.#leases.epochOf(shard), opening: 0 });
    this.begin(shard, 0);
  }

  /** Opens a shard whose records come after `begin`; an earlier opening is let go of first. */
  async open(opening: Opening): Promise<Shard> {
    await this.release(opening.shard);
    return this.#open(opening);
  }

  /** From now on records of the shard are those of this opening. */
  begin(shard: number, opening: number): void {
    const term = this.#terms.get(shard);
    if (term?.opening === opening) this.#fed.set(shard, term.state);
  }

  /** The shard that takes a record; undefined when it is not open, or not yet. */
  fed(shard: number): Shard | undefined {
    return this.#fed.get(shard);
  }

  get(shard: number): Shard | undefined {
    return this.#terms.get(shard)?.state;
  }

  values(): Shard[] {
    return [...this.#terms.values()].map(({ state }) => state);
  }

  /** Epoch under which the shard is open and held at this moment; 0 when it is not. */
  epochOf(shard: number): number {
    const term = this.#terms.get(shard);
    if (term === undefined || this.#leases.epochOf(shard) !== term.epoch) return 0;
    return term.epoch;
  }

  /** Lets go of a shard at once, saved or not. @returns when its files are closed. */
  async release(shard: number): Promise<void> {
    const state = this.get(shard);
    this.#terms.delete(shard);
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
    this.#terms.set(opening.shard, { ...opening, state });
    return state;
  }
}
