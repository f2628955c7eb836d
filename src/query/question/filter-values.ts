/**
 * Filter values: what an operator in front of a value means, and which dictionary ids a filter keeps.
 *
 * Parsing is control plane; `keptIds` runs once per segment and dictionary entry, never per row; a
 * search value tests each distinct text of the domain once per query.
 * A filter keeps a text when one of its `any` terms holds (or it has none) and no `none` term holds
 * (F-21): a negated value is the positive term in the other list.
 */

import { UNKNOWN_ID } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { folded, searchFor, type TextSearch } from '../text/text-search.ts';
import { openTextSpace, spaceIds, type TextSpace } from '../text/text-space.ts';

/** One value of a filter in its positive form. */
export type Term =
  | { readonly kind: 'is'; readonly text: string }
  /** Folded; contained in any case. */
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'oneOf'; readonly texts: readonly string[] };

/** All values of one parameter. */
export interface Terms {
  readonly any: readonly Term[];
  readonly none: readonly Term[];
}

/** How the values of a parameter are read. */
export interface ValueForm {
  /** Codes of languages and countries: lower-cased, `~a,b` is a list (F-10, F-22). */
  readonly isCode?: boolean;
}

/**
 * Reads the values of a text filter with the operators `!`, `~`, `^` and `null` (F-20 to F-26).
 *
 * @returns null when no value says anything: all empty, or an operator with nothing after it.
 */
export function parseTerms(values: readonly string[], form: ValueForm = {}): Terms | null {
  const any: Term[] = [];
  const none: Term[] = [];
  for (const value of values) {
    const operator = value[0] ?? '';
    const text = operator !== '' && '!~^'.includes(operator) ? value.slice(1) : value;
    if (text === '') continue;
    const isNegated = operator === '!' || operator === '^';
    const isSearch = operator === '~' || operator === '^';
    (isNegated ? none : any).push(isSearch ? containsTerm(text, form) : isTerm(text, form));
  }
  return any.length + none.length === 0 ? null : { any, none };
}

/** Reads `search`: contained in any case, `!` inverts it, blank is unset (F-32, F-26). */
export function parseSearch(values: readonly string[]): Terms | null {
  const any: Term[] = [];
  const none: Term[] = [];
  for (const value of values) {
    const isInverted = value.startsWith('!');
    const text = isInverted ? value.slice(1) : value;
    if (text.trim() === '') continue;
    (isInverted ? none : any).push({ kind: 'contains', text: folded(text) });
  }
  return any.length + none.length === 0 ? null : { any, none };
}

/** Whether one of the terms is the empty value, `null` (F-23). */
export function hasNull(terms: readonly Term[]): boolean {
  return terms.some((term) => term.kind === 'is' && term.text === '');
}

/** The one value without operator that is asked for (not `null`), else empty (S-32, S-96). */
export function plainTextOf(terms: Terms | null): string {
  if (terms === null || terms.none.length > 0 || terms.any.length !== 1) return '';
  const [term] = terms.any;
  return term?.kind === 'is' ? term.text : '';
}

const shortened = new WeakMap<readonly Term[], readonly Term[]>();

/** The terms without the empty value; the same list every time. */
export function withoutNull(terms: readonly Term[]): readonly Term[] {
  let left = shortened.get(terms);
  if (left === undefined) {
    left = terms.filter((term) => term.kind !== 'is' || term.text !== '');
    shortened.set(terms, left);
  }
  return left;
}

/** The first whole value that is no operator's and not `null`; null when there is none. */
export function firstPlainText(terms: Terms | null): string | null {
  for (const term of terms?.any ?? []) if (term.kind === 'is' && term.text !== '') return term.text;
  return null;
}

/** Whether a filter keeps something that has several texts: one matches, none is excluded. */
export function keepsOneOf(terms: Terms, texts: readonly string[]): boolean {
  if (terms.any.length > 0 && !texts.some(testOf(terms.any).holds)) return false;
  return terms.none.length === 0 || !texts.some(testOf(terms.none).holds);
}

/**
 * Which dictionary ids of a segment a filter keeps.
 *
 * @param kind position in `DICTIONARY_KINDS`.
 * @returns one byte per id: 1 is kept.
 * @cost a look-up per plain value; per search value a byte per text, and a test of each text that the
 *   query has not met in another segment.
 */
