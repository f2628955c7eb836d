/**
 * Texts as the words of a record: UTF-8, filled up with zeros to four bytes.
 *
 * Data plane. Words can be copied, compared and hashed four bytes at a time.
 */

/** Flag of a length: the text's bytes are not all ASCII. */
export const IS_WIDE = 0x8000_0000;

/** A code unit is at most three bytes of UTF-8. */
const UNIT_BYTES_MAX = 3;

/** In a table of texts by their hash a slot is looked for this long; then the text goes without one. */
export const PROBE_COUNT_MAX = 32;

const encoder = new TextEncoder();

/** Words that a text can take at most. */
export function textWordsMax(text: string): number {
  return ((text.length * UNIT_BYTES_MAX) >>> 2) + 1;
}

/** Words of a text of a length, which may have `IS_WIDE`. */
export function wordsOf(length: number): number {
  return ((length & ~IS_WIDE) + 3) >>> 2;
}

/** A hash of words. */
export function hashOfWords(words: Uint32Array, at: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = at; index < end; index++) {
    hash = Math.imul(hash ^ words[index]!, 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

/** The same words in an array that has room for more; a new one if need be. */
export function withRoom(
  words: Uint32Array<ArrayBuffer>,
  used: number,
  more: number,
): Uint32Array<ArrayBuffer> {
  if (used + more <= words.length) return words;
  const grown = new Uint32Array(Math.max(words.length * 2, used + more));
  grown.set(words.subarray(0, used));
  return grown;
}

/**
 * Writes a text as UTF-8 from a word on, its last word filled up with zeros.
 *
 * @param words has room for `textWordsMax`.
 * @returns the length in bytes, with `IS_WIDE`.
 */
export function encodeText(text: string, words: Uint32Array<ArrayBuffer>, at: number): number {
  let word = 0;
  let target = at;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return encodeWideText(text, words, at);
    const place = index & 3;
    word |= unit << (place << 3);
    if (place !== 3) continue;
    words[target++] = word;
    word = 0;
  }
  if ((text.length & 3) !== 0) words[target] = word;
  return text.length;
}

function encodeWideText(text: string, words: Uint32Array<ArrayBuffer>, at: number): number {
  const bytes = new Uint8Array(words.buffer, at * 4, text.length * UNIT_BYTES_MAX);
  const { written } = encoder.encodeInto(text, bytes);
  const end = wordsOf(written) * 4;
  if (end > written) new Uint8Array(words.buffer, at * 4, end).fill(0, written);
  return (written | IS_WIDE) >>> 0;
}
