/**
 * Where things stand in a record's payload: a table of texts and plain columns of numbers.
 *
 * Data plane. Words of four bytes, little-endian; offsets follow from the counts in the head.
 *
 *     head      HEAD_WORDS × u32            counts, by COUNT; REFS_PER_HIT in the top byte of the
 *                                           first, DROP_WORDS in that of the drops
 *     instants  f64   per group received, per hit timeMs
 *     words     u32   GROUP_WORDS per group │ DROP_WORDS per drop │ NUMBERS_PER_HIT per hit
 *                     lengths │ texts
 *     refs      u16 or u32   REFS_PER_HIT per hit │ pairs        u32 beyond 65,536 texts
 */

import { ADDED_DIMENSION_COUNT } from '../../model/text-kinds.ts';
import { NUMBERS_PER_HIT, REFS_PER_HIT } from './decoded-record.ts';

/** The first format of payloads that is read; its hits have fewer references. */
const FIRST_FORMAT = 3;
const FIRST_REFS_PER_HIT = REFS_PER_HIT - ADDED_DIMENSION_COUNT;

/** What came into payloads beside dimensions. Append only. */
const ADDED_CONTENTS = ['day and bot of a drop', 'webhooks that an event is told to'];

/** Format of the payloads written; it travels with every record. What is added raises it. */
export const PAYLOAD_FORMAT = FIRST_FORMAT + ADDED_DIMENSION_COUNT + ADDED_CONTENTS.length;

/** Words in front; an even number, so that the instants are aligned. */
export const HEAD_WORDS = 6;

/** Positions in the head. */
const COUNT = { groups: 0, hits: 1, texts: 2, textWords: 3, pairs: 4, drops: 5 } as const;

/** In a word of the head with two numbers: how far to the left the second one is. */
const SECOND_SHIFT = 24;
const FIRST_MASK = 2 ** SECOND_SHIFT - 1;

/** Words of a group. */
export const GROUP_WORDS = 4;

/** Positions in a group: domain and key are references, the others ends in hits and drops. */
export const GROUP = { domain: 0, key: 1, end: 2, dropEnd: 3 } as const;

/** Words of a drop, and of one in the first format, whose day is that of its group's receipt. */
export const DROP_WORDS = 4;
export const FIRST_DROP_WORDS = 2;

/** Positions in a drop; the bot is a reference. */
export const DROP = { reason: 0, count: 1, day: 2, bot: 3 } as const;

/** Texts beyond which references need four bytes. */
export const NARROW_TEXT_COUNT_MAX = 0x1_0000;

/** Whether payloads of a format are read. */
export function isReadable(format: number): boolean {
  return format >= FIRST_FORMAT && format <= PAYLOAD_FORMAT;
}

/** What a payload holds; the empty text, number 0, counts but is not written. */
export interface RecordCounts {
  groups: number;
  hits: number;
  texts: number;
  textWords: number;
  pairs: number;
  /** Words of all drops. */
  drops: number;
  /** Words of each drop. */
  wordsPerDrop: number;
  /** References of each hit; fewer where it was written before the latest dimensions. */
  refsPerHit: number;
}

/** Offsets of a payload's parts, in words; of the references in words, too. */
export interface RecordOffsets {
  groups: number;
  drops: number;
  numbers: number;
  lengths: number;
  texts: number;
  refs: number;
  /** Bytes of the whole payload. */
  bytes: number;
}

/** Where the parts of a payload stand. */
export function offsetsOf(counts: RecordCounts): RecordOffsets {
  const groups = HEAD_WORDS + (counts.groups + counts.hits) * 2;
  const drops = groups + counts.groups * GROUP_WORDS;
  const numbers = drops + counts.drops;
  const lengths = numbers + counts.hits * NUMBERS_PER_HIT;
  const texts = lengths + counts.texts - 1;
  const refs = texts + counts.textWords;
  const width = counts.texts <= NARROW_TEXT_COUNT_MAX ? 2 : 4;
  const refCount = counts.hits * counts.refsPerHit + counts.pairs;
  return { groups, drops, numbers, lengths, texts, refs, bytes: refs * 4 + refCount * width };
}

/** The counts of a payload. */
export function readCounts(words: Uint32Array): RecordCounts {
  const first = words[COUNT.groups]!;
  const drops = words[COUNT.drops]!;
  return {
    groups: first & FIRST_MASK,
    hits: words[COUNT.hits]!,
    texts: words[COUNT.texts]!,
    textWords: words[COUNT.textWords]!,
    pairs: words[COUNT.pairs]!,
    drops: drops & FIRST_MASK,
    wordsPerDrop: drops >>> SECOND_SHIFT || FIRST_DROP_WORDS,
    refsPerHit: first >>> SECOND_SHIFT || FIRST_REFS_PER_HIT,
  };
}

/** Writes the head of a payload. */
export function writeCounts(counts: RecordCounts, words: Uint32Array): void {
  words[COUNT.groups] = counts.groups | (counts.refsPerHit << SECOND_SHIFT);
  words[COUNT.hits] = counts.hits;
  words[COUNT.texts] = counts.texts;
  words[COUNT.textWords] = counts.textWords;
  words[COUNT.pairs] = counts.pairs;
  words[COUNT.drops] = counts.drops | (counts.wordsPerDrop << SECOND_SHIFT);
}
