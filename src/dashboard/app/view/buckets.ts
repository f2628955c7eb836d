/** The points of a chart: which days or minutes each of them stands for (S-21, S-23, S-24). */
import { dayText, monthStart, weekdayOf, yearStart } from './days.ts';
import type { Frame, Scale } from './range.ts';
import { clockText, type LocalTime, minuteOf } from './zone.ts';

/** One point. */
export interface Bucket {
  /** `2026-11-22`, or `2026-11-22T14:30`: the day that its row names, or the time that it begins at. */
  readonly key: string;
  /** What of the range it holds: a week may begin before the range. */
  readonly frame: Frame;
}

const DAY_MINUTES = 1_440;

/** The points of a range, in order of time. */
export function bucketsOf(frame: Frame, scale: Scale): readonly Bucket[] {
  const isClock = scale === 'hour' || scale === 'minute';
  const buckets: Bucket[] = [];
  for (let day = frame.from; day <= frame.to; day = isClock ? day + 1 : nextOf(day, scale)) {
    if (isClock) buckets.push(...clockBuckets(frame, day, scale === 'hour' ? 60 : 1));
    else buckets.push(dayBucket(frame, day, scale));
  }
  return buckets;
}

function dayBucket(frame: Frame, day: number, scale: Scale): Bucket {
  const [from, to] = [day, Math.min(nextOf(day, scale) - 1, frame.to)];
  const isWhole = frame.from !== frame.to;
  const { fromTime, toTime } = isWhole ? { fromTime: '', toTime: '' } : frame;
  return { key: dayText(startOf(day, scale)), frame: { from, to, fromTime, toTime } };
}

function clockBuckets(frame: Frame, day: number, length: number): Bucket[] {
  const first = minuteOf(frame.fromTime) ?? 0;
  const last = minuteOf(frame.toTime) ?? DAY_MINUTES - 1;
  const buckets: Bucket[] = [];
  for (let start = first - (first % length); start <= last; start += length) {
    const fromTime = clockText(Math.max(start, first));
    const toTime = clockText(Math.min(start + length - 1, last));
    const key = `${dayText(day)}T${clockText(start)}`;
    buckets.push({ key, frame: { from: day, to: day, fromTime, toTime } });
  }
  return buckets;
}

function startOf(day: number, scale: Scale): number {
  if (scale === 'week') return day - weekdayOf(day);
  if (scale === 'month') return monthStart(day);
  return scale === 'year' ? yearStart(day) : day;
}

/** The first day of the next one. */
function nextOf(day: number, scale: Scale): number {
  if (scale === 'week') return day - weekdayOf(day) + 7;
  if (scale === 'month') return monthStart(day, 1);
  return scale === 'year' ? yearStart(day, 1) : day + 1;
}

/** Whether a moment of the site's clock lies within. */
export function holds({ from, to, fromTime, toTime }: Frame, { day, minute }: LocalTime): boolean {
  if (day < from || day > to) return false;
  if (from !== to) return true;
  const first = minuteOf(fromTime) ?? 0;
  const last = minuteOf(toTime) ?? DAY_MINUTES - 1;
  return minute >= first && minute <= last;
}

/** Whether it has not begun yet. */
export function isAhead({ from, fromTime }: Frame, { day, minute }: LocalTime): boolean {
  return from > day || (from === day && (minuteOf(fromTime) ?? 0) > minute);
}

/** From the first to the last of some points. */
export function joined(first: Frame, last: Frame): Frame {
  const { from, fromTime } = first;
  const { to, toTime } = last;
  // Over several days there are no times (F-5).
  if (from !== to) return { from, to, fromTime: '', toTime: '' };
  const isWhole =
    (minuteOf(fromTime) ?? 0) === 0 && (minuteOf(toTime) ?? DAY_MINUTES - 1) === DAY_MINUTES - 1;
  return isWhole ? { from, to, fromTime: '', toTime: '' } : { from, to, fromTime, toTime };
}
