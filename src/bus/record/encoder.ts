/**
 * Hits into one log record, one group at a time, as they come.
 *
 * Data plane. Hits are written down at once, so that their objects die young: what waits for the
 * disk is numbers and a table of texts. Measured (batches of 100, 64 connections): keeping the hit
 * objects until the record is made costs the edge a quarter more in garbage collection.
 */

import type { Drop, Hit, HitGroup } from '../../model/hit.ts';
import { NUMBER, NUMBERS_PER_HIT, packFlags, REF, REFS_PER_HIT } from './decoded-record.ts';
import { putTexts } from './hit-texts.ts';
import {
  DROP_WORDS,
  GROUP,
  GROUP_WORDS,
  HEAD_WORDS,
  NARROW_TEXT_COUNT_MAX,
  offsetsOf,
  writeCounts,
} from './layout.ts';
import { RecordTexts } from './record-texts.ts';

/** A group in the record: references of domain and key, receipt, ends of its rows and its drops. */
interface GroupHead {
  domain: number;
  key: number;
  receivedMs: number;
  end: number;
  dropEnd: number;
}

const ROWS_MIN = 16;
/** Rows whose buffers an encoder keeps for its next record; more are given back. */
const ROWS_KEPT_MAX = 16_384;
/** Of a row and of a group's head in a record: for the estimate of its size. */
const ROW_BYTES = 8 + 4 * NUMBERS_PER_HIT + 2 * REFS_PER_HIT;
const HEAD_BYTES = 8 + 4 * GROUP_WORDS;
/** Bytes of a payload whose buffer is kept for the next one. */
const PAYLOAD_KEPT_BYTES_MAX = 4 * 1_024 * 1_024;

