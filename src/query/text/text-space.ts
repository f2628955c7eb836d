/**
 * One number per text over all segments of a domain, so that groups merge by adding arrays.
 *
 * Data plane. Every segment has its own dictionary. The numbers of its texts in the domain's space are
 * looked up once per segment and kind and kept as long as the segment is: a warm query over many days
 * touches no string before it has its final rows. The spaces of all domains are bounded together.
 *
 *     segment A: 0 '' 1 '/a' 2 '/b'   map [0, 1, 2]
 *     segment B: 0 '' 1 '/b' 2 '/c'   map [0, 2, 3]      space: 0 '' 1 '/a' 2 '/b' 3 '/c'
 */

import { QUERY_TEXTS_MAX } from '../../model/limits.ts';
import { budgets } from '../../model/memory.ts';
import { DICTIONARY_KINDS } from '../../model/text-kinds.ts';
import type { Segment } from '../../segment/memory/segment.ts';

/** Of a text in a space beside its letters. */
const TEXT_BYTES = 100;
/** A space without texts still takes memory, so that many empty domains are bounded too. */
const SPACE_WEIGHT = 32;
const MAP_ENTRIES_MIN = 16;

interface KindTexts {
  readonly texts: string[];
  // A Map of strings: filled once per segment and kind, read never again while segments are warm.
  readonly ids: Map<string, number>;
  /** The texts in order that were numbered last, and their numbers. */
  ordered: { readonly texts: readonly string[]; readonly ids: Uint32Array };
}

let spaceCount = 0;

/** The texts of one domain, per kind. */
export class TextSpace {
  /** Tells the spaces of a thread apart: each numbers its texts and groups anew. */
  readonly number = ++spaceCount;
  readonly #kinds: KindTexts[] = DICTIONARY_KINDS.map(() => ({
    texts: [''],
    ids: new Map([['', 0]]),
    ordered: { texts: [], ids: new Uint32Array(0) },
  }));
  /** Texts over all kinds. */
  size = 0;
  /** Rough bytes that they take. */
  bytes = 0;

  /** Texts of a kind by number. */
  texts(kind: number): readonly string[] {
    return (this.#kinds[kind] as KindTexts).texts;
  }

  /** Number of a text, the next free one if it is new. */
  idOf(kind: number, text: string): number {
    const { texts, ids } = this.#kinds[kind] as KindTexts;
    const known = ids.get(text);
    if (known !== undefined) return known;
    ids.set(text, texts.length);
    this.size++;
    this.bytes += text.length + TEXT_BYTES;
    return texts.push(text) - 1;
  }

  /**
   * Numbers of texts that are in order: most are those of the list before, one after the other, for
   * which no text is looked up.
   */
  idsOf(kind: number, texts: readonly string[]): Uint32Array {
    const known = this.#kinds[kind] as KindTexts;
    const before = known.ordered;
    const ids = new Uint32Array(texts.length);
    let at = 0;
    for (let index = 0; index < texts.length; index++) {
      const text = texts[index]!;
      if (before.texts[at] !== text) {
        while (at < before.texts.length && before.texts[at]! < text) at++;
      }
      ids[index] = before.texts[at] === text ? before.ids[at++]! : this.idOf(kind, text);
    }
    known.ordered = { texts, ids };
    return ids;
  }
}

interface SegmentMaps {
  /** A space that was given up is not held by the segments that it numbered. */
  readonly spaceNumber: number;
  /** Per kind: dictionary id → number in the space, for the first `counts[kind]` ids. */
  readonly maps: (Uint32Array | undefined)[];
  readonly counts: number[];
}

// Insertion order is the order of use: the first entry is the least recently used.
const spaces = new Map<string, TextSpace>();
const mapsOfSegments = new WeakMap<Segment, SegmentMaps>();

/** The space of a domain's texts: one and the same while a query runs. */
export function openTextSpace(domainId: string): TextSpace {
  const known = spaces.get(domainId);
  if (known !== undefined) return known;
  const space = new TextSpace();
  spaces.set(domainId, space);
  return space;
}

/** Gives up all spaces; those in use stay with who uses them. */
export function forgetTextSpaces(): void {
  spaces.clear();
}

/**
 * Gives up the spaces that nobody used for the longest; once before a query, never while one runs.
 *
 * @param domainId whose space is used next; it is given up only when it is too large by itself.
 * @param textsMax texts held over all domains; their bytes are bounded by the thread's budget.
 */
export function trimTextSpaces(domainId: string, textsMax = QUERY_TEXTS_MAX): void {
  const next = spaces.get(domainId);
  if (next !== undefined) {
    spaces.delete(domainId);
    spaces.set(domainId, next);
  }
  let weight = 0;
  let bytes = 0;
  for (const space of spaces.values()) {
    weight += space.size + SPACE_WEIGHT;
    bytes += space.bytes;
  }
  for (const [id, space] of spaces) {
    if (weight <= textsMax && bytes <= budgets.queryTexts) break;
    spaces.delete(id);
    weight -= space.size + SPACE_WEIGHT;
    bytes -= space.bytes;
  }
}

/**
 * Dictionary id → number in the space, for all ids of a kind that the segment has by now.
 *
 * @param kind position in `DICTIONARY_KINDS`.
 * @cost one look-up per text of the kind that was not mapped before; nothing when warm.
 */
export function spaceIds(space: TextSpace, segment: Segment, kind: number): Uint32Array {
  let held = mapsOfSegments.get(segment);
  if (held === undefined || held.spaceNumber !== space.number) {
    held = { spaceNumber: space.number, maps: [], counts: [] };
    mapsOfSegments.set(segment, held);
  }
  const texts = segment.dictionary.texts(kind);
  const done = held.counts[kind] ?? 0;
  let map = held.maps[kind];
  if (map !== undefined && done === texts.length) return map;
  if (segment.dictionary.isOrdered) {
    const ids = space.idsOf(kind, texts);
    held.maps[kind] = ids;
    held.counts[kind] = texts.length;
    return ids;
  }
  if (map === undefined || map.length < texts.length) {
    const grown = new Uint32Array(done === 0 ? texts.length : texts.length * 2 + MAP_ENTRIES_MIN);
    if (map !== undefined) grown.set(map);
    map = grown;
    held.maps[kind] = map;
  }
  for (let id = done; id < texts.length; id++) map[id] = space.idOf(kind, texts[id] as string);
  held.counts[kind] = texts.length;
  return map;
}
