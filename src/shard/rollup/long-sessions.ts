/**
 * Sessions with many page views, and what each was already counted in.
 *
 * Data plane, while flushing. For most sessions a walk over their few views tells whether they are new
 * to a page, an hour or a minute. Beyond a handful of views that is kept beside the rows, so that a view
 * costs the same in a session of any length; it is built from the rows when such a session is first met,
 * and again after a restart.
 */

import { SESSION_GAP_MS } from '../../model/limits.ts';
import { NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { SeenViews } from '../../segment/open/seen-views.ts';
import { WordRoom } from '../../segment/open/word-room.ts';
import { hourOf, minuteOf } from './keys.ts';

/** Page views of a session that are walked. */
const LIGHT_VIEW_COUNT_MAX = 8;

// One per thread: flushing is synchronous and never nested.
const place = { timeMs: 0, path: 0, title: 0, hour: 0, minute: 0 };

/**
 * What the counted views of a long session are in, null for every other session.
 *
 * @param viewEnd page views from this row on are not counted yet.
 */
export function longOf(home: OpenSegment, session: number, viewEnd: number): SeenViews | null {
  if (home.segment.sessions.columns.pageViews[session]! <= LIGHT_VIEW_COUNT_MAX) return null;
  const known = home.longSessions.get(session);
  if (known !== undefined) return known;
  home.longSessionRoom ??= new WordRoom();
  const seen = new SeenViews(home.longSessionRoom);
  collectViews(home, session, viewEnd, seen);
  home.longSessions.set(session, seen);
  return seen;
}

/** Adds the counted views of a session. @returns whether there are any. */
export function collectViews(
  home: OpenSegment,
  session: number,
  viewEnd: number,
  into: SeenViews,
): boolean {
  const { views, sessions, tagPairs } = home.segment;
  const { timeMs, path, title, previous, tagEnd } = views.columns;
  const { key } = tagPairs.columns;
  let isCounted = false;
  for (let row = sessions.columns.lastView[session]!; row !== NONE; row = previous[row]!) {
    if (row >= viewEnd) continue;
    isCounted = true;
    place.timeMs = timeMs[row]!;
    place.path = path[row]!;
    place.title = title[row]!;
    place.hour = hourOf(place.timeMs);
    place.minute = minuteOf(place.timeMs);
    into.add(place);
    for (let pair = row === 0 ? 0 : tagEnd[row - 1]!; pair < tagEnd[row]!; pair++) {
      into.addTag(key[pair]!);
    }
  }
  return isCounted;
}

/** Instants of a session's first and last page view; written by `findSpan`. */
export const span = { firstMs: 0, lastMs: 0 };

/** The span of a session's counted views, from `viewEnd` on they are not. @returns false without any. */
export function findSpan(home: OpenSegment, session: number, viewEnd: number): boolean {
  const long = longOf(home, session, viewEnd);
  if (long !== null) {
    span.firstMs = long.firstMs;
    span.lastMs = long.lastMs;
    return long.firstMs <= long.lastMs;
  }
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

/**
 * Lets sessions go that get no more views, once there are many. A late view makes what it needs anew.
 * At the end of a flushing: before, the view at hand may be of one of them, and was added to it.
 */
export function endLongSessions(home: OpenSegment): void {
  if (home.longSessions.size < home.longSessionsMax) return;
  const { lastMs } = home.segment.sessions.columns;
  const endMs = home.segment.maxMs - SESSION_GAP_MS;
  for (const [session, seen] of home.longSessions) {
    if (lastMs[session]! > endMs) continue;
    home.longSessions.delete(session);
    seen.release();
  }
  home.longSessionsMax = Math.max(home.longSessionsMax, home.longSessions.size * 2);
}
