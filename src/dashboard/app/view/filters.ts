/**
 * Filters as the page holds them: parameters of the interface, shown as words (D-13).
 *
 * A value may begin with an operator (F-20): `!` is not, `~` contains, `^` contains not.
 */
import type { WordKey } from '../words/words.ts';

/** One value of one filter. */
export interface Filter {
  /** A parameter of the statistics: `path`, `country`, `tag_author`. */
  readonly name: string;
  readonly operator: Operator;
  readonly value: string;
}

export type Operator = '' | '!' | '~' | '^';

/** Parameters whose name says it all, with what they are called. */
export const FILTER_WORDS: Readonly<Record<string, WordKey>> = {
  path: 'page',
  entry_path: 'entryPage',
  exit_path: 'exitPage',
  pattern: 'pattern',
  hostname: 'hostname',
  referrer: 'referrer',
  referrer_name: 'source',
  channel: 'channel',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_content: 'utmContent',
  utm_term: 'utmTerm',
  country: 'country',
  region: 'region',
  city: 'city',
  language: 'language',
  browser: 'browser',
  browser_version: 'browserVersion',
  os: 'os',
  os_version: 'osVersion',
  platform: 'platform',
  screen_class: 'screen',
  device: 'device',
  event: 'event',
  event_meta_key: 'eventKey',
  tag: 'tag',
};
/** Parameters that end in a key of the site's own. */
const PREFIXES = ['tag_', 'meta_'];
/** These know `!` alone. */
const PLAIN = new Set(['pattern', 'platform']);

/** Whether a parameter of an address is a filter. */
export function isFilter(name: string): boolean {
  return Object.hasOwn(FILTER_WORDS, name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The operators that a filter knows. */
export function operatorsOf(name: string): readonly Operator[] {
  return PLAIN.has(name) ? ['', '!'] : ['', '!', '~', '^'];
}

/** A value of the interface, taken apart. */
export function filterOf(name: string, text: string): Filter {
  const first = text.slice(0, 1) as Operator;
  const isOperator = first !== '' && operatorsOf(name).includes(first);
  return { name, operator: isOperator ? first : '', value: isOperator ? text.slice(1) : text };
}

/** The value as the interface reads it. */
export function textOf({ operator, value }: Filter): string {
  return operator + value;
}

/** Filters as parameters: values of one name stand side by side. */
export function parametersOf(filters: readonly Filter[]): Record<string, string[]> {
  const parameters: Record<string, string[]> = {};
  for (const filter of filters) {
    const values = parameters[filter.name] ?? [];
    parameters[filter.name] = [...values, textOf(filter)];
  }
  return parameters;
}

/** With one more; the same value under another operator is replaced. */
export function withFilter(filters: readonly Filter[], added: Filter): readonly Filter[] {
  const others = filters.filter(({ name, value }) => name !== added.name || value !== added.value);
  return [...others, added];
}