export function keptIds(terms: Terms, segment: Segment, kind: number): Uint8Array {
  const kept = new Uint8Array(segment.dictionary.texts(kind).length);
  if (terms.any.length === 0) kept.fill(1);
  else markIds(terms.any, segment, { kind, marks: kept, mark: 1 });
  markIds(terms.none, segment, { kind, marks: kept, mark: 0 });
  return kept;
}

/**
 * Which dictionary ids of a segment at least one of the terms holds for; null without terms.
 *
 * @returns one byte per id: 1 is matched.
 */
export function matchedIds(
  terms: readonly Term[],
  segment: Segment,
  kind: number,
): Uint8Array | null {
  if (terms.length === 0) return null;
  const marks = new Uint8Array(segment.dictionary.texts(kind).length);
  markIds(terms, segment, { kind, marks, mark: 1 });
  return marks;
}

interface MarkTarget {
  readonly kind: number;
  readonly marks: Uint8Array;
  readonly mark: 0 | 1;
}

function markIds(terms: readonly Term[], segment: Segment, target: MarkTarget): void {
  const { kind, marks, mark } = target;
  const { dictionary } = segment;
  const test = testOf(terms);
  for (const text of test.whole) {
    const id = dictionary.find(kind, text);
    if (id !== UNKNOWN_ID) marks[id] = mark;
  }
  if (test.contains !== null) markContaining(test, test.contains, segment, target);
}

/** What a list of terms asks of a text, all of them at once. */
interface TermTest {
  readonly whole: ReadonlySet<string>;
  /** Null: no search value. */
  readonly contains: TextSearch | null;
  readonly holds: (text: string) => boolean;
  /** Per kind, one byte per text by its number in the space: 0 not tested, else `HOLDS` or `FAILS`. */
  readonly verdicts: (Uint8Array | undefined)[];
  /** Where the numbers are from. */
  space: TextSpace | null;
}

const HOLDS = 1;
const FAILS = 2;

/** Per query, as long as it runs: terms are made anew for every query. */
const tests = new WeakMap<readonly Term[], TermTest>();

function testOf(terms: readonly Term[]): TermTest {
  const known = tests.get(terms);
  if (known !== undefined) return known;
  const whole = new Set<string>();
  const words: string[] = [];
  for (const term of terms) {
    if (term.kind === 'contains') words.push(term.text);
    else if (term.kind === 'is') whole.add(term.text);
    else for (const text of term.texts) whole.add(text);
  }
  const contains = words.length === 0 ? null : searchFor(words);
  const holds = (text: string) => whole.has(text) || contains?.(text) === true;
  const test: TermTest = { whole, contains, holds, verdicts: [], space: null };
  tests.set(terms, test);
  return test;
}

/**
 * Texts of a kind that a segment may have for the space to be asked: most of more are met on one day
 * only, and to number a text costs more than to test it.
 */
const NUMBERED_COUNT_MAX = 20_000;

function markContaining(
  test: TermTest,
  contains: TextSearch,
  segment: Segment,
  { kind, marks, mark }: MarkTarget,
): void {
  const texts = segment.dictionary.texts(kind);
  if (texts.length > NUMBERED_COUNT_MAX) {
    for (let id = 0; id < texts.length; id++) if (contains(texts[id]!)) marks[id] = mark;
    return;
  }
  test.space ??= openTextSpace(segment.domainId);
  const map = spaceIds(test.space, segment, kind);
  const known = verdictsFor(test, kind, test.space.texts(kind).length);
  for (let id = 0; id < texts.length; id++) {
    const number = map[id]!;
    if (known[number] === 0) known[number] = contains(texts[id]!) ? HOLDS : FAILS;
    if (known[number] === HOLDS) marks[id] = mark;
  }
}

function verdictsFor({ verdicts }: TermTest, kind: number, count: number): Uint8Array {
  const known = verdicts[kind];
  if (known !== undefined && known.length >= count) return known;
  const grown = new Uint8Array(count * 2);
  if (known !== undefined) grown.set(known);
  verdicts[kind] = grown;
  return grown;
}

function isTerm(text: string, form: ValueForm): Term {
  if (text.toLowerCase() === 'null') return { kind: 'is', text: '' };
  return { kind: 'is', text: form.isCode === true ? text.toLowerCase() : text };
}

function containsTerm(text: string, form: ValueForm): Term {
  if (form.isCode !== true) return { kind: 'contains', text: folded(text) };
  // An empty item is a malformed code and matches nothing, least of all the unknown value (F-22).
  return {
    kind: 'oneOf',
    texts: text
      .toLowerCase()
      .split(',')
      .filter((code) => code !== ''),
  };
}
