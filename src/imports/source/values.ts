/**
 * Cells as what they mean: instants, days, counts, rates, places and languages. A cell that does
 * not mean it is a fault of its line.
 */

import { instantOfLocalMs } from '../../base/zone.ts';
import { ImportFault, type Place } from '../adapter.ts';

const DATE = '(\\d{4})-(\\d{2})-(\\d{2})';
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,9}))?';
const OFFSET = '(Z|UTC|[+-]\\d{2}(?::?\\d{2})?)';
const INSTANT = new RegExp(`^${DATE}(?:[T ]${TIME}(?: ?${OFFSET})?)?$`);
const COUNT = /^\d{1,15}$/;
const DECIMAL = /^\d{1,15}(\.\d{1,15})?$/;

/**
 * An instant in ISO 8601, with a space or a `T`: a time without an offset is of the zone.
 *
 * @returns milliseconds since the epoch.
 */
export function instant(place: Place, text: string, zone: string): number {
  const parts = INSTANT.exec(text);
  if (parts !== null) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] =
      parts;
    const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
    const date = dayMs(Number(year), Number(month), Number(day));
    if (date !== null && hours < 24 && minutes < 60 && seconds < 61) {
      const local = date + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + thousandths(fraction);
      if (offset === undefined) return instantOfLocalMs(zone, local);
      return local - offsetMs(offset);
    }
  }
  throw new ImportFault(place, 'a date and time as 2026-01-31 23:59:59', text);
}

/** A day as `2026-01-31` or `20260131`, a time behind it left out. @returns `2026-01-31`. */
export function day(place: Place, text: string): string {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ].*)?$/.exec(text);
  if (parts === null || dayMs(Number(parts[1]), Number(parts[2]), Number(parts[3])) === null) {
    throw new ImportFault(place, 'a day as 2026-01-31 or 20260131', text);
  }
  return `${parts[1]}-${parts[2]}-${parts[3]}`;
}

/** A whole number of 0 or more. */
export function count(place: Place, text: string): number {
  if (!COUNT.test(text)) throw new ImportFault(place, 'a whole number', text);
  return Number(text);
}

/** A number of 0 or more, its fraction behind a point. */
export function decimal(place: Place, text: string): number {
  if (!DECIMAL.test(text)) throw new ImportFault(place, 'a number as 12.5', text);
  return Number(text);
}

/** A share as `0.045` or `4.5%`. @returns 0 to 1. */
export function share(place: Place, text: string): number {
  const isPercent = text.endsWith('%');
  const value = isPercent
    ? decimal(place, text.slice(0, -1).trimEnd()) / 100
    : decimal(place, text);
  if (value > 1) throw new ImportFault(place, 'a share of 0 to 1, or of 0% to 100%', text);
  return value;
}

/** A text, or undefined where it is empty. */
export function known(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

/** Width of a screen written `1920x1080` or `1920,1080,2`. */
export function screenWidth(text: string | undefined): number | undefined {
  const width = Number.parseInt(text ?? '', 10);
  return width > 0 && width < 100_000 ? width : undefined;
}

/** ISO 3166-1 alpha-2 in capitals of a code or an English name; undefined where it is neither. */
export function countryCode(text: string): string | undefined {
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase();
  return byName('region', CODES_OF_COUNTRIES).get(text.toLowerCase());
}

/** ISO 639-1 of a code, a tag (`de-DE`) or an English name; undefined where it is neither. */
export function languageCode(text: string): string | undefined {
  const code = /^([A-Za-z]{2})(?:[-_][A-Za-z0-9_-]+)?$/.exec(text)?.[1];
  return code?.toLowerCase() ?? byName('language', CODES_OF_LANGUAGES).get(text.toLowerCase());
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The start of a date in UTC; null when there is no such date. */
function dayMs(year: number, month: number, date: number): number | null {
  if (month < 1 || month > 12 || date < 1 || date > (DAYS[month - 1] as number)) return null;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && date === 29 && !isLeap ? null : Date.UTC(year, month - 1, date);
}

function thousandths(fraction: string): number {
  return fraction === '' ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
}

function offsetMs(offset: string): number {
  if (offset === 'Z' || offset === 'UTC') return 0;
  const minutes =
    Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)) * (offset.length > 3 ? 1 : 0);
  return (offset[0] === '-' ? -minutes : minutes) * 60_000;
}

type Names = Map<string, string>;
const CODES_OF_COUNTRIES: Names = new Map();
const CODES_OF_LANGUAGES: Names = new Map();
/** Names that products write otherwise than the runtime's tables. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'united states of america': 'US',
  'hong kong': 'HK',
  macao: 'MO',
  macau: 'MO',
  'myanmar (burma)': 'MM',
  turkey: 'TR',
  türkiye: 'TR',
  'czech republic': 'CZ',
  "côte d'ivoire": 'CI',
  'bosnia and herzegovina': 'BA',
  'trinidad and tobago': 'TT',
};

/** Codes by English names, read backwards out of the runtime's own tables when first asked. */
function byName(type: 'region' | 'language', names: Names): Names {
  if (names.size > 0) return names;
  const shown = new Intl.DisplayNames('en', { type, fallback: 'none' });
  for (let first = 65; first <= 90; first++) {
    for (let second = 65; second <= 90; second++) {
      const code = String.fromCharCode(first, second);
      const key = type === 'region' ? code : code.toLowerCase();
      const name = shown.of(key)?.toLowerCase();
      // Codes of countries that are no more stand for those that came after them.
      if (name !== undefined && isCurrent(code, type)) names.set(name, key);
    }
  }
  if (type === 'region')
    for (const [name, code] of Object.entries(OTHER_NAMES)) names.set(name, code);
  return names;
}

function isCurrent(code: string, type: 'region' | 'language'): boolean {
  return type === 'language' || new Intl.Locale(`und-${code}`).region === code;
}
