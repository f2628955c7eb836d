/**
 * Keeps the rolling pre-aggregates current: called where rows are appended or a session moves.
 *
 * Data plane. A group counts a session or a visitor once. Whether they were counted already is told by
 * the session's page views (a chain of at most 200) and by the visitor's other sessions in the segment
 * (nearly always none; with many, `heavy-visitors.ts`). Nothing here depends on memory that a restart
 * loses, so replaying the log gives the same bytes.
 *
 *     beginHit ─▶ fields of the session move, countView, countEvent, loseBounce … ─▶ endHit
 */

import { SECOND_MS } from '../model/limits.ts';
import { HeavyVisitor } from '../segment/heavy-visitor.ts';
import { NONE } from '../segment/layout.ts';
import type { OpenSegment } from '../segment/open-segment.ts';
import { FAMILY } from '../segment/rollups.ts';
import { heavyOf } from './heavy-visitors.ts';
import { hourOf, minuteOf } from './rollup-keys.ts';
import { countSession, countTags, loseSessionBounce } from './rollup-sessions.ts';

const SEEN_PATH = 1;
const SEEN_TITLED = 2;
const SEEN_HOUR = 4;
const SEEN_MINUTE = 8;
const SEEN_ANY = 16;
const SEEN_ALL = 31;

// One of each per thread: applying a hit is synchronous and never nested.
/** The session before the hit. */
const was = {
  isCounted: false,
  entryPath: 0,
  entryTitle: 0,
  exitPath: 0,
  exitTitle: 0,
  isBounce: 0,
  seconds: 0,
  /** Instants of its first and last page view; set when a view is counted, else at the end. */
  firstMs: 0,
  lastMs: 0,
};
/** Instants of the session's first and last page view after the hit. */
const is = { isSpanKnown: false, firstMs: 0, lastMs: 0 };
/** The page view that is counted: in what its session and visitor were counted before it. */
const counted = { ofSession: 0, ofVisitor: 0, isBounce: 0 };
/** What `lookBack` looks for and how far it has found the views to reach. */
const look = { path: 0, title: 0, hour: 0, minute: 0, firstMs: 0, lastMs: 0 };

/** Remembers what a session is counted as. Before any of its fields moves. */
export function beginHit(home: OpenSegment, session: number): void {
  const { columns } = home.segment.sessions;
  was.isCounted = columns.lastView[session] !== NONE;
  was.entryPath = columns.entryPath[session]!;
  was.entryTitle = columns.entryTitle[session]!;
  was.exitPath = columns.exitPath[session]!;
  was.exitTitle = columns.exitTitle[session]!;
  was.isBounce = columns.isBounce[session]!;
  was.seconds = durationOf(home, session);
  is.isSpanKnown = false;
}

/** Moves what a session counts as to where its fields and page views are now. */
export function endHit(home: OpenSegment, session: number): void {
  const { columns } = home.segment.sessions;
  if (columns.lastView[session] === NONE) return;
  if (!is.isSpanKnown) findSpan(home, session);
  const entryPath = columns.entryPath[session]!;
  const entryTitle = columns.entryTitle[session]!;
  const exitPath = columns.exitPath[session]!;
  const exitTitle = columns.exitTitle[session]!;
  const { isCounted } = was;
  if (!isCounted || entryPath !== was.entryPath || entryTitle !== was.entryTitle) {
    if (isCounted) countEntry(home, was.entryPath, was.entryTitle, -1);
    countEntry(home, entryPath, entryTitle, 1);
  }
  if (!isCounted || exitPath !== was.exitPath || exitTitle !== was.exitTitle) {
    if (isCounted) countExit(home, was.exitPath, was.exitTitle, -1);
    countExit(home, exitPath, exitTitle, 1);
  }
  moveInQuarters(home, columns.isBounce[session]!, durationOf(home, session));
}

/** Counts a page view just appended and linked into its session's chain. */
export function countView(home: OpenSegment, session: number, row: number): void {
  const { views, sessions } = home.segment;
  const path = views.columns.path[row]!;
  const title = views.columns.title[row]!;
  const timeMs = views.columns.timeMs[row]!;
  look.path = path;
  look.title = title;
  look.hour = hourOf(timeMs);
  look.minute = minuteOf(timeMs);
  look.firstMs = Number.POSITIVE_INFINITY;
  look.lastMs = Number.NEGATIVE_INFINITY;
  const ofSession = lookBack(home, session, row);
  was.firstMs = look.firstMs;
  was.lastMs = look.lastMs;
  is.firstMs = Math.min(timeMs, look.firstMs);
  is.lastMs = Math.max(timeMs, look.lastMs);
  is.isSpanKnown = true;
  const visitor = sessions.columns.visitor[session]!;
  const heavy = heavyOf(home, visitor, row);
  const ofVisitor =
    heavy === null
      ? ofSession | lookAtOthers(home, session, visitor)
      : lookAtHeavy(home, heavy, timeMs);
  const isBounce = sessions.columns.isBounce[session]!;
  counted.ofSession = ofSession;
  counted.ofVisitor = ofVisitor;
  counted.isBounce = isBounce;
  countPage(home, path, title);
  countClock(home);
  countQuarter(home, timeMs, ofVisitor);
  if ((ofSession & SEEN_ANY) === 0) countSession(home, session, visitor, heavy);
  countTags(home, session, row, heavy);
  const { sessionEvents } = home;
  for (let pair = sessionEvents.head(session); pair >= 0; pair = sessionEvents.before(pair)) {
    const name = sessionEvents.pairs.seconds[pair]!;
    const group = home.rollups.rollupRow(FAMILY.eventName, name, 0, 0);
    home.segment.rollups.columns.views[group]!++;
    home.segment.rollups.touch(group);
  }
}

