/**
 * The pairs of a row: tags of a page view, metadata of an event.
 *
 * Data plane. Pairs of all rows stand in one table, row after row; a column of the rows says where those
 * of each end.
 */

/** Where the pairs of a row start: where those of the row before end. @cost one comparison. */
export function firstPairOf(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : ends[row - 1]!;
}

/** The first pair from `start` on, before `end`, that has a key; −1 without one. */
export function pairWithKey(keys: Uint32Array, key: number, start: number, end: number): number {
  for (let pair = start; pair < end; pair++) if (keys[pair] === key) return pair;
  return -1;
}
