/**
 * Records of the stream in a file of their own, until it is known which of them the states have.
 *
 * Control plane, for the backup of a cluster. The file has the frames back to back; where each one is
 * stays in memory, some 50 bytes a record.
 */

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { assert } from '../../base/assert.ts';
import type { Sequence, ShardId } from '../../model/ids.ts';

const OWNER_ONLY = 0o600;

/** Where a record is. */
export interface StreamRecordPlace {
  readonly shard: ShardId;
  readonly sequence: Sequence;
  readonly at: number;
  readonly bytes: number;
}

/** Written first, then read. */
export class StreamRecords {
  readonly #fd: number;
  readonly #places: StreamRecordPlace[] = [];
  #end = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'w+', OWNER_ONLY);
  }

  add(record: { shard: ShardId; sequence: Sequence; frame: Uint8Array }): void {
    const { shard, sequence, frame } = record;
    for (let at = 0; at < frame.length; ) {
      at += writeSync(this.#fd, frame, at, frame.length - at, this.#end + at);
    }
    this.#places.push({ shard, sequence, at: this.#end, bytes: frame.length });
    this.#end += frame.length;
  }

  /** All of them in the order of the stream. */
  places(): StreamRecordPlace[] {
    return this.#places.toSorted((left, right) => left.sequence - right.sequence);
  }

  /** The frame at a place, which is the reader's own. */
  frameAt({ at, bytes }: StreamRecordPlace): Uint8Array {
    const frame = Buffer.alloc(bytes);
    for (let filled = 0; filled < bytes; ) {
      const count = readSync(this.#fd, frame, filled, bytes - filled, at + filled);
      assert(count > 0, 'what was written is there');
      filled += count;
    }
    return frame;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
