/**
 * The language of a visitor (I-86): two letters of ISO 639-1, or nothing.
 *
 * Data plane. A code is a cell of a 26 × 26 table, so the answer is a shared text and nothing is
 * cut, lower-cased or looked up by text per hit.
 */

import { ISO_639_1_CODES } from '../data/languages.ts';

const ALPHABET = 26;
const CODES: string[] = new Array(ALPHABET * ALPHABET).fill('');
for (const code of ISO_639_1_CODES) {
  CODES[(code.charCodeAt(0) - 0x61) * ALPHABET + code.charCodeAt(1) - 0x61] = code;
}

/**
 * Language of an `Accept-Language` header: its first tag up to `;`, `,` or `-`, in lower case.
 *
 * @returns '' when that is no ISO 639-1 code.
 */
export function languageOf(acceptLanguage: string | null | undefined): string {
  if (acceptLanguage === null || acceptLanguage === undefined) return '';
  let at = 0;
  while (isSpace(acceptLanguage.charCodeAt(at))) at++;
  const first = (acceptLanguage.charCodeAt(at) | 0x20) - 0x61;
  const second = (acceptLanguage.charCodeAt(at + 1) | 0x20) - 0x61;
  if (first < 0 || first >= ALPHABET || second < 0 || second >= ALPHABET) return '';
  at += 2;
  while (isSpace(acceptLanguage.charCodeAt(at))) at++;
  if (at < acceptLanguage.length) {
    const next = acceptLanguage.charCodeAt(at);
    if (next !== SEMICOLON && next !== COMMA && next !== HYPHEN) return '';
  }
  return CODES[first * ALPHABET + second]!;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

const COMMA = 0x2c;
const HYPHEN = 0x2d;
const SEMICOLON = 0x3b;
