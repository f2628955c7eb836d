/**
 * The texts of a segment: per kind, text ↔ dense id. Id 0 of every kind is the empty text.
 *
 * Data plane. One dictionary per segment, so that a day carries its own texts and drops them with
 * itself. On disk it is one list of (kind, text) in order of first appearance; ids follow from it.
 */

import { DICTIONARY_KINDS, type DictionaryKind } from '../model/dimensions.ts';
import { DISTINCT_META_VALUES_MAX, DISTINCT_VALUES_MAX, OTHER_VALUE } from '../model/limits.ts';

/** Entries of a dictionary block on disk. */
export const DICTIONARY_BLOCK_ENTRIES = 1_024;

/** Kinds with a bound on distinct values (I-79); the rest are bounded by their own making. */
const BOUNDED: ReadonlySet<DictionaryKind> = new Set<DictionaryKind>([
  'path',
  'title',
  'referrer',
  'referrerName',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
  'utmTerm',
  'eventName',
  'tagKey',
  'tagValue',
  'metaKey',
]);

/** Position of a kind in `DICTIONARY_KINDS`: what the hot path passes instead of the name. */
export const KIND = Object.fromEntries(DICTIONARY_KINDS.map((kind, index) => [kind, index])) as {
  readonly [K in DictionaryKind]: number;
};

/** `lookup`: the text is not in the dictionary and would get an id of its own. */
export const UNKNOWN_ID = 0xffff_ffff;

interface KindTexts {
  texts: string[];
  // A Map of strings: measured fastest for texts fresh from the decoder; one per used kind.
  // Null until a text is looked up: a reader's copy is mostly read by id.
  ids: Map<string, number> | null;
  max: number;
}

/** First ids of a kind that need two bytes, and four. */
const ID_ONE_BYTE_END = 0x100;
const ID_TWO_BYTES_END = 0x1_0000;

let count = 0;

/** Texts of one segment. */
export class Dictionary {
  /** Of all dictionaries of this thread this one alone has it: for those who remember ids. */
  readonly number = ++count;
  // Created on first use: a small segment has three or four kinds, not twenty-six.
  readonly #kinds: (KindTexts | null)[] = DICTIONARY_KINDS.map(() => null);
  /** Kind of every entry in order of first appearance. */
  #entryKinds: number[] = [];
  #entryTexts: string[] = [];
  #savedEntries = 0;
  #textLength = 0;
  readonly #onWider: (kind: number, id: number) => void;
  // What brings the entries in when a text is first asked for; null: they are here.
  #bring: (() => void) | null = null;

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

  /** Rough bytes held: texts twice (list and map share the string) plus bookkeeping. */
  get bytes(): number {
    return this.#textLength + this.entryCount * 80;
  }

  /**
   * Id of a text, added if new; `(other)`'s id once the kind is full (I-79).
   *
   * @param kind position in `DICTIONARY_KINDS`.
   */
  intern(kind: number, text: string): number {
    if (text === '') return 0;
    const texts = this.#kinds[kind] ?? this.#open(kind);
    const id = idsOf(texts).get(text);
    if (id !== undefined) return id;
    if (texts.texts.length <= texts.max) return this.#add(kind, texts, text);
    return idsOf(texts).get(OTHER_VALUE) ?? this.#add(kind, texts, OTHER_VALUE);
  }

  /**
   * Id that `intern` would give without adding anything; `UNKNOWN_ID` if it would add the text.
   */
  lookup(kind: number, text: string): number {
    if (text === '') return 0;
    const texts = this.#kinds[kind];
    if (texts === null || texts === undefined) return UNKNOWN_ID;
    const id = idsOf(texts).get(text);
    if (id !== undefined) return id;
    if (texts.texts.length <= texts.max) return UNKNOWN_ID;
    return idsOf(texts).get(OTHER_VALUE) ?? UNKNOWN_ID;
  }

  /** Says that there are entries which `bring` loads when a text is first looked at. */
  defer(bring: () => void): void {
    this.#bring = bring;
  }

  /** Loads what was deferred now. */
  bringIn(): void {
    const bring = this.#bring;
    if (bring === null) return;
    this.#bring = null;
    bring();
  }

  /** What was deferred is loaded by the caller. */
  makeRoom(): void {
    this.#bring = null;
  }

  /** Id of exactly this text, `UNKNOWN_ID` if the segment does not hold it. For filters. */
  find(kind: number, text: string): number {
    if (this.#bring !== null) this.bringIn();
    if (text === '') return 0;
    const texts = this.#kinds[kind];
    return texts == null ? UNKNOWN_ID : (idsOf(texts).get(text) ?? UNKNOWN_ID);
  }

  /** Texts of a kind by id; `['']` when the segment has none. Do not change the array. */
  texts(kind: number): readonly string[] {
    if (this.#bring !== null) this.bringIn();
    return this.#kinds[kind]?.texts ?? EMPTY_TEXTS;
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
    const name = DICTIONARY_KINDS[kind] as DictionaryKind;
    const max =
      name === 'metaValue'
        ? DISTINCT_META_VALUES_MAX
        : BOUNDED.has(name)
          ? DISTINCT_VALUES_MAX
          : Number.POSITIVE_INFINITY;
    const texts: KindTexts = { texts: [''], ids: null, max };
    this.#kinds[kind] = texts;
    return texts;
  }

  #add(kind: number, texts: KindTexts, text: string): number {
    const id = texts.texts.length;
    if (id === ID_ONE_BYTE_END || id === ID_TWO_BYTES_END) this.#onWider(kind, id);
    texts.texts.push(text);
    texts.ids?.set(text, id);
    this.#entryKinds.push(kind);
    this.#entryTexts.push(text);
    this.#textLength += text.length;
    return id;
  }
}

/** The ids of the texts that are there, made when they are first asked for. */
function idsOf(texts: KindTexts): Map<string, number> {
  if (texts.ids !== null) return texts.ids;
  const ids = new Map<string, number>();
  for (let id = 1; id < texts.texts.length; id++) ids.set(texts.texts[id]!, id);
  texts.ids = ids;
  return ids;
}

const EMPTY_TEXTS: readonly string[] = [''];
