/** Texts of rows that are copied from one segment to another. Data plane. */

import { DICTIONARY_KINDS } from '../model/dimensions.ts';
import { type Dictionary, UNKNOWN_ID } from './dictionary.ts';

/** Texts on their way from one dictionary to another: by kind, new id by old id. */
export class TextMover {
  readonly #from: Dictionary;
  readonly #to: Dictionary;
  readonly #moved: (Uint32Array | undefined)[] = DICTIONARY_KINDS.map(() => undefined);

  constructor(from: Dictionary, to: Dictionary) {
    this.#from = from;
    this.#to = to;
  }

  /** Id in the other dictionary. Added without the bound of I-79, which the first one has kept to. */
  move(kind: number, id: number): number {
    if (id === 0) return 0;
    let moved = this.#moved[kind];
    if (moved === undefined) {
      moved = new Uint32Array(this.#from.texts(kind).length);
      this.#moved[kind] = moved;
    }
    const known = moved[id]!;
    if (known !== 0) return known;
    const text = this.#from.texts(kind)[id]!;
    const there = this.#to.find(kind, text);
    if (there !== UNKNOWN_ID) {
      moved[id] = there;
      return there;
    }
    const added = this.#to.texts(kind).length;
    this.#to.load(kind, text);
    moved[id] = added;
    return added;
  }
}
