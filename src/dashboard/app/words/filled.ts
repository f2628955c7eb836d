/**
 * Texts of the catalogue with what is given for their places (D-18).
 *
 * `{name}` is what is given; a number is written as the reader writes it. `{name:one|other}` is the form
 * that goes with that number, in the order of the categories that the language of the text has.
 */
import { isGerman, language } from './language.ts';

/** What stands in the places of a text, by their names. */
export type Given = Readonly<Record<string, string | number>>;

const PLACE = /\{(\w+)(?::([^}]*))?\}/g;
let plurals: Intl.PluralRules | null = null;

/** A text with its places filled; what is not given is nothing. */
export function filled(text: string, given: Given): string {
  return text.replace(PLACE, (_, name: string, forms?: string) => {
    const value = given[name] ?? '';
    if (forms !== undefined) return formOf(forms.split('|'), Number(value));
    return typeof value === 'number' ? value.toLocaleString(language) : value;
  });
}

/** English and German know two: one, and all others. */
function formOf([one = '', other = one]: readonly string[], value: number): string {
  plurals ??= new Intl.PluralRules(isGerman ? 'de' : 'en');
  return plurals.select(value) === 'one' ? one : other;
}
