/**
 * Records on their way: the same bytes from the edge through the log file to the actor.
 *
 * Data plane. A body is records back to back, so the writer thread moves bytes and never unpacks.
 *
 *     | shard u16 | version u8 | 0 u8 | length u32 | payload | shard u16 | …     little-endian
 */

import { assert } from '../base/assert.ts';
import { GROUPS_VERSION, checkVersion } from './codec.ts';
import type { LogRecord, ShardBatch } from './log.ts';

/** Bytes in front of every payload. */
export const RECORD_HEAD_BYTES = 8;

/** Bytes of the body that these batches make. */
export function bodyBytes(batches: readonly ShardBatch[]): number {
  let bytes = 0;
  for (const { payload } of batches) bytes += RECORD_HEAD_BYTES + payload.length;
  return bytes;
}

/** Copies batches into a new body of their own, fit for transfer to another thread. */
export function makeBody(batches: readonly ShardBatch[]): Uint8Array {
  const body = new Uint8Array(bodyBytes(batches));
  let offset = 0;
  for (const { shard, payload } of batches) {
    writeHead(body, offset, shard, payload.length);
    body.set(payload, offset + RECORD_HEAD_BYTES);
    offset += RECORD_HEAD_BYTES + payload.length;
  }
  return body;
}

/** Visits the records of a body; numbers start at `first`. Payloads alias the body. */
export function readBody(
  body: Uint8Array,
  first: number,
  visit: (record: LogRecord) => void,
): number {
  let offset = 0;
  let sequence = first;
  while (offset < body.length) {
    const shard = body[offset]! | (body[offset + 1]! << 8);
    checkVersion(body[offset + 2]!);
    const length = readU32(body, offset + 4);
    const start = offset + RECORD_HEAD_BYTES;
    assert(start + length <= body.length, 'a record lies within its body');
    visit({ shard, sequence, payload: body.subarray(start, start + length) });
    offset = start + length;
    sequence++;
  }
  return sequence - first;
}

/** Number of records in a body. */
export function countRecords(body: Uint8Array): number {
  let offset = 0;
  let count = 0;
  while (offset < body.length) {
    offset += RECORD_HEAD_BYTES + readU32(body, offset + 4);
    count++;
  }
  return count;
}

function writeHead(body: Uint8Array, offset: number, shard: number, length: number): void {
  body[offset] = shard & 0xff;
  body[offset + 1] = shard >>> 8;
  body[offset + 2] = GROUPS_VERSION;
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
