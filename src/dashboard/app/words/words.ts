/** The catalogue in the reader's language, else in English. */
import { en } from './en.ts';
import { filled, type Given } from './filled.ts';
import { isGerman } from './language.ts';

/** What a text is asked for by. */
export type WordKey = keyof typeof en;

let words: Readonly<Record<WordKey, string>> = en;

/** Resolves once the texts are the reader's; nothing is to be drawn before. English is better than none. */
export const wordsLoaded: Promise<void> = isGerman
  ? import('./de.ts').then(
      ({ de }) => {
        words = de;
      },
      () => undefined,
    )
  : Promise.resolve();

/** A text, with what is given for its places. */
export function word(key: WordKey, given: Given = {}): string {
  return filled(words[key], given);
}

/** The language of the page, for those who have it read aloud. */
export function markLanguage(): void {
  document.documentElement.lang = isGerman ? 'de' : 'en';
}
