/**
 * Tests on a row's pairs: tags of page views, metadata of events (F-12, F-18 to F-20, F-24).
 *
 * Data plane. Keys and values become one byte per dictionary id; id 0, the empty text, stands for
 * "the row lacks the key", since a stored pair never has an empty side (I-54, I-99).
 */

import { UNKNOWN_ID } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import {
  hasNull,
  keptIds,
  matchedIds,
  type Terms,
  withoutNull,
} from '../question/filter-values.ts';
import type { PairFilter } from '../question/filters.ts';

/** Value id that stands for the missing key. */
const UNKNOWN_VALUE = 0;

/** Tests which keys a row has. */
interface KeyTest {
  readonly kind: 'keys';
  /** Bytes per key id of which a row needs one; null: none needed. */
  readonly any: Uint8Array | null;
  readonly none: Uint8Array | null;
  readonly needsKey: boolean;
  /** `null` among the values: a row without pairs passes. */
  readonly takesBare: boolean;
  readonly refusesBare: boolean;
}

/** Tests the value of one key. */
interface ValueTest {
  readonly kind: 'value';
  readonly key: number;
  /** Bytes per value id; id 0 answers for rows that lack the key. */
  readonly kept: Uint8Array;
}

/** A compiled test on the pairs of a row. */
export type PairTest = KeyTest | ValueTest;

/** What is asked of a row's pairs; all of it must hold. */
export interface PairQuestion {
  readonly keys: readonly Terms[];
  readonly values: readonly PairFilter[];
  /** Positions in `DICTIONARY_KINDS`. */
  readonly keyKind: number;
  readonly valueKind: number;
}

/** Compiles the tests of a question for one segment's dictionary. */
export function compilePairTests(segment: Segment, question: PairQuestion): PairTest[] {
  const tests: PairTest[] = [];
  for (const terms of question.keys) {
    tests.push({
      kind: 'keys',
      any: matchedIds(withoutNull(terms.any), segment, question.keyKind),
      none: matchedIds(withoutNull(terms.none), segment, question.keyKind),
      needsKey: terms.any.length > 0,
      takesBare: hasNull(terms.any),
      refusesBare: hasNull(terms.none),
    });
  }
  for (const { key, terms } of question.values) {
    tests.push({
      kind: 'value',
      key: segment.dictionary.find(question.keyKind, key),
      kept: keptIds(terms, segment, question.valueKind),
    });
  }
  return tests;
}

/** Whether a row without pairs fails a test. */
export function needsPairs(test: PairTest): boolean {
  if (test.kind === 'value') return test.kept[UNKNOWN_VALUE] === 0;
  return test.needsKey ? !test.takesBare : test.refusesBare;
}

/**
 * Keeps the rows whose pairs pass a test, in place.
 *
 * @param ends per row the end of its pairs; they start where the row before ends.
 * @returns how many are left.
 */
export function keepPairRows(
  selected: { rows: Uint32Array; count: number },
  ends: Uint32Array,
  pairs: { key: Uint32Array; value: Uint32Array },
  test: PairTest,
): number {
  const { rows, count } = selected;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    const start = row === 0 ? 0 : ends[row - 1]!;
    const end = ends[row]!;
    const passes =
      test.kind === 'keys'
        ? keysPass(test, pairs.key, start, end)
        : test.kept[valueIdOf(test.key, pairs, start, end)] === 1;
    if (passes) rows[kept++] = row;
  }
  return kept;
}

function keysPass(test: KeyTest, keys: Uint32Array, start: number, end: number): boolean {
  const { any, none } = test;
  if (start === end) return !test.refusesBare && (!test.needsKey || test.takesBare);
  let hasKey = !test.needsKey;
  for (let pair = start; pair < end; pair++) {
    const key = keys[pair]!;
    if (none !== null && none[key] === 1) return false;
    if (any !== null && any[key] === 1) hasKey = true;
  }
  return hasKey;
}

/** Value id of a key, 0 when the row lacks it. */
function valueIdOf(
  key: number,
  pairs: { key: Uint32Array; value: Uint32Array },
  start: number,
  end: number,
): number {
  if (key === UNKNOWN_ID) return 0;
  const { key: keys, value: values } = pairs;
  for (let pair = start; pair < end; pair++) if (keys[pair] === key) return values[pair]!;
  return 0;
}
