/**
 * Log records as bytes and back: `layout.ts` says where what stands.
 *
 * Data plane. Measured on batches of 100 (bench/bus/codec): against one msgpackr record per hit,
 * with structures known beforehand, encoding costs half, and the actor needs one dictionary look-up
 * per distinct text of a record instead of one per field of a hit. Against the same table in a
 * msgpack envelope the actor's decode and apply fell from 0.92 to 0.70 µs per hit (36 a record):
 * texts it has seen before cost it neither a string nor a dictionary look-up.
 *
 * A deletion of statistics is another kind of payload: four bytes of 255, which no number of
 * groups is, then JSON. A payload says itself what it is, so that no driver of the log needs to know.
 */

import { assert } from '../../base/assert.ts';
import type { Erasure } from '../../model/erasure.ts';
import type { Drop, HitGroup } from '../../model/hit.ts';
import type { DomainId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import {
  type DecodedRecord,
  NUMBERS_PER_HIT,
  REFS_PER_HIT,
  type RecordGroup,
} from './decoded-record.ts';
import { RecordEncoder } from './encoder.ts';
import {
  DROP,
  DROP_WORDS,
  GROUP,
  GROUP_WORDS,
  HEAD_WORDS,
  NARROW_TEXT_COUNT_MAX,
  offsetsOf,
  type RecordCounts,
  type RecordOffsets,
  readCounts,
} from './layout.ts';
import { TextTable } from './text-table.ts';
import { wordsOf } from './utf8-words.ts';

// The first word of hits is their number of groups, which is never so large.
const MARK = 0xff;
const MARK_BYTES = 4;

// One per thread: decoding is synchronous and never nested.
const table = new TextTable();

/** Packs groups that are all there already into one payload. */
export function encodeGroups(groups: readonly HitGroup[]): Uint8Array {
  const encoder = new RecordEncoder();
  for (const group of groups) encoder.add(group);
  return encoder.finish();
}

/**
 * Unpacks a payload.
 *
 * @param payload stays as it is while the record is used: its columns lie in it.
 * @cost a few steps per text that was seen before, a string for a new one; a copy of the whole where
 *   the columns would not be aligned.
 */
export function decodeGroups(payload: Uint8Array): DecodedRecord {
  const isAligned = payload.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
  const aligned = (isAligned ? payload : new Uint8Array(payload)) as Uint8Array<ArrayBuffer>;
  const { buffer, byteOffset, byteLength } = aligned;
  const words = new Uint32Array(buffer, byteOffset, byteLength >>> 2);
  const counts = readCounts(words);
  const offsets = offsetsOf(counts);
  assert(byteLength === offsets.bytes, 'the payload holds what its head says');
  const textNumbers = readTexts(words, counts, offsets);
  const texts: string[] = [];
  for (let ref = 0; ref < textNumbers.length; ref++) texts.push(table.texts[textNumbers[ref]!]!);
  const Refs = counts.texts <= NARROW_TEXT_COUNT_MAX ? Uint16Array : Uint32Array;
  const refs = new Refs(buffer, byteOffset + offsets.refs * 4, counts.hits * counts.refsPerHit);
  const instants = new Float64Array(
    buffer,
    byteOffset + HEAD_WORDS * 4,
    counts.groups + counts.hits,
  );
  return {
    groups: readGroups(words, { offsets, instants, texts, counts }),
    texts,
    textNumbers,
    textEpoch: table.epoch,
    timesMs: instants.subarray(counts.groups),
    numbers: words.subarray(offsets.numbers, offsets.numbers + counts.hits * NUMBERS_PER_HIT),
    refs: counts.refsPerHit === REFS_PER_HIT ? refs : withAllRefs(refs, counts),
    pairRefs: new Refs(buffer, refs.byteOffset + refs.byteLength, counts.pairs),
  };
}

/** Packs a deletion into a payload: a record of its own, whose place in the log is its moment. */
export function encodeErasure(erasure: Erasure): Uint8Array {
  return Buffer.from(`${'\0'.repeat(MARK_BYTES)}${JSON.stringify(erasure)}`).fill(
    MARK,
    0,
    MARK_BYTES,
  );
}

/** Whether a payload is a deletion; else it is hits. @cost four bytes. */
export function isErasure(payload: Uint8Array): boolean {
  for (let at = 0; at < MARK_BYTES; at++) if (payload[at] !== MARK) return false;
  return true;
}

/** Unpacks the payload of a deletion. */
export function decodeErasure(payload: Uint8Array): Erasure {
  assert(isErasure(payload), 'the record is a deletion');
  return JSON.parse(Buffer.from(payload.subarray(MARK_BYTES)).toString()) as Erasure;
}

/** References of hits that were written before the latest dimensions, which are empty. */
function withAllRefs(
  refs: Uint16Array | Uint32Array,
  { hits, refsPerHit }: RecordCounts,
): Uint16Array | Uint32Array {
  assert(refsPerHit < REFS_PER_HIT, 'the format of the record is one that is read');
  const all =
    refs instanceof Uint16Array
      ? new Uint16Array(hits * REFS_PER_HIT)
      : new Uint32Array(hits * REFS_PER_HIT);
  for (let row = 0; row < hits; row++) {
    all.set(refs.subarray(row * refsPerHit, (row + 1) * refsPerHit), row * REFS_PER_HIT);
  }
  return all;
}

function readTexts(
  words: Uint32Array<ArrayBuffer>,
  { texts, textWords }: RecordCounts,
  offsets: RecordOffsets,
): Uint32Array {
  table.prepare(texts, textWords);
  const numbers = new Uint32Array(texts);
  let at = offsets.texts;
  for (let ref = 1; ref < texts; ref++) {
    const length = words[offsets.lengths + ref - 1]!;
    numbers[ref] = table.numberOf(words, at, length);
    at += wordsOf(length);
  }
  return numbers;
}

interface GroupSource {
  readonly offsets: RecordOffsets;
  readonly instants: Float64Array;
  readonly texts: readonly string[];
  readonly counts: RecordCounts;
}

function readGroups(words: Uint32Array, from: GroupSource): RecordGroup[] {
  const groups: RecordGroup[] = [];
  let first = 0;
  let dropFirst = 0;
  for (let index = 0; index < from.counts.groups; index++) {
    const at = from.offsets.groups + index * GROUP_WORDS;
    const end = words[at + GROUP.end]!;
    const dropEnd = words[at + GROUP.dropEnd]!;
    const receivedMs = from.instants[index]!;
    groups.push({
      domainId: from.texts[words[at + GROUP.domain]!] as DomainId,
      receivedMs,
      idempotencyHash: from.texts[words[at + GROUP.key]!]!,
      dropped:
        dropEnd === dropFirst
          ? null
          : readDrops(words, from, { first: dropFirst, end: dropEnd, receivedMs }),
      first,
      end,
    });
    first = end;
    dropFirst = dropEnd;
  }
  return groups;
}

/** The drops of a group: words from `first` to `end` of all drops. */
function readDrops(
  words: Uint32Array,
  { offsets, texts, counts: { wordsPerDrop } }: GroupSource,
  { first, end, receivedMs }: { first: number; end: number; receivedMs: number },
): Drop[] {
  // An earlier build counted what it dropped when it came, whoever sent it.
  const isWhole = wordsPerDrop === DROP_WORDS;
  const drops: Drop[] = [];
  for (let word = first; word < end; word += wordsPerDrop) {
    const at = offsets.drops + word;
    drops.push({
      reason: words[at + DROP.reason]!,
      day: isWhole ? words[at + DROP.day]! : Math.floor(receivedMs / DAY_MS),
      bot: isWhole ? texts[words[at + DROP.bot]!]! : '',
      count: words[at + DROP.count]!,
    });
  }
  return drops;
}
