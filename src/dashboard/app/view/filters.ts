/**
 * Filters as the page holds them: parameters of the interface, shown as words (D-13).
 *
 * A value may begin with an operator (F-20): `!` is not, `~` contains, `^` contains not.
 */
import type { en } from '../words/en.ts';

type WordKey = keyof typeof en;

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
  visitor_id: 'visitor',
  session_id: 'session',
};
/** Parameters that end in a key of the site's own. */
const PREFIXES = ['tag_', 'meta_'];
/** These count together only (F-31), and know no operator. */
export const PAIRED = new Set(['visitor_id', 'session_id']);
/** These know `!` alone. */
const PLAIN = new Set(['pattern', 'platform']);

/** Whether a parameter of an address is a filter. */
export function isFilter(name: string): boolean {
  return Object.hasOwn(FILTER_WORDS, name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** The operators that a filter knows. */
export function operatorsOf(name: string): readonly Operator[] {
  if (PAIRED.has(name)) return [''];
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

/** Operators, and a word that means the empty value: no value begins with them as such (F-23, F-26). */
const READ_OTHERWISE = /^[!~^]|^null$/i;

/**
 * The filter that means a value as a row shows it: `null` where it is empty, and what contains it where
 * it could not be told from an operator.
 */
export function exactFilter(name: string, text: string, operator: '' | '!'): Filter {
  if (text === '') return { name, operator, value: 'null' };
  if (!READ_OTHERWISE.test(text) || PLAIN.has(name)) return { name, operator, value: text };
  return { name, operator: operator === '' ? '~' : '^', value: text };
}

/** Filters in runs of one name and one sense, in the order in which the names came. */
export function runsOf(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const runs = new Map<string, Filter[]>();
  for (const filter of filters) {
    const key = `${isNegative(filter)} ${filter.name}`;
    runs.set(key, [...(runs.get(key) ?? []), filter]);
  }
  return [...runs.values()];
}

/** Of negated values all hold, of others any (F-21). */
export function isNegative({ operator }: Filter): boolean {
  return operator === '!' || operator === '^';
}

/** With some more; the same value under another operator is replaced. */
export function withFilters(
  filters: readonly Filter[],
  added: readonly Filter[],
): readonly Filter[] {
  const isAdded = ({ name, value }: Filter) =>
    added.some((one) => one.name === name && one.value === value);
  return [...filters.filter((one) => !isAdded(one)), ...added];
}

/** With one more. */
export function withFilter(filters: readonly Filter[], added: Filter): readonly Filter[] {
  return withFilters(filters, [added]);
}
