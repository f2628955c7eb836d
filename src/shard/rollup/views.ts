/**
 * Page views in the rolling pre-aggregates: pages, hours, minutes, quarters, and the visitors in them.
 *
 * Data plane, while flushing, in the order in which the views came. A group counts a session or a
 * visitor once. Whether they were counted already is told by the session's few earlier rows (with
 * many, `long-sessions.ts`) and by those of the visitor's other sessions (nearly always there are none;
 * with many, `heavy-visitors.ts`). Nothing here depends on memory that a restart loses.
 */

import { MINUTE_MS } from '../../model/limits.ts';
import { NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import {
  SEEN_ANY,
  SEEN_HOUR,
  SEEN_MINUTE,
  SEEN_PATH,
  SEEN_TITLED,
  type SeenViews,
} from '../../segment/open/seen-views.ts';
import { FAMILY } from '../../segment/rollup/families.ts';
import { isCountedByFamily } from './families.ts';
import { heavyOf } from './heavy-visitors.ts';
import { hourOf, minuteOf } from './keys.ts';
import { longOf } from './long-sessions.ts';
import { countNewGroups, countReferrer, countSession, countTags } from './sessions.ts';

// One of each per thread: flushing is synchronous and never nested.
/** What is looked for among earlier page views, and how far those reach. */
const look = { timeMs: 0, path: 0, title: 0, hour: 0, minute: 0, firstMs: 0, lastMs: 0 };
/** The page view that is counted: in what its session and visitor were counted before it. */
const counted = { ofSession: 0, ofVisitor: 0, isBounce: 0 };
/** Rows of the minute of the page view before: the next one is nearly always of the same. */
const clock = { home: null as OpenSegment | null, atMinute: 0, hour: 0, minute: 0, quarter: 0 };

/** Counts a page view; those with lower rows are counted. */
export function countView(home: OpenSegment, row: number): void {
  const { views, sessions } = home.segment;
  const { columns } = views;
  const session = columns.session[row]!;
  const timeMs = columns.timeMs[row]!;
  const path = columns.path[row]!;
  const title = columns.title[row]!;
  look.timeMs = timeMs;
  look.path = path;
  look.title = title;
  look.hour = hourOf(timeMs);
  look.minute = minuteOf(timeMs);
  look.firstMs = Number.POSITIVE_INFINITY;
  look.lastMs = Number.NEGATIVE_INFINITY;
  const long = longOf(home, session, row);
  const ofSession = long === null ? walkBack(home, session, row) : lookAt(long, true);
  const isByFamily = isCountedByFamily(session);
  const visitor = sessions.columns.visitor[session]!;
  const isAlone = isByFamily || home.visitorSessions.countOf(visitor) === 1;
  const heavy = isAlone ? null : heavyOf(home, visitor, row);
  let ofVisitor = ofSession;
  if (heavy !== null) ofVisitor = lookAtHeavy(heavy.views);
  else if (!isAlone) ofVisitor |= lookAtOthers(home, session, row);
  counted.ofSession = ofSession;
  counted.ofVisitor = ofVisitor;
  counted.isBounce = sessions.columns.isBounce[session]!;
  countPage(home, row);
  countClock(home, timeMs);
  countQuarter(home, row);
  if (!isAlone) moveVisitor(home, timeMs, ofVisitor);
  if ((ofSession & SEEN_ANY) === 0) {
    if (isByFamily) countNewGroups(home, session);
    else countSession(home, session, { visitor, heavy, viewEnd: row });
    countReferrer(home, session, { visitor, heavy, viewEnd: row, isAlone });
  }
  countTags(home, session, row, { long, heavy: heavy?.views ?? null });
  countForEvents(home, session);
}

/** Lets go of the segment. At the end of a flushing. */
export function endViews(): void {
  clock.home = null;
}

/** What added views have of what is looked for; widens `look`'s span. It is added, too, if asked. */
function lookAt(views: SeenViews, isAdded: boolean): number {
  if (views.firstMs < look.firstMs) look.firstMs = views.firstMs;
  if (views.lastMs > look.lastMs) look.lastMs = views.lastMs;
  return isAdded ? views.add(look) : views.look(look);
}

/** The same of a session's rows below `viewEnd`, by a walk over them. */
function walkBack(home: OpenSegment, session: number, viewEnd: number): number {
  const { timeMs, path, title, previous } = home.segment.views.columns;
  let seen = 0;
  const head = home.segment.sessions.columns.lastView[session]!;
  for (let row = head; row !== NONE; row = previous[row]!) {
    if (row >= viewEnd) continue;
    const atMs = timeMs[row]!;
    if (atMs < look.firstMs) look.firstMs = atMs;
    if (atMs > look.lastMs) look.lastMs = atMs;
    seen |= sameness(path[row]!, title[row]!, atMs);
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
function lookAtOthers(home: OpenSegment, session: number, viewEnd: number): number {
  const { visitorSessions } = home;
  let seen = 0;
  let other = visitorSessions.latestOf(home.segment.sessions.columns.visitor[session]!);
  while (other !== NONE) {
    if (other !== session) {
      const long = longOf(home, other, viewEnd);
      seen |= long === null ? walkBack(home, other, viewEnd) : lookAt(long, false);
    }
    other = visitorSessions.before(other);
  }
  return seen;
}

/** The same of a visitor with many sessions, whose span it is then. */
function lookAtHeavy(views: SeenViews): number {
  look.firstMs = views.firstMs;
  look.lastMs = views.lastMs;
  return views.add(look);
}

function countPage(home: OpenSegment, row: number): void {
  const { pages, titledPages, views } = home.segment;
  const page = home.rollups.pageRow(look.path, look.title);
  const titled = home.rollups.titledRow(page, look.path, look.title);
  const seconds = views.columns.timeOnPage[row]!;
  countIn(pages, page, SEEN_PATH);
  if (seconds > 0) addTime(pages, page, seconds);
  if (titled < 0) return;
  countIn(titledPages, titled, SEEN_TITLED);
  if (seconds > 0) addTime(titledPages, titled, seconds);
}

function countClock(home: OpenSegment, timeMs: number): void {
  const atMinute = (timeMs / MINUTE_MS) | 0;
  if (clock.home !== home || clock.atMinute !== atMinute) {
    clock.home = home;
    clock.atMinute = atMinute;
    clock.hour = home.rollups.rollupRow(FAMILY.hour, look.hour, 0, 0);
    clock.minute = home.rollups.rollupRow(FAMILY.minute, look.minute, 0, 0);
    clock.quarter = home.rollups.quarterRow(timeMs);
  }
  const { rollups } = home.segment;
  countIn(rollups, clock.hour, SEEN_HOUR);
  countIn(rollups, clock.minute, SEEN_MINUTE);
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

function addTime(table: OpenSegment['segment']['pages'], row: number, seconds: number): void {
  table.columns.seconds[row]! += seconds;
  table.columns.timed[row]!++;
}

/** Counts a view in its quarter; `clock` stands on its minute. */
function countQuarter(home: OpenSegment, row: number): void {
  const { quarters, views } = home.segment;
  const { columns } = quarters;
  columns.views[clock.quarter]!++;
  quarters.touch(clock.quarter);
  const seconds = views.columns.timeOnPage[row]!;
  if (seconds === 0) return;
  columns.pageSeconds[clock.quarter]! += seconds;
  columns.pageTimed[clock.quarter]!++;
}

/** Counts a visitor of several sessions where their first and last views are now. */
function moveVisitor(home: OpenSegment, timeMs: number, ofVisitor: number): void {
  const { quarters } = home.segment;
  const row = clock.quarter;
  const { firstMs, lastMs } = look;
  const isNew = (ofVisitor & SEEN_ANY) === 0;
  const first = isNew || timeMs >= firstMs ? -1 : home.rollups.quarterRow(firstMs);
  const last = isNew || timeMs <= lastMs ? -1 : home.rollups.quarterRow(lastMs);
  const { columns } = quarters;
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

/** An event name counts the views of the sessions that fired it (S-13). */
function countForEvents(home: OpenSegment, session: number): void {
  const { sessionEvents } = home;
  for (let pair = sessionEvents.head(session); pair >= 0; pair = sessionEvents.before(pair)) {
    const name = sessionEvents.pairs.seconds[pair]!;
    const group = home.rollups.rollupRow(FAMILY.eventName, name, 0, 0);
    home.segment.rollups.columns.views[group]!++;
    home.segment.rollups.touch(group);
  }
}
