/**
 * A cursor over the hits of a record, as the sessionizer reads them.
 *
 * Data plane. Fields are set by `moveTo`. Texts become dictionary ids by the number that a text has in
 * all records (`bus/record/text-table.ts`, `segment/memory/numbered-ids.ts`), by its string where the
 * dictionary does not know the number.
 */

import {
  type DecodedRecord,
  isNonInteractive,
  isTold,
  kindOf,
  NOTE_REFS,
  NUMBER,
  NUMBERS_PER_HIT,
  platformOf,
  REFS_PER_HIT,
} from '../../bus/record/decoded-record.ts';
import { HIT_TEXTS } from '../../model/text-kinds.ts';
import { type Dictionary, KIND } from '../../segment/memory/dictionary.ts';

/** Dictionary kind of every text field, by its position among a hit's references. */
const KIND_OF_FIELD: readonly number[] = HIT_TEXTS.map((text) => KIND[text]);

/** Kind above, number of the text below: together they name what an id stands for. */
const KIND_SHIFT = 26;

const NO_RECORD: DecodedRecord = {
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
  #record: DecodedRecord = NO_RECORD;
  #firstRef = 0;

  /** Stands on a hit of a record. */
  moveTo(record: DecodedRecord, row: number): void {
    this.#record = record;
    const { numbers } = record;
    const at = row * NUMBERS_PER_HIT;
    const flags = numbers[at + NUMBER.flags]!;
    this.kind = kindOf(flags);
    this.platform = platformOf(flags);
    this.nonInteractive = isNonInteractive(flags);
    this.timeMs = record.timesMs[row]!;
    this.visitorLow = numbers[at + NUMBER.visitorLow]!;
    this.visitorHigh = numbers[at + NUMBER.visitorHigh]!;
    this.previousLow = numbers[at + NUMBER.previousLow]!;
    this.previousHigh = numbers[at + NUMBER.previousHigh]!;
    this.eventDurationSeconds = numbers[at + NUMBER.eventDurationSeconds]!;
    this.pairStart = row === 0 ? 0 : numbers[at - NUMBERS_PER_HIT + NUMBER.pairEnd]!;
    const pairEnd = numbers[at + NUMBER.pairEnd]!;
    this.pairEnd = isTold(flags) ? pairEnd - NOTE_REFS : pairEnd;
    this.#firstRef = row * REFS_PER_HIT;
  }

  /** Whether the hit's text of a field is empty. @param field position in `HIT_TEXTS`. */
  isEmpty(field: number): boolean {
    return this.#record.refs[this.#firstRef + field] === 0;
  }

  /** Id of the hit's text of a field, added to the dictionary if new (I-79). */
  intern(dictionary: Dictionary, field: number): number {
    const ref = this.#record.refs[this.#firstRef + field]!;
    return ref === 0 ? 0 : this.#internRef(dictionary, KIND_OF_FIELD[field]!, ref);
  }

  /** Id that `intern` would give, `UNKNOWN_ID` if it would add the text. */
  lookup(dictionary: Dictionary, field: number): number {
    const ref = this.#record.refs[this.#firstRef + field]!;
    if (ref === 0) return 0;
    const kind = KIND_OF_FIELD[field]!;
    const known = dictionary.numbered.find(this.#tagOf(kind, ref), this.#record.textEpoch);
    if (known !== 0) return known;
    return dictionary.lookup(kind, this.#record.texts[ref]!);
  }

  /** Id of a pair's key or value, added if new. @param at position in `[pairStart, pairEnd)`. */
  internPair(dictionary: Dictionary, kind: number, at: number): number {
    return this.#internRef(dictionary, kind, this.#record.pairRefs[at]!);
  }

  /** A pair's key or value as a number; 0 when it is none. @param at as of `internPair`. */
  pairNumber(at: number): number {
    return Number(this.#record.texts[this.#record.pairRefs[at]!]) || 0;
  }

  #internRef(dictionary: Dictionary, kind: number, ref: number): number {
    const { numbered } = dictionary;
    const { texts, textEpoch } = this.#record;
    const tag = this.#tagOf(kind, ref);
    const known = numbered.find(tag, textEpoch);
    if (known !== 0) return known;
    const id = dictionary.intern(kind, texts[ref]!);
    numbered.note(tag, textEpoch, id);
    return id;
  }

  #tagOf(kind: number, ref: number): number {
    return (kind << KIND_SHIFT) | this.#record.textNumbers[ref]!;
  }
}
