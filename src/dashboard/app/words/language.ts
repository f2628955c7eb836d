/** Which language the page speaks: that of the browser, unless a person says otherwise (D-18). */

/** What can be chosen. */
export const LANGUAGES = ['system', 'en', 'de'] as const;
export type LanguageChoice = (typeof LANGUAGES)[number];

/** What languages call themselves: whoever looks for theirs does not read the one that is shown. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

const KEPT = 'footfall_language';

/** What was chosen in this browser. */
export const chosenLanguage: LanguageChoice = kept();

/**
 * The reader's language, for words, numbers and dates. Of a chosen language it is the kind that the
 * browser has, so that dates stay those of the reader's country.
 */
export const language: string =
  chosenLanguage === 'system'
    ? navigator.language || 'en'
    : (navigator.languages.find((one) => one.startsWith(chosenLanguage)) ?? chosenLanguage);

/** Whether the texts are those in German. */
export const isGerman = language.startsWith('de');

/** The page is loaded anew: every text and every format of a number is another one. */
export function chooseLanguage(choice: LanguageChoice): void {
  if (choice === chosenLanguage) return;
  try {
    if (choice === 'system') localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, choice);
  } catch {
    // A browser that keeps nothing stays with its own language.
    return;
  }
  location.reload();
}

function kept(): LanguageChoice {
  try {
    const text = localStorage.getItem(KEPT) as LanguageChoice;
    return LANGUAGES.includes(text) ? text : 'system';
  } catch {
    return 'system';
  }
}
