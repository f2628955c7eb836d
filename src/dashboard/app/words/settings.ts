/** The part of the catalogue that settings need: loaded with them, not with the first view (D-3). */
import { isGerman } from './language.ts';
import { en } from './settings-en.ts';
import { type WordKey, word } from './words.ts';

/** What a text of the settings is asked for by: one of their own, or one of the page. */
export type SayKey = keyof typeof en | WordKey;

const words: Readonly<Record<string, string>> = isGerman
  ? (await import('./settings-de.ts')).de
  : en;

/** A text; `{name}` in it is what is given for that name. Names of people's own stay as they are. */
export function say(key: SayKey, given: Readonly<Record<string, string>> = {}): string {
  const own = words[key];
  if (own === undefined) return word(key as WordKey, given);
  return own.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
}
