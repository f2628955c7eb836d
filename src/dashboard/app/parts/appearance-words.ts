/** What the choices of looks and of languages are called. */
import { LANGUAGE_NAMES, type LanguageChoice } from '../words/language.ts';
import { word } from '../words/words.ts';
import type { Appearance } from './appearance.ts';

/** What an appearance is called. */
export function appearanceWord(choice: Appearance): string {
  return word(choice === 'system' ? 'bySystem' : choice);
}

/** What a language is called. */
export function languageWord(choice: LanguageChoice): string {
  return choice === 'system' ? word('bySystem') : LANGUAGE_NAMES[choice];
}
