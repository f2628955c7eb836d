/**
 * The sessions of a segment in order of their visitors, so that distinct visitors are counted by
 * comparing with the last one instead of in sets.
 *
 * Data plane. Visitors are numbered by their first session, so the order is nearly that of the rows and
 * reading by it stays in cache. A session's visitor never changes: the order holds until rows come.
 */

import { bringNear } from '../../base/bring-near.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';

/** Working arrays. */
const VISITOR_ORDER_BITS = new WorkingWords();

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

const ranks = new WeakMap<Segment, Uint32Array>();

/** By session row: its position in the order of visitors. @cost a pass over the sessions when there are more. */
function visitorRanksOf(segment: Segment): Uint32Array {
  const order = visitorOrderOf(segment);
  const known = ranks.get(segment);
  if (known?.length === order.length) return known;
  const made = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) made[order[at]!] = at;
  segment.derivedBytes += made.byteLength - (known?.byteLength ?? 0);
  ranks.set(segment, made);
  return made;
}

/**
 * Sessions in order of visitor, each once: a bit per session, read from the first to the last.
 *
 * @param sessions rows in any order, also several times.
 * @param into takes what comes out.
 */
export function inVisitorOrder(
  segment: Segment,
  sessions: Uint32Array,
  run: QueryRun,
  into: WorkingWords,
): Uint32Array {
  const order = visitorOrderOf(segment);
  const places = visitorRanksOf(segment);
  bringNear(sessions.length, places, order);
  const bits = VISITOR_ORDER_BITS.zeroed(run, (order.length >>> 5) + 1);
  for (let index = 0; index < sessions.length; index++) {
    const rank = places[sessions[index]!]!;
    bits[rank >>> 5]! |= 1 << (rank & 31);
  }
  const ordered = into.raw(run, Math.min(sessions.length, order.length));
  let count = 0;
  for (let at = 0; at < bits.length; at++) {
    let word = bits[at]!;
    while (word !== 0) {
      const lowest = word & -word;
      ordered[count++] = order[(at << 5) + 31 - Math.clz32(lowest)]!;
      word ^= lowest;
    }
  }
  return ordered.subarray(0, count);
}
