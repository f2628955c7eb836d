/** The part of the catalogue that settings need: loaded with them, not with the first view (D-3). */
import { filled, type Given } from './filled.ts';
import { isGerman } from './language.ts';
import { en } from './settings-en.ts';
import { type WordKey, word } from './words.ts';

/** What a text of the settings is asked for by: one of their own, or one of the page. */
export type SayKey = keyof typeof en | WordKey;

const words: Readonly<Record<string, string>> = isGerman
  ? (await import('./settings-de.ts')).de
  : en;

/** A text, with what is given for its places. */
export function say(key: SayKey, given: Given = {}): string {
  const own = words[key];
  return own === undefined ? word(key as WordKey, given) : filled(own, given);
}
