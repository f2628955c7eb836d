/** Days as numbers since 1970-01-01, and as the texts of the interface. */
import { oncePer } from './once.ts';

const DAY_MS = 86_400_000;

/** The day of `2026-11-22`; NaN for anything else. */
export function dayOf(text: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  return isDay ? Date.parse(`${text}T00:00:00Z`) / DAY_MS : Number.NaN;
}

/** `2026-11-22`. */
export function dayText(day: number): string {
  return dateOf(day).toISOString().slice(0, 10);
}

/** Its midnight, as if the time zone were UTC. */
export function dateOf(day: number): Date {
  return new Date(day * DAY_MS);
}

const calendar = oncePer((timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone }));

/** The day it is in a time zone now. */
export function today(zone: string): number {
  return dayOf(calendar(zone).format(new Date()));
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (dateOf(day).getUTCDay() + 6) % 7;
}

/** The first day of a month; months may run over the ends of the year. */
export function monthStart(day: number, months = 0): number {
  const date = dateOf(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY_MS;
}

/** The first day of a year. */
export function yearStart(day: number, years = 0): number {
  return Date.UTC(dateOf(day).getUTCFullYear() + years, 0, 1) / DAY_MS;
}

/** The same date some years on; the 29th of February becomes the 28th. */
export function yearsOn(day: number, years: number): number {
  const date = dateOf(day);
  const year = date.getUTCFullYear() + years;
  const last = new Date(Date.UTC(year, date.getUTCMonth() + 1, 0)).getUTCDate();
  return Date.UTC(year, date.getUTCMonth(), Math.min(date.getUTCDate(), last)) / DAY_MS;
}

/** Where weeks begin on another day than Monday (CLDR), for browsers that cannot say so themselves. */
const SUNDAY =
  'AG AS AU BD BR BS BT BW BZ CA CN CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT ' +
  'MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW';
const SATURDAY = 'AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY';

/** On which day a week begins where the reader is: 0 is Monday. */
export const firstWeekday: (language: string) => number = oncePer((language) => {
  const locale = new Intl.Locale(language).maximize() as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  const firstDay = locale.getWeekInfo?.().firstDay ?? locale.weekInfo?.firstDay;
  return ((firstDay ?? listedWeekday(locale.region ?? '')) + 6) % 7;
});

/** 1 is Monday. */
function listedWeekday(region: string): number {
  if (region === '') return 1;
  return SUNDAY.includes(region) ? 7 : SATURDAY.includes(region) ? 6 : 1;
}
