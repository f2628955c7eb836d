/**
 * Log records as bytes: a msgpack envelope around a table of texts and plain columns of numbers.
 *
 * Data plane. Measured on batches of 100 (bench/bus/codec): against one msgpackr record per hit,
 * with structures known beforehand, encoding costs half, and the actor needs one dictionary look-up
 * per distinct text of a record instead of one per field of a hit.
 *
 *     msgpack [ heads, texts, columns ]       columns = | timesMs | numbers | refs | pairRefs |
 *     msgpack [ 'erasure', what goes ]        a deletion of statistics
 *
 * A payload says itself which of the two it is, so that no driver of the log needs to know: the
 * first byte of a msgpack array is its length.
 */

import { Packr } from 'msgpackr';
import { assert } from '../base/assert.ts';
import type { Erasure } from '../model/erasure.ts';
import type { HitGroup } from '../model/hit.ts';
import { type BatchGroup, type HitBatch, NUMBERS_PER_HIT, REFS_PER_HIT } from './hit-batch.ts';
import { type GroupHead, NARROW_TEXT_COUNT_MAX, RecordEncoder } from './record-encoder.ts';

/** Version of the payload's layout; travels with every record. */
export const PAYLOAD_VERSION = 1;

/** First byte of a msgpack array of two. */
const PAIR_BYTE = 0x92;

const packr = new Packr({ useRecords: false });

/** Packs groups that are all there already into one payload. */
export function encodeGroups(groups: readonly HitGroup[]): Uint8Array {
  const encoder = new RecordEncoder();
  for (const group of groups) encoder.add(group);
  return encoder.finish();
}

/**
 * Unpacks a payload.
 *
 * @cost one text per distinct text; the columns are copied once.
 */
export function decodeGroups(payload: Uint8Array): HitBatch {
  const [heads, texts, bytes] = packr.unpack(payload) as [GroupHead[], string[], Uint8Array];
  const groups: BatchGroup[] = [];
  let first = 0;
  for (const [domain, receivedMs, idempotencyHash, dropped, end] of heads) {
    const domainId = texts[domain]!;
    groups.push({ domainId, receivedMs, idempotencyHash, dropped, first, end });
    first = end;
  }
  // Copied, so that the columns are aligned whatever the place of the payload.
  const { buffer } = new Uint8Array(bytes);
  const numbersStart = first * 8;
  const refsStart = numbersStart + first * NUMBERS_PER_HIT * 4;
  const Refs = texts.length <= NARROW_TEXT_COUNT_MAX ? Uint16Array : Uint32Array;
  const pairsStart = refsStart + first * REFS_PER_HIT * Refs.BYTES_PER_ELEMENT;
  assert(bytes.length >= pairsStart, 'the columns hold every hit');
  return {
    groups,
    texts,
    timesMs: new Float64Array(buffer, 0, first),
    numbers: new Uint32Array(buffer, numbersStart, first * NUMBERS_PER_HIT),
    refs: new Refs(buffer, refsStart, first * REFS_PER_HIT),
    pairRefs: new Refs(buffer, pairsStart, (bytes.length - pairsStart) / Refs.BYTES_PER_ELEMENT),
  };
}

/** Packs a deletion into a payload: a record of its own, whose place in the log is its moment. */
export function encodeErasure(erasure: Erasure): Uint8Array {
  return packr.pack(['erasure', erasure]);
}

/** Whether a payload is a deletion; else it is hits. @cost one byte. */
export function isErasure(payload: Uint8Array): boolean {
  return payload[0] === PAIR_BYTE;
}

/** Unpacks the payload of a deletion. */
export function decodeErasure(payload: Uint8Array): Erasure {
  const [kind, erasure] = packr.unpack(payload) as [string, Erasure];
  assert(kind === 'erasure', 'the record is of a known kind');
  return erasure;
}
