/**
 * Settles the rolling pre-aggregates of an open segment: counts the rows that came since the last time.
 *
 * Data plane, once for many hits: before a save, and when there are enough (`Shard.apply`). In a
 * group each step is a loop over columns that are near, and a session that came and went within it
 * is counted once as what it is in the end. When it is settled changes no byte: what is counted are
 * sums over rows, and groups get their rows in the order in which the hits came.
 *
 *     1  sessions that are bounces no longer lose them where they are counted
 *     2  new sessions of new visitors by dimension, one dimension after the other, in known groups
 *     3  views and events as they came; groups that are new get their rows here
 *     4  sessions at their entry, their exit and in their quarters of an hour
 */

import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { countEvent } from './events.ts';
import { countFamilies, endFamilies } from './families.ts';
import { countNewSessions, loseBounces, moveSessions } from './session-ends.ts';
import { countView, endViews } from './views.ts';

/** Counts what is not counted yet: from now on the pre-aggregates say what the rows say. */
export function settleRollups(home: OpenSegment): void {
  const { unsettled } = home;
  const { views, events, sessions } = home.segment;
  if (unsettled.moved.size > 0) loseBounces(home);
  if (unsettled.sessions < sessions.rowCount) countFamilies(home);
  const { eventPlaces } = unsettled;
  let event = unsettled.events;
  for (let row = unsettled.views; row < views.rowCount; row++) {
    for (; event < events.rowCount; event++) {
      const place = eventPlaces[event - unsettled.events]!;
      if (place >>> 1 > row) break;
      countEvent(home, event, place);
    }
    countView(home, row);
  }
  for (; event < events.rowCount; event++) {
    countEvent(home, event, eventPlaces[event - unsettled.events]!);
  }
  if (unsettled.moved.size > 0) moveSessions(home);
  if (unsettled.sessions < sessions.rowCount) countNewSessions(home);
  endFamilies();
  endViews();
  unsettled.reset(home.segment);
}
