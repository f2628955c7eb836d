/**
 * New sessions in the families of session dimensions, family by family.
 *
 * Data plane. Nearly every new session is its visitor's only one, so it counts in its group of every
 * family. With families outside and sessions inside, a step of the loop is three reads and an
 * increment, and no column is looked up by name. A group that has no row yet is marked: it gets one
 * in the order of the hits, when its session's first view is counted (`views.ts`).
 */

import { NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { SESSION_FAMILIES, type SessionFamily } from '../../segment/rollup/families.ts';

type KeyColumn = Uint8Array | Uint16Array | Uint32Array;

const COUNT_MIN = 1_024;

// Of the settling at hand; one per thread, settling is synchronous and never nested.
/** Sessions counted here, by row. */
let alone = new Uint32Array(COUNT_MIN);
/** By session from `firstNew` on: 1 when it is the only one of its visitor. */
let flags = new Uint8Array(COUNT_MIN);
/** By session from `firstNew` on: the families, as bits, in which its group has no row yet. */
let missing = new Uint32Array(COUNT_MIN);
let firstNew = 0;
let newCount = 0;

/** Whether a new session was counted by `countFamilies`, but for the families of `missingOf`. */
export function isCountedByFamily(session: number): boolean {
  const at = session - firstNew;
  return at >= 0 && at < newCount && flags[at] === 1;
}

/** Families, as bits by their position, in which a session is still to be counted. */
export function missingOf(session: number): number {
  return missing[session - firstNew]!;
}

/** Forgets which sessions were counted. At the end of a settling. */
export function endFamilies(): void {
  newCount = 0;
}

/** Counts the new sessions of visitors who have no other, where their groups have rows. */
export function countFamilies(home: OpenSegment): void {
  const count = findAlone(home);
  for (let index = 0; index < SESSION_FAMILIES.length; index++) {
    const family = SESSION_FAMILIES[index]!;
    if (family.keys.length === 1) countByOne(home, family, index, count);
    else countBySeveral(home, family, index, count);
  }
}

/** @returns how many there are; their rows are in `alone`. */
function findAlone(home: OpenSegment): number {
  const { sessions } = home.segment;
  const { visitor, lastView } = sessions.columns;
  firstNew = home.unsettled.sessions;
  newCount = sessions.rowCount - firstNew;
  if (newCount > flags.length) {
    alone = new Uint32Array(newCount * 2);
    flags = new Uint8Array(newCount * 2);
    missing = new Uint32Array(newCount * 2);
  }
  flags.fill(0, 0, newCount);
  missing.fill(0, 0, newCount);
  const { visitorSessions } = home;
  let count = 0;
  for (let session = firstNew; session < sessions.rowCount; session++) {
    if (lastView[session] === NONE || visitorSessions.countOf(visitor[session]!) > 1) continue;
    flags[session - firstNew] = 1;
    alone[count++] = session;
  }
  return count;
}

function countByOne(home: OpenSegment, family: SessionFamily, index: number, count: number): void {
  const { rollups } = home.segment;
  const column: KeyColumn = home.segment.sessions.columns[family.keys[0]!];
  const rows = home.rollups.rowsById(family.code);
  const { visitors } = rollups.columns;
  for (let at = 0; at < count; at++) {
    const session = alone[at]!;
    const id = column[session]!;
    const row = id < rows.length ? rows[id]! : 0;
    if (row === 0) {
      missing[session - firstNew]! |= 1 << index;
      continue;
    }
    visitors[row - 1]!++;
    rollups.touch(row - 1);
  }
}

function countBySeveral(
  home: OpenSegment,
  { code, keys, blanksUnknown }: SessionFamily,
  index: number,
  count: number,
): void {
  const { rollups, sessions } = home.segment;
  const { columns } = sessions;
  const firsts: KeyColumn = columns[keys[0]!];
  const seconds: KeyColumn = columns[keys[1]!];
  const thirds: KeyColumn | null = keys.length > 2 ? columns[keys[2]!] : null;
  const rows = home.rollups.rowsById(code);
  const { visitors } = rollups.columns;
  for (let at = 0; at < count; at++) {
    const session = alone[at]!;
    const first = firsts[session]!;
    const isBlank = blanksUnknown && first === 0;
    const second = isBlank ? 0 : seconds[session]!;
    const third = isBlank || thirds === null ? 0 : thirds[session]!;
    const id = home.rollups.idOf(code, first, second, third);
    const row = id < rows.length ? rows[id]! : 0;
    if (row === 0) {
      missing[session - firstNew]! |= 1 << index;
      continue;
    }
    visitors[row - 1]!++;
    rollups.touch(row - 1);
  }
}
