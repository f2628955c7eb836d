/**
 * Opens shards on this node and closes them, while everything else runs.
 *
 * Control plane, on the main thread. Each step is a call to the thread that does it; the order is what
 * makes it right:
 *
 *     open    snapshot restored if need be → actor opens → its records are read from its position
 *     close   no more records → actor saves and closes → snapshot stored
 *     drop    no more records, actor lets go: the state on disk stays as it is
 *
 * What is asked for one shard is done one after the other; `drop` ends an opening at its next step.
 */

import { errors } from '../../model/errors.ts';
import type { Prepared } from '../../shard/snapshot/snapshot-keeper.ts';
import { actorOf } from '../../shard/state/placement.ts';
import type { PortCaller } from '../link/port-calls.ts';
import type { ActorCall } from '../threads/actor-thread.ts';
import type { NatsLogCall } from '../threads/nats-log-thread.ts';
import type { SnapshotsCall } from '../threads/snapshots-thread.ts';

/** The threads that have a part in it. */
export interface ShardMoverThreads {
  /** By actor. */
  actors: readonly PortCaller<ActorCall>[];
  log: PortCaller<NatsLogCall>;
  snapshots: PortCaller<SnapshotsCall>;
}

/** What an opening found. */
export interface Opened {
  /** Position of the state it began with. */
  position: number;
  /** The state came from a snapshot. */
  isRestored: boolean;
}

/** See above. */
export class ShardMover {
  readonly #threads: ShardMoverThreads;
  /** By shard: what was asked last, so that the next waits for it. */
  readonly #last = new Map<number, Promise<unknown>>();
  /** By shard: number of the opening that is wanted; absent when none is. */
  readonly #wanted = new Map<number, number>();
  #openings = 0;

  constructor(threads: ShardMoverThreads) {
    this.#threads = threads;
  }

  /**
   * Opens a shard.
   *
   * @param epoch of the lease under which it is open; `LeaseTable` has it already.
   * @returns when all that the stream held at the call is applied.
   * @throws SHARD_MOVED when it was dropped meanwhile; SNAPSHOT_DAMAGED, STREAM_WENT_BACK,
   *   LOG_UNAVAILABLE: it is not open then.
   */
  open(shard: number, epoch: number): Promise<Opened> {
    this.#openings++;
    const opening = this.#openings;
    this.#wanted.set(shard, opening);
    return this.#inTurn(shard, async () => {
      try {
        return await this.#open({ shard, epoch, opening });
      } catch (error) {
        if (this.#wanted.get(shard) === opening) this.#wanted.delete(shard);
        await this.#letGo(shard);
        throw error;
      }
    });
  }

  /** Saves and closes a shard and stores its snapshot; then the lease may be given back. */
  close(shard: number): Promise<void> {
    this.#wanted.delete(shard);
    return this.#inTurn(shard, async () => {
      const { log, snapshots } = this.#threads;
      await log.call({ kind: 'stop', shard });
      await this.#actor(shard).call({ kind: 'close', shard });
      await snapshots.call({ kind: 'save', shard });
    });
  }

  /** Lets go of a shard at once: its lease is lost. */
  drop(shard: number): void {
    this.#wanted.delete(shard);
    const dropped = this.#letGo(shard);
    this.#inTurn(shard, () => dropped).catch(() => {});
  }

  /**
   * Position of the shard's last record in the stream, asked of the stream after the call.
   *
   * @throws SHARD_MOVED when the shard is not open here, LOG_UNAVAILABLE when nobody answers.
   */
  latest(shard: number): Promise<number> {
    return this.#threads.log.call({ kind: 'latest', shard });
  }

  async #open(wanted: { shard: number; epoch: number; opening: number }): Promise<Opened> {
    const { shard, epoch, opening } = wanted;
    const { log, snapshots } = this.#threads;
    const actor = this.#actor(shard);
    // Under another lease it may be open still.
    await this.#letGo(shard);
    const { isRestored } = await this.#step(wanted, () =>
      snapshots.call<Prepared>({ kind: 'prepare', shard }),
    );
    const position = await this.#step(wanted, () =>
      actor.call<number>({ kind: 'open', opening: { shard, epoch, opening } }),
    );
    await this.#step(wanted, () => snapshots.call({ kind: 'watch', shard, epoch }));
    const sequence = await this.#step(wanted, () =>
      log.call<number>({ kind: 'start', from: { shard, after: position, opening } }),
    );
    await this.#step(wanted, () => actor.call({ kind: 'caught-up', shard, sequence }));
    return { position, isRestored };
  }

  /** A step of an opening that is still wanted before it and after it. */
  async #step<Value>(
    { shard, opening }: { shard: number; opening: number },
    work: () => Promise<Value>,
  ): Promise<Value> {
    if (this.#wanted.get(shard) !== opening) throw errors.SHARD_MOVED({});
    const value = await work();
    if (this.#wanted.get(shard) !== opening) throw errors.SHARD_MOVED({});
    return value;
  }

  /** Also what an opening left half done. */
  async #letGo(shard: number): Promise<void> {
    const { log, snapshots } = this.#threads;
    await Promise.all([
      log.call({ kind: 'stop', shard }),
      this.#actor(shard).call({ kind: 'drop', shard }),
      snapshots.call({ kind: 'forget', shard }),
    ]);
  }

  #inTurn<Value>(shard: number, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(shard) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(shard, turn);
    return turn;
  }

  #actor(shard: number): PortCaller<ActorCall> {
    const { actors } = this.#threads;
    return actors[actorOf(shard, actors.length)] as PortCaller<ActorCall>;
  }
}
