/**
 * Totals, time series, the clock and growth from pre-aggregates (S-20 to S-32, S-71, S-74).
 */

import { offsetSpanAt } from '../../base/zone.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { FAMILY } from '../../segment/rollup/families.ts';
import { isRolledUp } from '../../segment/rollup/rebuild.ts';
import { bucketsOf } from '../count/buckets.ts';
import type { Tally } from '../count/tally.ts';
import { meanHalfEven, rate } from '../list/rates.ts';
import type { Scan } from '../plan/query-context.ts';
import { isInside } from '../plan/selection.ts';
import { bucketFields } from '../question/calendar.ts';
import { NO_FILTERS } from '../question/filters.ts';
import { addTotals, noTotals, type RolledTotals, totalsOver } from '../rollup/totals.ts';
import { type Hand, handOf, tallyClock } from './clock.ts';
import { growthFields, overviewFields, periodsOf } from './growth.ts';
import { totalFields, totalsOfGroup } from './totals.ts';

/** S-20. */
export function answerRolledTotal({ segments, query }: Scan): unknown {
  const totals = totalsOver(segments, query.range);
  return totalFields(totals, totals.visitors);
}

/** S-21. */
export function answerRolledSeries(scan: Scan): unknown {
  const { scale } = scan.query;
  return eachBucket(scan, (day, totals) => ({
    ...bucketFields(day, scale),
    ...totalFields(totals, totals.visitors),
  }));
}

/** S-31. */
export function answerRolledSessionDurations(scan: Scan): unknown {
  const { scale } = scan.query;
  return eachBucket(scan, (day, { seconds, timed }) => ({
    ...bucketFields(day, scale),
    average_time_spent_seconds: meanHalfEven(seconds, timed),
  }));
}

/** S-32: without a filter there is no path to echo. */
export function answerRolledPageDurations(scan: Scan): unknown {
  const { scale } = scan.query;
  return eachBucket(scan, (day, { pageSeconds, pageTimed }) => ({
    ...bucketFields(day, scale),
    path: '',
    average_time_spent_seconds: meanHalfEven(pageSeconds, pageTimed),
  }));
}

/** A row per bucket of the range, zero-filled. */
function eachBucket(
  { segments, query }: Scan,
  rowOf: (day: number, totals: RolledTotals) => Record<string, unknown>,
): Record<string, unknown>[] {
  const { range, scale } = query;
  const { days, startsMs } = bucketsOf(range, scale);
  return days.map((day, bucket) => {
    const startMs = Math.max(startsMs[bucket] as number, range.startMs);
    const endMs = Math.min(startsMs[bucket + 1] ?? range.endMs, range.endMs);
    const totals = noTotals();
    if (startMs < endMs) {
      for (const segment of segments) addTotals(segment, { startMs, endMs }, totals);
    }
    return rowOf(day, totals);
  });
}

/** S-23, S-24. */
export function answerRolledClock(scan: Scan): Record<string, number>[] {
  const hand = handOf(scan.statistic);
  const shifts = scan.segments.map((segment) => shiftOf(scan, segment, hand));
  // What the shifted hours of a whole segment cannot answer is scanned first, into the same tally.
  const scanned = scan.segments.filter((_, index) => shifts[index] === null);
  const tally = tallyClock({ ...scan, segments: scanned }, NO_FILTERS, hand).copy();
  for (const [index, segment] of scan.segments.entries()) {
    const shift = shifts[index];
    if (shift !== null && shift !== undefined) addClock(segment, hand, shift, tally);
  }
  return Array.from({ length: hand.count }, (_, position) => ({
    [hand.field]: position,
    ...totalFields(totalsOfGroup(tally, position), tally.visitors[position] as number),
  }));
}

function addClock(segment: Segment, hand: Hand, shift: number, tally: Tally): void {
  const code = hand.field === 'hour' ? FAMILY.hour : FAMILY.minute;
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

/** By how many positions the local clock is ahead of UTC over a whole segment; null: it has to be scanned. */
function shiftOf({ query }: Scan, segment: Segment, hand: Hand): number | null {
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
  return ((shift % hand.count) + hand.count) % hand.count;
}

/** S-71: without a filter time spent is that of the sessions. */
export function answerRolledGrowth(scan: Scan): unknown {
  const [now, before] = periodsOf(scan).map(({ segments, query }) => {
    const totals = totalsOver(segments, query.range);
    const { bounces, sessions, visitors, views, seconds } = totals;
    return {
      ...{ visitors, views, sessions, bounces, seconds },
      bounceRate: rate(bounces, sessions),
      cr: rate(visitors, visitors),
    };
  });
  return growthFields(now as never, before as never);
}

/** S-74, S-57. */
export function answerRolledOverview(scan: Scan): unknown {
  const [current, previous] = periodsOf(scan);
  const now = totalsOver(current.segments, current.query.range);
  const before = totalsOver(previous.segments, previous.query.range);
  return overviewFields(scan.query, [now, before], answerRolledSeries(current));
}
