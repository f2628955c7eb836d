/**
 * Counting: selected rows and their groups in, views, distinct sessions and visitors per group out.
 *
 * Data plane. Segments are disjoint in sessions and visitors, so each adds its counts to the same
 * tally. Distinct ones are counted over dense ordinals, never in sets. Three ways, by what groups:
 *
 *     one group                 sessions in order of visitor, compared with the last
 *     by a row, up to 64 groups a bit per group and session, a bit per group and visitor
 *     by a row, many groups     counting sort by group, then a stamp per session and visitor
 *     by the session itself     sessions in order of visitor, a stamp per group
 */

import { bringNear, type NumberColumn } from '../../base/bring-near.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';

/** Working arrays. */
const GROUP_COUNTS = new WorkingWords();
const SESSION_BITS = new WorkingWords();
const VISITOR_BITS = new WorkingWords();
const GROUP_ENDS = new WorkingWords();
const SESSION_STAMPS = new WorkingWords();
const VISITOR_STAMPS = new WorkingWords();
const SORTED_SESSIONS = new WorkingWords();

/** Groups that fit the bits of two words. */
const MASK_GROUPS_MAX = 64;

/** Words per group of sessions: their number, what follows, and the last visitor counted, plus 1. */
const STRIDE = 4;
const BOUNCES = 1;
const VISITORS = 2;
const LAST_VISITOR = 3;

/** Counts per group; grows with the number of groups. */
export class Tally {
  rows = new Float64Array(0);
  sessions = new Float64Array(0);
  visitors = new Float64Array(0);
  bounces = new Float64Array(0);
  /** Sum of the sessions' weights, each session once per group (S-13). */
  weights = new Float64Array(0);
  /** Seconds and number of what is averaged: time on page above 0, or event durations. */
  seconds = new Float64Array(0);
  timed = new Float64Array(0);

  constructor(groups = 0) {
    this.reserve(groups);
  }

  /** A copy that can be added to by itself. */
  copy(): Tally {
    const copy = new Tally();
    copy.rows = this.rows.slice();
    copy.sessions = this.sessions.slice();
    copy.visitors = this.visitors.slice();
    copy.bounces = this.bounces.slice();
    copy.weights = this.weights.slice();
    copy.seconds = this.seconds.slice();
    copy.timed = this.timed.slice();
    return copy;
  }

  /** Bytes of the counts. */
  get bytes(): number {
    return this.rows.byteLength * 7;
  }

  /** Makes room for at least `groups` groups. */
  reserve(groups: number): void {
    if (groups <= this.rows.length) return;
    const length = Math.max(groups, this.rows.length * 2);
    this.rows = lengthened(this.rows, length);
    this.sessions = lengthened(this.sessions, length);
    this.visitors = lengthened(this.visitors, length);
    this.bounces = lengthened(this.bounces, length);
    this.weights = lengthened(this.weights, length);
    this.seconds = lengthened(this.seconds, length);
    this.timed = lengthened(this.timed, length);
  }
}

/** Selected rows with the group of each. */
export interface GroupedRows {
  /** Rows of `sessions` and `groups` that count. */
  readonly count: number;
  /** Session per row. */
  readonly sessions: Uint32Array;
  /** Group within the segment, per row, below `groupCount`. */
  readonly groups: Uint32Array;
  readonly groupCount: number;
  /** Group within the segment → group in the tally. */
  readonly groupMap: Uint32Array;
  /** Weight per session, for `Tally.weights`; null: not wanted. */
  readonly weights: Uint8Array | Uint32Array | null;
}

/** Adds sessions in order of visitor, their visitors and bounces to one group. @cost one pass over them. */
export function tallyOne(segment: Segment, sessions: Uint32Array, tally: Tally, group = 0): void {
  const { visitor, isBounce } = segment.sessions.columns;
  bringNear(sessions.length, visitor, isBounce);
  let last = -1;
  let visitors = 0;
  let bounces = 0;
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const ordinal = visitor[session]!;
    visitors += ordinal === last ? 0 : 1;
    last = ordinal;
    bounces += isBounce[session]!;
  }
  tally.sessions[group]! += sessions.length;
  tally.visitors[group]! += visitors;
  tally.bounces[group]! += bounces;
}

/** Adds rows that are grouped row by row: by path, by event name, by time. */
export function tallyRows(segment: Segment, rows: GroupedRows, tally: Tally, run: QueryRun): void {
  if (rows.count === 0) return;
  if (rows.groupCount <= MASK_GROUPS_MAX) tallyByMask(segment, rows, tally, run);
  else tallyBySort(segment, rows, tally, run);
}

/**
 * Adds sessions in order of visitor, each to the one group it belongs to.
 *
 * @param groups per session, its group within the segment, below 2^32.
 */
