/**
 * How far the log may be forgotten: up to the least position that some shard still needs.
 *
 * Control plane. A shard whose checkpoint has all of its records needs nothing, however old the
 * checkpoint is: idle shards do not hold the log back.
 */

import type { SavedSequences } from './actor-thread.ts';

/** Keeps the positions of all shards and tells when the log may be trimmed. */
export class LogTrimmer {
  readonly #saved: Float64Array;
  readonly #durable: (shard: number) => number;
  readonly #trim: (sequence: number) => void;
  #trimmed = 0;

  /**
   * @param durable last durable sequence of a shard.
   * @param trim forgets everything up to a sequence.
   */
  constructor(
    shards: number,
    options: { durable: (shard: number) => number; trim: (sequence: number) => void },
  ) {
    this.#saved = new Float64Array(shards);
    this.#durable = options.durable;
    this.#trim = options.trim;
  }

  /** Takes positions that are on disk for good. */
  onSaved(saved: SavedSequences): void {
    for (const { shard, sequence } of saved) {
      if (sequence > this.#saved[shard]!) this.#saved[shard] = sequence;
    }
    // The end of the log is read first: what comes later is not covered by the positions below.
    let end = 0;
    for (let shard = 0; shard < this.#saved.length; shard++) {
      end = Math.max(end, this.#durable(shard));
    }
    for (let shard = 0; shard < this.#saved.length; shard++) {
      if (this.#durable(shard) > this.#saved[shard]!) end = Math.min(end, this.#saved[shard]!);
    }
    if (end <= this.#trimmed) return;
    this.#trimmed = end;
    this.#trim(end);
  }
}
