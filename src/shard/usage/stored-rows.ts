/**
 * What the rows of a domain say of its use: when the first of them is, and how many there are by day.
 *
 * Control plane around columns, and seldom: after a deletion, and once for a domain that an earlier
 * build counted, which kept no sums.
 */

import type { DomainId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import { openForReading, refreshSegment } from '../../segment/disk/persistence.ts';
import { readHeaders, type SegmentHeader } from '../../segment/disk/segment-header.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { NO_ROW, type UsageCounts } from './usage-counts.ts';

/** Every day there can be. */
const ALWAYS = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER - 1 };

/** A day of a domain: in memory, or on disk with its header. */
export type DayRows = { readonly day: number } & (
  | { readonly segment: Segment }
  | { readonly header: SegmentHeader }
);

/** The days of a domain by day; one that is open is taken as it is in memory. */
export function daysOf(
  environment: StateEnvironment | null,
  domainId: DomainId,
  open: ReadonlyMap<number, { readonly segment: Segment }>,
): DayRows[] {
  const days = new Map<number, DayRows>();
  for (const { day, header } of environment === null
    ? []
    : readHeaders(environment, domainId, ALWAYS)) {
    days.set(day, { day, header });
  }
  for (const [day, { segment }] of open) days.set(day, { day, segment });
  return [...days.values()].sort((left, right) => left.day - right.day);
}

/**
 * Instant of the first row of a domain, `NO_ROW` without rows.
 *
 * @param days by day. Rows of a day may be of a later one, where a session runs over midnight, but of
 *   none before: so days are looked at until one begins after a row that was found.
 * @param firstOf the first row of a day.
 */
export function firstRowOf(days: readonly DayRows[], firstOf: (day: DayRows) => number): number {
  let firstMs = NO_ROW;
  for (const day of days) {
    if (day.day * DAY_MS >= firstMs) break;
    firstMs = Math.min(firstMs, firstOf(day));
  }
  return firstMs;
}

/** The rows of a day. @param environment of a day on disk. */
export function segmentOf(
  environment: StateEnvironment | null,
  domainId: DomainId,
  rows: DayRows,
): Segment {
  if ('segment' in rows || environment === null) return (rows as { segment: Segment }).segment;
  const stored = openForReading(environment, domainId, rows.day, rows.header);
  refreshSegment(environment, stored, rows.header);
  return stored.segment;
}

/** Instant of the first page view or event of a segment, `NO_ROW` where there is none. */
export function firstRowOfSegment({ views, events }: Segment): number {
  let firstMs = NO_ROW;
  for (const { columns, rowCount } of [views, events]) {
    const { timeMs } = columns;
    for (let row = 0; row < rowCount; row++) if (timeMs[row]! < firstMs) firstMs = timeMs[row]!;
  }
  return firstMs;
}

/**
 * Counts the rows of a segment, each by its own time. When a keep-alive came is not stored: it counts
 * for the day of its session.
 */
export function countSegment({ day, views, events, sessions }: Segment, usage: UsageCounts): void {
  const { timeMs: viewedMs } = views.columns;
  for (let row = 0; row < views.rowCount; row++) usage.countView(viewedMs[row]!);
  const { timeMs: firedMs } = events.columns;
  for (let row = 0; row < events.rowCount; row++) usage.countEvent(firedMs[row]!);
  const { extended } = sessions.columns;
  let keepAlives = 0;
  for (let row = 0; row < sessions.rowCount; row++) keepAlives += extended[row]!;
  if (keepAlives > 0) usage.of(day).keepAlives += keepAlives;
}
