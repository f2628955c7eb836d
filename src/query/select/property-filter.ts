/**
 * Tests on a row's pairs: tags of page views, metadata of events (F-12, F-18 to F-20, F-24).
 *
 * Data plane. Keys and values become one byte per dictionary id; id 0, the empty text, stands for
 * "the row lacks the key", since a stored pair never has an empty side (I-54, I-99).
 */

import { UNKNOWN_ID } from '../../segment/memory/dictionary.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import {
  type FilterValues,
  hasNull,
  matchedIds,
  passingIds,
  withoutNull,
} from '../question/filter-values.ts';
import type { PropertyFilter } from '../question/filters.ts';
import { firstPairOf, pairWithKey } from './row-pairs.ts';

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
export type PropertyTest = KeyTest | ValueTest;

/** What is asked of a row's pairs; all of it must hold. */
export interface PropertyQuestion {
  readonly keys: readonly FilterValues[];
  readonly values: readonly PropertyFilter[];
  /** Positions in `DICTIONARY_KINDS`. */
  readonly keyKind: number;
  readonly valueKind: number;
}

/** Compiles the tests of a question for one segment's dictionary. */
export function compilePropertyTests(segment: Segment, question: PropertyQuestion): PropertyTest[] {
  const tests: PropertyTest[] = [];
  for (const values of question.keys) {
    tests.push({
      kind: 'keys',
      any: matchedIds(withoutNull(values.any), segment, question.keyKind),
      none: matchedIds(withoutNull(values.none), segment, question.keyKind),
      needsKey: values.any.length > 0,
      takesBare: hasNull(values.any),
      refusesBare: hasNull(values.none),
    });
  }
  for (const { key, values } of question.values) {
    tests.push({
      kind: 'value',
      key: segment.dictionary.find(question.keyKind, key),
      kept: passingIds(values, segment, question.valueKind),
    });
  }
  return tests;
}

/** Whether a row without pairs fails a test. */
export function needsProperties(test: PropertyTest): boolean {
  if (test.kind === 'value') return test.kept[UNKNOWN_VALUE] === 0;
  return test.needsKey ? !test.takesBare : test.refusesBare;
}

/**
 * Keeps the rows whose pairs pass a test, in place.
 *
 * @param ends per row the end of its pairs; they start where the row before ends.
 * @returns how many are left.
 */
export function keepRowsWithProperties(
  selected: { rows: Uint32Array; count: number },
  ends: Uint32Array,
  pairs: { key: Uint32Array; value: Uint32Array },
  test: PropertyTest,
): number {
  const { rows, count } = selected;
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index]!;
    const start = firstPairOf(ends, row);
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
  const pair = pairWithKey(pairs.key, key, start, end);
  return pair < 0 ? 0 : pairs.value[pair]!;
}
