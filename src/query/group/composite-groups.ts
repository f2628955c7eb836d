/**
 * Composite groups: rows by the pairs of two columns, as "by path and title", or of more, one further
 * column at a time.
 *
 * Data plane.
 */

import { PairIndex } from '../../segment/memory/pair-index.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';

/** Working arrays. */
const PAIRED_GROUPS = new WorkingWords();
const RECENT = new WorkingWords();

/** Places for pairs seen lately; a power of two that stays in the nearest cache. */
const RECENT_PAIRS = 2_048;

/**
 * Groups rows by the pairs of two columns of dictionary ids.
 *
 * @param maps dictionary id → number over all segments; null: the column has such numbers already.
 * @param into the pairs over all segments.
 * @param groups out: group within the segment, per row.
 */
export function groupByComposite(
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
  return { groups, groupCount: local.count, groupMap: mergeComposites(local, maps, into) };
}

/**
 * Pairs of a segment → pairs over all segments.
 *
 * @param maps dictionary id → number over all segments; null: a side has such numbers already.
 */
export function mergeComposites(
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

/**
 * Groups sessions by the pairs of a group and a value.
 *
 * @param groups by session row, as is what comes out.
 * @param further `unknown` 0 makes the value 0.
 */
export function groupSessions(
  sessions: Uint32Array,
  groups: ArrayLike<number>,
  further: { values: ArrayLike<number>; unknown: ArrayLike<number> | null },
  run: QueryRun,
): { groups: Uint32Array; pairs: PairIndex } {
  const { values, unknown } = further;
  const pairs = new PairIndex();
  // By session row; in place where `groups` are such pairs already.
  const paired = PAIRED_GROUPS.raw(run, values.length);
  // The pair at a place that most pairs have for themselves answers before the index is asked.
  const recent = RECENT.zeroed(run, RECENT_PAIRS);
  for (let index = 0; index < sessions.length; index++) {
    const row = sessions[index]!;
    const group = groups[row]!;
    const value = unknown !== null && unknown[row] === 0 ? 0 : values[row]!;
    const place = (Math.imul(group, 37) + value) & (RECENT_PAIRS - 1);
    const known = recent[place]! - 1;
    if (known >= 0 && pairs.firsts[known] === group && pairs.seconds[known] === value) {
      paired[row] = known;
      continue;
    }
    const pair = pairs.idOf(group, value);
    recent[place] = pair + 1;
    paired[row] = pair;
  }
  return { groups: paired, pairs };
}
