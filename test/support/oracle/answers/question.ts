/**
 * The oracle's reading of query parameters: range, scale, filters, order and paging (F-1, A-24).
 */
import type { Conversions } from '../world.ts';
import {
  addDays,
  clockInstant,
  daysBetween,
  firstInstant,
  localDate,
  type Scale,
  sameClock,
} from '../zone.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Query parameters as sent; a repeated one as an array. */
export type RawParameters = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

export interface Question {
  /** The range: `fromMs` included, `toMs` not (F-1). */
  fromMs: number;
  toMs: number;
  /** Local dates of the range's edges, both included. */
  from: string;
  to: string;
  /** Finds the previous period (S-72). */
  previous: () => Range;
  zone: string;
  /** Of the domain, whatever the question's is. */
  domainZone: string;
  scale: Scale;
  /** Values of every parameter, empty ones left out (F-7). */
  values: Readonly<Record<string, readonly string[]>>;
  includesTime: boolean;
  /** S-46, S-58. */
  groupsByTitle: boolean;
  limit: number;
  offset: number;
  sort: string;
  direction: string;
}

/** What a request means besides its parameters. */
export interface Context {
  nowMs: number;
  /** The domain's time zone (F-4). */
  timezone: string;
  groupByTitle: boolean;
  /** What is defined on the domain; absent: nothing. */
  conversions?: Conversions;
}

/** Parameters that know `!` only: what looks like another operator is part of the value (F-20). */
const KNOWING_NOT_ONLY = ['pattern', 'platform', 'search'];

/** Parameters as lists of values that say something (A-25, F-7, F-26). */
export function listValues(raw: RawParameters): Record<string, readonly string[]> {
  const entries = Object.entries(raw).map(([name, value]): [string, string[]] => {
    const list = value === undefined ? [] : Array.isArray(value) ? value : [value];
    const saysNothing = KNOWING_NOT_ONLY.includes(name) ? ['', '!'] : ['', '!', '~', '^'];
    return [name, list.map(String).filter((text) => !saysNothing.includes(text))];
  });
  return Object.fromEntries(entries.filter(([, list]) => list.length > 0));
}

/** The question that valid parameters ask. */
export function readQuestion(raw: RawParameters, context: Context): Question {
  const values = listValues(raw);
  const first = (name: string): string => values[name]?.[0] ?? '';
  const isTrue = (name: string): boolean => ['true', '1'].includes(first(name));
  const zone = first('tz') === '' ? context.timezone : first('tz'); // F-4
  const scale = first('scale');
  const limit = Number(first('limit'));
  const offset = Number(first('offset'));
  const range = readRange(first, zone, context.nowMs);
  return {
    ...range,
    previous: () => previousOf(range, first, zone, context.nowMs),
    ...{ zone, values, domainZone: context.timezone },
    // F-34: presentation parameters fall back.
    scale: scale === 'week' || scale === 'month' || scale === 'year' ? scale : 'day',
    includesTime: isTrue('include_avg_time_on_page'),
    groupsByTitle: isGroupedByTitle(first('include_title'), context),
    limit: limit >= 1 && limit <= 100 ? Math.trunc(limit) : 100,
    offset: offset >= 0 ? Math.trunc(offset) : 0,
    sort: first('sort'),
    direction: first('direction').toLowerCase(),
  };
}

/** S-58; what is neither yes nor no falls back (F-34). */
function isGroupedByTitle(text: string, context: Context): boolean {
  if (['true', '1'].includes(text)) return true;
  return ['false', '0'].includes(text) ? false : context.groupByTitle;
}

interface Range {
  fromMs: number;
  toMs: number;
  from: string;
  to: string;
}

/** S-72. */
function previousOf(
  range: Range,
  first: (name: string) => string,
  zone: string,
  nowMs: number,
): Range {
  if (Number(first('start')) > 0) return readRange(first, zone, nowMs - DAY_MS);
  const { from, to } = range;
  if (hasTimes(first, range)) {
    const before = addDays(from, -1);
    return clockRange(first, { from: before, to: before }, zone);
  }
  const count = daysBetween(from, to) + 1;
  const back = count === 1 ? 7 : count;
  const previous = daysRange(addDays(from, -back), addDays(to, -back), zone);
  if (count > 1 || from !== localDate(nowMs, zone)) return previous;
  // Today: up to the present time of day, which is included.
  return { ...previous, toMs: sameClock(nowMs, -7, zone) + 1 };
}

function daysRange(from: string, to: string, zone: string): Range {
  return { fromMs: firstInstant(from, zone), toMs: firstInstant(addDays(to, 1), zone), from, to };
}

/** F-5: times count on a single day only. */
function hasTimes(first: (name: string) => string, days: Pick<Range, 'from' | 'to'>): boolean {
  return days.from === days.to && (first('from_time') !== '' || first('to_time') !== '');
}

/** F-5, F-2: from the first of the two times to the end of the minute of the other. */
function clockRange(
  first: (name: string) => string,
  { from, to }: Pick<Range, 'from' | 'to'>,
  zone: string,
): Range {
  const times = [first('from_time') || '00:00', first('to_time') || '23:59'].sort();
  const [fromMs = 0, lastMs = 0] = times.map((time) => clockInstant(from, time, zone));
  return { fromMs, toMs: lastMs + MINUTE_MS, from, to };
}

function readRange(first: (name: string) => string, zone: string, nowMs: number): Range {
  const start = Math.min(Number(first('start')), 3_600);
  if (start > 0) {
    // F-6: the last n seconds up to now, now included.
    const fromMs = nowMs - start * 1_000;
    const toMs = nowMs + 1;
    return { fromMs, toMs, from: localDate(fromMs, zone), to: localDate(nowMs, zone) };
  }
  const tomorrow = addDays(localDate(nowMs, zone), 1);
  // F-2: swapped; F-3: cut to tomorrow.
  // F-1: of an ISO timestamp the date part is taken.
  const sent = [first('from'), first('to')].map((text) => text.slice(0, 10));
  const [early = '', late = ''] = sent.sort();
  const [from = ''] = [early, tomorrow].sort();
  const [to = ''] = [late, tomorrow].sort();
  if (hasTimes(first, { from, to })) return clockRange(first, { from, to }, zone);
  return daysRange(from, to, zone);
}

/** The title that groups a row (S-46). */
export function groupTitle(question: Question, title: string): string {
  return question.groupsByTitle ? title : '';
}

/** The first value of a parameter without operator, `null` (F-23) aside. */
export function firstPlain(question: Question, name: string): string | undefined {
  return question.values[name]?.find((value) => !/^[!~^]|^null$/i.test(value));
}
