/**
 * The `time` of a batch item (I-71): ISO 8601 in its extended format, read strictly.
 *
 * Data plane: once per item of a batch, character codes only. Accepted (decided):
 *
 *   2026-11-20                      a date alone is its midnight, UTC
 *   2026-11-20T10:00                seconds may be missing
 *   2026-11-20T10:00:30.123456      any number of fraction digits, `.` or `,`; beyond ms cut off
 *   …Z  …+02:00  …+0200  …+02       none is UTC; `t` and `z` as well
 *
 * Refused: a space for the `T`, the basic format (20261120T100000Z), week and ordinal dates, 24:00,
 * leap seconds (:60), and dates that do not exist.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../model/limits.ts';

// One date per thread, with its midnight.
const lastDate = new Uint16Array(10);
let lastMidnightMs = 0;

/** What `parseHitTime` answers for a text that is no time. */
export const NOT_A_TIME = Number.NaN;

const DATE_LENGTH = 10;
const MINUTES_END = 16;
const SECONDS_END = 19;
const DASH = 0x2d;
const PLUS = 0x2b;
const COLON = 0x3a;
const DOT = 0x2e;
const COMMA = 0x2c;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads a time.
 *
 * @returns milliseconds since the epoch, UTC; `NOT_A_TIME` (NaN) when it is none.
 * @cost one pass, no allocation.
 */
export function parseHitTime(text: string): number {
  if (text.length > DATE_LENGTH && isLastDate(text)) return lastMidnightMs + timeOfDayMs(text);
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1) return NOT_A_TIME;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return NOT_A_TIME;
  if (day > daysIn(year, month)) return NOT_A_TIME;
  const midnightMs = daysSinceEpoch(year, month, day) * DAY_MS;
  for (let index = 0; index < DATE_LENGTH; index++) lastDate[index] = text.charCodeAt(index);
  lastMidnightMs = midnightMs;
  return text.length === DATE_LENGTH ? midnightMs : midnightMs + timeOfDayMs(text);
}

/** Whether a text begins with the date that was read last: the items of a batch share their day. */
function isLastDate(text: string): boolean {
  for (let index = DATE_LENGTH - 1; index >= 0; index--) {
    if (text.charCodeAt(index) !== lastDate[index]) return false;
  }
  return true;
}

/** From `T` to the end, offset included. */
function timeOfDayMs(text: string): number {
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return NOT_A_TIME;
  if (!isLetter(text, DATE_LENGTH, 'T') || text.charCodeAt(13) !== COLON) return NOT_A_TIME;
  let at = MINUTES_END;
  let second = 0;
  let fractionMs = 0;
  if (text.charCodeAt(MINUTES_END) === COLON) {
    second = digits(text, MINUTES_END + 1, 2);
    if (second < 0 || second > 59) return NOT_A_TIME;
    at = SECONDS_END;
    const mark = text.charCodeAt(SECONDS_END);
    if (mark === DOT || mark === COMMA) {
      const end = digitsEnd(text, SECONDS_END + 1);
      if (end === SECONDS_END + 1) return NOT_A_TIME;
      fractionMs = fraction(text, SECONDS_END + 1, end);
      at = end;
    }
  }
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + fractionMs - offsetMs(text, at);
}

/** The offset that starts at `at` and ends the text. */
function offsetMs(text: string, at: number): number {
  if (at === text.length) return 0;
  if (isLetter(text, at, 'Z')) return at + 1 === text.length ? 0 : NOT_A_TIME;
  const sign = text.charCodeAt(at);
  if (sign !== PLUS && sign !== DASH) return NOT_A_TIME;
  const hour = digits(text, at + 1, 2);
  const minuteAt = text.charCodeAt(at + 3) === COLON ? at + 4 : at + 3;
  const hasMinutes = text.length > at + 3;
  const minute = hasMinutes ? digits(text, minuteAt, 2) : 0;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return NOT_A_TIME;
  if (hasMinutes && text.length !== minuteAt + 2) return NOT_A_TIME;
  const spanMs = hour * HOUR_MS + minute * MINUTE_MS;
  return sign === PLUS ? spanMs : -spanMs;
}

/** The number at a place; -1 when one of its characters is no digit. */
function digits(text: string, start: number, length: number): number {
  let value = 0;
  for (let index = start; index < start + length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    // Past the end charCodeAt gives NaN, which passes no comparison.
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function digitsEnd(text: string, start: number): number {
  let index = start;
  while (digits(text, index, 1) >= 0) index++;
  return index;
}

/** Milliseconds of a fraction of a second; what is finer is cut off. */
function fraction(text: string, start: number, end: number): number {
  let ms = 0;
  let unit = SECOND_MS / 10;
  for (let index = start; index < end && unit >= 1; index++) {
    ms += digits(text, index, 1) * unit;
    unit /= 10;
  }
  return ms;
}

function isLetter(text: string, at: number, upper: 'T' | 'Z'): boolean {
  return (text.charCodeAt(at) & ~0x20) === upper.charCodeAt(0);
}

function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : DAYS_IN_MONTH[month - 1]!;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Days from 1970-01-01 to a date, in the proleptic Gregorian calendar.
 *
 * @source Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
