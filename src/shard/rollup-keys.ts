/**
 * The groups of rolling pre-aggregates that a session or a page view belongs to.
 *
 * Data plane.
 */

import { HOUR_MS, MINUTE_MS } from '../model/limits.ts';
import type { OpenSegment } from '../segment/open-segment.ts';
import { FAMILY, type SessionFamily } from '../segment/rollups.ts';

/** Hour of the day, UTC. */
export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) % 24;
}

/** Minute of the hour, UTC. */
export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS) % 60;
}

/** Row of `rollups` for a session in a family of session dimensions, added if new. */
export function sessionGroup(home: OpenSegment, family: SessionFamily, session: number): number {
  const { columns } = home.segment.sessions;
  const { keys, code, blanksUnknown } = family;
  const first = columns[keys[0]!][session]!;
  if (keys.length === 1) return home.rollups.rollupRow(code, first, 0, 0);
  if (blanksUnknown && first === 0) return home.rollups.rollupRow(code, 0, 0, 0);
  const second = columns[keys[1]!][session]!;
  const third = keys.length > 2 ? columns[keys[2]!][session]! : 0;
  return home.rollups.rollupRow(code, first, second, third);
}

/** Whether two sessions are in one group of a family. */
export function isSameGroup(
  home: OpenSegment,
  family: SessionFamily,
  left: number,
  right: number,
): boolean {
  const { columns } = home.segment.sessions;
  const { keys, blanksUnknown } = family;
  const first = columns[keys[0]!];
  if (first[left] !== first[right]) return false;
  if (blanksUnknown && first[left] === 0) return true;
  for (let index = 1; index < keys.length; index++) {
    const column = columns[keys[index]!];
    if (column[left] !== column[right]) return false;
  }
  return true;
}

/** Adds the groups of a page view's tag keys. */
export function addTagGroups(home: OpenSegment, view: number, groups: Set<number>): void {
  const { tagEnd } = home.segment.views.columns;
  const { key } = home.segment.tagPairs.columns;
  for (let pair = view === 0 ? 0 : tagEnd[view - 1]!; pair < tagEnd[view]!; pair++) {
    groups.add(home.rollups.rollupRow(FAMILY.tagKey, key[pair]!, 0, 0));
  }
}
