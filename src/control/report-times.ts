/**
 * When email reports are due, and of which days (O-30, A-63): in the morning of the domain's own
 * day. Pure.
 *
 * Moments of a report lie on a grid of local dates: the date of `next_report` and every day, or every n
 * weeks, after it. What is counted are dates, never spans of 24 hours, so a clock that is changed moves
 * nothing off seven in the morning.
 */
import { instantOfLocalMs, localDayOf, startOfLocalDayMs } from '../base/zone.ts';
import { DAY_MS, HOUR_MS } from '../model/limits.ts';
import { REPORT_AHEAD_MS } from '../model/outgoing-limits.ts';
import { formatDay, startOfBucket } from '../query/question/calendar.ts';

/** The local time of every report: seven in the morning. */
const CLOCK_MS = 7 * HOUR_MS;
const WEEK_DAYS = 7;

/** The days that a report is of, both included, as dates: `2026-11-16`. */
export interface ReportDays {
  readonly from: string;
  readonly to: string;
}

/** What is to happen to a report now. */
export interface ReportStep {
  /** `next_report` from now on. */
  readonly nextMs: number;
  /** What is to be sent; null: nothing, it only moves. */
  readonly days: ReportDays | null;
}

/**
 * The first 07:00 at or after a time and the interval.
 *
 * @param intervalWeeks 0: a day.
 * @param timezone of the domain.
 */
export function nextReportMs(fromMs: number, intervalWeeks: number, timezone: string): number {
  return morningFrom(timezone, fromMs + stepDays(intervalWeeks) * DAY_MS);
}

/**
 * What is to happen at a time.
 *
 * @param dueMs its `next_report`.
 * @returns null: nothing, it is still to come.
 */
export function reportStep(
  { dueMs, intervalWeeks }: { readonly dueMs: number; readonly intervalWeeks: number },
  timezone: string,
  nowMs: number,
): ReportStep | null {
  // The zone of the domain, or what is known of it, may be another one by now.
  const alignedMs = morningFrom(timezone, dueMs);
  if (alignedMs > nowMs) {
    const farthestMs = nowMs + stepDays(intervalWeeks) * DAY_MS + REPORT_AHEAD_MS;
    // Some clock was wrong by months when it was worked out.
    const isLost = alignedMs > farthestMs;
    const nextMs = isLost ? nextReportMs(nowMs, intervalWeeks, timezone) : alignedMs;
    return nextMs === dueMs ? null : { nextMs, days: null };
  }
  const { newestDay, nextMs } = around(localDayOf(timezone, alignedMs), nowMs, {
    ...{ timezone, step: stepDays(intervalWeeks) },
  });
  return { nextMs, days: daysBefore(newestDay, intervalWeeks, timezone) };
}

/** Of the dates of a grid the last whose morning has come, and the first morning that has not. */
function around(
  firstDay: number,
  nowMs: number,
  { timezone, step }: { readonly timezone: string; readonly step: number },
): { newestDay: number; nextMs: number } {
  let steps = Math.floor((localDayOf(timezone, nowMs) - firstDay) / step);
  // Before seven in the morning the newest is the one before.
  if (morningOf(timezone, firstDay + steps * step) > nowMs) steps--;
  const newestDay = firstDay + steps * step;
  let nextDay = newestDay + step;
  // A date that the zone skips has the morning of the next one, which may have come.
  while (morningOf(timezone, nextDay) <= nowMs) nextDay += step;
  return { newestDay, nextMs: morningOf(timezone, nextDay) };
}

/** Yesterday, or so many whole weeks, Monday to Sunday, before a date. */
function daysBefore(day: number, intervalWeeks: number, timezone: string): ReportDays {
  if (intervalWeeks === 0) {
    // The date before may be none: a zone that moved over the date line skipped it.
    const yesterday = formatDay(localDayOf(timezone, startOfLocalDayMs(timezone, day) - 1));
    return { from: yesterday, to: yesterday };
  }
  const monday = startOfBucket('week', day);
  return { from: formatDay(monday - intervalWeeks * WEEK_DAYS), to: formatDay(monday - 1) };
}

/** The first 07:00 at or after an instant. */
function morningFrom(timezone: string, earliestMs: number): number {
  for (let day = localDayOf(timezone, earliestMs); ; day++) {
    const morningMs = morningOf(timezone, day);
    if (morningMs >= earliestMs) return morningMs;
  }
}

/** 07:00 of a date; of one that the zone skips, that of the next. */
function morningOf(timezone: string, date: number): number {
  for (let day = date; ; day++) {
    const morningMs = instantOfLocalMs(timezone, day * DAY_MS + CLOCK_MS);
    if (localDayOf(timezone, morningMs) === day) return morningMs;
  }
}

function stepDays(intervalWeeks: number): number {
  return intervalWeeks === 0 ? 1 : intervalWeeks * WEEK_DAYS;
}
