/**
 * Sessions at their first and last page: entry and exit pages, quarters of an hour, bounces.
 *
 * Data plane, while flushing. A session that was counted before is subtracted as it was and added
 * as it is. What it was in the quarters follows from those of its views that are counted.
 */

import { NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import {
  SEEN_HOUR,
  SEEN_MINUTE,
  SEEN_PATH,
  SEEN_TITLED,
  SeenViews,
} from '../../segment/open/seen-views.ts';
import { FAMILY } from '../../segment/rollup/families.ts';
import { durationOf } from './deltas.ts';
import { hourOf, minuteOf } from './keys.ts';
import { findSpan, span } from './long-sessions.ts';
import { loseSessionBounce } from './sessions.ts';

/** Of the session whose bounce is lost, the views passed, and the one at hand. */
const passed = new SeenViews();
const look = { timeMs: 0, path: 0, title: 0, hour: 0, minute: 0 };
/** Rows of the page looked up last; of its titled one −1 where none is kept. */
const pageRows = { page: 0, titled: -1 };

/** Counts the sessions that were opened since the last flushing; their pages have rows. */
export function countNewSessions(home: OpenSegment): void {
  const { sessions, views } = home.segment;
  const { columns } = sessions;
  for (let session = home.unflushed.sessions; session < sessions.rowCount; session++) {
    if (!findSpan(home, session, views.rowCount)) continue;
    addEntry(home, columns.entryPath[session]!, columns.entryTitle[session]!, 1);
    addExit(home, columns.exitPath[session]!, columns.exitTitle[session]!, 1);
    addAsIs(home, session, isAlone(home, session));
  }
}

/** Moves the sessions that were counted before and have moved since. */
export function moveSessions(home: OpenSegment): void {
  const { unflushed } = home;
  const { sessions, views } = home.segment;
  for (const [session, was] of unflushed.moved) {
    const alone = isAlone(home, session);
    const { firstQuarter: first, lastQuarter: last } = was;
    const { entryPath, entryTitle, exitPath, exitTitle } = sessions.columns;
    // After a deletion a session may be left that has events only.
    const wasCounted = first >= 0;
    const isCounted = findSpan(home, session, views.rowCount);
    const isSame = wasCounted && isCounted;
    if (!isSame || was.entryPath !== entryPath[session] || was.entryTitle !== entryTitle[session]) {
      if (wasCounted) addEntry(home, was.entryPath, was.entryTitle, -1);
      if (isCounted) addEntry(home, entryPath[session]!, entryTitle[session]!, 1);
    }
    if (!isSame || was.exitPath !== exitPath[session] || was.exitTitle !== exitTitle[session]) {
      if (wasCounted) addExit(home, was.exitPath, was.exitTitle, -1);
      if (isCounted) addExit(home, exitPath[session]!, exitTitle[session]!, 1);
    }
    if (wasCounted) {
      addToQuarters(home, { first, last, by: -1, isBounce: was.isBounce, seconds: was.seconds });
      if (alone) addVisitor(home, first, last, -1);
    }
    if (isCounted) addAsIs(home, session, alone);
  }
}

/** Counts a session in the quarters of its span, which was just found. */
function addAsIs(home: OpenSegment, session: number, alone: boolean): void {
  const first = home.rollups.quarterRow(span.firstMs);
  const last = home.rollups.quarterRow(span.lastMs);
  const isBounce = home.segment.sessions.columns.isBounce[session]!;
  const seconds = durationOf(home, session);
  addToQuarters(home, { first, last, by: 1, isBounce, seconds });
  if (alone) addVisitor(home, first, last, 1);
}

/** Takes the bounces of sessions that are none any more out of what is counted. */
export function loseBounces(home: OpenSegment): void {
  const { isBounce } = home.segment.sessions.columns;
  for (const [session, was] of home.unflushed.moved) {
    if (was.isBounce !== isBounce[session]) loseBounce(home, session);
  }
}

function loseBounce(home: OpenSegment, session: number): void {
  const { segment, rollups: index } = home;
  const { timeMs, path, title, previous } = segment.views.columns;
  const { pages, titledPages, rollups } = segment;
  const viewEnd = home.unflushed.views;
  const head = segment.sessions.columns.lastView[session]!;
  let isCounted = false;
  passed.clear();
  for (let row = head; row !== NONE; row = previous[row]!) {
    if (row >= viewEnd) continue;
    isCounted = true;
    look.path = path[row]!;
    look.title = title[row]!;
    look.hour = hourOf(timeMs[row]!);
    look.minute = minuteOf(timeMs[row]!);
    const seen = passed.add(look);
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

/** What a session counts in its first and its last quarter of an hour, which are rows. */
interface QuarterCount {
  readonly first: number;
  readonly last: number;
  readonly by: 1 | -1;
  readonly isBounce: number;
  readonly seconds: number;
}

function addToQuarters(
  home: OpenSegment,
  { first, last, by, isBounce, seconds }: QuarterCount,
): void {
  const { quarters } = home.segment;
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
function addVisitor(home: OpenSegment, first: number, last: number, by: 1 | -1): void {
  const { quarters } = home.segment;
  quarters.columns.visitorsFirst[first]! += by;
  quarters.columns.visitorsLast[last]! += by;
}

function addEntry(home: OpenSegment, path: number, title: number, by: 1 | -1): void {
  const { pages, titledPages } = home.segment;
  touchPage(home, path, title);
  pages.columns.entries[pageRows.page]! += by;
  if (pageRows.titled >= 0) titledPages.columns.entries[pageRows.titled]! += by;
}

function addExit(home: OpenSegment, path: number, title: number, by: 1 | -1): void {
  const { pages, titledPages } = home.segment;
  touchPage(home, path, title);
  pages.columns.exits[pageRows.page]! += by;
  if (pageRows.titled >= 0) titledPages.columns.exits[pageRows.titled]! += by;
}

/** Finds the rows of a page, made if new, and marks them as changed. They stand in `pageRows` then. */
function touchPage(home: OpenSegment, path: number, title: number): void {
  const { pages, titledPages } = home.segment;
  const page = home.rollups.pageRow(path, title);
  const titled = home.rollups.titledRow(page, path, title);
  pageRows.page = page;
  pageRows.titled = titled;
  pages.touch(page);
  if (titled >= 0) titledPages.touch(titled);
}
