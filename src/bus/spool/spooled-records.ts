/**
 * Records that waited in a node's spool, as one message of the log: each with its number there.
 *
 * Data plane at batch granularity. Forwarding is repeated until the stream has acknowledged it, so a
 * message may stand in the log twice, or overlap with another one. The numbers of one spool rise
 * along a shard; whoever applies the log remembers the highest and passes over what is not above it
 * (`shard/state/spool-watermarks.ts`). That holds for ever, unlike the server's memory of message ids.
 *
 *     | mark u32 | spool, 12 bytes | number f64 | length u32 | payload | number | …   little-endian
 */

import { assert } from '../../base/assert.ts';

/** Characters of a spool's id, all ASCII. */
export const SPOOL_ID_LENGTH = 12;
// The first word of hits is their number of groups, which is never so large; erasures have 2^32 - 1.
const MARK = 0xff_ff_ff_fe;
const HEAD_BYTES = 4 + SPOOL_ID_LENGTH;
const ENTRY_HEAD_BYTES = 8 + 4;

/** A record of a spool. */
export interface SpooledRecord {
  /** Its place in the spool, from 1. */
  number: number;
  payload: Uint8Array;
}

/** Packs records of one spool and shard, in order, into one payload. */
export function encodeSpooled(spool: string, records: readonly SpooledRecord[]): Uint8Array {
  assert(spool.length === SPOOL_ID_LENGTH, 'a spool has an id');
  let bytes = HEAD_BYTES;
  for (const { payload } of records) bytes += ENTRY_HEAD_BYTES + payload.length;
  const packed = Buffer.allocUnsafe(bytes);
  packed.writeUInt32LE(MARK, 0);
  packed.write(spool, 4, 'latin1');
  let at = HEAD_BYTES;
  for (const { number, payload } of records) {
    packed.writeDoubleLE(number, at);
    packed.writeUInt32LE(payload.length, at + 8);
    packed.set(payload, at + ENTRY_HEAD_BYTES);
    at += ENTRY_HEAD_BYTES + payload.length;
  }
  return packed;
}

/** Whether a payload holds records of a spool; else it is a record itself. @cost four bytes. */
export function isSpooled(payload: Uint8Array): boolean {
  return payload[0] === 0xfe && payload[1] === 0xff && payload[2] === 0xff && payload[3] === 0xff;
}

/** Unpacks a payload; those of the records alias it. */
export function decodeSpooled(payload: Uint8Array): { spool: string; records: SpooledRecord[] } {
  assert(isSpooled(payload), 'the record comes from a spool');
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const records: SpooledRecord[] = [];
  let at = HEAD_BYTES;
  while (at < bytes.length) {
    const start = at + ENTRY_HEAD_BYTES;
    const end = start + bytes.readUInt32LE(at + 8);
    assert(end <= bytes.length, 'a record lies within its message');
    records.push({ number: bytes.readDoubleLE(at), payload: payload.subarray(start, end) });
    at = end;
  }
  return { spool: bytes.toString('latin1', 4, HEAD_BYTES), records };
}
