/**
 * Entries of an environment, cut into parts that stay the same as long as their entries do.
 *
 * Control plane. Where a part ends follows from the keys and lengths around: an entry that comes, goes
 * or changes touches its own part, and the others are those of the backup before. Days of one span of
 * time are kept together, since days that are over change no more, and days of today all the time.
 *
 *     part  | key bytes u16 | value bytes u32 | key | value, with its checksums | …
 */

import { crc32 } from 'node:zlib';
import type { DomainId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import type { CopiedEntry } from '../../store/environment-copy.ts';
import { bufferToKeyValue } from '../../store/lmdb-keys.ts';
import { placeOfKey, type StateKey } from '../../store/state-environment.ts';
import type { Place } from './manifest.ts';

/** Parts are about so large; there is one in memory for each span of days. */
const PART_BYTES = 1_024 * 1_024;
const PART_BYTES_MAX = 4 * PART_BYTES;
/** Days that are kept together. */
const SPAN_DAYS = 16;
const HEAD_BYTES = 6;
const CRC_COUNT = 2 ** 32;

/** A part that is complete. */
export interface CutPart {
  readonly tree: string;
  readonly bytes: Buffer;
  readonly places: readonly Place[];
}

/** Cuts the entries of one environment. */
export class PartCutter {
  readonly #open = new Map<string, OpenPart>();
  readonly #isState: boolean;
  readonly #onPart: (part: CutPart) => void;

  /**
   * @param isState whether the keys are those of a shard's state, so that they tell site and day.
   * @param onPart gets every part once.
   */
  constructor(isState: boolean, onPart: (part: CutPart) => void) {
    this.#isState = isState;
    this.#onPart = onPart;
  }

  add({ tree, key, value }: CopiedEntry): void {
    const { domainId, day } = this.#isState
      ? placeOfKey(bufferToKeyValue(key) as StateKey)
      : { domainId: '' as const, day: '' };
    const span = day === '' ? '' : Math.floor(Date.parse(day) / DAY_MS / SPAN_DAYS);
    const name = `${tree} ${span}`;
    const part = this.#open.get(name) ?? new OpenPart(tree);
    this.#open.set(name, part);
    part.add(key, value);
    if (domainId !== '') part.note(domainId, day);
    const length = HEAD_BYTES + key.length + value.length;
    // As likely as the entry is large, so that parts are of about one length whatever is in them.
    const isCut = crc32(key) < CRC_COUNT * (length / PART_BYTES);
    if (!isCut && part.length < PART_BYTES_MAX) return;
    this.#open.delete(name);
    this.#onPart(part.cut());
  }

  /** There are no more entries. */
  end(): void {
    for (const part of this.#open.values()) this.#onPart(part.cut());
    this.#open.clear();
  }
}

class OpenPart {
  readonly #tree: string;
  readonly #chunks: Buffer[] = [];
  readonly #places = new Map<DomainId, { first: string; last: string }>();
  length = 0;

  constructor(tree: string) {
    this.#tree = tree;
  }

  add(key: Buffer, value: Buffer): void {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt16LE(key.length, 0);
    head.writeUInt32LE(value.length, 2);
    const chunk = Buffer.concat([head, key, value]);
    this.#chunks.push(chunk);
    this.length += chunk.length;
  }

  note(domainId: DomainId, day: string): void {
    const place = this.#places.get(domainId);
    if (place === undefined) {
      this.#places.set(domainId, { first: day, last: day });
      return;
    }
    if (day < place.first) place.first = day;
    if (day > place.last) place.last = day;
  }

  cut(): CutPart {
    const places = [...this.#places].map(([id, { first, last }]): Place => [id, first, last]);
    return { tree: this.#tree, bytes: Buffer.concat(this.#chunks), places };
  }
}

/** The entries of a part, which is what was written. */
export function* entriesOf(tree: string, part: Buffer): Iterable<CopiedEntry> {
  for (let at = 0; at < part.length; ) {
    const keyAt = at + HEAD_BYTES;
    const valueAt = keyAt + part.readUInt16LE(at);
    at = valueAt + part.readUInt32LE(keyAt - 4);
    yield { tree, key: part.subarray(keyAt, valueAt), value: part.subarray(valueAt, at) };
  }
}
