/**
 * Hits become visitors, sessions and rows: the state machine of I-40 to I-62.
 *
 * Data plane. Pure: the same state and the same hits give the same bytes; no clock, no randomness.
 *
 *     hit ─▶ bound session of its id ─ live? ─▶ join ──▶ acquisition changed? ─▶ new session (I-48)
 *             │ none live                        └▶ page view / event / keep-alive rows
 *             └▶ bound session of the id of the day before ─ live? ─▶ bind and join (I-46)
 *             └▶ otherwise open a session (keep-alives: drop, I-45)
 *
 * Rows that come back from an export pass all of this (`stored-rows.ts`).
 */

import { type DecodedRecord, REF } from '../../bus/record/decoded-record.ts';
import { dropReason } from '../../model/drop-reasons.ts';
import { HitKind } from '../../model/hit.ts';
import {
  DAY_MS,
  SESSION_EXTENDED_MAX,
  SESSION_GAP_MS,
  SESSION_PAGE_VIEWS_MAX,
} from '../../model/limits.ts';
import { ACQUISITION_DIMENSIONS, TEXT_DIMENSIONS } from '../../model/text-kinds.ts';
import { BOUND_ELSEWHERE, NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { noteMove } from '../rollup/deltas.ts';
import { appendEvent, appendTags, appendView } from './append-rows.ts';
import type { DomainState } from './domain-state.ts';
import { HitCursor } from './hit-cursor.ts';
import { applyStored } from './stored-rows.ts';

const PAGE_VIEW_CAP = dropReason('page-view-cap');
const KEEP_ALIVE_WITHOUT_SESSION = dropReason('keep-alive-without-session');

/** By position in `TEXT_DIMENSIONS`: position among a hit's texts. */
const DIMENSION_REFS: readonly number[] = TEXT_DIMENSIONS.map((name) => REF[name]);

/** Of the session that is being opened. One per thread: opening is synchronous and never nested. */
const dimensionIds = new Uint32Array(TEXT_DIMENSIONS.length);

/** A session found by its binding. One per sessionizer, overwritten by every look-up. */
interface Found {
  home: OpenSegment | null;
  session: number;
}

/** Applies the hits of one actor; holds only scratch. */
export class Sessionizer {
  // Written by #findBound: the hot path allocates no result objects.
  readonly #found: Found = { home: null, session: NONE };
  readonly #hit = new HitCursor();

  /**
   * Applies one hit of a record.
   *
   * @returns 0, or the index of the reason for which it was dropped.
   * @cost constant in the size of the segment, but for late page views (up to 200 steps, I-72).
   */
  apply(domain: DomainState, record: DecodedRecord, row: number): number {
    const hit = this.#hit;
    hit.moveTo(record, row);
    if (hit.kind > HitKind.KeepAlive) {
      applyStored(domain, hit);
      return 0;
    }
    const home = this.#liveSession(domain, hit);
    if (hit.kind === HitKind.KeepAlive) {
      if (home === null) return KEEP_ALIVE_WITHOUT_SESSION;
      extend(home, this.#found.session, hit.timeMs);
      domain.usage.countKeepAlive(hit.timeMs);
      return 0;
    }
    if (home === null) {
      this.#open(domain, hit);
      return 0;
    }
    const session = this.#found.session;
    if (hasOtherAcquisition(home, session, hit)) {
      this.#replace(domain, home, session, hit);
      return 0;
    }
    const { sessions } = home.segment;
    if (sessions.columns.pageViews[session]! >= SESSION_PAGE_VIEWS_MAX) return PAGE_VIEW_CAP;
    if (hit.kind === HitKind.PageView) {
      joinPageView(home, session, hit);
      domain.usage.countView(hit.timeMs);
    } else {
      joinEvent(home, session, hit);
      domain.usage.countEvent(hit.timeMs);
    }
    return 0;
  }

  /** The segment of the live session that the hit continues (row in `#found`), or null (I-46). */
  #liveSession(domain: DomainState, hit: HitCursor): OpenSegment | null {
    const { timeMs, visitorLow, visitorHigh } = hit;
    const day = Math.floor(timeMs / DAY_MS);
    const today = domain.existingSegment(day);
    if (today !== null) {
      const bound = this.#findBound(domain, today, visitorLow, visitorHigh);
      if (bound !== null && isLive(bound, this.#found.session, timeMs)) return bound;
    }
    let previousLow = hit.previousLow;
    let previousHigh = hit.previousHigh;
    if (previousLow === 0 && previousHigh === 0) {
      if (today === null || today.segment.carried.rowCount === 0) return null;
      const link = today.carriedIndex.find(visitorLow, visitorHigh);
      if (link < 0) return null;
      previousLow = today.segment.carried.columns.previousLow[link]!;
      previousHigh = today.segment.carried.columns.previousHigh[link]!;
    }
    const yesterday = domain.existingSegment(day - 1);
    if (yesterday === null) return null;
    const bound = this.#findBound(domain, yesterday, previousLow, previousHigh);
    if (bound === null) return null;
    const session = this.#found.session;
    if (!isLive(bound, session, timeMs)) return null;
    const carrier = domain.segmentOf(day);
    const row = carrier.carriedRowOf(visitorLow, visitorHigh, previousLow, previousHigh);
    bindAcrossDays(carrier, row, bound, session);
    return bound;
  }

  /** Home of the session an id is bound to, or null; its row goes to `#found`. */
  #findBound(
    domain: DomainState,
    open: OpenSegment,
    low: number,
    high: number,
  ): OpenSegment | null {
    const visitor = open.visitorIndex.find(low, high);
    if (visitor >= 0) {
      const session = open.segment.visitors.columns.session[visitor]!;
      if (session !== BOUND_ELSEWHERE) {
        this.#found.session = session;
        return session === NONE ? null : open;
      }
    } else if (open.segment.carried.rowCount === 0) {
      return null;
    }
    const row = open.carriedIndex.find(low, high);
    if (row < 0) return null;
    const { session, homeDay } = open.segment.carried.columns;
    if (session[row] === NONE) return null;
    this.#found.session = session[row]!;
    return domain.existingSegment(homeDay[row]!);
  }

  /** Opens a session of the visitor of the hit's own day (I-41, I-46, I-50). */
  #open(domain: DomainState, hit: HitCursor): void {
    const home = domain.segmentOf(Math.floor(hit.timeMs / DAY_MS));
    const visitor = home.visitorOf(hit.visitorLow, hit.visitorHigh);
    const session = openSession(home, visitor, hit);
    countOpening(domain, hit);
    home.bindHere(visitor, session);
  }

  /** Opens a session of the same visitor beside a live one and moves all bindings to it (I-48). */
  #replace(domain: DomainState, home: OpenSegment, replaced: number, hit: HitCursor): void {
    const { sessions, visitors } = home.segment;
    const visitor = sessions.columns.visitor[replaced]!;
    const boundDays = sessions.columns.boundDays[replaced]!;
    const session = openSession(home, visitor, hit);
    countOpening(domain, hit);
    sessions.widen('boundDays', boundDays);
    sessions.columns.boundDays[session] = boundDays;
    if (visitors.columns.session[visitor] === replaced) home.bindHere(visitor, session);
    for (let day = home.day + 1; day <= home.day + boundDays; day++) {
      const carrier = domain.existingSegment(day);
      if (carrier === null) continue;
      const row = carrier.carriedRowOfSession(home.day, replaced);
      if (row < 0) continue;
      carrier.bindCarried(row, home.day, session);
      carrier.isDirty = true;
    }
  }
}

