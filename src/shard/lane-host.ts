/**
 * One lane's side: the lane's parts of all shards of an actor, led by what the actor says.
 *
 * Data plane per batch of records. The lane is an actor of its own kind: it applies, saves and lets
 * days rest as the base does, but answers no edge and has no lanes.
 */

import type { OperatingError } from '../model/errors.ts';
import { Actor } from './actor.ts';
import { noteApplied } from './lane-feed.ts';
import type { LaneCall } from './lane-protocol.ts';
import type { LeaseTable } from './lease-table.ts';
import { readRelayed } from './relay-buffer.ts';

/** What a lane is given. */
export interface LaneHostOptions {
  dataDir: string;
  /** From 1. */
  lane: number;
  leases: LeaseTable;
  /** Shared with the actor (`lane-feed.ts`). */
  memory: Int32Array<SharedArrayBuffer>;
  onFault: (error: OperatingError) => void;
}

/** See above. */
export class LaneHost {
  /** Saves and erases in its own time, as the thread's loop tells it. */
  readonly actor: Actor;
  readonly #memory: Int32Array<SharedArrayBuffer>;

  constructor({ dataDir, lane, leases, memory, onFault }: LaneHostOptions) {
    this.actor = new Actor({ dataDir, shards: [], lane, leases, onFault, reply: () => {} });
    this.#memory = memory;
  }

  /**
   * Does what the actor asks; records, openings and saves before it returns.
   *
   * @returns the answer, of what lets go of files when they are closed.
   * @throws what the call's kind says.
   */
  answer(call: LaneCall, nowMs: number): unknown {
    switch (call.kind) {
      case 'records':
        this.actor.onRecords(readRelayed(call), nowMs);
        noteApplied(this.#memory, call.body.byteLength);
        return null;
      case 'open':
        return this.actor.openAsLane(call.opening);
      case 'save':
        return this.actor.saveDomain(call.shard, call.domainId);
      case 'settle':
        return null;
      case 'close':
        return this.actor.closeShard(call.shard);
      case 'drop':
        return this.actor.drop(call.shard);
      case 'release':
        return this.actor.release(call.shard);
    }
  }
}
