/**
 * Who waits until a shard has come to a position: the mover of shards, which then takes the lease.
 *
 * Control plane; `note` stands on the data plane's way and costs nothing while nobody waits.
 */

import { errors, type OperatingError } from '../../model/errors.ts';
import type { OpenShards } from '../state/open-shards.ts';

interface Arrival {
  shard: number;
  sequence: number;
  resolve: () => void;
  reject: (error: OperatingError) => void;
}

/** Those who wait at one actor. */
export class Arrivals {
  readonly #shards: OpenShards;
  #waiting: Arrival[] = [];

  constructor(shards: OpenShards) {
    this.#shards = shards;
  }

  /** Resolves when the shard has come to the position; rejects with SHARD_MOVED when it goes before. */
  wait(shard: number, sequence: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ shard, sequence, resolve, reject });
      this.note();
    });
  }

  /** To be called when positions have moved or shards have gone. */
  note(): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter(({ shard, sequence, resolve, reject }) => {
      const state = this.#shards.get(shard);
      if (state !== undefined && state.appliedSequence < sequence) return true;
      if (state === undefined) reject(errors.SHARD_MOVED({}));
      else resolve();
      return false;
    });
  }
}