/** I-40: strictly less than the gap after the last activity, and started before the gap ahead. */
function isLive(home: OpenSegment, session: number, timeMs: number): boolean {
  const { lastMs, startMs } = home.segment.sessions.columns;
  return lastMs[session]! > timeMs - SESSION_GAP_MS && startMs[session]! < timeMs + SESSION_GAP_MS;
}

function bindAcrossDays(
  carrier: OpenSegment,
  row: number,
  home: OpenSegment,
  session: number,
): void {
  carrier.bindCarried(row, home.day, session);
  carrier.isDirty = true;
  const { sessions } = home.segment;
  const days = Math.min(carrier.day - home.day, 0xffff);
  if (days <= sessions.columns.boundDays[session]!) return;
  sessions.widen('boundDays', days);
  sessions.columns.boundDays[session] = days;
  sessions.touch(session);
  home.isDirty = true;
}

/** I-48: a non-empty acquisition value that differs from the session's. */
function hasOtherAcquisition(home: OpenSegment, session: number, hit: HitCursor): boolean {
  const { columns } = home.segment.sessions;
  const { dictionary } = home.segment;
  for (let index = 0; index < ACQUISITION_DIMENSIONS.length; index++) {
    const name = ACQUISITION_DIMENSIONS[index]!;
    const field = REF[name];
    if (hit.isEmpty(field)) continue;
    if (hit.lookup(dictionary, field) !== columns[name][session]) return true;
  }
  return false;
}

