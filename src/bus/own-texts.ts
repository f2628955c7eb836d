/**
 * The texts of a record as a lane of a split domain reads them: those of its own hits and no others.
 *
 * Data plane. Every lane gets whole records and applies some of their hits (`model/split.ts`). Texts
 * are the larger part of reading a record, and most of them belong to hits that other lanes apply: the
 * hits say by their class whose they are, so only what the lane's own refer to is looked up. A text
 * that was looked up has a number above 0.
 */

import { laneOf } from '../model/split.ts';
import { NUMBER, NUMBERS_PER_HIT, REFS_PER_HIT, visitorClassOf } from './hit-batch.ts';
import { GROUP, GROUP_WORDS, type RecordPlaces } from './record-layout.ts';
import type { TextTable } from './text-table.ts';
import { wordsOf } from './text-words.ts';

/** Whose hits are wanted. */
export interface OwnHits {
  readonly lane: number;
  /** Over how many lanes a domain's hits are spread: 1, all are wanted; 0, none. */
  lanesOf(domainId: string): number;
}

/** A record, as far as it is read. */
export interface UnreadTexts {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly places: RecordPlaces;
  readonly groupCount: number;
  readonly textCount: number;
  readonly refs: Uint16Array | Uint32Array;
  readonly pairRefs: Uint16Array | Uint32Array;
}

/** Reads texts into a table. One per reading thread. */
export class OwnTexts {
  readonly #table: TextTable;
  /** By reference: where the text stands in the record at hand. */
  #starts = new Uint32Array(1_024);

  constructor(table: TextTable) {
    this.#table = table;
  }

  /**
   * @param own of domains that the lane does not want, nothing but their names is looked up; with one
   *   that it wants whole, so is the record.
   * @returns numbers of the texts by reference; 0 for those that the wanted hits do not refer to.
   */
  read(record: UnreadTexts, own: OwnHits): Uint32Array {
    const { words, places, groupCount, textCount } = record;
    this.#locate(words, places, textCount);
    const numbers = new Uint32Array(textCount);
    let first = 0;
    for (let group = 0; group < groupCount; group++) {
      const at = places.groups + group * GROUP_WORDS;
      const domain = words[at + GROUP.domain]!;
      this.#take(record, numbers, domain);
      this.#take(record, numbers, words[at + GROUP.key]!);
      const end = words[at + GROUP.end]!;
      const lanes = own.lanesOf(this.#table.texts[numbers[domain]!]!);
      if (lanes === 1) {
        for (let ref = 1; ref < textCount; ref++) this.#take(record, numbers, ref);
        return numbers;
      }
      for (let row = first; lanes > 0 && row < end; row++) {
        const flags = words[places.numbers + row * NUMBERS_PER_HIT + NUMBER.flags]!;
        if (laneOf(visitorClassOf(flags), lanes) !== own.lane) continue;
        this.#takeHit(record, numbers, row);
      }
      first = end;
    }
    return numbers;
  }

  #locate(words: Uint32Array, places: RecordPlaces, textCount: number): void {
    if (textCount > this.#starts.length) this.#starts = new Uint32Array(textCount * 2);
    const starts = this.#starts;
    let at = places.texts;
    for (let ref = 1; ref < textCount; ref++) {
      starts[ref] = at;
      at += wordsOf(words[places.lengths + ref - 1]!);
    }
  }

  #takeHit(record: UnreadTexts, numbers: Uint32Array, row: number): void {
    const { words, places, refs, pairRefs } = record;
    const firstRef = row * REFS_PER_HIT;
    const endRef = firstRef + REFS_PER_HIT;
    for (let at = firstRef; at < endRef; at++) {
      const ref = refs[at]!;
      if (ref !== 0 && numbers[ref] === 0) this.#take(record, numbers, ref);
    }
    const pairEnd = places.numbers + row * NUMBERS_PER_HIT + NUMBER.pairEnd;
    const end = words[pairEnd]!;
    let pair = row === 0 ? 0 : words[pairEnd - NUMBERS_PER_HIT]!;
    for (; pair < end; pair++) this.#take(record, numbers, pairRefs[pair]!);
  }

  #take({ words, places }: UnreadTexts, numbers: Uint32Array, ref: number): void {
    if (ref === 0 || numbers[ref] !== 0) return;
    const length = words[places.lengths + ref - 1]!;
    numbers[ref] = this.#table.numberOf(words, this.#starts[ref]!, length);
  }
}
