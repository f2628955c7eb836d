/**
 * A segment that takes hits: its tables, the indexes over its ids, and what of it is on disk.
 *
 * Data plane. The indexes are derived from the tables and rebuilt when a segment is opened again.
 */

import type { DomainId } from '../../model/ids.ts';
import type { SegmentHeader } from '../disk/segment-header.ts';
import { BOUND_ELSEWHERE, NONE } from '../memory/layout.ts';
import { Segment } from '../memory/segment.ts';
import { finish } from '../memory/slices.ts';
import { RollupIndex } from '../rollup/index.ts';
import { completeRollups } from '../rollup/rebuild.ts';
import type { HeavyVisitor } from './heavy-visitor.ts';
import { IdIndex } from './id-index.ts';
import type { SeenViews } from './seen-views.ts';
import { Unflushed } from './unflushed.ts';
import { SessionEvents, VisitorSessions } from './visitor-sessions.ts';
import type { WordRoom } from './word-room.ts';

/** Rows that are indexed in one go: about a millisecond. */
const SLICE_ROWS = 16_384;
const LONG_SESSIONS_MIN = 1_024;

/** What grows with the visitors and sessions of a segment, and takes time to make. */
export interface Indexes {
  readonly visitorIndex: IdIndex;
  readonly visitorSessions: VisitorSessions;
  readonly sessionEvents: SessionEvents;
}

/** Indexes the rows of a segment, slice by slice. */
export function* indexInSlices(segment: Segment): Generator<undefined, Indexes> {
  const visitorIndex = new IdIndex(segment.visitors);
  const visitorSessions = new VisitorSessions(segment);
  const sessionEvents = new SessionEvents();
  const { visitors, sessions, events } = segment;
  for (let first = 0; first < visitors.rowCount; first += SLICE_ROWS) {
    visitorIndex.include(first, Math.min(first + SLICE_ROWS, visitors.rowCount));
    yield;
  }
  for (let first = 0; first < sessions.rowCount; first += SLICE_ROWS) {
    visitorSessions.include(segment, first, Math.min(first + SLICE_ROWS, sessions.rowCount));
    yield;
  }
  for (let first = 0; first < events.rowCount; first += SLICE_ROWS) {
    sessionEvents.include(segment, first, Math.min(first + SLICE_ROWS, events.rowCount));
    yield;
  }
  return { visitorIndex, visitorSessions, sessionEvents };
}

function allAtOnce(segment: Segment): Indexes {
  return finish(indexInSlices(segment));
}

/** A segment in the memory of its actor. */
export class OpenSegment {
  readonly segment: Segment;
  readonly day: number;
  readonly visitorIndex: IdIndex;
  readonly carriedIndex: IdIndex;
  /** Rows of the rolling pre-aggregates, and what counting in them needs to know. */
  readonly rollups: RollupIndex;
  readonly visitorSessions: VisitorSessions;
  readonly sessionEvents: SessionEvents;
  /** By visitor: only those with many sessions. */
  readonly heavyVisitors = new Map<number, HeavyVisitor>();
  /** By session: only those with many views, of which all that are counted were added. */
  readonly longSessions = new Map<number, SeenViews>();
  /** Where those have their memory; made with the first. */
  longSessionRoom: WordRoom | null = null;
  /** Number of long sessions at which those that are over are let go. */
  longSessionsMax = LONG_SESSIONS_MIN;
  /** What the pre-aggregates do not count yet. */
  readonly unflushed: Unflushed;
  /** Header of the last save, null before the first. */
  header: SegmentHeader | null;
  /** True when something changed since the last save. */
  isDirty = false;
  /** Wall clock of the actor at the last save that had something of it to write; 0 before. */
  changedMs = 0;
  /** True when what is on disk is of an earlier generation and goes with the next save. */
  isRebuilt = false;
  /** When it was last used, as a count of its actor's (`OpenMemory.useCount`). */
  lastUse = 0;
  /** Sessions that keep-alives extended, for who asked to be told; null when nobody did. */
  keepAlives: number[] | null = null;
  // Few entries (visitors alive at midnight), looked up only when such a session is replaced.
  readonly #carriedBySession = new Map<number, number>();

