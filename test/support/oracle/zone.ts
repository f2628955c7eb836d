/**
 * The oracle's calendar: local dates of any IANA zone, found the slow and certain way.
 *
 * The first instant of a local day is searched for, instant by instant, instead of computed, so that
 * no rule about clock changes is needed. Dates are texts `YYYY-MM-DD`, which sort like dates.
 */
import { DateTime, IANAZone } from 'luxon';

const MINUTE_MS = 60_000;
const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Offsets that are remembered. */
const OFFSETS_MAX = 200_000;

export type Scale = 'day' | 'week' | 'month' | 'year';

/** The local date of an instant. */
export function localDate(timeMs: number, zone: string): string {
  return localText(timeMs, zone).slice(0, 10);
}

/** The local hour and minute of an instant. */
export function localClock(timeMs: number, zone: string): { hour: number; minute: number } {
  const text = localText(timeMs, zone);
  return { hour: Number(text.slice(11, 13)), minute: Number(text.slice(14, 16)) };
}

/** What calendar and clock show at an instant: `YYYY-MM-DDTHH:MM`. */
function localText(timeMs: number, zone: string): string {
  return new Date(timeMs + offsetMs(timeMs, zone)).toISOString().slice(0, 16);
}

const offsets = new Map<string, number>();

/** Local time minus UTC; asked for once a quarter of an hour, at whose ends alone clocks change. */
function offsetMs(timeMs: number, zone: string): number {
  const quarter = Math.floor(timeMs / QUARTER_MS);
  const key = `${quarter} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= OFFSETS_MAX) offsets.clear();
  const offset = IANAZone.create(zone).offset(quarter * QUARTER_MS) * MINUTE_MS;
  offsets.set(key, offset);
  return offset;
}

const firstInstants = new Map<string, number>();

/** The first instant of a local date (F-1): the earliest minute at which the local date is reached. */
export function firstInstant(date: string, zone: string): number {
  const key = `${date} ${zone}`;
  const known = firstInstants.get(key);
  if (known !== undefined) return known;
  // Local time is within 15 hours of UTC; first the hour is found, then the minute in it.
  let hourMs = Date.parse(`${date}T00:00:00Z`) - 16 * HOUR_MS;
  while (localDate(hourMs + HOUR_MS, zone) < date) hourMs += HOUR_MS;
  let minuteMs = hourMs;
  while (localDate(minuteMs, zone) < date) minuteMs += MINUTE_MS;
  firstInstants.set(key, minuteMs);
  return minuteMs;
}

/**
 * The first instant of a local date at which the clock shows a time `HH:MM`, or has passed it (F-5):
 * of a time that occurs twice the first, of one that is left out the end of the gap.
 */
export function clockInstant(date: string, time: string, zone: string): number {
  const wanted = `${date}T${time}`;
  let minuteMs = firstInstant(date, zone);
  while (localText(minuteMs, zone) < wanted) minuteMs += MINUTE_MS;
  return minuteMs;
}

/** The calendar date so many days later (or earlier). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one date to a later one. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

/** The same local time of day so many days later. */
export function sameClock(timeMs: number, days: number, zone: string): number {
  const localTime = DateTime.fromMillis(timeMs, { zone: IANAZone.create(zone) });
  return localTime.plus({ days }).toMillis();
}

/** The first date of the bucket that a date lies in (S-21); weeks start on Monday. */
export function bucketOf(date: string, scale: Scale): string {
  if (scale === 'month') return `${date.slice(0, 7)}-01`;
  if (scale === 'year') return `${date.slice(0, 4)}-01-01`;
  if (scale === 'day') return date;
  const daysSinceMonday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(date, -daysSinceMonday);
}

/** The buckets from that of `from` to that of `to`, ascending (S-21). */
export function bucketsBetween(from: string, to: string, scale: Scale): string[] {
  const buckets: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const bucket = bucketOf(date, scale);
    if (buckets.at(-1) !== bucket) buckets.push(bucket);
  }
  return buckets;
}
