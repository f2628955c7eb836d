/**
 * Callers that wait until a shard has applied the log up to a position: the shard mover, before it
 * takes the lease.
 *
 * Control plane; `settleReached` is on the data plane's path and costs nothing while nobody waits.
 */

import { errors, type OperatingError } from '../../model/errors.ts';
import type { Sequence, ShardId } from '../../model/ids.ts';
import type { OpenShards } from '../state/open-shards.ts';

interface PositionWaiter {
  shard: ShardId;
  sequence: Sequence;
  resolve: () => void;
  reject: (error: OperatingError) => void;
}

/** The waiters of one actor. */
export class PositionWaiters {
  readonly #shards: OpenShards;
  #waiting: PositionWaiter[] = [];

  constructor(shards: OpenShards) {
    this.#shards = shards;
  }

  /** Resolves when the shard has come to the position; rejects with SHARD_MOVED when it goes before. */
  wait(shard: ShardId, sequence: Sequence): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ shard, sequence, resolve, reject });
      this.settleReached();
    });
  }

  /** To be called when positions have moved or shards have gone. */
  settleReached(): void {
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