  /**
   * @param stored what is on disk; its header is null for a segment that never was.
   * @param indexes of its segment (`indexInSlices`); null: they are made now.
   */
  constructor(
    domainId: DomainId,
    day: number,
    stored: { segment: Segment; header: SegmentHeader | null } | null,
    indexes: Indexes | null = null,
  ) {
    this.segment = stored?.segment ?? new Segment(domainId, day);
    this.header = stored?.header ?? null;
    this.day = day;
    const { visitorIndex, visitorSessions, sessionEvents } = indexes ?? allAtOnce(this.segment);
    this.visitorIndex = visitorIndex;
    this.visitorSessions = visitorSessions;
    this.sessionEvents = sessionEvents;
    this.carriedIndex = new IdIndex(this.segment.carried);
    this.carriedIndex.include(0, this.segment.carried.rowCount);
    completeRollups(this.segment);
    this.rollups = new RollupIndex(this.segment);
    this.unflushed = new Unflushed(this.segment);
    const { homeDay, session } = this.segment.carried.columns;
    for (let row = 0; row < this.segment.carried.rowCount; row++) {
      if (session[row] === NONE) continue;
      this.#carriedBySession.set(sessionKey(homeDay[row] as number, session[row] as number), row);
    }
  }

  /** Bytes of the indexes; those of the tables are the segment's. */
  get indexBytes(): number {
    let seenBytes = 0;
    for (const seen of this.longSessions.values()) seenBytes += seen.bytes;
    return (
      seenBytes +
      this.visitorIndex.bytes +
      this.carriedIndex.bytes +
      this.rollups.bytes +
      this.visitorSessions.bytes +
      this.sessionEvents.bytes
    );
  }

  /** Ordinal of the visitor with this id, added if new. */
  visitorOf(low: number, high: number): number {
    const known = this.visitorIndex.find(low, high);
    if (known >= 0) return known;
    const { visitors } = this.segment;
    const row = visitors.append();
    const { columns } = visitors;
    columns.low[row] = low;
    columns.high[row] = high;
    columns.session[row] = NONE;
    this.visitorIndex.add(row);
    return row;
  }

  /** Binds an id of this day to a session of this segment (I-46). */
  bindHere(visitor: number, session: number): void {
    const { visitors, carried } = this.segment;
    const { low, high, session: bound } = visitors.columns;
    if (bound[visitor] === BOUND_ELSEWHERE) {
      const row = this.carriedIndex.find(low[visitor]!, high[visitor]!);
      this.#unbindCarried(row);
    } else if (carried.rowCount > 0 && bound[visitor] === NONE) {
      const row = this.carriedIndex.find(low[visitor]!, high[visitor]!);
      if (row >= 0) this.#unbindCarried(row);
    }
    bound[visitor] = session;
    visitors.touch(visitor);
  }

  /**
   * Row in `carried` for an id of this day, added if new, with its link to the day before.
   */
  carriedRowOf(low: number, high: number, previousLow: number, previousHigh: number): number {
    const known = this.carriedIndex.find(low, high);
    if (known >= 0) return known;
    const { carried } = this.segment;
    const row = carried.append();
    const { columns } = carried;
    columns.low[row] = low;
    columns.high[row] = high;
    columns.previousLow[row] = previousLow;
    columns.previousHigh[row] = previousHigh;
    columns.session[row] = NONE;
    this.carriedIndex.add(row);
    return row;
  }

  /** Binds a carried id to a session of an earlier segment (I-46). */
  bindCarried(row: number, homeDay: number, session: number): void {
    const { carried, visitors } = this.segment;
    const { columns } = carried;
    if (columns.session[row] !== NONE) this.#unbindCarried(row);
    columns.homeDay[row] = homeDay;
    columns.session[row] = session;
    carried.touch(row);
    this.#carriedBySession.set(sessionKey(homeDay, session), row);
    const visitor = this.visitorIndex.find(columns.low[row]!, columns.high[row]!);
    if (visitor < 0) return;
    visitors.columns.session[visitor] = BOUND_ELSEWHERE;
    visitors.touch(visitor);
  }

  /** Row in `carried` that is bound to a session of an earlier segment, −1 if there is none. */
  carriedRowOfSession(homeDay: number, session: number): number {
    return this.#carriedBySession.get(sessionKey(homeDay, session)) ?? -1;
  }

  /** No id of this day is bound any more to a session of an earlier segment, which is gone. */
  unbindCarriedSession(homeDay: number, session: number): void {
    const row = this.carriedRowOfSession(homeDay, session);
    if (row < 0) return;
    this.#unbindCarried(row);
    this.isDirty = true;
  }

  #unbindCarried(row: number): void {
    const { columns } = this.segment.carried;
    if (columns.session[row] === NONE) return;
    this.#carriedBySession.delete(sessionKey(columns.homeDay[row]!, columns.session[row]!));
    columns.session[row] = NONE;
    this.segment.carried.touch(row);
  }
}

/** One number for (day, session row): exact below 2^53. */
function sessionKey(homeDay: number, session: number): number {
  return homeDay * 0x1_0000_0000 + session;
}
