/** The catalogue in the reader's language, else in English. */
import { en } from './en.ts';
import { isGerman } from './language.ts';

/** What a text is asked for by. */
export type WordKey = keyof typeof en;

const words: Readonly<Record<WordKey, string>> = isGerman ? (await import('./de.ts')).de : en;

/** A text; `{name}` in it is what is given for that name. */
export function word(key: WordKey, given: Readonly<Record<string, string>> = {}): string {
  return words[key].replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
}

/** The language of the page, for those who have it read aloud. */
export function markLanguage(): void {
  document.documentElement.lang = isGerman ? 'de' : 'en';
}
