/**
 * Filters on a session's values as tests on one segment: one byte per dictionary id, and the index of
 * the column where there is one.
 *
 * Data plane, once per segment and filter.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryRun } from '../plan/query-run.ts';
import { passingIds } from '../question/filter-values.ts';
import { filterSets, type QueryFilters, type SessionText } from '../question/filters.ts';
import { kindOfColumn, passingCount, type RowIndex, sessionsByValue } from './row-index.ts';

/** One byte per value decides. */
export interface ValueTest {
  readonly column: SessionText | 'platform';
  readonly kept: Uint8Array;
  readonly index: RowIndex | null;
  /** Sessions that it keeps; infinite where no index tells. */
  readonly count: number;
}

/** The tests of every set of filters, in their order. */
export function valueTests(segment: Segment, filters: QueryFilters, run: QueryRun): ValueTest[] {
  const tests: ValueTest[] = [];
  for (const { sessionTexts, platforms } of filterSets(filters)) {
    for (const { column, values } of sessionTexts) {
      const kept = passingIds(values, segment, kindOfColumn(column));
      const index = sessionsByValue(segment, column, run);
      const count = index === null ? Number.POSITIVE_INFINITY : passingCount(index, kept);
      tests.push({ column, kept, index, count });
    }
    if (platforms !== null) {
      const kept = Uint8Array.from(platforms);
      tests.push({ column: 'platform', kept, index: null, count: Number.POSITIVE_INFINITY });
    }
  }
  return tests;
}
