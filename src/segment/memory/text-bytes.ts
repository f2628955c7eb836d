/**
 * Texts by id as UTF-8, for who passes them on: a text that nobody looks at takes no string.
 *
 * Data plane.
 */

/** Texts, none of them twice. */
export interface TextBytes {
  readonly bytes: Buffer;
  /** By id: where in `bytes` it begins and ends. */
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
}

/** Texts that are strings. */
export function textBytes(texts: readonly string[]): TextBytes {
  const all = texts.map((text) => Buffer.from(text));
  const ends: number[] = [];
  for (const { length } of all) ends.push((ends.at(-1) ?? 0) + length);
  return { bytes: Buffer.concat(all), starts: [0, ...ends], ends };
}

/** Texts as strings of some form, each made when it is first asked for. */
export class TextForms {
  readonly #texts: TextBytes;
  readonly #form: (text: string) => string;
  readonly #made: (string | undefined)[];

  constructor(texts: TextBytes, form: (text: string) => string) {
    this.#texts = texts;
    this.#form = form;
    this.#made = new Array(texts.ends.length);
  }

  of(id: number): string {
    const known = this.#made[id];
    if (known !== undefined) return known;
    const { bytes, starts, ends } = this.#texts;
    const made = this.#form(bytes.toString('utf8', starts[id]!, ends[id]!));
    this.#made[id] = made;
    return made;
  }
}
