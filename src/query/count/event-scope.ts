/**
 * Event scope: metrics over events and their sessions instead of page views (S-13).
 *
 * Selecting is in `select/select-events.ts`; here selected events are counted by group. Views of a group
 * are those of its distinct sessions, so each session carries its number of page views as a weight.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { Scan } from '../plan/query-context.ts';
import type { Scratch } from '../plan/scratch.ts';
import { gather, type Selection } from '../plan/selection.ts';
import { hasSessionFilter, withoutEventFilters } from '../question/filters.ts';
import { selectEvents } from '../select/select-events.ts';
import { selectSessions } from '../select/select-sessions.ts';
import { viewsBySession } from '../select/viewed-sessions.ts';
import { type Tally, tallyRows } from './tally.ts';

/** Events with their groups within a segment. */
export interface GroupedEvents {
  readonly selection: Selection;
  /** Group per selected event, below `groupCount`. */
  readonly groups: Uint32Array;
  readonly groupCount: number;
  /** Group within the segment → group in the tally. */
  readonly groupMap: Uint32Array;
}

const NO_EVENTS: Selection = { rows: new Uint32Array(0), count: 0 };

/** The events of a segment that a query is about. */
export function eventsInScope({ query, scratch }: Scan, segment: Segment): Selection {
  if (segment.events.rowCount === 0) return NO_EVENTS;
  // The event filter tests the event itself, not its session.
  const filters = withoutEventFilters(query.filters);
  const mask = hasSessionFilter(filters)
    ? selectSessions(segment, filters, query.range, scratch)
    : null;
  return selectEvents(segment, query, mask, scratch);
}

/** Adds events: their number, distinct sessions, visitors and bounces, and the sessions' views. */
export function tallyEvents(
  segment: Segment,
  grouped: GroupedEvents,
  tally: Tally,
  scan: Scan,
): void {
  const { selection, groups, groupCount, groupMap } = grouped;
  const sessions = gather(selection, segment.events.columns.session, scan.scratch, 'eventSessions');
  const weights = viewsBySession(segment, scan.query.range, scan.scratch);
  const { count } = selection;
  tallyRows(
    segment,
    { count, sessions, groups, groupCount, groupMap, weights },
    tally,
    scan.scratch,
  );
}

/** Adds the events' durations to `Tally.seconds`. */
export function tallyDurations(
  segment: Segment,
  grouped: GroupedEvents,
  tally: Tally,
  scratch: Scratch,
): void {
  const { selection, groups, groupMap } = grouped;
  const { durationSeconds } = segment.events.columns;
  const durations = gather(selection, durationSeconds, scratch, 'eventDurations');
  for (let index = 0; index < selection.count; index++) {
    tally.seconds[groupMap[groups[index]!]!]! += durations[index]!;
  }
}
