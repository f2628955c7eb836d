/**
 * Flushes the rolling pre-aggregates of an open segment: counts the rows added since the last
 * flush.
 *
 * Data plane, once for many hits: before a save, and every few thousand hits (`Shard.apply`).
 * Working on groups of rows makes each step a loop over adjacent columns, and a session that came
 * and went within a group is counted once, in its final form. The moment of a flush changes no
 * byte: what is counted are sums over rows, and groups get their rows in the order of the hits.
 *
 *     1  sessions that are bounces no longer lose them where they are counted
 *     2  new sessions of new visitors by dimension, one dimension after the other, in known groups
 *     3  views and events as they came; groups that are new get their rows here
 *     4  sessions at their entry, their exit and in their quarters of an hour
 */

import type { OpenSegment } from '../../segment/open/open-segment.ts';
import { countEvent } from './events.ts';
import { countFamilies, endFamilies } from './families.ts';
import { endLongSessions } from './long-sessions.ts';
import { countNewSessions, loseBounces, moveSessions } from './session-ends.ts';
import { countView, endViews } from './views.ts';

/** Counts what is not counted yet: from now on the pre-aggregates say what the rows say. */
export function flushRollups(home: OpenSegment): void {
  const { unflushed } = home;
  const { views, events, sessions } = home.segment;
  if (unflushed.moved.size > 0) loseBounces(home);
  if (unflushed.sessions < sessions.rowCount) countFamilies(home);
  const { eventPlaces } = unflushed;
  let event = unflushed.events;
  for (let row = unflushed.views; row < views.rowCount; row++) {
    for (; event < events.rowCount; event++) {
      const place = eventPlaces[event - unflushed.events]!;
      if (place >>> 1 > row) break;
      countEvent(home, event, place);
    }
    countView(home, row);
  }
  for (; event < events.rowCount; event++) {
    countEvent(home, event, eventPlaces[event - unflushed.events]!);
  }
  if (unflushed.moved.size > 0) moveSessions(home);
  if (unflushed.sessions < sessions.rowCount) countNewSessions(home);
  endFamilies();
  endViews();
  endLongSessions(home);
  unflushed.reset(home.segment);
}
