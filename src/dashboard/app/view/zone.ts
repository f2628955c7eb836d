/**
 * Instants and the clock of a site: its time zone decides which day and minute it is, never that of the
 * browser (D-10).
 */
import { dayOf } from './days.ts';
import { oncePer } from './once.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** A day and a minute of it, as clocks of a time zone show them. */
export interface LocalTime {
  readonly day: number;
  readonly minute: number;
}

/** The one format that has digits in a known order whatever the browser's language. */
const clockOf = oncePer(
  (timeZone) =>
    new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    }),
);

/** What clocks show at an instant. @param ms since the epoch. */
export function localOf(ms: number, zone: string): LocalTime {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const text = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    day: dayOf(`${text('year').padStart(4, '0')}-${text('month')}-${text('day')}`),
    minute: Number(text('hour')) * 60 + Number(text('minute')),
  };
}

/**
 * When clocks show a time: the first instant where they show it twice, the first one after the gap where
 * they never do (F-5).
 */
export function instantOf({ day, minute }: LocalTime, zone: string): number {
  const wanted = day * DAY_MS + minute * MINUTE_MS;
  const shown = (ms: number) => {
    const local = localOf(ms, zone);
    return local.day * DAY_MS + local.minute * MINUTE_MS;
  };
  // No zone is further from UTC than a day; a change of clocks lies between the two or nowhere.
  const offsets = [-DAY_MS, DAY_MS].map((by) => shown(wanted + by) - (wanted + by));
  const candidates = offsets.map((offset) => wanted - offset).sort((left, right) => left - right);
  const exact = candidates.find((ms) => shown(ms) === wanted);
  if (exact !== undefined) return exact;
  // In a gap: the change itself lies between the candidates.
  let [before = 0, after = 0] = candidates;
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (shown(middle) < wanted) before = middle;
    else after = middle;
  }
  return after;
}

/** The minute of `09:30`; null for anything else. */
export function minuteOf(clock: string): number | null {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(clock)) return null;
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

/** `09:30`. */
export function clockText(minute: number): string {
  const within = Math.min(Math.max(minute, 0), DAY_MINUTES - 1);
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${digits(Math.floor(within / 60))}:${digits(within % 60)}`;
}
