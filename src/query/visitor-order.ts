/**
 * The sessions of a segment in order of their visitors, so that distinct visitors are counted by
 * comparing with the last one instead of in sets.
 *
 * Data plane. Visitors are numbered by their first session, so the order is nearly that of the rows and
 * reading by it stays in cache. A session's visitor never changes: the order holds until rows come.
 */

import type { Segment } from '../segment/segment.ts';

const orders = new WeakMap<Segment, Uint32Array>();

/**
 * All session rows, those of one visitor side by side, visitors ascending; last the rows that a deletion
 * left empty, which are no visitor's.
 *
 * @returns owned by the segment: do not change it.
 * @cost three passes over the sessions the first time and whenever there are more; else nothing.
 */
export function visitorOrderOf(segment: Segment): Uint32Array {
  const { rowCount, columns } = segment.sessions;
  const known = orders.get(segment);
  if (known?.length === rowCount) return known;
  const { visitor } = columns;
  const nobody = segment.visitors.rowCount;
  // Counts are kept one visitor further on: after the sums each entry is where its visitor starts.
  const starts = new Uint32Array(nobody + 2);
  for (let row = 0; row < rowCount; row++) starts[Math.min(visitor[row]!, nobody) + 1]!++;
  for (let ordinal = 1; ordinal < starts.length; ordinal++)
    starts[ordinal]! += starts[ordinal - 1]!;
  const order = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    order[starts[Math.min(visitor[row]!, nobody)]!++] = row;
  }
  segment.derivedBytes += order.byteLength - (known?.byteLength ?? 0);
  orders.set(segment, order);
  return order;
}
