/**
 * Where things stand in a record's payload: a table of texts and plain columns of numbers.
 *
 * Data plane. Words of four bytes, little-endian; offsets follow from the counts in the head.
 *
 *     head      HEAD_WORDS × u32            counts, by COUNT
 *     instants  f64   per group received, per hit timeMs
 *     words     u32   GROUP_WORDS per group │ drops │ NUMBERS_PER_HIT per hit │ lengths │ texts
 *     refs      u16 or u32   REFS_PER_HIT per hit │ pairs        u32 beyond 65,536 texts
 */

import { NUMBERS_PER_HIT, REFS_PER_HIT } from './decoded-record.ts';

/** Words in front; an even number, so that the instants are aligned. */
export const HEAD_WORDS = 6;

/** Positions in the head. */
export const COUNT = { groups: 0, hits: 1, texts: 2, textWords: 3, pairs: 4, drops: 5 } as const;

/** Words of a group. */
export const GROUP_WORDS = 4;

/** Positions in a group: domain and key are references, the others ends in hits and drops. */
export const GROUP = { domain: 0, key: 1, end: 2, dropEnd: 3 } as const;

/** Texts beyond which references need four bytes. */
export const NARROW_TEXT_COUNT_MAX = 0x1_0000;

/** What a payload holds; the empty text, number 0, counts but is not written. */
export interface RecordCounts {
  groups: number;
  hits: number;
  texts: number;
  textWords: number;
  pairs: number;
  /** Reasons and counts, one word each. */
  drops: number;
}

/** Offsets of a payload's parts, in words; of the references in words, too. */
export interface RecordPlaces {
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
export function placesOf(counts: RecordCounts): RecordPlaces {
  const groups = HEAD_WORDS + (counts.groups + counts.hits) * 2;
  const drops = groups + counts.groups * GROUP_WORDS;
  const numbers = drops + counts.drops;
  const lengths = numbers + counts.hits * NUMBERS_PER_HIT;
  const texts = lengths + counts.texts - 1;
  const refs = texts + counts.textWords;
  const width = counts.texts <= NARROW_TEXT_COUNT_MAX ? 2 : 4;
  const refCount = counts.hits * REFS_PER_HIT + counts.pairs;
  return { groups, drops, numbers, lengths, texts, refs, bytes: refs * 4 + refCount * width };
}
