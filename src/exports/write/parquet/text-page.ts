/**
 * The texts of a group of rows, each once, as bytes behind their lengths: the page of a dictionary.
 *
 * Data plane. Found by a hash table of their bytes, so none of them is ever a string. A text that is not
 * found within a few places is added once more: readers do not mind, and nobody can make it slow with
 * texts that he has chosen for their hashes.
 */

import type { TextBytes } from '../../../segment/memory/text-bytes.ts';

const LENGTH_BYTES = 4;
const PROBE_COUNT_MAX = 32;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The different texts of a column of a group. */
export class TextPage {
  #bytes = Buffer.allocUnsafe(4_096);
  /** By number: where its length begins; one more for the end. */
  #places = new Uint32Array(512);
  #count = 0;
  /** By hash: numbers plus one; twice as many places as there may be texts. */
  #slots = new Uint32Array(1_024);
  /** Whether what is there has been put into the table. */
  #isIndexed = false;

  /** How many texts there are. */
  get count(): number {
    return this.#count;
  }

  /** The page, which stands until a text is added. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#places[this.#count]);
  }

  clear(): void {
    this.#count = 0;
    this.#isIndexed = false;
  }

  /** Adds a text that is not there. @returns its number. */
  add({ bytes, starts, ends }: TextBytes, id: number): number {
    const start = starts[id]!;
    const length = ends[id]! - start;
    const number = this.#count;
    const place = this.#places[number]!;
    const end = place + LENGTH_BYTES + length;
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(end, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, place);
      this.#bytes = grown;
    }
    this.#bytes.writeUInt32LE(length, place);
    bytes.copy(this.#bytes, place + LENGTH_BYTES, start, start + length);
    this.#places[number + 1] = end;
    this.#count = number + 1;
    if (number + 2 === this.#places.length) this.#grow();
    return number;
  }

  /** Number of a text that may be there; added if it is not. */
  find(texts: TextBytes, id: number): number {
    if (!this.#isIndexed) this.#index();
    const next = this.#count;
    const number = this.#probe(texts.bytes, texts.starts[id]!, texts.ends[id]!, next);
    return number === next ? this.add(texts, id) : number;
  }

  /** All texts by some numbers, one after the other. */
  inOrder(numbers: Uint32Array): Uint8Array {
    const places = this.#places;
    let length = 0;
    for (const number of numbers) length += places[number + 1]! - places[number]!;
    const bytes = Buffer.allocUnsafe(length);
    let at = 0;
    for (const number of numbers) {
      at += this.#bytes.copy(bytes, at, places[number], places[number + 1]);
    }
    return bytes;
  }

  #grow(): void {
    const grown = new Uint32Array(this.#places.length * 2);
    grown.set(this.#places);
    this.#places = grown;
    if (this.#isIndexed) this.#index();
  }

  #index(): void {
    const slots = this.#places.length * 2;
    if (this.#slots.length === slots) this.#slots.fill(0);
    else this.#slots = new Uint32Array(slots);
    this.#isIndexed = true;
    for (let number = 0; number < this.#count; number++) {
      const place = this.#places[number]! + LENGTH_BYTES;
      this.#probe(this.#bytes, place, this.#places[number + 1]!, number);
    }
  }

  /** @returns the number of a text; `next` when it is not found, which it has from now on. */
  #probe(bytes: Uint8Array, start: number, end: number, next: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOf(bytes, start, end) & mask;
    for (let probes = 0; probes < PROBE_COUNT_MAX; probes++) {
      const number = slots[slot]! - 1;
      if (number < 0) {
        slots[slot] = next + 1;
        return next;
      }
      if (this.#isAt(number, bytes, start, end)) return number;
      slot = (slot + 1) & mask;
    }
    return next;
  }

  #isAt(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes;
    const place = this.#places[number]! + LENGTH_BYTES;
    if (this.#places[number + 1]! - place !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (bytes[at] !== own[place + at - start]) return false;
    }
    return true;
  }
}

/** FNV-1a, its high bits mixed into the low ones. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME);
  return hash ^ (hash >>> 15);
}
