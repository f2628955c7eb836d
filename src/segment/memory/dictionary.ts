/**
 * The texts of a segment: per kind, text ↔ dense id. Id 0 of every kind is the empty text.
 *
 * Data plane. One dictionary per segment, so that a day carries its own texts and drops them with
 * itself. On disk it is one list of (kind, text) in order of first appearance; ids follow from it.
 */

import type { ValueBound } from '../../model/dimensions.ts';
import {
  DISTINCT_META_VALUES_MAX,
  DISTINCT_NARROW_VALUES_MAX,
  DISTINCT_VALUES_MAX,
  KIND_TEXT_BYTES_MAX,
  OTHER_VALUE,
  SEGMENT_TEXT_BYTES_MAX,
} from '../../model/limits.ts';
import { DICTIONARY_KINDS, KIND_BOUNDS, numbersOf } from '../../model/text-kinds.ts';
import { NumberedIds } from './numbered-ids.ts';
import { type TextBytes, textBytes } from './text-bytes.ts';

/** Entries of a dictionary block on disk. */
export const DICTIONARY_BLOCK_ENTRIES = 1_024;

/** Distinct values of a kind that a segment keeps (I-79). By bytes every kind is bounded. */
const VALUES_MAX: Readonly<Record<ValueBound, number>> = {
  wide: DISTINCT_VALUES_MAX,
  narrow: DISTINCT_NARROW_VALUES_MAX,
  metadata: DISTINCT_META_VALUES_MAX,
  closed: Number.POSITIVE_INFINITY,
};

/** Position of a kind in `DICTIONARY_KINDS`: what the hot path passes instead of the name. */
export const KIND = numbersOf(DICTIONARY_KINDS);

/**
 * Kinds of texts that a copy for reading brings in together: titles and values of metadata are most of
 * a day's texts, and few questions look at them.
 */
export function shareOf(kind: number): number {
  if (kind === KIND.title) return 1;
  return kind === KIND.metaValue ? 2 : 0;
}

const SHARE_COUNT = 3;

/** `lookup`: the text is not in the dictionary and would get an id of its own. */
export const UNKNOWN_ID = 0xffff_ffff;

interface KindTexts {
  texts: string[];
  // A Map of strings: measured fastest for texts fresh from the decoder; one per kind that has many.
  // Null until one of these is looked up: a reader's copy is mostly read by id.
  ids: Map<string, number> | null;
  max: number;
  /** Of UTF-8, that the texts take. */
  utf8Bytes: number;
}

/** Of a text beside its letters: the string's head and what list, map and order of entries hold. */
const ENTRY_BYTES = 110;
/** The same in a copy for reading, which has no order of entries. */
const READ_ENTRY_BYTES = 90;

/** So many texts of a kind, the empty one included, are looked through: small days have many such kinds. */
const SEARCHED_TEXTS_MAX = 9;

/** First ids of a kind that need two bytes, and four. */
const ID_ONE_BYTE_END = 0x100;
const ID_TWO_BYTES_END = 0x1_0000;

/** Texts of one segment. */
export class Dictionary {
  /** Ids by the numbers of texts, for who has these. */
  readonly numbered = new NumberedIds();
  /** Whether the texts of each kind are in order of their code units. */
  isOrdered = false;
  // Created on first use: a small segment has three or four kinds, not twenty-six.
  readonly #kinds: (KindTexts | null)[] = DICTIONARY_KINDS.map(() => null);
  /** Kind of every entry in order of first appearance. */
  #entryKinds: number[] = [];
  #entryTexts: string[] = [];
  #savedEntries = 0;
  /** Of UTF-8, that the texts of all kinds take. */
  #utf8Bytes = 0;
  #heapBytes = 0;
  readonly #onWider: (kind: number, id: number) => void;
  // What brings the entries in when a text is first asked for; null: they are here.
  #bring: (() => void) | null = null;
  // Of a copy for reading: what brings in a share of the kinds, which of them are here, and how many
  // of all entries each has been looked for in.
  #bringShare: ((share: number) => void) | null = null;
  #bringBytes: (() => readonly TextBytes[]) | null = null;
  readonly #isHere = new Array<boolean>(SHARE_COUNT).fill(true);
  readonly #entriesRead = new Array<number>(SHARE_COUNT).fill(0);

