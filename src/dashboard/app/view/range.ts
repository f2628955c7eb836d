/** Which days are looked at, and with which they are compared (D-10). */
import { firstWeekday, monthStart, today, weekdayOf, yearStart, yearsOn } from './days.ts';

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

/** What a range is worked out from. */
export interface Calendar {
  /** The domain's time zone. */
  readonly zone: string;
  /** The reader's, for the first day of a week. */
  readonly language: string;
  /** The first day with anything; null: there is none yet. */
  readonly start: number | null;
}

const WEEK = 7;
/** The statistics take no longer one (F-3). */
const DAYS_MAX = 1_827;

/** The days of a range. @param custom for the range of that name. */
export function spanOf(range: RangeName, custom: Span | null, calendar: Calendar): Span {
  const day = today(calendar.zone);
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

/** The days that a range is compared with; null: none. */
export function comparedSpan(
  { from, to }: Span,
  comparison: Comparison,
  custom: Span | null,
): Span | null {
  const days = to - from + 1;
  switch (comparison) {
    case 'previous':
      return { from: from - days, to: from - 1 };
    case 'year': {
      // On the same weekday, so that a Sunday is compared with a Sunday.
      const start = yearsOn(from, -1);
      const shift = ((weekdayOf(from) - weekdayOf(start) + WEEK + 3) % WEEK) - 3;
      return { from: start + shift, to: start + shift + days - 1 };
    }
    case 'custom':
      return custom;
    default:
      return null;
  }
}

/** Scales that fit a range; the first is what is drawn unless another one is chosen. */
export function scalesOf({ from, to }: Span): readonly Scale[] {
  const days = to - from + 1;
  if (days === 1) return ['hour', 'minute'];
  if (days <= 31) return ['day', 'week'];
  if (days <= 120) return ['day', 'week', 'month'];
  if (days <= 800) return ['week', 'day', 'month', 'year'];
  return ['month', 'week', 'year'];
}

/** Whether a range still grows. */
export function isOpen(span: Span, zone: string): boolean {
  return span.to >= today(zone);
}
