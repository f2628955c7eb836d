/** Which days are looked at, and with which they are compared (D-10). */
import { firstWeekday, monthStart, today, weekdayOf, yearStart } from './days.ts';
import { minuteOf } from './zone.ts';

/** Ranges that move with the day it is, in the order of the menu. */
export const RANGES = [
  'today',
  'yesterday',
  '7d',
  '30d',
  '90d',
  'week',
  'last-week',
  'month',
  'last-month',
  'year',
  'last-year',
  '12m',
  'all',
] as const;
export type RangeName = (typeof RANGES)[number] | 'custom';

/** With which days the range is compared. */
export const COMPARISONS = ['none', 'previous', 'year', 'custom'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Lengths of the chart's rows. */
export const SCALES = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type Scale = (typeof SCALES)[number];

/** Days, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Days; of a single day from minute to minute, `HH:MM`, where '' is its end (F-5). */
export interface Frame extends Span {
  readonly fromTime: string;
  readonly toTime: string;
}

/** What a range is worked out from. */
export interface Calendar {
  /** The domain's time zone. */
  readonly zone: string;
  /** The reader's, for the first day of a week. */
  readonly language: string;
  /** The first day with anything; null: there is none yet. */
  readonly start: number | null;
  /** The day it is; absent: now. */
  readonly today?: number;
}

const WEEK = 7;
const DAY_MINUTES = 1_440;
/** The statistics take no longer one (F-3). */
const DAYS_MAX = 1_827;

/** The days of a range. @param custom for the range of that name. */
export function spanOf(range: RangeName, custom: Span | null, calendar: Calendar): Span {
  const day = calendar.today ?? today(calendar.zone);
  const week = day - ((weekdayOf(day) - firstWeekday(calendar.language) + WEEK) % WEEK);
  switch (range) {
    case 'today':
      return { from: day, to: day };
    case 'yesterday':
      return { from: day - 1, to: day - 1 };
    case '7d':
    case '30d':
    case '90d':
      return { from: day - Number.parseInt(range, 10) + 1, to: day };
    case 'week':
      return { from: week, to: day };
    case 'last-week':
      return { from: week - WEEK, to: week - 1 };
    case 'month':
      return { from: monthStart(day), to: day };
    case 'last-month':
      return { from: monthStart(day, -1), to: monthStart(day) - 1 };
    case 'year':
      return { from: yearStart(day), to: day };
    case 'last-year':
      return { from: yearStart(day, -1), to: yearStart(day) - 1 };
    case '12m':
      return { from: monthStart(day, -11), to: day };
    case 'all':
      return { from: Math.max(calendar.start ?? day - WEEK + 1, day - DAYS_MAX + 1), to: day };
    default:
      return custom ?? { from: day - WEEK + 1, to: day };
  }
}

/** Days that are still drawn by the hour; each of them is a question of its own. */
const HOUR_DAYS_MAX = 7;
/** Minutes of a part of a day that are still drawn one by one; each hour is a question of its own. */
const MINUTES_MAX = 360;
/** The same without being asked for. */
const MINUTES_FIRST = 120;

/**
 * Scales that fit a range; the first is what is drawn unless another one is chosen.
 *
 * @param hasClock whether what is drawn is known by the hour; durations are not.
 */
export function scalesOf(frame: Frame, hasClock = true): readonly Scale[] {
  const days = frame.to - frame.from + 1;
  if (days === 1) return hasClock ? clockScales(frame) : ['day'];
  if (days <= HOUR_DAYS_MAX) return hasClock ? ['day', 'hour', 'week'] : ['day', 'week'];
  if (days <= 31) return ['day', 'week'];
  if (days <= 120) return ['day', 'week', 'month'];
  if (days <= 800) return ['week', 'day', 'month', 'year'];
  return ['month', 'week', 'year'];
}

function clockScales({ fromTime, toTime }: Frame): readonly Scale[] {
  const minutes = (minuteOf(toTime) ?? DAY_MINUTES - 1) - (minuteOf(fromTime) ?? 0) + 1;
  if (minutes <= MINUTES_FIRST) return ['minute', 'hour'];
  return minutes <= MINUTES_MAX ? ['hour', 'minute'] : ['hour'];
}

/** The scale of a view: what was chosen where it fits. */
export function scaleOf(frame: Frame, chosen: Scale | '', hasClock: boolean): Scale {
  const scales = scalesOf(frame, hasClock);
  return chosen !== '' && scales.includes(chosen) ? chosen : (scales[0] ?? 'day');
}

/** Whether a range still grows. */
export function isOpen(span: Span, zone: string): boolean {
  return span.to >= today(zone);
}
