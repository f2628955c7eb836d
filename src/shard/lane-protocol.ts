/**
 * What an actor and the threads of its lanes say to each other. Plain data.
 *
 * Everything goes over one port in its order: a question about a shard comes after the records that
 * were relayed before it, so whoever answers has applied them.
 */

import type { Opening } from './open-shards.ts';

/** Records of split shards, in order; memory that all lanes see. */
export interface RelayedRecords {
  /** Payloads, one after the other. */
  body: SharedArrayBuffer;
  /** By record: shard, sequence, end of its payload. */
  index: Float64Array<ArrayBuffer>;
}

/** What an actor may ask of a lane. */
export type LaneCall =
  | ({ kind: 'records' } & RelayedRecords)
  /** Opens the lane's part of a shard; nothing if it is open. What is relayed of it follows. */
  | { kind: 'open'; opening: Opening }
  /** Saves what is unsaved of a domain, nothing if its shard is not open here. @throws SHARD_MOVED, STATE_WRITE_FAILED. */
  | { kind: 'save'; shard: number; domainId: string }
  /** Says when everything before it is applied. */
  | { kind: 'settle' }
  /** Saves the lane's part of a shard and lets go of it; `drop` does not save. */
  | { kind: 'close' | 'drop'; shard: number }
  /** Lets go of it if everything is saved and done: whether that is so. */
  | { kind: 'release'; shard: number };

/** A running lane as its actor sees it. */
export interface LaneThread {
  /** Says something that has no answer. */
  tell(call: LaneCall): void;
  /** @returns the lane's answer; rejects with the operating error it gave. */
  call<Value>(call: LaneCall): Promise<Value>;
  /** Ends it; it has nothing open any more. */
  end(): Promise<void>;
}

/** Starts the thread of a lane, which counts what it has applied in `memory` (`lane-feed.ts`). */
export type SpawnLane = (lane: number, memory: Int32Array<SharedArrayBuffer>) => LaneThread;
