/**
 * The groups of rolling pre-aggregates that a session or a page view belongs to.
 *
 * Data plane.
 */

import { HOUR_MS, MINUTE_MS } from '../../model/limits.ts';
import { TEXT_DIMENSIONS } from '../../model/text-kinds.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import {
  SESSION_FAMILIES,
  type SessionFamily,
  type SessionKey,
} from '../../segment/rollup/families.ts';

/** Hour of the day, UTC. */
export function hourOf(timeMs: number): number {
  // As an integer: the remainder of a double is a call into the C library.
  return ((timeMs / HOUR_MS) | 0) % 24;
}

/** Minute of the hour, UTC. */
export function minuteOf(timeMs: number): number {
  return ((timeMs / MINUTE_MS) | 0) % 60;
}

/** Columns of a session that families are grouped by, by position. */
const KEY_NAMES: readonly SessionKey[] = [...TEXT_DIMENSIONS, 'platform'];

/** Per family: positions of its keys. */
const KEY_POSITIONS: readonly (readonly number[])[] = SESSION_FAMILIES.map(({ keys }) =>
  keys.map((key) => KEY_NAMES.indexOf(key)),
);

/** The keys of the session at hand, by position in `TEXT_DIMENSIONS`, then its platform. */
const keysOfSession = new Uint32Array(KEY_NAMES.length);

/** Whose keys they are; a session's keys never change. */
const keyed: { home: OpenSegment | null; session: number } = { home: null, session: 0 };

/** Takes the keys of a session, unless they are the ones at hand. */
export function takeKeys(home: OpenSegment, session: number): void {
  if (keyed.home === home && keyed.session === session) return;
  keyed.home = home;
  keyed.session = session;
  const { columns } = home.segment.sessions;
  for (let index = 0; index < KEY_NAMES.length; index++) {
    keysOfSession[index] = columns[KEY_NAMES[index]!][session]!;
  }
}

/** Row of `rollups` for the session of `keysOfSession` in a family of session dimensions, added if new. */
export function sessionGroup(home: OpenSegment, index: number): number {
  const { code, blanksUnknown } = SESSION_FAMILIES[index]!;
  const positions = KEY_POSITIONS[index]!;
  const first = keysOfSession[positions[0]!]!;
  if (positions.length === 1) return home.rollups.rollupRow(code, first, 0, 0);
  if (blanksUnknown && first === 0) return home.rollups.rollupRow(code, 0, 0, 0);
  const second = keysOfSession[positions[1]!]!;
  const third = positions.length > 2 ? keysOfSession[positions[2]!]! : 0;
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
