/**
 * Statistics by the local clock: hours of the day, minutes of the hour, all days pooled (S-23 to S-25).
 *
 * The clock of a row (data plane) needs the zone's offset, which is asked for once per span without a
 * change of it. With an event filter a page view counts only where its session has a matching event
 * in the same bucket: a bit per session and bucket.
 */

import { offsetSpanAt } from '../base/zone.ts';
import { HOUR_MS, MINUTE_MS } from '../model/limits.ts';
import type { Segment } from '../segment/segment.ts';
import type { TimeGroups } from './buckets.ts';
import { eventTotalsBy } from './custom-metric.ts';
import { matchingEvents } from './event-selection.ts';
import { NO_FILTERS, type QueryFilters } from './filters.ts';
import { gather, type Selection } from './rows.ts';
import { isUnfiltered, type Scan, viewQuestion } from './scan.ts';
import { selectViews } from './selection.ts';
import type { Statistic } from './statistics.ts';
import { Tally, tallyRows } from './tally.ts';
import { totalFields, totalsOfGroup } from './totals.ts';

/** A hand of the clock: `count` positions of `spanMs` each. */
export interface Hand {
  readonly field: string;
  readonly count: number;
  readonly spanMs: number;
}

const HOURS: Hand = { field: 'hour', count: 24, spanMs: HOUR_MS };
const MINUTES: Hand = { field: 'minute', count: 60, spanMs: MINUTE_MS };
const BITS = 32;

/** The hand that a statistic of the clock shows. */
export function handOf({ name }: Statistic): Hand {
  return name === 'hours' ? HOURS : MINUTES;
}

/** S-23, S-24: a row per position of the hand, zero-filled. */
export function answerClock(scan: Scan): Record<string, number>[] {
  const { filters, metric } = scan.query;
  const hand = handOf(scan.statistic);
  const all = tallyClock(scan, NO_FILTERS, hand);
  const tally = isUnfiltered(filters) || metric !== null ? all : tallyClock(scan, filters, hand);
  const groups = positionsOf(hand, scan.query.range.zone);
  const totalsOf =
    metric === null
      ? (position: number) => totalsOfGroup(tally, position)
      : eventTotalsBy(scan, metric, hand.count, () => groups);
  return Array.from({ length: hand.count }, (_, position) => ({
    [hand.field]: position,
    ...totalFields(totalsOf(position), all.visitors[position] as number),
  }));
}

/** Views, sessions, visitors and bounces by position of the hand. */
export function tallyClock(scan: Scan, filters: QueryFilters, hand: Hand): Tally {
  const { query, scratch } = scan;
  const question = viewQuestion(query, filters, null);
  const tally = new Tally(hand.count);
  const groupMap = Uint32Array.from({ length: hand.count }, (_, position) => position);
  for (const segment of scan.segments) {
    const { timeMs, session } = segment.views.columns;
    const selected = selectViews(segment, question, scratch);
    const selection = keepWithEvent(scan, segment, selected, { filters, hand });
    const groups = scratch.rawWords('rowGroups', selection.count);
    assignPositions({ timeMs, selection, zone: query.range.zone }, hand, groups);
    const { count } = selection;
    const sessions = gather(selection, session, scratch, 'rowSessions');
    const rows = { count, sessions, groups, groupCount: hand.count, groupMap, weights: null };
    tallyRows(segment, rows, tally, scratch);
  }
  return tally;
}

/** The positions of the hand as groups of time, for events (S-8). */
function positionsOf(hand: Hand, zone: string): TimeGroups {
  return {
    groupCount: hand.count,
    groupMap: Uint32Array.from({ length: hand.count }, (_, position) => position),
    assign: ({ timeMs, rows }, groups) =>
      assignPositions({ timeMs, selection: { rows, count: groups.length }, zone }, hand, groups),
  };
}

/** Writes the position of the hand at every selected row. */
function assignPositions(
  rows: { timeMs: Float64Array; selection: Selection; zone: string },
  hand: Hand,
  positions: Uint32Array,
): void {
  const { timeMs, selection, zone } = rows;
  const { spanMs, count } = hand;
  let startMs = 0;
  let endMs = 0;
  let offsetMs = 0;
  for (let index = 0; index < selection.count; index++) {
    const atMs = timeMs[selection.rows === null ? index : selection.rows[index]!]!;
    if (atMs < startMs || atMs >= endMs) ({ startMs, endMs, offsetMs } = offsetSpanAt(zone, atMs));
    positions[index] = Math.floor((atMs + offsetMs) / spanMs) % count;
  }
}

/** S-25: keeps the page views whose session has a matching event at the same position. */
function keepWithEvent(
  scan: Scan,
  segment: Segment,
  selection: Selection,
  by: { filters: QueryFilters; hand: Hand },
): Selection {
  const { query, scratch } = scan;
  const { rows, count } = selection;
  const { filters, hand } = by;
  if (filters.events === null || rows === null) return selection;
  const matches = matchingEvents(segment, filters.events, query.range, scratch);
  if (matches === null) return selection;
  const { zone } = query.range;
  const words = Math.ceil(hand.count / BITS);
  const bits = scratch.words('eventPositions', segment.sessions.rowCount * words);
  const { timeMs: eventMs, session: eventSession } = segment.events.columns;
  const positions = scratch.rawWords('rowGroups', Math.max(matches.count, count));
  assignPositions({ timeMs: eventMs, selection: matches, zone }, hand, positions);
  for (let index = 0; index < matches.count; index++) {
    const word = eventSession[matches.rows[index]!]! * words + (positions[index]! >>> 5);
    bits[word]! |= 1 << (positions[index]! & 31);
  }
  const { timeMs, session } = segment.views.columns;
  assignPositions({ timeMs, selection, zone }, hand, positions);
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const first = session[rows[index]!]! * words;
    const word = first + (positions[index]! >>> 5);
    const isBare = bits[first] === 0 && (words === 1 || bits[first + 1] === 0);
    // A session without a matching event was taken for having no event at all (`null`).
    if (isBare || (bits[word]! & (1 << (positions[index]! & 31))) !== 0)
      rows[kept++] = rows[index]!;
  }
  return { rows, count: kept };
}
