/**
 * Sums over segments that are kept: what a question under its filters counted on days at rest.
 *
 * Segments are disjoint, so an answer is a sum over them, and days that do not move any more add
 * the same every time. What they add up to is kept under the question, its filters and the state of
 * the days; so is the whole sum, until a hit comes. A dashboard that asks again pays for the days
 * that moved.
 *
 *     day day day … day │ yesterday  today
 *     └──── kept ───────┘      │       │
 *     └──────────── kept ──────────────┘      + added when something moved
 *
 * Groups are numbered once per text space (`numbersIn`), so that sums of several questions fit
 * together.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { Tally } from '../count/tally.ts';
import type { StatisticsQuery } from '../question/request.ts';
import { openTextSpace, type TextSpace } from '../text/text-space.ts';
import { atRest, clippedKey, kept, signatureOf } from './result-cache.ts';

/** A query and its segments; a scan is one. */
export interface Summed {
  readonly query: StatisticsQuery;
  readonly segments: readonly Segment[];
  /** False: nothing is kept, nor taken from what is. */
  readonly usesRollups: boolean;
}

/** What is summed, of a shape of its own. */
export interface SumShape<S> {
  readonly empty: () => S;
  /** A copy that can be added to without a change of the original. */
  readonly copy: (sum: S) => S;
  readonly bytes: (sum: S) => number;
  readonly add: (segment: Segment, into: S) => void;
}

/**
 * A sum over all segments of a query.
 *
 * @param asked what it depends on beside the query's statistic, filters, metric, range and kind of page:
 *   plain data.
 * @returns kept for others: do not add to it.
 */
export function sumOver<S>(scan: Summed, asked: readonly unknown[], shape: SumShape<S>): S {
  const { segments, query } = scan;
  if (!scan.usesRollups || segments.some(({ revision }) => revision === 0)) {
    return addAll(shape, segments, shape.empty());
  }
  const question = questionKey(scan, asked);
  const { resting, moving } = atRest(segments);
  const keyOf = (some: readonly Segment[]): string =>
    `${question} ${signatureOf(some)} ${clippedKey(some, query.range)}`;
  const atRestSum = (): S =>
    kept(keyOf(resting), () => addAll(shape, resting, shape.empty()), shape.bytes);
  if (moving.length === 0) return atRestSum();
  return kept(
    keyOf(segments),
    () => addAll(shape, moving, resting.length === 0 ? shape.empty() : shape.copy(atRestSum())),
    shape.bytes,
  );
}

/** The same, of counts by group. */
export function tallyOver(
  scan: Summed,
  asked: readonly unknown[],
  groupCount: number,
  add: (segment: Segment, into: Tally) => void,
): Tally {
  return sumOver(scan, asked, {
    empty: () => new Tally(groupCount),
    copy: (tally) => tally.copy(),
    bytes: ({ bytes }) => bytes,
    add,
  });
}

function addAll<S>({ add }: SumShape<S>, segments: readonly Segment[], into: S): S {
  for (const segment of segments) add(segment, into);
  return into;
}

/** All of a question but how its rows are shown, so that nothing it depends on can be forgotten. */
function questionKey({ query }: Summed, asked: readonly unknown[]): string {
  const { statistic, filters, metric, byTitle, includesTimeOnPage, scale, range } = query;
  const space = openTextSpace(query.domainId).number;
  const all = [statistic, filters, metric, byTitle, includesTimeOnPage, scale, range.zone, asked];
  return `sum ${space} ${JSON.stringify(all)}`;
}

const numberings = new WeakMap<TextSpace, Map<string, unknown>>();

/**
 * Numbers of groups that live as long as the space.
 *
 * @param name of one type of numbering; what it numbers must not depend on the question.
 */
export function numbersIn<T>(space: TextSpace, name: string, make: () => T): T {
  let held = numberings.get(space);
  if (held === undefined) {
    held = new Map();
    numberings.set(space, held);
  }
  let numbers = held.get(name) as T | undefined;
  if (numbers === undefined) {
    numbers = make();
    held.set(name, numbers);
  }
  return numbers;
}
