/**
 * An actor's end of one lane: what it relayed, what of it is applied, and how it waits for that.
 *
 * Data plane at batch granularity. The actor waits without its event loop: at a change of lanes nobody
 * may be beyond it, and what is relayed and not applied is bounded. A lane never waits for its actor, so
 * the wait ends, with an error if the lane has died.
 */

import { assert } from '../base/assert.ts';
import { SECOND_MS } from '../model/limits.ts';
import type { LaneCall, LaneThread, RelayedRecords, SpawnLane } from './lane-protocol.ts';

/** What a lane and its actor share: bytes the lane has applied modulo 2^32, and whether it has died. */
const APPLIED = 0;
const DIED = 1;
const WORDS = 2;

/** Bytes relayed to a lane and not applied: a few seconds of hits. */
const UNAPPLIED_BYTES_MAX = 16 * 1_024 * 1_024;
/** How often a waiting actor looks whether the lane lives. */
const LOOK_MS = 100;
/** A lane that applies nothing for so long is as good as dead; a disk that refuses gets a minute. */
const PATIENCE_MS = 120 * SECOND_MS;

/** One lane. */
export class LaneFeed {
  readonly #lane: number;
  readonly #thread: LaneThread;
  readonly #memory: Int32Array<SharedArrayBuffer>;
  #handed = 0;
  readonly #calls = new Set<Promise<unknown>>();

  /** Starts the lane's thread, without waiting for it. */
  constructor(lane: number, spawn: SpawnLane) {
    this.#lane = lane;
    this.#memory = new Int32Array(new SharedArrayBuffer(WORDS * 4));
    this.#thread = spawn(lane, this.#memory);
  }

  /** Relays records; waits while too much is not applied. @throws when the lane has died. */
  relay(records: RelayedRecords): void {
    this.#thread.tell({ kind: 'records', ...records });
    this.#handed = (this.#handed + records.body.byteLength) | 0;
    this.#await(UNAPPLIED_BYTES_MAX);
  }

  /** Waits until all that was relayed is applied. @throws when the lane has died. */
  drain(): void {
    this.#await(0);
  }

  /** As `LaneThread.tell`. */
  tell(call: LaneCall): void {
    this.#thread.tell(call);
  }

  /** As `LaneThread.call`. */
  call<Value>(call: LaneCall): Promise<Value> {
    const answer = this.#thread.call<Value>(call);
    this.#calls.add(answer);
    const forget = () => {
      this.#calls.delete(answer);
    };
    answer.then(forget, forget);
    return answer;
  }

  /** Ends the thread once it has answered everything. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#calls);
    await this.#thread.end();
  }

  #await(bytesMax: number): void {
    let applied = Atomics.load(this.#memory, APPLIED);
    let stillMs = 0;
    // Both count modulo 2^32; their difference is right as long as it is less than 2^31.
    while (((this.#handed - applied) | 0) > bytesMax) {
      assert(Atomics.load(this.#memory, DIED) === 0, `lane ${this.#lane} lives`);
      assert(stillMs < PATIENCE_MS, `lane ${this.#lane} goes on`);
      Atomics.wait(this.#memory, APPLIED, applied, LOOK_MS);
      const now = Atomics.load(this.#memory, APPLIED);
      stillMs = now === applied ? stillMs + LOOK_MS : 0;
      applied = now;
    }
  }
}

/** The lane's word that it has applied bytes. */
export function noteApplied(memory: Int32Array<SharedArrayBuffer>, bytes: number): void {
  Atomics.add(memory, APPLIED, bytes);
  Atomics.notify(memory, APPLIED);
}

/** The lane's word that it will apply nothing any more. */
export function noteDeath(memory: Int32Array<SharedArrayBuffer>): void {
  Atomics.store(memory, DIED, 1);
  Atomics.notify(memory, APPLIED);
}
