/**
 * Hits of one log record as the actor reads them: a table of texts and rows of numbers.
 *
 * Data plane. A text that many hits share (a browser, a country, a path) stands in the table once,
 * so it is written once per record and made a string once for all records.
 *
 *     texts     ''  'example.org'  '/pricing'  'de'  'Chrome'  …
 *     numbers   per hit: ids, kind and flags, pairs, duration      (NUMBERS_PER_HIT × u32)
 *     timesMs   per hit: instant                                   (f64)
 *     refs      per hit: index into texts for each of HIT_TEXTS    (u16 or u32)
 */

import type { Drop, Hit } from '../../model/hit.ts';
import type { DomainId } from '../../model/ids.ts';
import { HIT_TEXTS, numbersOf } from '../../model/text-kinds.ts';

/** References of one hit. */
export const REFS_PER_HIT = HIT_TEXTS.length;

/** Position of a text among a hit's references. */
export const REF = numbersOf(HIT_TEXTS);

/** Positions of a hit's numbers. */
export const NUMBER = {
  visitorLow: 0,
  visitorHigh: 1,
  previousLow: 2,
  previousHigh: 3,
  /** kind, platform and nonInteractive, see `packFlags`. */
  flags: 4,
  /** End of the hit's pairs in `pairRefs`; they start where the hit before ends. */
  pairEnd: 5,
  eventDurationSeconds: 6,
} as const;

/** In flags: to webhooks. */
const TOLD = 32;

/** From the third bit of a kind, which is that of stored rows, to its place in flags. */
const STORED_SHIFT = 4;

/** Numbers of one hit. */
export const NUMBERS_PER_HIT = 7;

/**
 * Kind in bits 0, 1 and 6, platform in bits 2–3, nonInteractive in bit 4, told to webhooks in bit 5.
 */
export function packFlags(hit: Hit): number {
  const told = hit.webhooks === '' ? 0 : TOLD;
  const kind = (hit.kind & 3) | ((hit.kind & 4) << STORED_SHIFT);
  return kind | (hit.platform << 2) | (hit.nonInteractive ? 16 : 0) | told;
}

/** `HitKind` of packed flags. */
export function kindOf(flags: number): number {
  return (flags & 3) | ((flags >>> STORED_SHIFT) & 4);
}

/** `Platform` of packed flags. */
export function platformOf(flags: number): number {
  return (flags >>> 2) & 3;
}

/** Whether packed flags say that an event is not interactive. */
export function isNonInteractive(flags: number): boolean {
  return (flags & 16) !== 0;
}

/** Whether packed flags say that an event is told to webhooks: `noteOf` says to which. */
export function isTold(flags: number): boolean {
  return (flags & TOLD) !== 0;
}

/** References behind the pairs of an event that is told: the webhooks and the tags as sent. */
export const NOTE_REFS = 2;

/** To whom an event is told, and its tags: as the hit has them. */
export function noteOf(
  { numbers, pairRefs, texts }: DecodedRecord,
  row: number,
): Pick<Hit, 'webhooks' | 'sentTags'> {
  const end = numbers[row * NUMBERS_PER_HIT + NUMBER.pairEnd]!;
  return { webhooks: texts[pairRefs[end - 2]!]!, sentTags: texts[pairRefs[end - 1]!]! };
}

/** A group of hits of one domain; its hits are rows `[first, end)` of the record. */
export interface RecordGroup {
  domainId: DomainId;
  receivedMs: number;
  idempotencyHash: string;
  dropped: readonly Drop[] | null;
  first: number;
  end: number;
}

/** One decoded record. */
export interface DecodedRecord {
  groups: RecordGroup[];
  texts: string[];
  /** By reference: the number that a text has in every record of an epoch (`text-table.ts`). */
  textNumbers: Uint32Array;
  textEpoch: number;
  timesMs: Float64Array;
  numbers: Uint32Array;
  refs: Uint16Array | Uint32Array;
  /** Keys and values of all pairs, as references. */
  pairRefs: Uint16Array | Uint32Array;
}