/** Gathers the groups of one shard until the record is made. */
export class RecordEncoder {
  #heads: GroupHead[] = [];
  #drops: number[] = [];
  /** Where the drops of the last group begin. */
  #dropStart = 0;
  readonly #texts = new RecordTexts();
  // Of texts that come as one object: a Map of strings, small and emptied with each record. One that
  // remembers texts and their bytes for all records was measured slower, for its entries are seldom
  // in the processor's cache.
  readonly #table = new Map<string, number>();
  // Text and reference of the row before, by field: neighbours share most texts as one object.
  readonly #lastTexts: string[] = new Array<string>(REFS_PER_HIT).fill('');
  readonly #lastRefs = new Uint32Array(REFS_PER_HIT);
  #timesMs = new Float64Array(ROWS_MIN);
  #numbers = new Uint32Array(ROWS_MIN * NUMBERS_PER_HIT);
  #refs: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> = new Uint16Array(
    ROWS_MIN * REFS_PER_HIT,
  );
  #pairs: number[] = [];
  #rows = 0;
  #payload = new ArrayBuffer(0);

  /** True while nothing has been added; a group without hits counts. */
  get isEmpty(): boolean {
    return this.#heads.length === 0;
  }

  /** About how many bytes the record will have. */
  get bytes(): number {
    const texts = this.#texts.wordCount * 4 + this.#texts.count * 4;
    const rows = this.#rows * ROW_BYTES + (this.#pairs.length + this.#drops.length) * 4;
    return texts + rows + this.#heads.length * HEAD_BYTES;
  }

  /**
   * Adds a group behind those already there. One without key joins the last group if it is of the same
   * domain and kind: so a flood of dropped hits is one group with one drop.
   *
   * @cost per hit one look-up for every text that differs from the hit before.
   */
  add(group: HitGroup): void {
    const { hits, dropped, idempotencyHash } = group;
    this.#reserve(this.#rows + hits.length);
    for (let index = 0; index < hits.length; index++) this.#write(hits[index]!);
    const domain = this.#refOf(group.domainId);
    const last = this.#heads.at(-1);
    const isLike = last !== undefined && last.domain === domain && last.key === 0;
    if (isLike && idempotencyHash === '') {
      if (dropped !== null) this.#addDrops(dropped);
      last.receivedMs = group.receivedMs;
      last.end = this.#rows;
      last.dropEnd = this.#drops.length;
      return;
    }
    this.#dropStart = this.#drops.length;
    if (dropped !== null) this.#addDrops(dropped);
    this.#heads.push({
      domain,
      key: idempotencyHash === '' ? 0 : this.#widened(this.#texts.add(idempotencyHash)),
      receivedMs: group.receivedMs,
      end: this.#rows,
      dropEnd: this.#drops.length,
    });
  }

  /** Makes the record and starts over. @returns bytes that stand until this encoder's next record. */
  finish(): Uint8Array {
    const payload = this.#pack();
    this.#heads = [];
    this.#drops = [];
    this.#dropStart = 0;
    this.#texts.clear();
    this.#table.clear();
    this.#lastTexts.fill('');
    this.#lastRefs.fill(0);
    this.#pairs = [];
    this.#rows = 0;
    if (this.#timesMs.length > ROWS_KEPT_MAX || this.#refs instanceof Uint32Array) {
      this.#refs = new Uint16Array(0);
      this.#resize(ROWS_MIN);
    }
    if (payload.length > PAYLOAD_KEPT_BYTES_MAX) this.#payload = new ArrayBuffer(0);
    return payload;
  }

  /** Adds to the last group; neighbours that are alike are one. */
  #addDrops(dropped: readonly Drop[]): void {
    const words = this.#drops;
    for (let index = 0; index < dropped.length; index++) {
      const { reason, count, day, bot } = dropped[index]!;
      const ref = this.#refOf(bot);
      // In the order of `DROP`.
      const last = words.length - DROP_WORDS;
      const isLike =
        last >= this.#dropStart &&
        words[last] === reason &&
        words[last + 2] === day &&
        words[last + 3] === ref;
      if (isLike) words[last + 1]! += count;
      else words.push(reason, count, day, ref);
    }
  }

  #write(hit: Hit): void {
    const row = this.#rows;
    this.#rows = row + 1;
    this.#timesMs[row] = hit.timeMs;
    putTexts(this, hit, row * REFS_PER_HIT);
    const { pairs } = hit;
    if (pairs !== null) {
      for (let at = 0; at < pairs.length; at++) this.#pairs.push(this.#refOfNew(pairs[at]!));
    }
    // In the order of `noteOf`.
    if (hit.webhooks !== '') this.#pairs.push(this.#refOf(hit.webhooks), this.#refOf(hit.sentTags));
    const numbers = this.#numbers;
    const at = row * NUMBERS_PER_HIT;
    numbers[at + NUMBER.visitorLow] = hit.visitorLow;
    numbers[at + NUMBER.visitorHigh] = hit.visitorHigh;
    numbers[at + NUMBER.previousLow] = hit.previousLow;
    numbers[at + NUMBER.previousHigh] = hit.previousHigh;
    numbers[at + NUMBER.flags] = packFlags(hit);
    numbers[at + NUMBER.pairEnd] = this.#pairs.length;
    numbers[at + NUMBER.eventDurationSeconds] = hit.eventDurationSeconds;
  }

  /** Sets one text of the row that begins at a place of the references. For `hit-texts.ts`. */
  put(at: number, field: number, text: string): void {
    if (this.#lastTexts[field] !== text) {
      this.#lastTexts[field] = text;
      const isNew = field === REF.path || field === REF.title;
      this.#lastRefs[field] = isNew ? this.#refOfNew(text) : this.#refOf(text);
    }
    this.#refs[at + field] = this.#lastRefs[field]!;
  }

  #refOf(text: string): number {
    if (text === '') return 0;
    const known = this.#table.get(text);
    if (known !== undefined) return known;
    const ref = this.#widened(this.#texts.add(text));
    this.#table.set(text, ref);
    return ref;
  }

  /** Of a text that is seldom the same object twice. */
  #refOfNew(text: string): number {
    return text === '' ? 0 : this.#widened(this.#texts.numberOf(text));
  }

  #widened(ref: number): number {
    const isWide = ref >= NARROW_TEXT_COUNT_MAX;
    if (isWide && this.#refs instanceof Uint16Array) this.#refs = new Uint32Array(this.#refs);
    return ref;
  }

  #pack(): Uint8Array {
    const rows = this.#rows;
    const counts = {
      groups: this.#heads.length,
      hits: rows,
      texts: this.#texts.count,
      textWords: this.#texts.wordCount,
      pairs: this.#pairs.length,
      drops: this.#drops.length,
      wordsPerDrop: DROP_WORDS,
      refsPerHit: REFS_PER_HIT,
    };
    const offsets = offsetsOf(counts);
    if (this.#payload.byteLength < offsets.bytes) {
      this.#payload = new ArrayBuffer(Math.ceil(offsets.bytes / 4_096) * 8_192);
    }
    const buffer = this.#payload;
    const words = new Uint32Array(buffer);
    writeCounts(counts, words);
    const instants = new Float64Array(buffer, HEAD_WORDS * 4, counts.groups + rows);
    this.#packGroups(words, offsets.groups, instants);
    instants.set(this.#timesMs.subarray(0, rows), counts.groups);
    words.set(this.#drops, offsets.drops);
    words.set(this.#numbers.subarray(0, rows * NUMBERS_PER_HIT), offsets.numbers);
    words.set(this.#texts.lengths.subarray(0, counts.texts - 1), offsets.lengths);
    words.set(this.#texts.words.subarray(0, counts.textWords), offsets.texts);
    const Refs = this.#refs instanceof Uint16Array ? Uint16Array : Uint32Array;
    const refs = new Refs(buffer, offsets.refs * 4, rows * REFS_PER_HIT + counts.pairs);
    refs.set(this.#refs.subarray(0, rows * REFS_PER_HIT));
    refs.set(this.#pairs, rows * REFS_PER_HIT);
    return new Uint8Array(buffer, 0, offsets.bytes);
  }

  #packGroups(words: Uint32Array, start: number, instants: Float64Array): void {
    for (let index = 0; index < this.#heads.length; index++) {
      const head = this.#heads[index]!;
      const at = start + index * GROUP_WORDS;
      instants[index] = head.receivedMs;
      words[at + GROUP.domain] = head.domain;
      words[at + GROUP.key] = head.key;
      words[at + GROUP.end] = head.end;
      words[at + GROUP.dropEnd] = head.dropEnd;
    }
  }

  #reserve(rows: number): void {
    if (rows <= this.#timesMs.length) return;
    let capacity = this.#timesMs.length;
    while (capacity < rows) capacity *= 2;
    this.#resize(capacity);
  }

  #resize(capacity: number): void {
    const rows = this.#rows;
    const { timesMs, numbers, refs } = {
      timesMs: this.#timesMs.subarray(0, rows),
      numbers: this.#numbers.subarray(0, rows * NUMBERS_PER_HIT),
      refs: this.#refs.subarray(0, rows * REFS_PER_HIT),
    };
    const Refs = refs instanceof Uint16Array ? Uint16Array : Uint32Array;
    this.#timesMs = new Float64Array(capacity);
    this.#numbers = new Uint32Array(capacity * NUMBERS_PER_HIT);
    this.#refs = new Refs(capacity * REFS_PER_HIT);
    this.#timesMs.set(timesMs);
    this.#numbers.set(numbers);
    this.#refs.set(refs);
  }
}
