/**
 * What page views a query is about, as selecting and counting ask it.
 *
 * Control plane; made once per query and set of filters.
 */

import type { Terms } from '../question/filter-values.ts';
import { filterSets, hasViewFilter, type QueryFilters } from '../question/filters.ts';
import type { Span } from './selection.ts';

/** What rows are selected by. */
export interface ViewQuestion {
  readonly range: Span;
  readonly filters: QueryFilters;
  /** A search on pages filters rows (F-32); null elsewhere. */
  readonly search: Terms | null;
  /** Whether the search tests titles too. */
  readonly byTitle: boolean;
  /**
   * Latest time per block of 1,024 rows for the first blocks: blocks before the range are skipped.
   * Rows are only nearly in order of time, so nothing less than a block's maximum will do.
   */
  readonly blockMaxMs: Float64Array | null;
  /** Whether page views without tags may be left out: they add nothing to the answer. */
  readonly onlyTagged?: boolean;
}

/** Whether a question tests single page views, not only their sessions and times. */
export function testsViews({ filters, search }: ViewQuestion): boolean {
  return hasViewFilter(filters) || search !== null;
}

/** Whether single page views are tested by nothing but their path and title. */
export function testsPagesOnly({ filters }: ViewQuestion): boolean {
  return filterSets(filters).every(({ tagKeys, tags }) => tagKeys === null && tags.length === 0);
}
