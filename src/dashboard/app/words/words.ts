/** The catalogue in the reader's language: that of the browser, else English. */
import { en } from './en.ts';

/** What a text is asked for by. */
export type WordKey = keyof typeof en;

/** The reader's language, for words, numbers and dates. */
export const language = navigator.language || 'en';

/** Whether the texts are those in German. */
export const isGerman = language.startsWith('de');

const words: Readonly<Record<WordKey, string>> = isGerman ? (await import('./de.ts')).de : en;

/** A text; `{name}` in it is what is given for that name. */
export function word(key: WordKey, given: Readonly<Record<string, string>> = {}): string {
  return words[key].replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
}

/** The language of the page, for those who have it read aloud. */
export function markLanguage(): void {
  document.documentElement.lang = isGerman ? 'de' : 'en';
}
