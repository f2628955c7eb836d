/**
 * A range down to the minute: days, and of a single day the part that is looked at; what it is compared
 * with, and the range before and after it (D-10).
 */
import { monthStart, weekdayOf, yearStart, yearsOn } from './days.ts';
import type { Comparison, Frame, Span } from './range.ts';

const WEEK = 7;

/** Whole days. */
export function wholeDays({ from, to }: Span): Frame {
  return { from, to, fromTime: '', toTime: '' };
}

/** Of one day the part, of several the days; times in their order (F-2). */
export function frameOf({ from, to }: Span, fromTime: string, toTime: string): Frame {
  if (from !== to) return wholeDays({ from, to });
  const isSwapped = fromTime !== '' && toTime !== '' && fromTime > toTime;
  return isSwapped
    ? { from, to, fromTime: toTime, toTime: fromTime }
    : { from, to, fromTime, toTime };
}

/** Whether it is a part of a day. */
export function isPart({ fromTime, toTime }: Frame): boolean {
  return fromTime !== '' || toTime !== '';
}

/** What a frame is compared with; null: nothing. `previous` is the period before as S-72 says it. */
export function comparedFrame(
  frame: Frame,
  comparison: Comparison,
  custom: Span | null,
): Frame | null {
  const { from, to, fromTime, toTime } = frame;
  const days = to - from + 1;
  const moved = (by: number): Frame => ({ from: from + by, to: to + by, fromTime, toTime });
  switch (comparison) {
    case 'previous':
      // Of one day: the same weekday. Of several: as many directly before.
      if (days === 1) return moved(isPart(frame) ? -1 : -WEEK);
      return moved(-days);
    case 'year': {
      // On the same weekday, so that a Sunday is compared with a Sunday.
      const start = yearsOn(from, -1);
      const shift = ((weekdayOf(from) - weekdayOf(start) + WEEK + 3) % WEEK) - 3;
      return moved(start + shift - from);
    }
    case 'custom':
      return custom === null ? null : frameOf(custom, fromTime, toTime);
    default:
      return null;
  }
}

/**
 * The range before or after one: a month before a month, a year before a year, else as many days.
 *
 * @param today the last day there is; nothing reaches beyond it.
 * @returns null: there is none.
 */
export function steppedFrame(frame: Frame, direction: 1 | -1, today: number): Frame | null {
  const { from, to, fromTime, toTime } = frame;
  const moved = steppedSpan({ from, to }, direction, today);
  if (moved.from > today) return null;
  return frameOf({ from: moved.from, to: Math.min(moved.to, today) }, fromTime, toTime);
}

function steppedSpan({ from, to }: Span, direction: 1 | -1, today: number): Span {
  // What has begun and is not over yet counts as the whole of it.
  const reaches = (end: number) => to === end || (to === today && to < end);
  if (from === yearStart(from) && reaches(yearStart(from, 1) - 1) && to - from >= WEEK) {
    return { from: yearStart(from, direction), to: yearStart(from, direction + 1) - 1 };
  }
  if (from === monthStart(from) && reaches(monthStart(from, 1) - 1) && to - from >= WEEK) {
    return { from: monthStart(from, direction), to: monthStart(from, direction + 1) - 1 };
  }
  const by = direction * (to - from + 1);
  return { from: from + by, to: to + by };
}