  /**
   * @param onWider called before the first id of a kind that needs more bytes than those before it:
   *   two from 256 on, four from 65,536 on.
   */
  constructor(onWider: (kind: number, id: number) => void) {
    this.#onWider = onWider;
  }

  get entryCount(): number {
    return this.#entryKinds.length;
  }

  /** Rough bytes of the heap that are held: at most, as the map of a kind doubles. */
  get bytes(): number {
    return this.#heapBytes + this.numbered.bytes;
  }

  /**
   * Id of a text, added if new; `(other)`'s id once the kind or the segment is full (I-79).
   *
   * What is full follows from the entries alone: the text that crosses a bound of bytes is the last
   * one to be added, and `(other)` is an entry as any other.
   *
   * @param kind position in `DICTIONARY_KINDS`.
   */
  intern(kind: number, text: string): number {
    if (text === '') return 0;
    const texts = this.#kinds[kind] ?? this.#open(kind);
    const id = idOf(texts, text);
    if (id !== undefined) return id;
    if (!this.#isFull(texts)) return this.#add(kind, texts, text);
    return idOf(texts, OTHER_VALUE) ?? this.#add(kind, texts, OTHER_VALUE);
  }

  /**
   * Id that `intern` would give without adding anything; `UNKNOWN_ID` if it would add the text.
   */
  lookup(kind: number, text: string): number {
    if (text === '') return 0;
    const texts = this.#kinds[kind] ?? this.#open(kind);
    const id = idOf(texts, text);
    if (id !== undefined) return id;
    if (!this.#isFull(texts)) return UNKNOWN_ID;
    return idOf(texts, OTHER_VALUE) ?? UNKNOWN_ID;
  }

  /** Says that there are entries which `bring` loads when a text is first looked at. */
  defer(bring: () => void): void {
    this.#bring = bring;
  }

  /**
   * Makes this a copy for reading, or tells it that there are more entries than before: `bring` reads
   * those of a share from `entriesRead` on when a text of it is first looked at.
   *
   * @param bringBytes reads those of all kinds without making strings of them.
   */
  deferShares(bring: (share: number) => void, bringBytes: () => readonly TextBytes[]): void {
    this.#bringShare = bring;
    this.#bringBytes = bringBytes;
    this.#isHere.fill(false);
  }

  /** In how many entries, from the first on, the texts of a share were looked for. */
  entriesRead(share: number): number {
    return this.#entriesRead[share] as number;
  }

  /** Adds the texts of a share that the next entries have; the first of these is `entriesRead`. */
  read(share: number, entries: number, found: readonly (readonly [number, string])[]): void {
    for (const [kind, text] of found) {
      const known = this.#kinds[kind] ?? this.#open(kind);
      known.ids?.set(text, known.texts.length);
      known.texts.push(text);
      this.#heapBytes += READ_ENTRY_BYTES + text.length;
    }
    this.#entriesRead[share]! += entries;
  }

  /** Adds all texts of a kind to a copy for reading that has none of it. */
  readAll(kind: number, found: readonly string[]): void {
    if (found.length === 0) return;
    const { texts } = this.#open(kind);
    for (const text of found) {
      texts.push(text);
      this.#heapBytes += READ_ENTRY_BYTES + text.length;
    }
  }

  /** Loads what was deferred now. */
  bringIn(): void {
    const bring = this.#bring;
    if (bring === null) return;
    // It may refuse, and is asked again then.
    bring();
    this.#bring = null;
  }

  #bringKind(kind: number): void {
    const share = shareOf(kind);
    if (this.#isHere[share] === true) return;
    // It may refuse, and is asked again then.
    this.#bringShare?.(share);
    this.#isHere[share] = true;
  }

  /** What was deferred is loaded by the caller. */
  makeRoom(): void {
    this.#bring = null;
  }

  /** Id of exactly this text, `UNKNOWN_ID` if the segment does not hold it. For filters. */
  find(kind: number, text: string): number {
    if (this.#bring !== null) this.bringIn();
    if (this.#bringShare !== null) this.#bringKind(kind);
    if (text === '') return 0;
    const texts = this.#kinds[kind];
    return texts == null ? UNKNOWN_ID : (idOf(texts, text) ?? UNKNOWN_ID);
  }

  /** Texts of a kind by id; `['']` when the segment has none. Do not change the array. */
  texts(kind: number): readonly string[] {
    if (this.#bring !== null) this.bringIn();
    if (this.#bringShare !== null) this.#bringKind(kind);
    return this.#kinds[kind]?.texts ?? EMPTY_TEXTS;
  }

  /** Texts of all kinds for who passes them on; nothing of it is held. @cost all of them. */
  bytesByKind(): readonly TextBytes[] {
    if (this.#bringBytes !== null) return this.#bringBytes();
    return DICTIONARY_KINDS.map((_, kind) => textBytes(this.texts(kind)));
  }

  /** Adds an entry as it stood in a block; used when a segment is loaded, in order. */
  load(kind: number, text: string): void {
    this.#add(kind, this.#kinds[kind] ?? this.#open(kind), text);
  }

  /** Entry by position in order of first appearance. */
  entryKind(index: number): number {
    return this.#entryKinds[index] as number;
  }

  entryText(index: number): string {
    return this.#entryTexts[index] as string;
  }

  /** Blocks that hold entries not saved yet. */
  dirtyBlocks(): { first: number; end: number } {
    if (this.#savedEntries === this.entryCount) return { first: 0, end: 0 };
    return {
      first: Math.floor(this.#savedEntries / DICTIONARY_BLOCK_ENTRIES),
      end: Math.ceil(this.entryCount / DICTIONARY_BLOCK_ENTRIES),
    };
  }

  /** Nothing is on disk for sure: the next save writes every entry. */
  markUnsaved(): void {
    this.#savedEntries = 0;
  }

  /** Everything up to now is on disk. */
  markSaved(): void {
    this.#savedEntries = this.entryCount;
  }

  #open(kind: number): KindTexts {
    const max = VALUES_MAX[KIND_BOUNDS[kind]!];
    const texts: KindTexts = { texts: [''], ids: null, max, utf8Bytes: 0 };
    this.#kinds[kind] = texts;
    return texts;
  }

  /** Whether a further text of the kind is `(other)` (I-79). */
  #isFull(texts: KindTexts): boolean {
    return (
      texts.texts.length > texts.max ||
      texts.utf8Bytes >= KIND_TEXT_BYTES_MAX ||
      this.#utf8Bytes >= SEGMENT_TEXT_BYTES_MAX
    );
  }

  #add(kind: number, texts: KindTexts, text: string): number {
    const id = texts.texts.length;
    if (id === ID_ONE_BYTE_END || id === ID_TWO_BYTES_END) this.#onWider(kind, id);
    texts.texts.push(text);
    texts.ids?.set(text, id);
    this.#entryKinds.push(kind);
    this.#entryTexts.push(text);
    const utf8Bytes = Buffer.byteLength(text);
    texts.utf8Bytes += utf8Bytes;
    this.#utf8Bytes += utf8Bytes;
    // A text that is not all ASCII may take two bytes a letter.
    const letterBytes = utf8Bytes === text.length ? 1 : 2;
    this.#heapBytes += ENTRY_BYTES + text.length * letterBytes;
    return id;
  }
}

/** Id of a text of a kind, if it has one. */
function idOf(texts: KindTexts, text: string): number | undefined {
  const { texts: known, ids } = texts;
  if (ids !== null) return ids.get(text);
  if (known.length > SEARCHED_TEXTS_MAX) return idsOf(texts).get(text);
  for (let id = 1; id < known.length; id++) if (known[id] === text) return id;
  return undefined;
}

function idsOf(texts: KindTexts): Map<string, number> {
  const ids = new Map<string, number>();
  for (let id = 1; id < texts.texts.length; id++) ids.set(texts.texts[id]!, id);
  texts.ids = ids;
  return ids;
}

const EMPTY_TEXTS: readonly string[] = [''];
