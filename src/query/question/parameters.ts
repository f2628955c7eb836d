/**
 * The parameters of a query string: decoded, bounded, several values each.
 *
 * Control plane. Names come from clients, so they are keys of a Map, never of an object.
 */

import { errors } from '../../model/errors.ts';
import {
  LIST_LIMIT_MAX,
  PARAMETER_VALUE_COUNT_MAX,
  QUERY_STRING_BYTES_MAX,
  VALIDATION_ENTRY_COUNT_MAX,
} from '../../model/limits.ts';

/** The decoded parameters of a query string. */
export interface QueryParameters {
  /** Every value of a parameter in the order sent, empty ones included; `[]` when absent. */
  get(name: string): readonly string[];
  /** Names of the parameters sent. */
  names(): Iterable<string>;
}

/**
 * Decodes a query string.
 *
 * `name[]` is `name`, and so is `name[0]`, as PHP writes the values of an array; `+` is a space,
 * and what does not decode stays as sent.
 *
 * @param raw the part of the address after `?`, as sent.
 * @throws VALIDATION_FAILED when it is longer than 16 KiB or a parameter has more than 100 values.
 */
export function parseQueryString(raw: string): QueryParameters {
  const problems = new Map<string, string>();
  const values = new Map<string, string[]>();
  if (Buffer.byteLength(raw) > QUERY_STRING_BYTES_MAX) {
    problems.set('query', `must be at most ${QUERY_STRING_BYTES_MAX} bytes long in all`);
    throw refused(problems);
  }
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = plainName(decode(split < 0 ? pair : pair.slice(0, split)));
    const value = split < 0 ? '' : decode(pair.slice(split + 1));
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else list.push(value);
  }
  for (const [name, list] of values) {
    if (list.length <= PARAMETER_VALUE_COUNT_MAX) continue;
    problems.set(name, `must have at most ${PARAMETER_VALUE_COUNT_MAX} values`);
  }
  if (problems.size > 0) throw refused(problems);
  return parametersOf(values);
}

/**
 * The values of parameters that stand in JSON: texts, numbers, flags, or lists of them; null is absent.
 *
 * @param tell of a parameter whose value is none of these, or too many.
 */
export function givenValues(
  members: Iterable<readonly [name: string, value: unknown]>,
  tell: (name: string, message: string) => void,
): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [sent, value] of members) {
    const name = plainName(sent);
    const values = Array.isArray(value) ? value : value === null ? [] : [value];
    if (!values.every(isPlainValue)) tell(name, PLAIN_VALUES);
    else found.set(name, [...(found.get(name) ?? []), ...values.map(String)]);
  }
  for (const [name, { length }] of found) {
    if (length > PARAMETER_VALUE_COUNT_MAX) {
      tell(name, `must have at most ${PARAMETER_VALUE_COUNT_MAX} values`);
    }
  }
  return found;
}

/** Parameters of which some stand for others of their name, whether they have values or none. */
export function overlaid(
  own: ReadonlyMap<string, readonly string[]>,
  others: ReadonlyMap<string, readonly string[]>,
): QueryParameters {
  return {
    get: (name) => own.get(name) ?? others.get(name) ?? [],
    names: () => new Set([...others.keys(), ...own.keys()]),
  };
}

/** Parameters that no client sent: of a goal, of a step. */
export function parametersOf(values: ReadonlyMap<string, readonly string[]>): QueryParameters {
  return { get: (name) => values.get(name) ?? [], names: () => values.keys() };
}

/** The first value that is not empty: an empty parameter equals an absent one (F-7). */
export function firstValue(parameters: QueryParameters, name: string): string | undefined {
  return parameters.get(name).find((value) => value !== '');
}

/** Which rows of a list are asked for. */
export function requestedPage(parameters: QueryParameters): { offset: number; limit: number } {
  const limit = parseCount(firstValue(parameters, 'limit')) ?? 0;
  return {
    offset: parseCount(firstValue(parameters, 'offset')) ?? 0,
    limit: limit === 0 || limit > LIST_LIMIT_MAX ? LIST_LIMIT_MAX : limit,
  };
}

/** beyond a safe integer there are no rows anyway. */
function parseCount(text: string | undefined): number | null {
  if (text === undefined || !/^\d+$/.test(text)) return null;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** `true` or `1`; null when it says neither yes nor no. */
export function parseFlag(text: string | undefined): boolean | null {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}

/** The refusal that names every parameter that has to change. */
export function refused(problems: ReadonlyMap<string, string>): Error {
  const entries = [...problems].slice(0, VALIDATION_ENTRY_COUNT_MAX);
  return errors.VALIDATION_FAILED({ validation: Object.fromEntries(entries) });
}

/** A name without what marks it as one of several; a key of tags or metadata may end in `[0]` itself. */
function plainName(sent: string): string {
  const hasKey = sent.startsWith('meta_') || sent.startsWith('tag_');
  return sent.replace(hasKey ? /\[\]$/ : /\[\d*\]$/, '');
}

const PLAIN_VALUES = 'must be a text, a number, true or false, or a list of them';

function isPlainValue(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // What does not decode is kept as sent, as in paths (I-6).
    return spaced;
  }
}
