/** The languages in which the service writes to people: mails, and the page that ends them (O-21, D-18). */

/** By their codes of ISO 639-1; the first is the default. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One of ours by its code, as a record or a browser has it; null: it is none, and nobody has said one. */
export function languageOfCode(code: string | null | undefined): Language | null {
  return LANGUAGES.find((one) => one === code) ?? null;
}
