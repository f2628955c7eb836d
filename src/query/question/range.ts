/**
 * The range of a request: which instants a statistics query covers (F-1 to F-7).
 *
 * Control plane. All conversions between dates and instants of a query's range happen here, once.
 */

import {
  instantOfLocalMs,
  isTimeZone,
  localDayOf,
  startOfLocalDayMs,
  zoneOffsetMs,
} from '../../base/zone.ts';
import {
  DAY_MS,
  MINUTE_MS,
  RANGE_DAYS_MAX,
  SECOND_MS,
  START_SECONDS_MAX,
} from '../../model/limits.ts';
import { DATE_MESSAGE, parseDay } from './calendar.ts';
import { firstValue, type QueryParameters } from './parameters.ts';

/** Instants and local dates of a query. */
export interface QueryRange {
  /** IANA name; governs range and buckets (F-4). */
  readonly zone: string;
  /** First instant. */
  readonly startMs: number;
  /** First instant after the range. */
  readonly endMs: number;
  /** Local dates of the first and the last bucket, days since 1970-01-01. */
  readonly fromDay: number;
  readonly toDay: number;
}

/** The range of a query and the period that growth compares it with (S-72). */
export interface Periods {
  readonly range: QueryRange;
  readonly previous: QueryRange;
}

/** What a range is read against. */
export interface RangeContext {
  readonly nowMs: number;
  /** The domain's time zone. */
  readonly timezone: string;
  /** Seconds that are looked back when `start` is absent; null: `from` and `to` are needed. */
  readonly lookBackSeconds: number | null;
}

const TIME_MESSAGE = 'must be a time like 09:30';
const TIME_PATTERN = /^([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * Reads the range of a request, and which period is the one before it.
 *
 * @param problems out: parameter name → what to change.
 * @returns null when something had to be refused.
 */
export function parseRange(
  parameters: QueryParameters,
  context: RangeContext,
  problems: Map<string, string>,
): Periods | null {
  const zone = firstValue(parameters, 'tz') ?? context.timezone;
  const isKnown = isTimeZone(zone);
  if (!isKnown) problems.set('tz', 'must be an IANA time zone like Europe/Berlin');
  const seconds = parseStart(parameters, problems);
  if (seconds === null) return null;
  const lookBack =
    seconds > 0 ? seconds : Math.min(context.lookBackSeconds ?? 0, START_SECONDS_MAX);
  if (lookBack > 0) {
    if (!isKnown) return null;
    const range = lookBackRange(zone, context.nowMs, lookBack);
    return { range, previous: lookBackRange(zone, context.nowMs - DAY_MS, lookBack) };
  }
  const times = parseTimes(parameters, problems);
  const days = parseDays(parameters, problems);
  if (!isKnown || days === null || times === null) return null;
  return dateRange({ zone, nowMs: context.nowMs, days, times, problems });
}

/** F-6: 0 when unset, null when refused. */
function parseStart(parameters: QueryParameters, problems: Map<string, string>): number | null {
  const text = firstValue(parameters, 'start');
  if (text === undefined) return 0;
  if (/^\d+$/.test(text)) return Math.min(Number(text), START_SECONDS_MAX);
  problems.set('start', `must be a whole number of seconds from 0 to ${START_SECONDS_MAX}`);
  return null;
}

/** The last seconds up to now, both edges included (F-6, S-80). */
function lookBackRange(zone: string, nowMs: number, seconds: number): QueryRange {
  const startMs = nowMs - seconds * SECOND_MS;
  return {
    zone,
    startMs,
    endMs: nowMs + 1,
    fromDay: localDayOf(zone, startMs),
    toDay: localDayOf(zone, nowMs),
  };
}

function parseDays(
  parameters: QueryParameters,
  problems: Map<string, string>,
): readonly [number, number] | null {
  const days = ['from', 'to'].map((name) => {
    const text = firstValue(parameters, name);
    const day = text === undefined ? null : parseDay(text);
    if (day === null) problems.set(name, DATE_MESSAGE);
    return day;
  });
  const [from, to] = days;
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : null;
}

/** What is wrong with a time of the day; '' when nothing is (F-5). */
export function clockTimeFault(text: string): string {
  return TIME_PATTERN.test(text) ? '' : TIME_MESSAGE;
}

/** F-5: minutes of the day, null where absent. */
function parseTimes(
  parameters: QueryParameters,
  problems: Map<string, string>,
): readonly [number | null, number | null] | null {
  const read = (name: string): number | null => {
    const text = firstValue(parameters, name);
    if (text === undefined) return null;
    const match = TIME_PATTERN.exec(text);
    if (match !== null) return Number(match[1]) * 60 + Number(match[2]);
    problems.set(name, TIME_MESSAGE);
    return null;
  };
  const times = [read('from_time'), read('to_time')] as const;
  return problems.has('from_time') || problems.has('to_time') ? null : times;
}

function dateRange(given: {
  zone: string;
  nowMs: number;
  days: readonly [number, number];
  times: readonly [number | null, number | null];
  problems: Map<string, string>;
}): Periods | null {
  const { zone, days, times, nowMs } = given;
  const today = localDayOf(zone, nowMs);
  const fromDay = Math.min(days[0], days[1], today + 1);
  const toDay = Math.min(Math.max(days[0], days[1]), today + 1);
  const dayCount = toDay - fromDay + 1;
  if (dayCount > RANGE_DAYS_MAX) {
    given.problems.set(
      'from',
      `must be at most ${RANGE_DAYS_MAX} days up to 'to'; these are ${dayCount}`,
    );
    return null;
  }
  if (fromDay === toDay && (times[0] !== null || times[1] !== null)) {
    const [range, previous] = [fromDay, fromDay - 1].map((day) => clockRange(zone, day, times));
    return { range: range as QueryRange, previous: previous as QueryRange };
  }
  const range = daysRange(zone, fromDay, toDay);
  if (fromDay < toDay) return { range, previous: daysRange(zone, fromDay - dayCount, fromDay - 1) };
  const weekBefore = daysRange(zone, fromDay - 7, fromDay - 7);
  if (fromDay !== today) return { range, previous: weekBefore };
  // Today is not over: a week earlier it is compared with the same part of that day, now included.
  const clockMs = nowMs + zoneOffsetMs(zone, nowMs) - 7 * DAY_MS;
  return { range, previous: { ...weekBefore, endMs: instantOfLocalMs(zone, clockMs) + 1 } };
}

/** Whole days, both included (F-1). */
function daysRange(zone: string, fromDay: number, toDay: number): QueryRange {
  const startMs = startOfLocalDayMs(zone, fromDay);
  return { zone, startMs, endMs: startOfLocalDayMs(zone, toDay + 1), fromDay, toDay };
}

/** Part of a day, up to the end of the minute of `to_time` (F-5). */
function clockRange(
  zone: string,
  day: number,
  times: readonly [number | null, number | null],
): QueryRange {
  const from = times[0] ?? 0;
  const to = times[1] ?? 23 * 60 + 59;
  const startMs = instantOfLocalMs(zone, day * DAY_MS + Math.min(from, to) * MINUTE_MS);
  const endMs = instantOfLocalMs(zone, day * DAY_MS + Math.max(from, to) * MINUTE_MS) + MINUTE_MS;
  return { zone, startMs, endMs, fromDay: day, toDay: day };
}
