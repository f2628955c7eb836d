/**
 * The naive calendar of the reports' model: every quarter of an hour of some years is looked at,
 * one after the other, for what date and time its zone's clock shows (luxon). No rule about clocks
 * that are changed is in it: the morning of a date is the first quarter at which the clock shows
 * that date and seven or later. Clocks are changed at full quarters in all zones of these years.
 */
import { DateTime, IANAZone } from 'luxon';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SEVEN = '07:00';

/** A date that a zone has, with its morning. */
export interface CalendarDay {
  readonly date: string;
  readonly morningMs: number;
}

/** The dates of one zone, in order; of those that it skips there is none. */
export class ReportCalendar {
  readonly days: readonly CalendarDay[];
  readonly #zone: string;
  readonly #indexes = new Map<string, number>();

  constructor(zone: string, fromMs: number, toMs: number) {
    const days: CalendarDay[] = [];
    const of = IANAZone.create(zone);
    let last = '';
    let offset = of.offset(fromMs);
    let quartersLeft = 0;
    for (let atMs = fromMs; atMs < toMs; atMs += QUARTER_MS) {
      // An hour that begins and ends with one offset has it throughout.
      const isHour = atMs % HOUR_MS === 0;
      const isChanging = isHour && of.offset(atMs + HOUR_MS) !== offset;
      if (isChanging) quartersLeft = HOUR_MS / QUARTER_MS + 1;
      if (quartersLeft > 0) offset = of.offset(atMs);
      quartersLeft--;
      const shown = new Date(atMs + offset * MINUTE_MS).toISOString();
      const [date, time] = [shown.slice(0, 10), shown.slice(11, 16)];
      if (date <= last || time < SEVEN) continue;
      last = date;
      this.#indexes.set(date, days.length);
      days.push({ date, morningMs: atMs });
    }
    this.#zone = zone;
    this.days = days;
  }

  /** The first morning at or after an instant. */
  from(atMs: number): CalendarDay {
    // Two weeks before it would be, if every date had a morning every 24 hours.
    const [first] = this.days as [CalendarDay];
    let index = Math.max(0, Math.floor((atMs - first.morningMs) / DAY_MS) - 14);
    while ((this.days[index] as CalendarDay).morningMs < atMs) index++;
    return this.days[index] as CalendarDay;
  }

  /** Morning of a date so many days after another; of a date that is skipped that of the next. */
  later(date: string, days: number): number {
    const wanted = DateTime.fromISO(date, { zone: 'utc' }).plus({ days }).toISODate() as string;
    return (this.days.find((day) => day.date >= wanted) as CalendarDay).morningMs;
  }

  /**
   * What a report that is due on a date is of: from the first instant of a date to that after a
   * date.
   */
  daysOf(date: string, weeks: number): { from: string; to: string } {
    if (weeks === 0) {
      const before = this.days[(this.#indexes.get(date) as number) - 1] as CalendarDay;
      return { from: before.date, to: before.date };
    }
    const monday = DateTime.fromISO(date, { zone: 'utc' }).startOf('week');
    return {
      from: monday.minus({ weeks }).toISODate() as string,
      to: monday.minus({ days: 1 }).toISODate() as string,
    };
  }

  /** Whether an instant lies on one of some dates, by what the clock shows. */
  isWithin(atMs: number, { from, to }: { from: string; to: string }): boolean {
    const date = DateTime.fromMillis(atMs, { zone: this.#zone }).toISODate() as string;
    return date >= from && date <= to;
  }

  /** The date of a morning. */
  dateOf(morningMs: number): string {
    return (this.days.find((day) => day.morningMs === morningMs) as CalendarDay).date;
  }
}
