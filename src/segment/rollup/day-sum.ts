/**
 * The pre-aggregates of several days as those of one, so that a range of ninety days is read from a
 * dozen tables instead of ninety, and each text of them once instead of on every day.
 *
 * Data plane. Days share no visitor and no session, so counts add up. A sum is a segment with nothing in
 * it but `rollups`, `pages` and the texts that they name: titles, and with them `titledPages`, are most
 * of a day's texts and asked for rarely; quarters of an hour are of one day only.
 */

import { must } from '../../base/assert.ts';
import { DICTIONARY_KINDS } from '../../model/text-kinds.ts';
import { type Dictionary, KIND, UNKNOWN_ID } from '../memory/dictionary.ts';
import { NONE } from '../memory/layout.ts';
import { Segment } from '../memory/segment.ts';
import { FAMILY, FAMILY_COUNT, isOfSessions, SESSION_FAMILIES } from './families.ts';
import { smallerOf } from './groups.ts';
import { RollupIndex } from './index.ts';
import { hasFamily, isRolledUp } from './rebuild.ts';

const PAGE_COUNTS = [
  ...(['views', 'sessions', 'visitors', 'bounces'] as const),
  ...(['entries', 'exits', 'timed', 'seconds'] as const),
] as const;
const GROUP_COUNTS = ['views', 'sessions', 'visitors', 'bounces', 'timed', 'seconds'] as const;

/** By family: kinds of the texts in `first`, `second`, `third`; null: a number, or nothing. */
const KEY_KINDS: readonly (readonly (number | null)[])[] = Array.from(
  { length: FAMILY_COUNT },
  (_, code) => [...keyKindsOf(code), null, null, null].slice(0, 3),
);

function keyKindsOf(code: number): readonly (number | null)[] {
  if (isOfSessions(code)) {
    const family = must(
      SESSION_FAMILIES.find((other) => other.code === code),
      'codes of families of sessions run without a gap',
    );
    return family.keys.map((key) => (key === 'platform' ? null : KIND[key]));
  }
  if (code === FAMILY.tagKey) return [KIND.tagKey];
  if (code === FAMILY.eventName) return [KIND.eventName];
  if (code === FAMILY.eventKey) return [KIND.eventName, KIND.metaKey];
  if (code === FAMILY.referrerName) return [KIND.referrerName, KIND.referrer, KIND.referrerIcon];
  return [];
}

/** Whether a day has all pre-aggregates that a sum has: one saved by an older release may not. */
export function isSummable(segment: Segment): boolean {
  return isRolledUp(segment) && SESSION_FAMILIES.every(({ code }) => hasFamily(segment, code));
}

/**
 * The sum of some days.
 *
 * @param days at least one, each of them `isSummable`.
 * @cost a look-up per text, page and group of every day.
 */
export function sumOfDays(days: readonly Segment[]): Segment {
  const [{ domainId, day }] = days as readonly [Segment, ...Segment[]];
  const mixed = new Segment(domainId, day);
  addDays(days, mixed);
  // Once more in order of text: neighbours are alike on disk, and whoever numbers the texts of one sum
  // after the other finds them side by side.
  const sum = new Segment(domainId, day);
  for (let kind = 0; kind < DICTIONARY_KINDS.length; kind++) {
    const texts = mixed.dictionary.texts(kind).slice(1).sort();
    for (const text of texts) sum.dictionary.load(kind, text);
  }
  addDays([mixed], sum);
  sum.dictionary.isOrdered = true;
  return sum;
}

function addDays(days: readonly Segment[], sum: Segment): void {
  const index = new RollupIndex(sum);
  for (const segment of days) {
    const numbers = new TextNumbers(segment.dictionary, sum.dictionary);
    addPages(segment, sum, index, numbers);
    addGroups(segment, sum, index, numbers);
  }
}

/** Ids of a day's texts in the sum. A sum has no bound of its own (I-79): what days have, it has. */
class TextNumbers {
  readonly #from: Dictionary;
  readonly #into: Dictionary;
  /** By kind: by id, its id in the sum plus one; 0 while it is not known. */
  readonly #maps: Uint32Array[] = [];

  constructor(from: Dictionary, into: Dictionary) {
    this.#from = from;
    this.#into = into;
  }

  of(kind: number, id: number): number {
    const texts = this.#from.texts(kind);
    this.#maps[kind] ??= new Uint32Array(texts.length);
    const map = this.#maps[kind];
    if (map[id] === 0) map[id] = this.#numberOf(kind, texts[id]!) + 1;
    return map[id]! - 1;
  }

  #numberOf(kind: number, text: string): number {
    const known = this.#into.find(kind, text);
    if (known !== UNKNOWN_ID) return known;
    this.#into.load(kind, text);
    return this.#into.texts(kind).length - 1;
  }
}

function addPages(segment: Segment, sum: Segment, index: RollupIndex, numbers: TextNumbers): void {
  const { columns, rowCount } = segment.pages;
  const targets = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    targets[row] = index.pageRow(numbers.of(KIND.path, columns.path[row]!), NONE);
  }
  for (const name of PAGE_COUNTS) addColumn(columns[name], sum.pages.columns[name], targets);
}

function addGroups(segment: Segment, sum: Segment, index: RollupIndex, numbers: TextNumbers): void {
  const { columns, rowCount } = segment.rollups;
  const targets = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const code = columns.family[row]!;
    const [first, second, third] = KEY_KINDS[code] as readonly (number | null)[];
    const one = keyOf(numbers, first, columns.first[row]!);
    const two = keyOf(numbers, second, columns.second[row]!);
    const three = keyOf(numbers, third, columns.third[row]!);
    const target = index.rollupRow(code, one, two, three);
    targets[row] = target;
    if (code !== FAMILY.referrerName) continue;
    // What is the smallest of a referrer is no key of it.
    const { second: urls, third: icons } = sum.rollups.columns;
    urls[target] = smallerOf(sum.dictionary.texts(KIND.referrer), urls[target]!, two);
    icons[target] = smallerOf(sum.dictionary.texts(KIND.referrerIcon), icons[target]!, three);
  }
  for (const name of GROUP_COUNTS) addColumn(columns[name], sum.rollups.columns[name], targets);
}

function keyOf(numbers: TextNumbers, kind: number | null | undefined, value: number): number {
  return kind === null || kind === undefined || value === 0 ? value : numbers.of(kind, value);
}

function addColumn(
  from: Uint32Array | Float64Array,
  into: Uint32Array | Float64Array,
  targets: Uint32Array,
): void {
  for (let row = 0; row < targets.length; row++) into[targets[row]!]! += from[row]!;
}
