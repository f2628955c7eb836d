/**
 * Hits into one log record, one group at a time, as they come.
 *
 * Data plane. Hits are written down at once, so that their objects die young: what waits for the
 * disk is numbers and a table of texts. Measured (batches of 100, 64 connections): keeping the hit
 * objects until the record is made costs the edge a quarter more in garbage collection.
 */

import { Packr } from 'msgpackr';
import type { Hit, HitGroup } from '../model/hit.ts';
import { NUMBER, NUMBERS_PER_HIT, packFlags, REF, REFS_PER_HIT } from './hit-batch.ts';

/** Texts beyond which references need four bytes. */
export const NARROW_TEXT_COUNT_MAX = 0x1_0000;

/** A group in the record: domain (reference), receipt, key, drops, end of its rows. */
export type GroupHead = [number, number, string, number[] | null, number];

const ROWS_MIN = 16;
/** Rows whose buffers an encoder keeps for its next record; more are given back. */
const ROWS_KEPT_MAX = 16_384;

const packr = new Packr({ useRecords: false });

/** Gathers the groups of one shard until the record is made. */
export class RecordEncoder {
  #heads: GroupHead[] = [];
  #texts: string[] = [''];
  readonly #table = new Map<string, number>();
  // Text and reference of the row before, by field: neighbours share most texts as one object.
  readonly #lastTexts: string[] = new Array<string>(REFS_PER_HIT).fill('');
  readonly #lastRefs = new Uint32Array(REFS_PER_HIT);
  #timesMs = new Float64Array(ROWS_MIN);
  #numbers = new Uint32Array(ROWS_MIN * NUMBERS_PER_HIT);
  #refs = new Uint32Array(ROWS_MIN * REFS_PER_HIT);
  #pairs: number[] = [];
  #rows = 0;

  /** True while nothing has been added; a group without hits counts. */
  get isEmpty(): boolean {
    return this.#heads.length === 0;
  }

  /**
   * Adds a group behind those already there. One without key and drops joins the last group if it
   * is of the same domain and kind.
   *
   * @cost per hit one look-up for every text that differs from the hit before.
   */
  add(group: HitGroup): void {
    const { hits } = group;
    this.#reserve(this.#rows + hits.length);
    for (let index = 0; index < hits.length; index++) this.#write(hits[index]!);
    const domain = this.#refOf(group.domainId);
    const last = this.#heads.at(-1);
    const isPlain = group.idempotencyHash === '' && group.dropped === null;
    if (isPlain && last !== undefined && last[0] === domain && last[2] === '' && !last[3]) {
      last[1] = group.receivedMs;
      last[4] = this.#rows;
      return;
    }
    const { receivedMs, idempotencyHash, dropped } = group;
    this.#heads.push([domain, receivedMs, idempotencyHash, dropped, this.#rows]);
  }

  /** Makes the record and starts over. @returns bytes that nobody writes to again. */
  finish(): Uint8Array {
    const payload = packr.pack([this.#heads, this.#texts, this.#columns()]);
    this.#heads = [];
    this.#texts = [''];
    this.#table.clear();
    this.#lastTexts.fill('');
    this.#lastRefs.fill(0);
    this.#pairs = [];
    this.#rows = 0;
    if (this.#timesMs.length > ROWS_KEPT_MAX) this.#resize(ROWS_MIN);
    return payload;
  }

  #write(hit: Hit): void {
    const row = this.#rows;
    this.#rows = row + 1;
    this.#timesMs[row] = hit.timeMs;
    this.#writeTexts(hit, row * REFS_PER_HIT);
    const { pairs } = hit;
    if (pairs !== null) {
      for (let at = 0; at < pairs.length; at++) this.#pairs.push(this.#refOf(pairs[at]!));
    }
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

  /** Field by field and not in a loop: reading a property by a variable name costs ten times more. */
  #writeTexts(hit: Hit, at: number): void {
    this.#put(at, REF.path, hit.path);
    this.#put(at, REF.title, hit.title);
    this.#put(at, REF.eventName, hit.eventName);
    this.#put(at, REF.country, hit.country);
    this.#put(at, REF.region, hit.region);
    this.#put(at, REF.city, hit.city);
    this.#put(at, REF.language, hit.language);
    this.#put(at, REF.referrer, hit.referrer);
    this.#put(at, REF.referrerName, hit.referrerName);
    this.#put(at, REF.referrerIcon, hit.referrerIcon);
    this.#put(at, REF.channel, hit.channel);
    this.#put(at, REF.os, hit.os);
    this.#put(at, REF.osVersion, hit.osVersion);
    this.#put(at, REF.browser, hit.browser);
    this.#put(at, REF.browserVersion, hit.browserVersion);
    this.#put(at, REF.screenClass, hit.screenClass);
    this.#put(at, REF.utmSource, hit.utmSource);
    this.#put(at, REF.utmMedium, hit.utmMedium);
    this.#put(at, REF.utmCampaign, hit.utmCampaign);
    this.#put(at, REF.utmContent, hit.utmContent);
    this.#put(at, REF.utmTerm, hit.utmTerm);
    this.#put(at, REF.hostname, hit.hostname);
  }

  #put(at: number, field: number, text: string): void {
    if (this.#lastTexts[field] !== text) {
      this.#lastTexts[field] = text;
      this.#lastRefs[field] = text === '' ? 0 : this.#refOf(text);
    }
    this.#refs[at + field] = this.#lastRefs[field]!;
  }

  #refOf(text: string): number {
    const known = this.#table.get(text);
    if (known !== undefined) return known;
    const ref = this.#texts.length;
    this.#table.set(text, ref);
    this.#texts.push(text);
    return ref;
  }

  /** The columns of all rows, one behind the other. */
  #columns(): Uint8Array {
    const rows = this.#rows;
    const Refs = this.#texts.length <= NARROW_TEXT_COUNT_MAX ? Uint16Array : Uint32Array;
    const width = Refs.BYTES_PER_ELEMENT;
    const numbersStart = rows * 8;
    const refsStart = numbersStart + rows * NUMBERS_PER_HIT * 4;
    const pairsStart = refsStart + rows * REFS_PER_HIT * width;
    const buffer = new ArrayBuffer(pairsStart + this.#pairs.length * width);
    new Float64Array(buffer, 0, rows).set(this.#timesMs.subarray(0, rows));
    const numbers = this.#numbers.subarray(0, rows * NUMBERS_PER_HIT);
    new Uint32Array(buffer, numbersStart, rows * NUMBERS_PER_HIT).set(numbers);
    const refs = this.#refs.subarray(0, rows * REFS_PER_HIT);
    new Refs(buffer, refsStart, rows * REFS_PER_HIT).set(refs);
    new Refs(buffer, pairsStart, this.#pairs.length).set(this.#pairs);
    return new Uint8Array(buffer);
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
    this.#timesMs = new Float64Array(capacity);
    this.#numbers = new Uint32Array(capacity * NUMBERS_PER_HIT);
    this.#refs = new Uint32Array(capacity * REFS_PER_HIT);
    this.#timesMs.set(timesMs);
    this.#numbers.set(numbers);
    this.#refs.set(refs);
  }
}