/** Sets the time on page of a view and what is summed of it (I-60). */
export function moveTimeOnPage(home: OpenSegment, row: number, seconds: number): void {
  const { views, pages, titledPages, quarters } = home.segment;
  const { timeOnPage, path, title, timeMs } = views.columns;
  const before = timeOnPage[row]!;
  timeOnPage[row] = seconds;
  const more = seconds - before;
  if (more === 0) return;
  const timed = (seconds > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
  const page = home.rollups.pageRow(path[row]!, title[row]!);
  const titled = home.rollups.titledRow(page, path[row]!, title[row]!);
  pages.columns.seconds[page]! += more;
  pages.columns.timed[page]! += timed;
  pages.touch(page);
  if (titled >= 0) {
    titledPages.columns.seconds[titled]! += more;
    titledPages.columns.timed[titled]! += timed;
    titledPages.touch(titled);
  }
  const quarter = home.rollups.quarterRow(timeMs[row]!);
  quarters.columns.pageSeconds[quarter]! += more;
  quarters.columns.pageTimed[quarter]! += timed;
  quarters.touch(quarter);
}

/** Takes a session's bounce out of every group it counts in; before the field is cleared. */
export function loseBounce(home: OpenSegment, session: number): void {
  const { segment, rollups: index } = home;
  const { timeMs, path, title, previous } = segment.views.columns;
  const { pages, titledPages, rollups } = segment;
  const head = segment.sessions.columns.lastView[session]!;
  if (head === NONE) return;
  for (let row = head; row !== NONE; row = previous[row]!) {
    look.path = path[row]!;
    look.title = title[row]!;
    look.hour = hourOf(timeMs[row]!);
    look.minute = minuteOf(timeMs[row]!);
    const seen = lookUpTo(home, head, row);
    const page = index.pageRow(look.path, look.title);
    if ((seen & SEEN_PATH) === 0) {
      pages.columns.bounces[page]!--;
      pages.touch(page);
    }
    const titled = (seen & SEEN_TITLED) === 0 ? index.titledRow(page, look.path, look.title) : -1;
    if (titled >= 0) {
      titledPages.columns.bounces[titled]!--;
      titledPages.touch(titled);
    }
    if ((seen & SEEN_HOUR) === 0)
      loseGroupBounce(rollups, index.rollupRow(FAMILY.hour, look.hour, 0, 0));
    if ((seen & SEEN_MINUTE) === 0) {
      loseGroupBounce(rollups, index.rollupRow(FAMILY.minute, look.minute, 0, 0));
    }
  }
  loseSessionBounce(home, session);
}

/** Counts an event just appended (S-13, S-60). */
export function countEvent(home: OpenSegment, session: number, row: number): void {
  const { events, rollups, metaPairs, sessions } = home.segment;
  const name = events.columns.name[row]!;
  const group = home.rollups.rollupRow(FAMILY.eventName, name, 0, 0);
  const { columns } = rollups;
  columns.timed[group]!++;
  columns.seconds[group]! += events.columns.durationSeconds[row]!;
  rollups.touch(group);
  const { metaEnd } = events.columns;
  for (let pair = row === 0 ? 0 : metaEnd[row - 1]!; pair < metaEnd[row]!; pair++) {
    home.rollups.rollupRow(FAMILY.eventKey, name, metaPairs.columns.key[pair]!, 0);
  }
  const visitor = sessions.columns.visitor[session]!;
  // Sets are made before the event is known to the session.
  const heavy = heavyOf(home, visitor, NONE);
  if (!home.sessionEvents.add(session, name)) return;
  columns.views[group]! += viewCountOf(home, session);
  if (heavy === null) {
    if (otherFired(home, session, { visitor, name })) return;
  } else {
    if (heavy.groups.has(group)) return;
    heavy.groups.add(group);
  }
  columns.visitors[group]!++;
}

/** What a session's views but one have of what is looked for; widens `look`'s span. */
function lookBack(home: OpenSegment, session: number, skipped: number): number {
  const { timeMs, path, title, previous } = home.segment.views.columns;
  let seen = 0;
  const head = home.segment.sessions.columns.lastView[session]!;
  for (let row = head; row !== NONE; row = previous[row]!) {
    if (row === skipped) continue;
    const atMs = timeMs[row]!;
    if (atMs < look.firstMs) look.firstMs = atMs;
    if (atMs > look.lastMs) look.lastMs = atMs;
    if ((seen & SEEN_ALL) !== SEEN_ALL) {
      seen |= sameness(path[row]!, title[row]!, atMs);
    }
  }
  return seen;
}

/** What a session's views from its latest up to `end`, not included, have of what is looked for. */
function lookUpTo(home: OpenSegment, head: number, end: number): number {
  const { timeMs, path, title, previous } = home.segment.views.columns;
  let seen = 0;
  for (let row = head; row !== end; row = previous[row]!) {
    seen |= sameness(path[row]!, title[row]!, timeMs[row]!);
  }
  return seen;
}

function sameness(path: number, title: number, atMs: number): number {
  let seen = SEEN_ANY;
  if (path === look.path) seen |= title === look.title ? SEEN_PATH | SEEN_TITLED : SEEN_PATH;
  if (hourOf(atMs) === look.hour) seen |= SEEN_HOUR;
  if (minuteOf(atMs) === look.minute) seen |= SEEN_MINUTE;
  return seen;
}

/** The same over the visitor's other sessions. */
function lookAtOthers(home: OpenSegment, session: number, visitor: number): number {
  const { visitorSessions } = home;
  let seen = 0;
  let other = visitorSessions.latestOf(visitor);
  while (other !== NONE) {
    if (other !== session) seen |= lookBack(home, other, NONE);
    other = visitorSessions.before(other);
  }
  return seen;
}

/** The same of a visitor with sets, who from now on has it all. */
function lookAtHeavy(home: OpenSegment, heavy: HeavyVisitor, timeMs: number): number {
  const hour = home.rollups.rollupRow(FAMILY.hour, look.hour, 0, 0);
  const minute = home.rollups.rollupRow(FAMILY.minute, look.minute, 0, 0);
  const titled = HeavyVisitor.titledKey(look.path, look.title);
  let seen = heavy.firstMs <= heavy.lastMs ? SEEN_ANY : 0;
  if (heavy.paths.has(look.path)) seen |= SEEN_PATH;
  if (heavy.titled.has(titled)) seen |= SEEN_TITLED;
  if (heavy.groups.has(hour)) seen |= SEEN_HOUR;
  if (heavy.groups.has(minute)) seen |= SEEN_MINUTE;
  look.firstMs = heavy.firstMs;
  look.lastMs = heavy.lastMs;
  heavy.paths.add(look.path);
  heavy.titled.add(titled);
  heavy.groups.add(hour);
  heavy.groups.add(minute);
  if (timeMs < heavy.firstMs) heavy.firstMs = timeMs;
  if (timeMs > heavy.lastMs) heavy.lastMs = timeMs;
  return seen;
}

function countPage(home: OpenSegment, path: number, title: number): void {
  const { pages, titledPages } = home.segment;
  const page = home.rollups.pageRow(path, title);
  const titled = home.rollups.titledRow(page, path, title);
  countIn(pages, page, SEEN_PATH);
  if (titled >= 0) countIn(titledPages, titled, SEEN_TITLED);
}

function countClock(home: OpenSegment): void {
  const { rollups } = home.segment;
  countIn(rollups, home.rollups.rollupRow(FAMILY.hour, look.hour, 0, 0), SEEN_HOUR);
  countIn(rollups, home.rollups.rollupRow(FAMILY.minute, look.minute, 0, 0), SEEN_MINUTE);
}

/** A table with the counts that hours, minutes and pages share. */
type CountedTable = OpenSegment['segment']['pages'] | OpenSegment['segment']['rollups'];

function countIn(table: CountedTable, row: number, bit: number): void {
  const { columns } = table;
  columns.views[row]!++;
  table.touch(row);
  if ((counted.ofSession & bit) === 0) {
    columns.sessions[row]!++;
    columns.bounces[row]! += counted.isBounce;
  }
  if ((counted.ofVisitor & bit) === 0) columns.visitors[row]!++;
}

function loseGroupBounce(rollups: OpenSegment['segment']['rollups'], row: number): void {
  rollups.columns.bounces[row]!--;
  rollups.touch(row);
}

/** Counts a view in its quarter, and the visitor where their first and last views are now. */
function countQuarter(home: OpenSegment, timeMs: number, ofVisitor: number): void {
  const { quarters } = home.segment;
  const row = home.rollups.quarterRow(timeMs);
  const { firstMs, lastMs } = look;
  const isNew = (ofVisitor & SEEN_ANY) === 0;
  const first = isNew || timeMs >= firstMs ? -1 : home.rollups.quarterRow(firstMs);
  const last = isNew || timeMs <= lastMs ? -1 : home.rollups.quarterRow(lastMs);
  const { columns } = quarters;
  columns.views[row]!++;
  quarters.touch(row);
  if (isNew || first >= 0) columns.visitorsFirst[row]!++;
  if (isNew || last >= 0) columns.visitorsLast[row]!++;
  if (first >= 0) {
    columns.visitorsFirst[first]!--;
    quarters.touch(first);
  }
  if (last >= 0) {
    columns.visitorsLast[last]!--;
    quarters.touch(last);
  }
}

/** Moves the session in the quarters of its first and last page view; usually they stay. */
function moveInQuarters(home: OpenSegment, isBounce: number, seconds: number): void {
  const { quarters } = home.segment;
  const { columns } = quarters;
  const first = home.rollups.quarterRow(is.firstMs);
  const last = home.rollups.quarterRow(is.lastMs);
  const timed = seconds > 0 ? 1 : 0;
  columns.bouncesFirst[first]! += isBounce;
  columns.bouncesLast[last]! += isBounce;
  columns.secondsFirst[first]! += seconds;
  columns.secondsLast[last]! += seconds;
  columns.timedFirst[first]! += timed;
  columns.timedLast[last]! += timed;
  columns.sessionsFirst[first]!++;
  columns.sessionsLast[last]!++;
  quarters.touch(first);
  quarters.touch(last);
  if (!was.isCounted) return;
  const firstBefore = was.firstMs === is.firstMs ? first : home.rollups.quarterRow(was.firstMs);
  const lastBefore = was.lastMs === is.lastMs ? last : home.rollups.quarterRow(was.lastMs);
  const timedBefore = was.seconds > 0 ? 1 : 0;
  columns.bouncesFirst[firstBefore]! -= was.isBounce;
  columns.bouncesLast[lastBefore]! -= was.isBounce;
  columns.secondsFirst[firstBefore]! -= was.seconds;
  columns.secondsLast[lastBefore]! -= was.seconds;
  columns.timedFirst[firstBefore]! -= timedBefore;
  columns.timedLast[lastBefore]! -= timedBefore;
  columns.sessionsFirst[firstBefore]!--;
  columns.sessionsLast[lastBefore]!--;
  if (firstBefore !== first) quarters.touch(firstBefore);
  if (lastBefore !== last) quarters.touch(lastBefore);
}

function countEntry(home: OpenSegment, path: number, title: number, by: 1 | -1): void {
  const { pages, titledPages } = home.segment;
  const page = home.rollups.pageRow(path, title);
  const titled = home.rollups.titledRow(page, path, title);
  pages.columns.entries[page]! += by;
  pages.touch(page);
  if (titled < 0) return;
  titledPages.columns.entries[titled]! += by;
  titledPages.touch(titled);
}

function countExit(home: OpenSegment, path: number, title: number, by: 1 | -1): void {
  const { pages, titledPages } = home.segment;
  const page = home.rollups.pageRow(path, title);
  const titled = home.rollups.titledRow(page, path, title);
  pages.columns.exits[page]! += by;
  pages.touch(page);
  if (titled < 0) return;
  titledPages.columns.exits[titled]! += by;
  titledPages.touch(titled);
}

/** For hits that add no view: where the session's views begin and end, before as after. */
function findSpan(home: OpenSegment, session: number): void {
  const { timeMs, previous } = home.segment.views.columns;
  let row = home.segment.sessions.columns.lastView[session]!;
  is.lastMs = timeMs[row]!;
  while (previous[row] !== NONE) row = previous[row]!;
  is.firstMs = timeMs[row]!;
  was.firstMs = is.firstMs;
  was.lastMs = is.lastMs;
}

function durationOf(home: OpenSegment, session: number): number {
  const { startMs, lastMs } = home.segment.sessions.columns;
  return Math.floor((lastMs[session]! - startMs[session]!) / SECOND_MS);
}

function viewCountOf(home: OpenSegment, session: number): number {
  const { previous } = home.segment.views.columns;
  let count = 0;
  const head = home.segment.sessions.columns.lastView[session]!;
  for (let row = head; row !== NONE; row = previous[row]!) count++;
  return count;
}

function otherFired(
  home: OpenSegment,
  session: number,
  { visitor, name }: { visitor: number; name: number },
): boolean {
  const { visitorSessions, sessionEvents } = home;
  let other = visitorSessions.latestOf(visitor);
  while (other !== NONE) {
    if (other !== session && sessionEvents.pairs.has(other, name)) return true;
    other = visitorSessions.before(other);
  }
  return false;
}
