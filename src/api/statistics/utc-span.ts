/** The UTC days that a bill or a ledger is asked for (S-99, P-31). */
import { DAY_MS } from '../../model/limits.ts';
import type { DaySpan } from '../../model/usage.ts';
import { DATE_MESSAGE, parseDay } from '../../query/question/calendar.ts';
import { firstValue, parseQueryString } from '../../query/question/parameters.ts';
import type { Call, Parameter } from '../endpoint.ts';
import { optional } from '../presets.ts';
import type { Problems } from '../problems.ts';

/** What says it. */
export const UTC_SPAN: readonly Parameter[] = [
  optional('from', 'The first day, UTC; by default that of the calendar month.'),
  optional('to', 'The last day, UTC; by default that of the current calendar month.'),
];

/**
 * The days that are asked for, in whichever order (F-2); without them the calendar month in UTC. With
 * one of them: from there to the end of this month, or from the beginning of that month.
 *
 * @param problems what is wrong with the request so far.
 * @throws VALIDATION_FAILED.
 */
export function utcSpan(
  { query, receivedMs }: Pick<Call, 'query' | 'receivedMs'>,
  problems: Problems,
): DaySpan {
  const parameters = parseQueryString(query);
  const read = (name: 'from' | 'to'): number | null => {
    const text = firstValue(parameters, name);
    if (text === undefined || text === '') return null;
    const day = parseDay(text);
    if (day === null) problems.add(name, DATE_MESSAGE);
    return day;
  };
  const [from, to] = [read('from'), read('to')];
  if (!problems.isEmpty) throw problems.error();
  const today = Math.floor(receivedMs / DAY_MS);
  const first = from ?? monthOf(to ?? today).fromDay;
  const last = to ?? monthOf(Math.max(from ?? today, today)).toDay;
  return { fromDay: Math.min(first, last), toDay: Math.max(first, last) };
}

/** First and last day of the calendar month that a day is in. */
function monthOf(day: number): DaySpan {
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    fromDay: Date.UTC(year, month, 1) / DAY_MS,
    toDay: Date.UTC(year, month + 1, 0) / DAY_MS,
  };
}
