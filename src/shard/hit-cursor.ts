/**
 * One hit of a record at a time, as the sessionizer sees it.
 *
 * Data plane. Fields are set by `moveTo`; texts become dictionary ids through a memo by the number
 * that a text has in all records (`bus/text-table.ts`), so that it is looked up in the segment's
 * dictionary once for as long as one segment is written to.
 */

import {
  type HitBatch,
  isNonInteractive,
  kindOf,
  NUMBER,
  NUMBERS_PER_HIT,
  platformOf,
  REFS_PER_HIT,
  TEXT_FIELDS,
} from '../bus/hit-batch.ts';
import { type Dictionary, KIND, UNKNOWN_ID } from '../segment/dictionary.ts';

/** Dictionary kind of every text field, by its position among a hit's references. */
const KIND_OF_FIELD: readonly number[] = TEXT_FIELDS.map((field) => KIND[field]);

// A memo entry is kind and id in one number; ids beyond this are looked up every time.
const MEMO_ID_MAX = 0x07ff_ffff;
const MEMO_KIND_SHIFT = 27;
const STAMP_MAX = 0xffff_0000;

const NO_BATCH: HitBatch = {
  groups: [],
  texts: [],
  textNumbers: new Uint32Array(0),
  textEpoch: 0,
  timesMs: new Float64Array(0),
  numbers: new Uint32Array(0),
  refs: new Uint16Array(0),
  pairRefs: new Uint16Array(0),
};

/** The hit at hand. One per actor. */
export class HitCursor {
  kind = 0;
  platform = 0;
  nonInteractive = false;
  timeMs = 0;
  visitorLow = 0;
  visitorHigh = 0;
  previousLow = 0;
  previousHigh = 0;
  eventDurationSeconds = 0;
  /** The hit's pairs are `pairRefs[pairStart..pairEnd)`: key, value, key, value … */
  pairStart = 0;
  pairEnd = 0;
  #batch: HitBatch = NO_BATCH;
  #firstRef = 0;
  #dictionary: Dictionary | null = null;
  #textEpoch = 0;
  // By number of the text; an entry counts only with the stamp of the present epoch and dictionary.
  #memo = new Uint32Array(256);
  #stamps = new Uint32Array(256);
  #stamp = 0;

  /** Stands on a hit of a batch. */
  moveTo(batch: HitBatch, row: number): void {
    if (batch !== this.#batch) this.#begin(batch);
    const { numbers } = batch;
    const at = row * NUMBERS_PER_HIT;
    const flags = numbers[at + NUMBER.flags]!;
    this.kind = kindOf(flags);
    this.platform = platformOf(flags);
    this.nonInteractive = isNonInteractive(flags);
    this.timeMs = batch.timesMs[row]!;
    this.visitorLow = numbers[at + NUMBER.visitorLow]!;
    this.visitorHigh = numbers[at + NUMBER.visitorHigh]!;
    this.previousLow = numbers[at + NUMBER.previousLow]!;
    this.previousHigh = numbers[at + NUMBER.previousHigh]!;
    this.eventDurationSeconds = numbers[at + NUMBER.eventDurationSeconds]!;
    this.pairStart = row === 0 ? 0 : numbers[at - NUMBERS_PER_HIT + NUMBER.pairEnd]!;
    this.pairEnd = numbers[at + NUMBER.pairEnd]!;
    this.#firstRef = row * REFS_PER_HIT;
  }

  /** Whether the hit's text of a field is empty. @param field position in `TEXT_FIELDS`. */
  isEmpty(field: number): boolean {
    return this.#batch.refs[this.#firstRef + field] === 0;
  }

  /** Id of the hit's text of a field, added to the dictionary if new (I-79). */
  intern(dictionary: Dictionary, field: number): number {
    const ref = this.#batch.refs[this.#firstRef + field]!;
    return ref === 0 ? 0 : this.#internRef(dictionary, KIND_OF_FIELD[field]!, ref);
  }

  /** Id that `intern` would give, `UNKNOWN_ID` if it would add the text. */
  lookup(dictionary: Dictionary, field: number): number {
    const ref = this.#batch.refs[this.#firstRef + field]!;
    if (ref === 0) return 0;
    const kind = KIND_OF_FIELD[field]!;
    const known = this.#recall(dictionary, kind, ref);
    return known === UNKNOWN_ID ? dictionary.lookup(kind, this.#batch.texts[ref]!) : known;
  }

  /** Id of a pair's key or value, added if new. @param at position in `[pairStart, pairEnd)`. */
  internPair(dictionary: Dictionary, kind: number, at: number): number {
    return this.#internRef(dictionary, kind, this.#batch.pairRefs[at]!);
  }

  #internRef(dictionary: Dictionary, kind: number, ref: number): number {
    const known = this.#recall(dictionary, kind, ref);
    if (known !== UNKNOWN_ID) return known;
    const id = dictionary.intern(kind, this.#batch.texts[ref]!);
    if (id > MEMO_ID_MAX) return id;
    const number = this.#batch.textNumbers[ref]!;
    if (number >= this.#memo.length) this.#grow(number);
    this.#memo[number] = (kind << MEMO_KIND_SHIFT) | id;
    this.#stamps[number] = this.#stamp;
    return id;
  }

  #recall(dictionary: Dictionary, kind: number, ref: number): number {
    if (dictionary !== this.#dictionary) {
      this.#dictionary = dictionary;
      this.#forget();
      return UNKNOWN_ID;
    }
    const number = this.#batch.textNumbers[ref]!;
    if (this.#stamps[number] !== this.#stamp) return UNKNOWN_ID;
    const entry = this.#memo[number]!;
    return entry >>> MEMO_KIND_SHIFT === kind ? entry & MEMO_ID_MAX : UNKNOWN_ID;
  }

  #begin(batch: HitBatch): void {
    this.#batch = batch;
    if (batch.textEpoch === this.#textEpoch) return;
    this.#textEpoch = batch.textEpoch;
    this.#forget();
  }

  /** A new stamp makes all entries void, without touching them. */
  #forget(): void {
    this.#stamp++;
    if (this.#stamp < STAMP_MAX) return;
    this.#stamps.fill(0);
    this.#stamp = 1;
  }

  #grow(number: number): void {
    const memo = new Uint32Array(Math.max(this.#memo.length * 2, number + 1));
    const stamps = new Uint32Array(memo.length);
    memo.set(this.#memo);
    stamps.set(this.#stamps);
    this.#memo = memo;
    this.#stamps = stamps;
  }
}
