/**
 * Cached aggregates: what a question under its filters counted on days that do not change any more.
 *
 * Segments are disjoint, so an answer is a sum over them, and settled days add the same every time.
 * Their sum is cached under the question, its filters and the state of the days; so is the whole sum,
 * until a hit comes. A dashboard that asks again pays for the days that changed.
 *
 *     day day day … day │ yesterday  today
 *     └─── cached ──────┘      │       │
 *     └──────────── cached ────────────┘      + added when a day changed
 *
 * Groups are numbered once per text space (`text/numberings.ts`), so that aggregates of several
 * questions fit together.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { QueryContext } from '../plan/query-context.ts';
import { isRevised, splitSettled } from '../plan/segment-planner.ts';
import { openTextSpace } from '../text/text-space.ts';
import { cached, clippedKey, signatureOf } from './result-cache.ts';

/** An aggregate of a shape of its own. */
export interface AggregateShape<A> {
  readonly empty: () => A;
  /** A copy that can be added to without a change of the original. */
  readonly copy: (aggregate: A) => A;
  readonly bytes: (aggregate: A) => number;
  readonly add: (segment: Segment, into: A) => void;
}

/**
 * An aggregate over all segments of a query.
 *
 * @param asked what it depends on beside the query's statistic, filters, metric, range and kind of page:
 *   plain data.
 * @returns cached for others: do not add to it.
 */
export function aggregateOver<A>(
  context: QueryContext,
  asked: readonly unknown[],
  shape: AggregateShape<A>,
): A {
  const { segments, query, plan } = context;
  if (plan.aggregates === 'counted' || !segments.every(isRevised)) {
    return addAll(shape, segments, shape.empty());
  }
  const question = questionKey(context, asked);
  const { settled, changing } = splitSettled(segments);
  const keyOf = (some: readonly Segment[]): string =>
    `${question} ${signatureOf(some)} ${clippedKey(some, query.range)}`;
  const ofSettled = (): A =>
    cached(keyOf(settled), () => addAll(shape, settled, shape.empty()), shape.bytes);
  if (changing.length === 0) return ofSettled();
  return cached(
    keyOf(segments),
    () => addAll(shape, changing, settled.length === 0 ? shape.empty() : shape.copy(ofSettled())),
    shape.bytes,
  );
}

function addAll<A>({ add }: AggregateShape<A>, segments: readonly Segment[], into: A): A {
  for (const segment of segments) add(segment, into);
  return into;
}

/** All of a question but how its rows are shown, so that nothing it depends on can be forgotten. */
function questionKey({ query }: QueryContext, asked: readonly unknown[]): string {
  const { statistic, filters, metric, byTitle, includesTimeOnPage, scale, range } = query;
  const space = openTextSpace(query.domainId).number;
  const all = [statistic, filters, metric, byTitle, includesTimeOnPage, scale, range.zone, asked];
  return `aggregate ${space} ${JSON.stringify(all)}`;
}
