/**
 * Rows of page views and events, and the time on page that links a session's views (I-60).
 *
 * Data plane. The views of a session form a list from the latest to the earliest by time
 * (`sessions.lastView`, `views.previous`), so that a late view finds its neighbours.
 */

import { REF } from '../../bus/record/decoded-record.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { NONE } from '../../segment/memory/layout.ts';
import { timeOnPage } from '../../segment/memory/time-on-page.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { noteEvent, setTimeOnPage } from '../rollup/deltas.ts';
import type { HitCursor } from './hit-cursor.ts';

/** A page view to append; ids are of the segment's dictionary. */
export interface ViewRow {
  timeMs: number;
  path: number;
  title: number;
}

/**
 * Appends a page view and sets the times on page around it (I-60). Its tags stand there already.
 *
 * @cost constant; a late view walks back over the session's views, at most 200.
 */
export function appendView(home: OpenSegment, session: number, view: ViewRow): void {
  const { views, sessions, tagPairs } = home.segment;
  const { timeMs } = view;
  const row = views.append();
  const { columns } = views;
  columns.timeMs[row] = timeMs;
  columns.session[row] = session;
  columns.path[row] = view.path;
  columns.title[row] = view.title;
  columns.tagEnd[row] = tagPairs.rowCount;
  let next = NONE;
  let before = sessions.columns.lastView[session]!;
  // Equal times keep the order of arrival, so only strictly later views are passed.
  while (before !== NONE && columns.timeMs[before]! > timeMs) {
    next = before;
    before = columns.previous[before]!;
  }
  columns.previous[row] = before;
  if (next === NONE) {
    sessions.columns.lastView[session] = row;
  } else {
    columns.previous[next] = row;
  }
  if (before !== NONE) {
    setTimeOnPage(home, before, timeOnPage(columns.timeMs[before]!, timeMs));
  }
  if (next !== NONE) setTimeOnPage(home, row, timeOnPage(timeMs, columns.timeMs[next]!));
}

/** Appends the pairs of a page view, before its row. */
export function appendTags(home: OpenSegment, hit: HitCursor): void {
  appendPairs(home, 'tagPairs', hit);
}

/**
 * Appends an event row (I-53 to I-55).
 *
 * @param event path and title are ids of the segment's dictionary; `isExit`: they are the session's
 *   exit page now.
 */
export function appendEvent(
  home: OpenSegment,
  session: number,
  event: { hit: HitCursor; path: number; title: number; isExit: boolean },
): void {
  const { events, metaPairs, dictionary } = home.segment;
  const { hit } = event;
  const name = hit.intern(dictionary, REF.eventName);
  appendPairs(home, 'metaPairs', hit);
  const row = events.append();
  const { columns } = events;
  columns.timeMs[row] = hit.timeMs;
  columns.session[row] = session;
  columns.name[row] = name;
  columns.path[row] = event.path;
  columns.title[row] = event.title;
  columns.durationSeconds[row] = hit.eventDurationSeconds;
  columns.metaEnd[row] = metaPairs.rowCount;
  noteEvent(home, event.isExit);
}

function appendPairs(home: OpenSegment, table: 'tagPairs' | 'metaPairs', hit: HitCursor): void {
  const { dictionary } = home.segment;
  const keyKind = table === 'tagPairs' ? KIND.tagKey : KIND.metaKey;
  const valueKind = table === 'tagPairs' ? KIND.tagValue : KIND.metaValue;
  const rows = home.segment[table];
  const first = rows.rowCount;
  for (let at = hit.pairStart; at + 1 < hit.pairEnd; at += 2) {
    const key = hit.internPair(dictionary, keyKind, at);
    // Of several keys that have become `(other)` (I-79) the first stands: a row has a key once.
    if (hasKey(rows.columns.key, key, first, rows.rowCount)) continue;
    const value = hit.internPair(dictionary, valueKind, at + 1);
    const row = rows.append();
    rows.columns.key[row] = key;
    rows.columns.value[row] = value;
  }
}

function hasKey(keys: ArrayLike<number>, key: number, first: number, end: number): boolean {
  for (let row = first; row < end; row++) if (keys[row] === key) return true;
  return false;
}
