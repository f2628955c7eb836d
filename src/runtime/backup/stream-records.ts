/**
 * Records of the stream in a file of their own, until it is known which of them the states have.
 *
 * Control plane, for the backup of a cluster.
 *
 *     shard u32 | sequence f64 | frame bytes u32 | frame | …
 */

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { asSequence, asShardId, type Sequence, type ShardId } from '../../model/ids.ts';

const HEAD_BYTES = 16;
const OWNER_ONLY = 0o600;

/** One record. */
export interface StreamRecord {
  readonly shard: ShardId;
  readonly sequence: Sequence;
  readonly frame: Uint8Array;
}

/** Written first, then read. */
export class StreamRecords {
  readonly #fd: number;

  constructor(path: string) {
    this.#fd = openSync(path, 'w+', OWNER_ONLY);
  }

  add({ shard, sequence, frame }: StreamRecord): void {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(shard, 0);
    head.writeDoubleLE(sequence, 4);
    head.writeUInt32LE(frame.length, 12);
    const bytes = Buffer.concat([head, frame]);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
  }

  /** All of them, those of a shard in their order; each frame is the reader's own. */
  *all(): Iterable<StreamRecord> {
    for (let at = 0; ; ) {
      const head = this.#read(at, HEAD_BYTES);
      if (head === null) return;
      const bytes = head.readUInt32LE(12);
      const frame = this.#read(at + HEAD_BYTES, bytes) ?? Buffer.alloc(0);
      const sequence = asSequence(head.readDoubleLE(4));
      yield { shard: asShardId(head.readUInt32LE(0)), sequence, frame };
      at += HEAD_BYTES + bytes;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** null where it ends. */
  #read(position: number, length: number): Buffer | null {
    const bytes = Buffer.alloc(length);
    for (let filled = 0; filled < length; ) {
      const count = readSync(this.#fd, bytes, filled, length - filled, position + filled);
      if (count === 0) return null;
      filled += count;
    }
    return bytes;
  }
}
