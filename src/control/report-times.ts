/** When the next email report is due (O-30): in the morning of the domain's own day. */
import { instantOfLocalMs, localDayOf } from '../base/zone.ts';
import { DAY_MS, HOUR_MS } from '../model/limits.ts';

/** The local time of every report: seven in the morning. */
const CLOCK_MS = 7 * HOUR_MS;

/**
 * The first 07:00 at or after a time and the interval.
 *
 * @param intervalWeeks 0: a day.
 * @param timezone of the domain.
 */
export function nextReportMs(fromMs: number, intervalWeeks: number, timezone: string): number {
  const earliestMs = fromMs + (intervalWeeks === 0 ? 1 : intervalWeeks * 7) * DAY_MS;
  for (let day = localDayOf(timezone, earliestMs); ; day++) {
    const morningMs = instantOfLocalMs(timezone, day * DAY_MS + CLOCK_MS);
    // A zone that moved over the date line has days without a morning.
    if (morningMs >= earliestMs && localDayOf(timezone, morningMs) === day) return morningMs;
  }
}
