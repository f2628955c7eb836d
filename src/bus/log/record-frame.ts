/**
 * Records on their way: the same bytes from the edge through the log file to the actor.
 *
 * Data plane. A body is records back to back, so the writer thread moves bytes and never unpacks.
 *
 *     | shard u16 | version u8 | 0 u8 | length u32 | payload | shard u16 | …     little-endian
 */

import { assert } from '../../base/assert.ts';
import { PAYLOAD_VERSION } from '../record/codec.ts';
import type { LogRecord, ShardBatch } from './interface.ts';

/** Bytes in front of every payload. */
export const RECORD_HEAD_BYTES = 8;

/**
 * Copies batches into a new body, in an ArrayBuffer of its own, fit for transfer to another thread.
 *
 * @param batches at least one; their payloads are free again when it returns.
 */
export function makeBody(batches: readonly ShardBatch[]): Uint8Array<ArrayBuffer> {
  let bytes = 0;
  for (let index = 0; index < batches.length; index++) {
    bytes += RECORD_HEAD_BYTES + batches[index]!.payload.length;
  }
  // Slow is the one that does not cut it from the pool, which cannot be transferred.
  const body = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  for (let index = 0; index < batches.length; index++) {
    const { shard, payload } = batches[index]!;
    writeHead(body, offset, shard, payload.length);
    body.set(payload, offset + RECORD_HEAD_BYTES);
    offset += RECORD_HEAD_BYTES + payload.length;
  }
  return body;
}

/**
 * Visits the records of a body; their sequences are consecutive from `first`.
 *
 * @param visit gets payloads that alias the body.
 * @returns how many records there are.
 */
export function readBody(
  body: Uint8Array,
  first: number,
  visit: (record: LogRecord) => void,
): number {
  let offset = 0;
  let sequence = first;
  while (offset < body.length) {
    const shard = shardAt(body, offset);
    const start = offset + RECORD_HEAD_BYTES;
    const end = recordEnd(body, offset);
    assert(end <= body.length, 'a record lies within its body');
    visit({ shard, sequence, payload: body.subarray(start, end) });
    offset = end;
    sequence++;
  }
  return sequence - first;
}

/** Shard of the record at an offset of a body. */
export function shardAt(body: Uint8Array, offset: number): number {
  return body[offset]! | (body[offset + 1]! << 8);
}

/** Where the record at an offset of a body ends and the next begins. */
export function recordEnd(body: Uint8Array, offset: number): number {
  return offset + RECORD_HEAD_BYTES + readU32(body, offset + 4);
}

/** The first version among a body's records that is not the one we read; null if there is none. */
export function foreignVersion(body: Uint8Array): number | null {
  let offset = 0;
  while (offset < body.length) {
    const version = body[offset + 2]!;
    if (version !== PAYLOAD_VERSION) return version;
    offset = recordEnd(body, offset);
  }
  return null;
}

/**
 * Whether a body from elsewhere is one record of a shard that we can read.
 *
 * @returns what is wrong with it, null when nothing is.
 */
export function checkRecord(body: Uint8Array, shard: number): string | null {
  if (body.length < RECORD_HEAD_BYTES) return 'it is too short';
  if (body[2] !== PAYLOAD_VERSION) return `its format is ${body[2]}, not ${PAYLOAD_VERSION}`;
  if (shardAt(body, 0) !== shard) return `it does not belong to shard ${shard}`;
  return recordEnd(body, 0) === body.length ? null : 'its length is wrong';
}

/** Number of records in a body. */
export function countRecords(body: Uint8Array): number {
  let offset = 0;
  let count = 0;
  while (offset < body.length) {
    offset = recordEnd(body, offset);
    count++;
  }
  return count;
}

function writeHead(body: Uint8Array, offset: number, shard: number, length: number): void {
  body[offset] = shard & 0xff;
  body[offset + 1] = shard >>> 8;
  body[offset + 2] = PAYLOAD_VERSION;
  body[offset + 3] = 0;
  body[offset + 4] = length & 0xff;
  body[offset + 5] = (length >>> 8) & 0xff;
  body[offset + 6] = (length >>> 16) & 0xff;
  body[offset + 7] = length >>> 24;
}

function readU32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  );
}
