/**
 * Ids of the texts of one dictionary by the numbers that texts have in all records
 * (`bus/record/text-table.ts`).
 *
 * Data plane. A cache beside the dictionary's own look-up: one read of one cache line near those of the
 * hit's other texts, where a look-up by string costs several far away. What it does not know, the
 * dictionary is asked for.
 *
 *     words:  | tag | id | × a power of two, open addressing; a tag of 0 is an empty entry
 */

const ENTRY_WORDS = 2;
const ENTRIES_FIRST = 32;
/** 2 MB. */
const ENTRIES_MAX = 256 * 1_024;
const GROWTH = 4;
/** An entry more than this share, and the next ones would be far from where they belong. */
const FULL_SHARE = 0.5;

const NOTHING = new Uint32Array(ENTRY_WORDS);

/** What is remembered of one dictionary. */
export class NumberedIds {
  #words = NOTHING;
  /** Of the numbers: all of them lose their meaning at once. */
  #epoch = 0;
  #count = 0;

  /** Bytes held. */
  get bytes(): number {
    return this.#words === NOTHING ? 0 : this.#words.byteLength;
  }

  /** Id of a text, 0 when it is not known here. @param tag names kind and text; not 0. */
  find(tag: number, epoch: number): number {
    if (epoch !== this.#epoch) return 0;
    const words = this.#words;
    for (let at = placeOf(tag, words.length); ; at = (at + ENTRY_WORDS) & (words.length - 1)) {
      const known = words[at]!;
      if (known === tag) return words[at + 1]!;
      if (known === 0) return 0;
    }
  }

  /** Remembers the id of a text that `find` did not know. */
  note(tag: number, epoch: number, id: number): void {
    if (epoch !== this.#epoch) this.#forget(epoch);
    if ((this.#count + 1) * ENTRY_WORDS > this.#words.length * FULL_SHARE) this.#grow();
    this.#put(tag, id);
  }

  #put(tag: number, id: number): void {
    const words = this.#words;
    let at = placeOf(tag, words.length);
    while (words[at] !== 0) at = (at + ENTRY_WORDS) & (words.length - 1);
    words[at] = tag;
    words[at + 1] = id;
    this.#count++;
  }

  #forget(epoch: number): void {
    this.#epoch = epoch;
    this.#count = 0;
    if (this.#words !== NOTHING) this.#words.fill(0);
  }

  #grow(): void {
    const old = this.#words;
    const entries = old.length / ENTRY_WORDS;
    if (entries >= ENTRIES_MAX) {
      this.#forget(this.#epoch);
      return;
    }
    const grown = old === NOTHING ? ENTRIES_FIRST : Math.min(entries * GROWTH, ENTRIES_MAX);
    this.#words = new Uint32Array(grown * ENTRY_WORDS);
    this.#count = 0;
    for (let at = 0; at < old.length; at += ENTRY_WORDS) {
      if (old[at] !== 0) this.#put(old[at]!, old[at + 1]!);
    }
  }
}

/** Where a search for a tag begins. */
function placeOf(tag: number, length: number): number {
  const hash = Math.imul(tag, 0x9e3779b1);
  // The kind is in the uppermost bits: one text under many kinds would else begin at one place.
  return ((hash ^ (hash >>> 15) ^ (hash >>> 26)) * ENTRY_WORDS) & (length - 1);
}