/** Appends a session with its first rows (I-41, I-50). @returns its row. */
function openSession(home: OpenSegment, visitor: number, hit: HitCursor): number {
  const { segment } = home;
  const { sessions, dictionary } = segment;
  const path = hit.intern(dictionary, REF.path);
  const title = hit.intern(dictionary, REF.title);
  // Before any column is taken: a new id may need wider ones, which are other arrays.
  for (let index = 0; index < dimensionIds.length; index++) {
    dimensionIds[index] = hit.intern(dictionary, DIMENSION_REFS[index]!);
  }
  const session = sessions.append();
  const { columns } = sessions;
  columns.startMs[session] = hit.timeMs;
  columns.lastMs[session] = hit.timeMs;
  columns.visitor[session] = visitor;
  columns.entryPath[session] = path;
  columns.exitPath[session] = path;
  columns.entryTitle[session] = title;
  columns.exitTitle[session] = title;
  columns.lastView[session] = NONE;
  columns.pageViews[session] = 1;
  columns.isBounce[session] = 1;
  columns.platform[session] = hit.platform;
  // A new row holds 0 already, and every column is far away in one of many small domains.
  for (let index = 0; index < dimensionIds.length; index++) {
    const id = dimensionIds[index]!;
    if (id !== 0) columns[TEXT_DIMENSIONS[index]!][session] = id;
  }
  home.isDirty = true;
  segment.cover(hit.timeMs);
  home.visitorSessions.add(visitor, session);
  // An event that opens a session is a page view of its page, too; its pairs are not tags.
  const isView = hit.kind === HitKind.PageView;
  if (isView) appendTags(home, hit);
  appendView(home, session, { timeMs: hit.timeMs, path, title });
  if (!isView) appendEvent(home, session, { hit, path, title, isExit: false });
  return session;
}

/** S-99: an event that opens a session is a page view, too (I-50). */
function countOpening({ usage }: DomainState, { kind, timeMs }: HitCursor): void {
  if (kind === HitKind.PageView) usage.countView(timeMs);
  else usage.countOpeningEvent(timeMs);
}

/** I-42, and I-72 for late ones. */
function joinPageView(home: OpenSegment, session: number, hit: HitCursor): void {
  const { sessions, dictionary } = home.segment;
  const path = hit.intern(dictionary, REF.path);
  const title = hit.intern(dictionary, REF.title);
  const { columns } = sessions;
  const { timeMs } = hit;
  noteMove(home, session);
  // I-42, I-51: a session that was one is a bounce no longer.
  if (path !== columns.entryPath[session]) columns.isBounce[session] = 0;
  columns.pageViews[session] = columns.pageViews[session]! + 1;
  if (timeMs >= columns.lastMs[session]!) {
    columns.exitPath[session] = path;
    columns.exitTitle[session] = title;
  }
  if (timeMs < columns.startMs[session]!) {
    columns.startMs[session] = timeMs;
    columns.entryPath[session] = path;
    columns.entryTitle[session] = title;
  }
  touchActivity(home, session, timeMs);
  appendTags(home, hit);
  appendView(home, session, { timeMs, path, title });
}

/** I-43, I-51, I-57, and I-72 for late ones. */
function joinEvent(home: OpenSegment, session: number, hit: HitCursor): void {
  const { sessions, dictionary } = home.segment;
  const path = hit.intern(dictionary, REF.path);
  const title = hit.intern(dictionary, REF.title);
  const { columns } = sessions;
  noteMove(home, session);
  if (!hit.nonInteractive) columns.isBounce[session] = 0;
  let isExit = false;
  if (hit.timeMs >= columns.lastMs[session]!) {
    const keepsTitle = title === 0 && path === columns.exitPath[session];
    columns.exitPath[session] = path;
    if (!keepsTitle) columns.exitTitle[session] = title;
    isExit = !keepsTitle;
  }
  touchActivity(home, session, hit.timeMs);
  appendEvent(home, session, { hit, path, title, isExit });
}

/** I-44. */
function extend(home: OpenSegment, session: number, timeMs: number): void {
  const { sessions } = home.segment;
  const extended = sessions.columns.extended[session]! + 1;
  if (extended <= SESSION_EXTENDED_MAX) {
    sessions.widen('extended', extended);
    sessions.columns.extended[session] = extended;
  }
  noteMove(home, session);
  touchActivity(home, session, timeMs);
  // The one activity that leaves no row behind (`active-watch.ts`).
  if (home.keepAlives !== null) home.keepAlives.push(session);
}

/** Last activity never goes back (I-72). */
function touchActivity(home: OpenSegment, session: number, timeMs: number): void {
  const { sessions } = home.segment;
  if (timeMs > sessions.columns.lastMs[session]!) sessions.columns.lastMs[session] = timeMs;
  sessions.touch(session);
  home.isDirty = true;
  home.segment.cover(timeMs);
}
