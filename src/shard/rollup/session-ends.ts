/**
 * Sessions where they begin and end: entry and exit pages, quarters of an hour, and their bounces.
 *
 * Data plane, while settling. A session that was counted before is taken out as what it was and put
 * in as what it is. What it was in the quarters follows from its views that are counted.
 */

import { NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { FAMILY } from '../../segment/rollup/families.ts';
import { durationOf } from './deltas.ts';
import { hourOf, minuteOf } from './keys.ts';
import { loseSessionBounce } from './sessions.ts';
import { look, lookUpTo, SEEN_HOUR, SEEN_MINUTE, SEEN_PATH, SEEN_TITLED } from './views.ts';

/** Instants of a session's first and last page view; written by `findSpan`. */
const span = { firstMs: 0, lastMs: 0 };

/** Counts the sessions that were opened since the last settling; their pages have rows. */
export function countNewSessions(home: OpenSegment): void {
  const { sessions, views } = home.segment;
  const { columns } = sessions;
  for (let session = home.unsettled.sessions; session < sessions.rowCount; session++) {
    if (!findSpan(home, session, views.rowCount)) continue;
    addEntry(home, columns.entryPath[session]!, columns.entryTitle[session]!, 1);
    addExit(home, columns.exitPath[session]!, columns.exitTitle[session]!, 1);
    const seconds = durationOf(home, session);
    addToQuarters(home, { by: 1, isBounce: columns.isBounce[session]!, seconds });
    if (isAlone(home, session)) addVisitor(home, 1);
  }
}

/** Moves the sessions that were counted before and have moved since. */
export function moveSessions(home: OpenSegment): void {
  const { unsettled } = home;
  const { sessions, views } = home.segment;
  for (const [session, was] of unsettled.moved) {
    const alone = isAlone(home, session);
    if (findSpan(home, session, unsettled.views)) {
      addEntry(home, was.entryPath, was.entryTitle, -1);
      addExit(home, was.exitPath, was.exitTitle, -1);
      addToQuarters(home, { by: -1, isBounce: was.isBounce, seconds: was.seconds });
      if (alone) addVisitor(home, -1);
    }
    // After a deletion a session may be left that has events only.
    if (!findSpan(home, session, views.rowCount)) continue;
    const { columns } = sessions;
    addEntry(home, columns.entryPath[session]!, columns.entryTitle[session]!, 1);
    addExit(home, columns.exitPath[session]!, columns.exitTitle[session]!, 1);
    const seconds = durationOf(home, session);
    addToQuarters(home, { by: 1, isBounce: columns.isBounce[session]!, seconds });
    if (alone) addVisitor(home, 1);
  }
}

/** Takes the bounces of sessions that are none any more out of what is counted. */
export function loseBounces(home: OpenSegment): void {
  const { isBounce } = home.segment.sessions.columns;
  for (const [session, was] of home.unsettled.moved) {
    if (was.isBounce !== isBounce[session]) loseBounce(home, session);
  }
}

function loseBounce(home: OpenSegment, session: number): void {
  const { segment, rollups: index } = home;
  const { timeMs, path, title, previous } = segment.views.columns;
  const { pages, titledPages, rollups } = segment;
  const viewEnd = home.unsettled.views;
  const head = segment.sessions.columns.lastView[session]!;
  let isCounted = false;
  for (let row = head; row !== NONE; row = previous[row]!) {
    if (row >= viewEnd) continue;
    isCounted = true;
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
  if (isCounted) loseSessionBounce(home, session);
}

function loseGroupBounce(rollups: OpenSegment['segment']['rollups'], row: number): void {
  rollups.columns.bounces[row]!--;
  rollups.touch(row);
}

function isAlone(home: OpenSegment, session: number): boolean {
  return home.visitorSessions.countOf(home.segment.sessions.columns.visitor[session]!) === 1;
}

/** The span of a session's views before `viewEnd`. @returns false when there is none. */
function findSpan(home: OpenSegment, session: number, viewEnd: number): boolean {
  const { timeMs, previous } = home.segment.views.columns;
  let first = NONE;
  let last = NONE;
  const head = home.segment.sessions.columns.lastView[session]!;
  for (let row = head; row !== NONE; row = previous[row]!) {
    if (row >= viewEnd) continue;
    if (last === NONE) last = row;
    first = row;
  }
  if (last === NONE) return false;
  span.firstMs = timeMs[first]!;
  span.lastMs = timeMs[last]!;
  return true;
}

function addToQuarters(
  home: OpenSegment,
  { by, isBounce, seconds }: { by: 1 | -1; isBounce: number; seconds: number },
): void {
  const { quarters } = home.segment;
  const first = home.rollups.quarterRow(span.firstMs);
  const last = home.rollups.quarterRow(span.lastMs);
  const { columns } = quarters;
  columns.sessionsFirst[first]! += by;
  columns.sessionsLast[last]! += by;
  columns.bouncesFirst[first]! += by * isBounce;
  columns.bouncesLast[last]! += by * isBounce;
  if (seconds > 0) {
    columns.secondsFirst[first]! += by * seconds;
    columns.secondsLast[last]! += by * seconds;
    columns.timedFirst[first]! += by;
    columns.timedLast[last]! += by;
  }
  quarters.touch(first);
  quarters.touch(last);
}

/** The only session of a visitor says where their first and last views are. */
function addVisitor(home: OpenSegment, by: 1 | -1): void {
  const { quarters } = home.segment;
  const first = home.rollups.quarterRow(span.firstMs);
  const last = home.rollups.quarterRow(span.lastMs);
  quarters.columns.visitorsFirst[first]! += by;
  quarters.columns.visitorsLast[last]! += by;
}

function addEntry(home: OpenSegment, path: number, title: number, by: 1 | -1): void {
  const { pages, titledPages } = home.segment;
  const page = home.rollups.pageRow(path, title);
  const titled = home.rollups.titledRow(page, path, title);
  pages.columns.entries[page]! += by;
  pages.touch(page);
  if (titled < 0) return;
  titledPages.columns.entries[titled]! += by;
  titledPages.touch(titled);
}

function addExit(home: OpenSegment, path: number, title: number, by: 1 | -1): void {
  const { pages, titledPages } = home.segment;
  const page = home.rollups.pageRow(path, title);
  const titled = home.rollups.titledRow(page, path, title);
  pages.columns.exits[page]! += by;
  pages.touch(page);
  if (titled < 0) return;
  titledPages.columns.exits[titled]! += by;
  titledPages.touch(titled);
}