export function tallySessions(
  segment: Segment,
  sessions: Uint32Array,
  grouped: { groups: NumberColumn; groupMap: Uint32Array },
  tally: { into: Tally; run: QueryRun },
): void {
  const { groups, groupMap } = grouped;
  const { visitor, isBounce } = segment.sessions.columns;
  bringNear(sessions.length, groups, visitor, isBounce);
  const counts = GROUP_COUNTS.zeroed(tally.run, groupMap.length * STRIDE);
  for (let index = 0; index < sessions.length; index++) {
    const session = sessions[index]!;
    const at = groups[session]! * STRIDE;
    counts[at]!++;
    counts[at + BOUNCES]! += isBounce[session]!;
    const stamp = visitor[session]! + 1;
    if (counts[at + LAST_VISITOR] === stamp) continue;
    counts[at + LAST_VISITOR] = stamp;
    counts[at + VISITORS]!++;
  }
  const { into } = tally;
  for (let group = 0; group < groupMap.length; group++) {
    const at = group * STRIDE;
    if (counts[at] === 0) continue;
    const target = groupMap[group]!;
    into.sessions[target]! += counts[at]!;
    into.bounces[target]! += counts[at + BOUNCES]!;
    into.visitors[target]! += counts[at + VISITORS]!;
  }
}

/** Adds time on page of selected page views (S-3); 0 means that a view has none. */
export function tallyTime(
  rows: { count: number; groups: Uint32Array; groupMap: Uint32Array },
  rowNumbers: Uint32Array | null,
  timeOnPage: Uint16Array,
  tally: Tally,
): void {
  const { count, groups, groupMap } = rows;
  const { seconds, timed } = tally;
  for (let index = 0; index < count; index++) {
    const spent = timeOnPage[rowNumbers === null ? index : rowNumbers[index]!]!;
    if (spent === 0) continue;
    const target = groupMap[groups[index]!]!;
    seconds[target]! += spent;
    timed[target]!++;
  }
}

function tallyByMask(segment: Segment, rows: GroupedRows, tally: Tally, run: QueryRun): void {
  const { count, sessions, groups, groupMap, weights } = rows;
  const { visitor, isBounce } = segment.sessions.columns;
  bringNear(count, visitor, isBounce);
  // Up to 32 groups need one word per session and visitor.
  const shift = rows.groupCount > 32 ? 1 : 0;
  const sessionBits = SESSION_BITS.zeroed(run, segment.sessions.rowCount << shift);
  const visitorBits = VISITOR_BITS.zeroed(run, segment.visitors.rowCount << shift);
  for (let index = 0; index < count; index++) {
    const session = sessions[index]!;
    const group = groups[index]!;
    const target = groupMap[group]!;
    tally.rows[target]!++;
    const bit = 1 << (group & 31);
    const ofSession = (session << shift) + (group >>> 5);
    const bits = sessionBits[ofSession]!;
    if ((bits & bit) !== 0) continue;
    sessionBits[ofSession] = bits | bit;
    tally.sessions[target]!++;
    tally.bounces[target]! += isBounce[session]!;
    if (weights !== null) tally.weights[target]! += weights[session]!;
    const ofVisitor = (visitor[session]! << shift) + (group >>> 5);
    const seen = visitorBits[ofVisitor]!;
    if ((seen & bit) !== 0) continue;
    visitorBits[ofVisitor] = seen | bit;
    tally.visitors[target]!++;
  }
}

function tallyBySort(segment: Segment, rows: GroupedRows, tally: Tally, run: QueryRun): void {
  const { groupCount, groupMap, weights } = rows;
  const { visitor, isBounce } = segment.sessions.columns;
  const ends = GROUP_ENDS.zeroed(run, groupCount + 1);
  const sorted = sortByGroup(rows, ends, run);
  const sessionStamps = SESSION_STAMPS.zeroed(run, segment.sessions.rowCount);
  const visitorStamps = VISITOR_STAMPS.zeroed(run, segment.visitors.rowCount);
  let index = 0;
  for (let group = 0; group < groupCount; group++) {
    const end = ends[group]!;
    if (index === end) continue;
    const stamp = group + 1;
    const target = groupMap[group]!;
    tally.rows[target]! += end - index;
    let sessions = 0;
    let visitors = 0;
    let bounces = 0;
    let weight = 0;
    for (; index < end; index++) {
      const session = sorted[index]!;
      if (sessionStamps[session] === stamp) continue;
      sessionStamps[session] = stamp;
      sessions++;
      bounces += isBounce[session]!;
      if (weights !== null) weight += weights[session]!;
      const ordinal = visitor[session]!;
      if (visitorStamps[ordinal] === stamp) continue;
      visitorStamps[ordinal] = stamp;
      visitors++;
    }
    tally.sessions[target]! += sessions;
    tally.visitors[target]! += visitors;
    tally.bounces[target]! += bounces;
    tally.weights[target]! += weight;
  }
}

/** Sessions of the rows in order of group; `ends` comes out as the end of each group. */
function sortByGroup(rows: GroupedRows, ends: Uint32Array, run: QueryRun): Uint32Array {
  const { count, sessions, groups, groupCount } = rows;
  // Counts are kept one group further on, so that after the sums each entry is its group's start,
  // and after the scatter its group's end.
  for (let index = 0; index < count; index++) ends[groups[index]! + 1]!++;
  for (let group = 0; group < groupCount; group++) ends[group + 1]! += ends[group]!;
  const sorted = SORTED_SESSIONS.raw(run, count);
  for (let index = 0; index < count; index++) {
    const group = groups[index]!;
    sorted[ends[group]!++] = sessions[index]!;
  }
  return sorted;
}

function lengthened(values: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(length);
  grown.set(values);
  return grown;
}
