/**
 * Statistics by the local clock: hours of the day and of the week, minutes of the hour, all days pooled
 * (S-23 to S-25, X-9).
 *
 * With an event filter a page view counts only where its session has a matching event in the same
 * position: a bit per session and position. Pre-aggregates have the clock of UTC; where the local one
 * is ahead of it by whole positions all day long, they are shifted.
 */

import { offsetSpanAt } from '../../../base/zone.ts';
import { DAY_MS } from '../../../model/limits.ts';
import type { Segment } from '../../../segment/memory/segment.ts';
import { FAMILY } from '../../../segment/rollup/families.ts';
import { isRolledUp } from '../../../segment/rollup/rebuild.ts';
import {
  type Hand,
  HandCursor,
  HOURS,
  MINUTES,
  positionsOf,
  WEEK_HOURS,
} from '../../count/clock-hands.ts';
import { eventTotalsBy } from '../../count/custom-metric.ts';
import type { Tally } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { tallyAllVisitors, tallyTimes, tallyTimesOf } from '../../count/time-tally.ts';
import { totalsOfGroup } from '../../count/totals.ts';
import {
  type AnsweredStatistic,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import { WorkingWords } from '../../plan/query-run.ts';
import { isInside, type Selection } from '../../plan/selection.ts';
import { type EventFilter, NO_FILTERS, type QueryFilters } from '../../question/filters.ts';
import { plain, type Unit } from '../../question/statistics.ts';
import { matchingEvents } from '../../select/select-events.ts';
import { selectViews } from '../../select/select-views.ts';
import { totalFields } from './totals.ts';

/** Working arrays. */
const EVENT_POSITIONS = new WorkingWords();
const POSITIONS = new WorkingWords();
const BITS = 32;

const clock = (name: string, unit: Unit, hand: Hand): AnsweredStatistic => ({
  ...plain(name),
  unit,
  byRows: (context) => answerByRows(context, hand),
  byRollups: (context) => answerByRollups(context, hand),
  isBrief: true,
  takesMetric: true,
  also: 'events on the clock',
});

/** S-23: sessions are short beside an hour. */
export const HOURS_OF_DAY = clock('hours', 'sessions', HOURS);
/** S-24: and long beside a minute. */
export const MINUTES_OF_HOUR = clock('minutes', 'views', MINUTES);
/** */
export const HOURS_OF_WEEK = clock('hours/week', 'sessions', WEEK_HOURS);

/** A row per position of the hand, zero-filled. */
function answerByRows(context: QueryContext, hand: Hand): Record<string, number>[] {
  const { query, plan } = context;
  const { filters, metric } = query;
  const all = plan.isFiltered
    ? tallyAllByClock(context, hand)
    : tallyClock(context, NO_FILTERS, hand);
  const tally = plan.isFiltered && metric === null ? tallyClock(context, filters, hand) : all;
  const groups = positionsOf(hand, query.range);
  const totalsOf =
    metric === null
      ? (position: number) => totalsOfGroup(tally, position)
      : eventTotalsBy(context, metric, hand.count, () => groups);
  return Array.from({ length: hand.count }, (_, position) => ({
    ...hand.fieldsOf(position),
    ...totalFields(totalsOf(position), all.visitors[position] as number, null),
  }));
}

function answerByRollups(context: QueryContext, hand: Hand): Record<string, number>[] {
  const shifts = context.segments.map((segment) => shiftOf(context, segment, hand));
  // What the shifted hours of a whole segment cannot answer is counted first, into the same tally.
  const counted = context.segments.filter((_, index) => shifts[index] === null);
  const tally = tallyClock({ ...context, segments: counted }, NO_FILTERS, hand).copy();
  for (const [index, segment] of context.segments.entries()) {
    const shift = shifts[index];
    if (shift !== null && shift !== undefined) addClock(segment, hand, shift, tally);
  }
  return Array.from({ length: hand.count }, (_, position) => ({
    ...hand.fieldsOf(position),
    ...totalFields(totalsOfGroup(tally, position), tally.visitors[position] as number, null),
  }));
}

function addClock(segment: Segment, hand: Hand, shift: number, tally: Tally): void {
  const code = hand === MINUTES ? FAMILY.minute : FAMILY.hour;
  const { family, first, views, sessions, visitors, bounces } = segment.rollups.columns;
  for (let row = 0; row < segment.rollups.rowCount; row++) {
    if (family[row] !== code) continue;
    const position = (first[row]! + shift) % hand.count;
    tally.rows[position]! += views[row]!;
    tally.sessions[position]! += sessions[row]!;
    tally.visitors[position]! += visitors[row]!;
    tally.bounces[position]! += bounces[row]!;
  }
}

/** By how many positions the local clock is ahead of UTC over a whole segment; null: it has to be counted. */
function shiftOf({ query }: QueryContext, segment: Segment, hand: Hand): number | null {
  const { range } = query;
  if (!isInside(segment, range) || !isRolledUp(segment)) return null;
  const { offsetMs } = offsetSpanAt(range.zone, segment.minMs);
  let atMs = segment.minMs;
  while (atMs <= segment.maxMs) {
    const span = offsetSpanAt(range.zone, atMs);
    if (span.offsetMs !== offsetMs) return null;
    atMs = span.endMs;
  }
  const shift = offsetMs / hand.spanMs;
  if (!Number.isInteger(shift)) return null;
  const ahead = shift + firstPositionOf(segment, hand);
  return Number.isNaN(ahead) ? null : ((ahead % hand.count) + hand.count) % hand.count;
}

/** Where the hand stands as the segment's day begins in UTC; NaN: its rows are of two weekdays. */
function firstPositionOf({ day, maxMs }: Segment, hand: Hand): number {
  if (hand !== WEEK_HOURS) return 0;
  const endMs = (day + 1) * DAY_MS;
  return maxMs < endMs ? (day * DAY_MS) / hand.spanMs + hand.lead : Number.NaN;
}

/** Views, sessions, visitors and bounces by position of the hand. */
function tallyClock(context: QueryContext, filters: QueryFilters, hand: Hand): Tally {
  const { query, run } = context;
  const { range } = query;
  const predicate = viewPredicate(query, filters, null);
  const groups = positionsOf(hand, range);
  return tallyOver(context, ['clock', filters], hand.count, (segment, tally) => {
    const into = { groups, cursor: new HandCursor(hand, range), tally };
    if (filters.events === null) {
      tallyTimes(context, segment, predicate, into);
      return;
    }
    const selected = selectViews(segment, predicate, run);
    const by = { events: filters.events, hand };
    tallyTimesOf(context, segment, keepWithEvent(context, segment, selected, by), into);
  });
}

/** The distinct visitors by position, without any filter. */
function tallyAllByClock(context: QueryContext, hand: Hand): Tally {
  const { range } = context.query;
  const groups = positionsOf(hand, range);
  return tallyOver(context, ['clock of all'], hand.count, (segment, tally) => {
    const into = { groups, cursor: new HandCursor(hand, range), tally };
    tallyAllVisitors(context, segment, into, `${hand.name} ${range.zone}`);
  });
}

/** S-25: keeps the page views whose session has a matching event at the same position. */
function keepWithEvent(
  context: QueryContext,
  segment: Segment,
  selection: Selection,
  by: { events: EventFilter; hand: Hand },
): Selection {
  const { query, run } = context;
  const { rows, count } = selection;
  const { events, hand } = by;
  if (rows === null) return selection;
  const matches = matchingEvents(segment, events, query.range, run);
  if (matches === null) return selection;
  const { assign } = positionsOf(hand, query.range);
  const words = Math.ceil(hand.count / BITS);
  const bits = EVENT_POSITIONS.zeroed(run, segment.sessions.rowCount * words);
  const { timeMs: eventMs, session: eventSession } = segment.events.columns;
  const positions = POSITIONS.raw(run, Math.max(matches.count, count));
  assign({ timeMs: eventMs, rows: matches.rows }, positions.subarray(0, matches.count));
  for (let index = 0; index < matches.count; index++) {
    const word = eventSession[matches.rows[index]!]! * words + (positions[index]! >>> 5);
    bits[word]! |= 1 << (positions[index]! & 31);
  }
  const { timeMs, session } = segment.views.columns;
  assign({ timeMs, rows }, positions.subarray(0, count));
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const first = session[rows[index]!]! * words;
    const word = first + (positions[index]! >>> 5);
    let isBare = true;
    for (let at = 0; at < words && isBare; at++) isBare = bits[first + at] === 0;
    // A session without a matching event was taken for having no event at all (`null`).
    if (isBare || (bits[word]! & (1 << (positions[index]! & 31))) !== 0)
      rows[kept++] = rows[index]!;
  }
  return { rows, count: kept };
}
