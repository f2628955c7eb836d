/**
 * Records of imports (S-98) as bytes and back: four bytes that no other payload begins with, then JSON.
 *
 *     | mark u32 | {"domainId":…,"importId":…,"kind":"add","batch":1,"sums":[[day, dimension, …], …]} |
 *
 * Control plane at batch granularity: a record has thousands of sums or a few words.
 */

import { assert } from '../../base/assert.ts';
import { type ImportRecord, type StoredSum, SUM_DIMENSIONS } from '../../model/imported-sum.ts';

// The first word of hits is their number of groups, which is never so large; erasures have 2^32 - 1,
// records of a spool 2^32 - 2.
const MARK = 0xff_ff_ff_fd;
const MARK_BYTES = 4;

/** A sum without the names of its fields. */
type PackedSum = [
  ...[day: number, dimension: number, value: string, country: string],
  ...[visitors: number, views: number, sessions: number, bounces: number, seconds: number],
];

/** Packs a record of an import into a payload. */
export function encodeImport(record: ImportRecord): Uint8Array {
  const sent = record.kind === 'add' ? { ...record, sums: record.sums.map(packed) } : record;
  const text = JSON.stringify(sent);
  const payload = Buffer.allocUnsafe(MARK_BYTES + Buffer.byteLength(text));
  payload.writeUInt32LE(MARK);
  payload.write(text, MARK_BYTES);
  return payload;
}

/** Whether a payload is of an import. @cost four bytes. */
export function isImport(payload: Uint8Array): boolean {
  return payload[0] === 0xfd && payload[1] === 0xff && payload[2] === 0xff && payload[3] === 0xff;
}

/** Unpacks the payload of an import. */
export function decodeImport(payload: Uint8Array): ImportRecord {
  assert(isImport(payload), 'the record is of an import');
  const record = JSON.parse(Buffer.from(payload.subarray(MARK_BYTES)).toString()) as ImportRecord;
  if (record.kind !== 'add') return record;
  return { ...record, sums: (record.sums as unknown as PackedSum[]).map(unpacked) };
}

function packed(sum: StoredSum): PackedSum {
  const { day, dimension, value, country, visitors, views, sessions, bounces, seconds } = sum;
  const number = SUM_DIMENSIONS.indexOf(dimension);
  return [day, number, value, country, visitors, views, sessions, bounces, seconds];
}

function unpacked(sum: PackedSum): StoredSum {
  const [day, number, value, country, visitors, views, sessions, bounces, seconds] = sum;
  const dimension = SUM_DIMENSIONS[number];
  assert(dimension !== undefined, 'the dimension of a sum is one that is known');
  return { day, dimension, value, country, visitors, views, sessions, bounces, seconds };
}
