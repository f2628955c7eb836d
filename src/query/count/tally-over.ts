/** Tallies as cached aggregates: counts by group over all segments of a query. */

import type { Segment } from '../../segment/memory/segment.ts';
import { aggregateOver } from '../cache/cached-aggregate.ts';
import type { QueryContext } from '../plan/query-context.ts';
import { Tally } from './tally.ts';

/**
 * Counts by group over all segments.
 *
 * @param asked as of `aggregateOver`.
 * @param groupCount groups that there is room for at first.
 */
export function tallyOver(
  context: QueryContext,
  asked: readonly unknown[],
  groupCount: number,
  add: (segment: Segment, into: Tally) => void,
): Tally {
  return aggregateOver(context, asked, {
    empty: () => new Tally(groupCount),
    copy: (tally) => tally.copy(),
    bytes: ({ bytes }) => bytes,
    add,
  });
}
