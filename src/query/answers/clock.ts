/**
 * Statistics by the local clock: hours of the day, minutes of the hour, all days pooled (S-23 to S-25).
 *
 * The clock of a row (data plane) needs the zone's offset, which is asked for once per span without a
 * change of it. With an event filter a page view counts only where its session has a matching event
 * in the same bucket: a bit per session and bucket.
 */

import { offsetSpanAt } from '../../base/zone.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/limits.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import type { TimeGroups } from '../count/buckets.ts';
import { eventTotalsBy } from '../count/custom-metric.ts';
import { isOutside, OUTSIDE, type TimeCursor } from '../count/session-times.ts';
import type { Tally } from '../count/tally.ts';
import { tallyAllVisitors, tallyTimes, tallyTimesOf } from '../count/time-tally.ts';
import { isUnfiltered, type Scan, viewQuestion } from '../plan/query-context.ts';
import type { Selection } from '../plan/selection.ts';
import { NO_FILTERS, type QueryFilters } from '../question/filters.ts';
import type { QueryRange } from '../question/range.ts';
import type { Statistic } from '../question/statistics.ts';
import { matchingEvents } from '../select/select-events.ts';
import { selectViews } from '../select/select-views.ts';
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
  const isFiltered = !isUnfiltered(filters) || metric !== null;
  const all = isFiltered ? tallyAllByClock(scan, hand) : tallyClock(scan, NO_FILTERS, hand);
  const tally = isFiltered && metric === null ? tallyClock(scan, filters, hand) : all;
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
  const { range } = query;
  const question = viewQuestion(query, filters, null);
  const groups = positionsOf(hand, range.zone);
  return tallyOver(scan, ['clock', filters], hand.count, (segment, tally) => {
    const into = { groups, cursor: new HandCursor(hand, range), tally };
    // Sessions are short beside an hour, and long beside a minute.
    if (filters.events === null && hand === HOURS) {
      tallyTimes(scan, segment, question, into);
      return;
    }
    const selected = selectViews(segment, question, scratch);
    const selection = keepWithEvent(scan, segment, selected, { filters, hand });
    tallyTimesOf(scan, segment, selection, into);
  });
}

/** The distinct visitors by position, without any filter. */
function tallyAllByClock(scan: Scan, hand: Hand): Tally {
  const { range } = scan.query;
  const groups = positionsOf(hand, range.zone);
  return tallyOver(scan, ['clock of all'], hand.count, (segment, tally) => {
    const into = { groups, cursor: new HandCursor(hand, range), tally };
    tallyAllVisitors(scan, segment, into, `${hand.field} ${range.zone}`);
  });
}

/** A hand's positions as a cursor over instants. */
class HandCursor implements TimeCursor {
  readonly groupCount: number;
  startMs = Number.POSITIVE_INFINITY;
  endMs = Number.NEGATIVE_INFINITY;
  group = OUTSIDE;
  readonly #hand: Hand;
  readonly #range: QueryRange;
  #offsetSpan = { startMs: 0, endMs: 0, offsetMs: 0 };

  constructor(hand: Hand, range: QueryRange) {
    this.groupCount = hand.count;
    this.#hand = hand;
    this.#range = range;
  }

  seek(atMs: number): void {
    const range = this.#range;
    if (isOutside(this, range, atMs)) return;
    let span = this.#offsetSpan;
    if (atMs < span.startMs || atMs >= span.endMs) span = offsetSpanAt(range.zone, atMs);
    this.#offsetSpan = span;
    const { spanMs, count } = this.#hand;
    const turn = Math.floor((atMs + span.offsetMs) / spanMs);
    const turnMs = turn * spanMs - span.offsetMs;
    this.group = turn % count;
    this.startMs = Math.max(turnMs, span.startMs, range.startMs);
    this.endMs = Math.min(turnMs + spanMs, span.endMs, range.endMs);
  }
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
  let span = { startMs: 0, endMs: 0, offsetMs: 0 };
  // Rows are nearly in order of time: most are in the turn of the row before.
  let startMs = 0;
  let endMs = 0;
  let position = 0;
  for (let index = 0; index < selection.count; index++) {
    const atMs = timeMs[selection.rows === null ? index : selection.rows[index]!]!;
    if (atMs < startMs || atMs >= endMs) {
      if (atMs < span.startMs || atMs >= span.endMs) span = offsetSpanAt(zone, atMs);
      const turn = Math.floor((atMs + span.offsetMs) / spanMs);
      position = turn % count;
      startMs = Math.max(turn * spanMs - span.offsetMs, span.startMs);
      endMs = Math.min((turn + 1) * spanMs - span.offsetMs, span.endMs);
    }
    positions[index] = position;
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
