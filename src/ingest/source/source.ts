/**
 * What a source of traffic is called (I-91 step 5, I-92) and of which category it is (I-98).
 *
 * The tables of `ingest/data` are read once, at the start of a thread. Names are looked up once per
 * distinct referrer (`referrer-text.ts` is remembered), categories as `channel.ts` says.
 */

import { ANDROID_APPS } from '../data/android-apps.ts';
import { SOURCES, type SourceCategory } from '../data/referrers.ts';
import { withoutWww } from '../page/page-url.ts';

const ANY_COUNTRY = '.*';
/** Longest label before a country's own: `co`, `com`, `net`, `org`, … */
const SECOND_LEVEL_LENGTH_MAX = 3;

/** Host, or host + path → name. */
const names = new Map<string, string>();
/** First label of a host that has one address per country → name. */
const namesAnyCountry = new Map<string, string>();
/** Name or word of campaigns, lower case → category. */
const categories = new Map<string, SourceCategory>();
/** Android package → name. */
const androidNames = new Map<string, string>(linesOf(ANDROID_APPS));

for (const [category, lines] of Object.entries(SOURCES)) {
  for (const [name, words] of linesOf(lines)) {
    addSource(name, words.split(' '), category as SourceCategory | '');
  }
}

function linesOf(text: string): [string, string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon).trim(), line.slice(colon + 2).trim()];
    });
}

function addSource(name: string, words: readonly string[], category: SourceCategory | ''): void {
  if (category !== '') categories.set(name.toLowerCase(), category);
  for (const word of words) {
    if (word.endsWith(ANY_COUNTRY)) namesAnyCountry.set(word.slice(0, -ANY_COUNTRY.length), name);
    else if (word.includes('.')) names.set(word, name);
    else if (category !== '') categories.set(word, category);
  }
}

/**
 * The name of a site (I-91 step 5), with the wildcards of I-92.
 *
 * @param host lower case, without `www.`.
 * @returns the host itself when the table does not have it.
 */
export function sourceName(host: string, path: string): string {
  const exact = names.get(host + path) ?? names.get(host);
  if (exact !== undefined) return exact;
  const [family = '', ...suffix] = host.split('.');
  // `google.de` and `google.co.uk` are of the family, `google.example.com` is not.
  const isCountry =
    suffix.length === 1 ||
    (suffix.length === 2 && (suffix[0] as string).length <= SECOND_LEVEL_LENGTH_MAX);
  return (isCountry ? namesAnyCountry.get(family) : undefined) ?? host;
}

/** The name of an Android app (I-91 step 1); the package itself when the table does not have it. */
export function androidAppName(id: string): string {
  return androidNames.get(id) ?? id;
}

/**
 * The category of a referrer name or of utm_source (I-98), whatever its case.
 *
 * @param text a name, a word of campaigns, or a host: `google`, `Google` and `google.com` are one.
 * @returns '' when the table does not have it.
 */
export function sourceCategory(text: string): SourceCategory | '' {
  const word = text.toLowerCase();
  const category = categories.get(word);
  if (category !== undefined) return category;
  if (!word.includes('.')) return '';
  return categories.get(sourceName(withoutWww(word), '').toLowerCase()) ?? '';
}
