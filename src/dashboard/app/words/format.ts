/** Numbers, times and names as the reader writes them (D-18). */
import { dateOf } from '../view/days.ts';
import { once, oncePer } from '../view/once.ts';
import type { Span } from '../view/range.ts';
import { isGerman, language } from './language.ts';
import { word } from './words.ts';

const numbers = (options: Intl.NumberFormatOptions = {}) =>
  once(() => new Intl.NumberFormat(language, options));
const names = (type: Intl.DisplayNamesType) =>
  once(() => new Intl.DisplayNames(language, { type }));
const times = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat(language, options));

const whole = numbers();
const short = numbers({ notation: 'compact', maximumFractionDigits: 1 });
const tenths = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percent = numbers({ style: 'percent', maximumFractionDigits: 1 });
const signed = numbers({
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const signedWhole = numbers({ signDisplay: 'exceptZero' });
const regions = names('region');
const languages = names('language');
const dayFormat = times({ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
const minutes = times({ timeZone: 'UTC', hour: 'numeric', minute: '2-digit' });
const SECONDED = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
/** By the time zone; '' is the reader's. */
const seconded = oncePer(
  (timeZone) =>
    new Intl.DateTimeFormat(language, { ...SECONDED, ...(timeZone === '' ? {} : { timeZone }) }),
);

/** Beyond this a tile shows thousands and millions. */
const SHORT_FROM = 100_000;

/** A count, whole. */
export function count(value: number): string {
  return whole().format(value);
}

/** A count where there is little room. */
export function shortCount(value: number): string {
  return value < SHORT_FROM ? whole().format(value) : short().format(value);
}

/** A mean, with one digit behind the point. */
export function mean(value: number): string {
  return tenths().format(value);
}

/** A rate as a percentage. */
export function rate(value: number): string {
  return percent().format(value);
}

/** A change, with its sign. */
export function change(value: number): string {
  return signed().format(value);
}

/** Which way a change goes, as it is shown: one that is shown as 0 % goes nowhere. */
export function direction(value: number): number {
  return Math.sign(Math.round(value * 1_000));
}

/** A difference of counts, with its sign. */
export function signedCount(value: number): string {
  return signedWhole().format(value);
}

/** A difference of parts, in points of a percentage. */
export function signedPoints(value: number): string {
  return word('points', { points: signedWhole().format(Math.round(value * 1_000) / 10) });
}

/** `1m 5s`; in German `m` is a metre. */
const [H, M, S] = isGerman ? ['\u00a0h', '\u00a0min', '\u00a0s'] : ['h', 'm', 's'];

/** Seconds as minutes and seconds, or hours. */
export function seconds(value: number): string {
  const total = Math.round(value);
  const parts = [Math.floor(total / 3_600), Math.floor((total % 3_600) / 60), total % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  if (hours > 0) return `${count(hours)}${H} ${minutes}${M}`;
  return minutes > 0 ? `${minutes}${M} ${rest}${S}` : `${rest}${S}`;
}

/** The name of a country; what is no code stays as it is. */
export function country(code: string): string {
  try {
    return code === '' ? word('unknown') : (regions().of(code.toUpperCase()) ?? code);
  } catch {
    return code;
  }
}

/** The name of a language. */
export function languageName(code: string): string {
  try {
    return code === '' ? word('unknown') : (languages().of(code) ?? code);
  } catch {
    return code;
  }
}

/** Ranges that were told last: those of a view are the same with every answer. */
const told = new Map<string, string>();
const TOLD_MAX = 4;

/** One day, or from one to another. */
export function days({ from, to }: Span): string {
  const key = `${from} ${to}`;
  const known = told.get(key);
  if (known !== undefined) return known;
  if (told.size === TOLD_MAX) told.clear();
  const text =
    from === to
      ? dayFormat().format(dateOf(from))
      : dayFormat().formatRange(dateOf(from), dateOf(to));
  told.set(key, text);
  return text;
}

/** `14:30` as the reader writes it. */
export function clock(text: string): string {
  return minutes().format(new Date(`1970-01-01T${text}:00Z`));
}

/** An instant, as the clocks of a time zone show it. */
export function instant(ms: number, timeZone: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(language, options).format(ms);
}

/** An instant, as a time of day. @param timeZone whose clock; '': the reader's. */
export function time(ms: number, timeZone = ''): string {
  return seconded(timeZone).format(ms);
}
