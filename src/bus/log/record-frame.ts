/**
 * Record frames: the same bytes from the edge through the log file to the actor.
 *
 * Data plane. Frames stand back to back in one buffer, so the writer thread moves bytes and never
 * unpacks them.
 *
 *     | shard u16 | version u8 | 0 u8 | length u32 | payload | shard u16 | …     little-endian
 *
 * The version lets a build refuse what a later one wrote. A payload of an earlier one may be framed anew
 * under ours: what it holds it says itself.
 */

import { assert } from '../../base/assert.ts';
import { asSequence, asShardId, type Sequence, type ShardId } from '../../model/ids.ts';
import { isReadable, PAYLOAD_FORMAT } from '../record/layout.ts';
import type { LogRecord, ShardBatch } from './interface.ts';

/** Bytes in front of every payload. */
export const FRAME_HEAD_BYTES = 8;

/**
 * Copies batches into frames, in an ArrayBuffer of their own, fit for transfer to another thread.
 *
 * @param batches at least one; their payloads are free again when it returns.
 */
export function frameRecords(batches: readonly ShardBatch[]): Uint8Array<ArrayBuffer> {
  let bytes = 0;
  for (let index = 0; index < batches.length; index++) {
    bytes += FRAME_HEAD_BYTES + batches[index]!.payload.length;
  }
  // Slow is the one that does not cut it from the pool, which cannot be transferred.
  const frames = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  for (let index = 0; index < batches.length; index++) {
    const { shard, payload } = batches[index]!;
    writeHead(frames, offset, shard, payload.length);
    frames.set(payload, offset + FRAME_HEAD_BYTES);
    offset += FRAME_HEAD_BYTES + payload.length;
  }
  return frames;
}

/**
 * Visits the records of frames; their sequences are consecutive from `first`.
 *
 * @param visit gets payloads that alias the frames.
 * @returns how many records there are.
 */
export function readFrames(
  frames: Uint8Array,
  first: Sequence,
  visit: (record: LogRecord) => void,
): number {
  let offset = 0;
  let sequence: number = first;
  while (offset < frames.length) {
    const shard = shardAt(frames, offset);
    const start = offset + FRAME_HEAD_BYTES;
    const end = frameEnd(frames, offset);
    assert(end <= frames.length, 'a frame lies within its buffer');
    visit({ shard, sequence: asSequence(sequence), payload: frames.subarray(start, end) });
    offset = end;
    sequence++;
  }
  return sequence - first;
}

/** Shard of the frame at an offset. */
export function shardAt(frames: Uint8Array, offset: number): ShardId {
  return asShardId(frames[offset]! | (frames[offset + 1]! << 8));
}

/** Where the frame at an offset ends and the next begins. */
export function frameEnd(frames: Uint8Array, offset: number): number {
  return offset + FRAME_HEAD_BYTES + readU32(frames, offset + 4);
}

/** The first version among frames that we do not read; null if there is none. */
export function foreignVersion(frames: Uint8Array): number | null {
  let offset = 0;
  while (offset < frames.length) {
    const version = frames[offset + 2]!;
    if (!isReadable(version)) return version;
    offset = frameEnd(frames, offset);
  }
  return null;
}

/**
 * Whether bytes from elsewhere are one frame of a shard that we can read.
 *
 * @returns what is wrong with it, null when nothing is.
 */
export function checkFrame(frames: Uint8Array, shard: ShardId): string | null {
  if (frames.length < FRAME_HEAD_BYTES) return 'it is too short';
  if (!isReadable(frames[2]!)) return `its format is ${frames[2]}, not ${PAYLOAD_FORMAT}`;
  if (shardAt(frames, 0) !== shard) return `it does not belong to shard ${shard}`;
  return frameEnd(frames, 0) === frames.length ? null : 'its length is wrong';
}

/** Number of frames. */
export function countFrames(frames: Uint8Array): number {
  let offset = 0;
  let count = 0;
  while (offset < frames.length) {
    offset = frameEnd(frames, offset);
    count++;
  }
  return count;
}

function writeHead(frames: Uint8Array, offset: number, shard: ShardId, length: number): void {
  frames[offset] = shard & 0xff;
  frames[offset + 1] = shard >>> 8;
  frames[offset + 2] = PAYLOAD_FORMAT;
  frames[offset + 3] = 0;
  frames[offset + 4] = length & 0xff;
  frames[offset + 5] = (length >>> 8) & 0xff;
  frames[offset + 6] = (length >>> 16) & 0xff;
  frames[offset + 7] = length >>> 24;
}

function readU32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  );
}
