/**
 * Grouping rows by the pairs of two columns: what "by path and title" is counted by.
 *
 * Data plane.
 */

import { PairIndex } from '../../segment/memory/pair-index.ts';

/**
 * Groups rows by the pairs of two columns of dictionary ids.
 *
 * @param maps dictionary id → number over all segments; null: the column has such numbers already.
 * @param into the pairs over all segments.
 * @param groups out: group within the segment, per row.
 */
export function groupPairs(
  columns: { firsts: Uint32Array; seconds: Uint32Array; count: number },
  maps: { firsts: Uint32Array; seconds: Uint32Array | null },
  into: PairIndex,
  groups: Uint32Array,
): { groups: Uint32Array; groupCount: number; groupMap: Uint32Array } {
  const { firsts, seconds, count } = columns;
  const local = new PairIndex();
  for (let index = 0; index < count; index++) {
    groups[index] = local.idOf(firsts[index]!, seconds[index]!);
  }
  return { groups, groupCount: local.count, groupMap: joinPairs(local, maps, into) };
}

/**
 * Pairs of a segment → pairs over all segments.
 *
 * @param maps dictionary id → number over all segments; null: a side has such numbers already.
 */
export function joinPairs(
  local: PairIndex,
  maps: { firsts: Uint32Array; seconds: Uint32Array | null },
  into: PairIndex,
): Uint32Array {
  const map = new Uint32Array(local.count);
  for (let pair = 0; pair < local.count; pair++) {
    const second = local.seconds[pair]!;
    map[pair] = into.idOf(
      maps.firsts[local.firsts[pair]!]!,
      maps.seconds === null ? second : maps.seconds[second]!,
    );
  }
  return map;
}
