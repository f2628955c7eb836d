/**
 * What a hit records for the rolling pre-aggregates, which are flushed later and in groups.
 *
 * Data plane, on every hit. New rows need no delta: they lie beyond the row counts of `Unflushed`.
 * Recorded is as what a session was counted before it changes, and after how many views an event
 * came.
 */

import { SECOND_MS } from '../../model/limits.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { findSpan, span } from './long-sessions.ts';

/** Remembers what a session is counted as. Before any of its fields moves. */
export function noteMove(home: OpenSegment, session: number): void {
  const { unflushed } = home;
  if (session >= unflushed.sessions || unflushed.moved.has(session)) return;
  const { columns } = home.segment.sessions;
  // All of its views are counted still.
  const hasViews = findSpan(home, session, unflushed.views);
  unflushed.moved.set(session, {
    isBounce: columns.isBounce[session]!,
    seconds: durationOf(home, session),
    firstQuarter: hasViews ? home.rollups.quarterRow(span.firstMs) : -1,
    lastQuarter: hasViews ? home.rollups.quarterRow(span.lastMs) : -1,
    entryPath: columns.entryPath[session]!,
    entryTitle: columns.entryTitle[session]!,
    exitPath: columns.exitPath[session]!,
    exitTitle: columns.exitTitle[session]!,
  });
}

/** Remembers where the event just appended came. @param isExit whether its page is the exit page. */
export function noteEvent(home: OpenSegment, isExit: boolean): void {
  const { unflushed, segment } = home;
  unflushed.eventPlaces.push(segment.views.rowCount * 2 + (isExit ? 1 : 0));
}

/** Sets the time on page of a view and, of one that is counted, what is summed of it (I-60). */
export function setTimeOnPage(home: OpenSegment, row: number, seconds: number): void {
  const { timeOnPage } = home.segment.views.columns;
  const before = timeOnPage[row]!;
  timeOnPage[row] = seconds;
  if (row >= home.unflushed.views || seconds === before) return;
  const timed = (seconds > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
  addTimeOnPage(home, row, seconds - before, timed);
}

function addTimeOnPage(home: OpenSegment, row: number, seconds: number, timed: number): void {
  const { views, pages, titledPages, quarters } = home.segment;
  const { path, title, timeMs } = views.columns;
  const page = home.rollups.pageRow(path[row]!, title[row]!);
  const titled = home.rollups.titledRow(page, path[row]!, title[row]!);
  pages.columns.seconds[page]! += seconds;
  pages.columns.timed[page]! += timed;
  pages.touch(page);
  if (titled >= 0) {
    titledPages.columns.seconds[titled]! += seconds;
    titledPages.columns.timed[titled]! += timed;
    titledPages.touch(titled);
  }
  const quarter = home.rollups.quarterRow(timeMs[row]!);
  quarters.columns.pageSeconds[quarter]! += seconds;
  quarters.columns.pageTimed[quarter]! += timed;
  quarters.touch(quarter);
}

/** Whole seconds from a session's start to its last activity. */
export function durationOf(home: OpenSegment, session: number): number {
  const { startMs, lastMs } = home.segment.sessions.columns;
  return Math.floor((lastMs[session]! - startMs[session]!) / SECOND_MS);
}
