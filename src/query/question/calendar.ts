/**
 * Dates as day numbers (days since 1970-01-01) and the buckets of a time series.
 *
 * Control plane. A local date needs no zone to be counted, compared or written; the zone enters
 * only where a date becomes an instant (`base/zone.ts`).
 */

import { DAY_MS } from '../../model/limits.ts';

/** Widths of a series' buckets (S-21). */
export const SCALES = ['day', 'week', 'month', 'year'] as const;

export type Scale = (typeof SCALES)[number];

// Of an ISO timestamp the date part counts (F-1). A `+` sent unescaped arrives as a space.
const DATE_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[-+ ]\d{2}(?::?\d{2})?)?)?$/i;

/** What a date that `parseDay` refuses has to be. */
export const DATE_MESSAGE = 'must be a date like 2026-11-20, from 1970-01-01 on';

/**
 * Day number of a text like `2026-11-20`, or of the date part of an ISO timestamp.
 *
 * @returns null when the text has another form, or the date does not exist (2026-02-30) or lies
 *   before 1970 (F-1).
 */
export function parseDay(text: string): number | null {
  const match = DATE_PATTERN.exec(text);
  if (match === null) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const day = dayOf(year, month, date);
  if (day < 0) return null;
  return formatDay(day) === `${match[1]}-${match[2]}-${match[3]}` ? day : null;
}

/** `2026-11-20` for a day number. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** First date of the bucket that holds a date; weeks start on Monday (S-21). */
export function startOfBucket(scale: Scale, day: number): number {
  // 1970-01-01 was a Thursday, so Mondays are at 4 modulo 7.
  if (scale === 'week') return day - ((((day - 4) % 7) + 7) % 7);
  const date = new Date(day * DAY_MS);
  if (scale === 'month') return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  if (scale === 'year') return dayOf(date.getUTCFullYear(), 1, 1);
  return day;
}

/** First date of the bucket after the one that starts on `start`. */
export function nextBucket(scale: Scale, start: number): number {
  if (scale === 'day') return start + 1;
  if (scale === 'week') return start + 7;
  // The 1st plus 32 days lies in the next month, plus 367 in the next year.
  return startOfBucket(scale, start + (scale === 'month' ? 32 : 367));
}

/** S-21: the field of the scale is the bucket's first date, the others are null. */
export function bucketFields(day: number, scale: Scale): Record<Scale, string | null> {
  const fields: Record<Scale, string | null> = { day: null, week: null, month: null, year: null };
  fields[scale] = `${formatDay(day)}T00:00:00Z`;
  return fields;
}

function dayOf(year: number, month: number, date: number): number {
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999; `setUTCFullYear` does not.
  return new Date(0).setUTCFullYear(year, month - 1, date) / DAY_MS;
}
