/**
 * Events in the rolling pre-aggregates (S-13, S-60).
 *
 * Data plane, while settling. An event name counts the views of every session that fired it, those
 * before the event here, those behind it as they come (`views.ts`).
 */

import { NONE } from '../../segment/memory/layout.ts';
import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { FAMILY } from '../../segment/rollup/families.ts';
import { heavyOf } from './heavy-visitors.ts';

/**
 * Counts an event.
 *
 * @param place as in `Unsettled.eventPlaces`.
 */
export function countEvent(home: OpenSegment, row: number, place: number): void {
  const { events, rollups, metaPairs, sessions } = home.segment;
  const viewEnd = place >>> 1;
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
  if ((place & 1) === 1) addExitPage(home, row);
  const session = events.columns.session[row]!;
  const visitor = sessions.columns.visitor[session]!;
  // Sets are made before the event is known to the session.
  const heavy = heavyOf(home, visitor, viewEnd);
  if (!home.sessionEvents.add(session, name)) return;
  // Rows may have been added: the columns are taken anew.
  rollups.columns.views[group]! += viewCountOf(home, session, viewEnd);
  if (heavy === null) {
    if (otherFired(home, session, { visitor, name })) return;
  } else {
    if (heavy.groups.has(group)) return;
    heavy.groups.add(group);
  }
  rollups.columns.visitors[group]!++;
}

/** A page that is an exit page, if only for a while, has its row from then on. */
function addExitPage(home: OpenSegment, row: number): void {
  const { path, title } = home.segment.events.columns;
  const page = home.rollups.pageRow(path[row]!, title[row]!);
  home.rollups.titledRow(page, path[row]!, title[row]!);
}

function viewCountOf(home: OpenSegment, session: number, viewEnd: number): number {
  const { previous } = home.segment.views.columns;
  let count = 0;
  const head = home.segment.sessions.columns.lastView[session]!;
  for (let row = head; row !== NONE; row = previous[row]!) if (row < viewEnd) count++;
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
