/** The chart's line: rows of a statistic over time, as points. */
import { type Bucket, bucketsOf, isAhead } from '../../view/buckets.ts';
import { dateOf } from '../../view/days.ts';
import { once } from '../../view/once.ts';
import type { Frame, Scale } from '../../view/range.ts';
import type { Metric } from '../../view/view.ts';
import { type LocalTime, minuteOf } from '../../view/zone.ts';
import { days } from '../../words/format.ts';
import { language } from '../../words/language.ts';
import { answerOf, type Shown } from '../site-data.ts';
import { hoursOf } from './questions.ts';

/** One point. */
export interface Point extends Bucket {
  readonly label: string;
  /** For the axis. */
  readonly short: string;
  /** Null: it has not begun. */
  readonly value: number | null;
  /** Whether it is not over. */
  readonly isOpen: boolean;
}

/** A row of any statistic over time. */
interface SeriesRow {
  readonly hour?: number;
  readonly minute?: number;
  readonly day?: string | null;
  readonly week?: string | null;
  readonly month?: string | null;
  readonly year?: string | null;
  readonly visitors?: number;
  readonly views?: number;
  readonly sessions?: number;
  readonly bounce_rate?: number;
  readonly cr?: number;
  readonly average_time_spent_seconds?: number;
}

const FIELDS = {
  visitors: 'visitors',
  views: 'views',
  sessions: 'sessions',
  bounceRate: 'bounce_rate',
  duration: 'average_time_spent_seconds',
  conversion: 'cr',
} as const satisfies Readonly<Record<Metric, keyof SeriesRow>>;

const format = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }));
const dayLabel = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const dayShort = format({ day: 'numeric', month: 'short' });
const monthLabel = format({ month: 'long', year: 'numeric' });
const monthShort = format({ month: 'short', year: '2-digit' });
const yearLabel = format({ year: 'numeric' });
const clockLabel = format({ hour: 'numeric', minute: '2-digit' });
const weekdayShort = format({ weekday: 'short', hour: 'numeric', minute: '2-digit' });

/** The points of what is shown, in order of time. @param prefix '' or 'compared '. */
export function pointsOf(shown: Shown, metric: Metric, prefix: '' | 'compared '): readonly Point[] {
  const frame = prefix === '' ? shown.frames.frame : shown.frames.compared;
  if (frame === null) return [];
  const { scale, now } = shown.frames;
  const rows = rowsOf(shown, prefix, { frame, scale });
  const field = FIELDS[metric];
  return placesOf(frame, scale).map((bucket, index, all) => {
    const isLast = isAhead(bucket.frame, now);
    const next = all[index + 1];
    return {
      ...bucket,
      value: isLast ? null : Number(rows.get(bucket.key)?.[field] ?? 0),
      isOpen: !isLast && isOpenAt(bucket.frame, next?.frame, now),
    };
  });
}

type Place = Bucket & Pick<Point, 'label' | 'short'>;

/** The points of ranges, with their labels: what is shown again and again has its own the first time. */
const places = new WeakMap<Frame, { readonly scale: Scale; readonly places: readonly Place[] }>();

function placesOf(frame: Frame, scale: Scale): readonly Place[] {
  const known = places.get(frame);
  if (known?.scale === scale) return known.places;
  const made = bucketsOf(frame, scale).map((bucket) => ({
    ...bucket,
    ...labelsOf(bucket, frame, scale),
  }));
  places.set(frame, { scale, places: made });
  return made;
}

/** The last one that has begun, where the range goes on until now. */
function isOpenAt(frame: Frame, next: Frame | undefined, now: LocalTime): boolean {
  if (next !== undefined) return isAhead(next, now);
  if (frame.to !== now.day) return frame.to > now.day;
  return (minuteOf(frame.toTime) ?? Number.POSITIVE_INFINITY) >= now.minute;
}

/** Rows by the key of their point. */
function rowsOf(
  shown: Shown,
  prefix: string,
  { frame, scale }: { frame: Frame; scale: Scale },
): ReadonlyMap<string, SeriesRow> {
  const rows = new Map<string, SeriesRow>();
  const parts = partsOf(frame, scale);
  for (const [index, keyOf] of parts.entries()) {
    const answer = answerOf<readonly SeriesRow[]>(shown, `${prefix}series ${index}`) ?? [];
    for (const row of answer) rows.set(keyOf(row), row);
  }
  return rows;
}

/** For each question of a line, where its rows belong. */
function partsOf(frame: Frame, scale: Scale): readonly ((row: SeriesRow) => string)[] {
  const two = (value: number) => String(value).padStart(2, '0');
  const dayKey = (day: number) => dateOf(day).toISOString().slice(0, 10);
  if (scale === 'hour') {
    return Array.from({ length: frame.to - frame.from + 1 }, (_, index) => {
      return ({ hour = 0 }) => `${dayKey(frame.from + index)}T${two(hour)}:00`;
    });
  }
  if (scale === 'minute') {
    return hoursOf(frame).map(({ fromTime }) => {
      return ({ minute = 0 }) => `${dayKey(frame.from)}T${fromTime.slice(0, 2)}:${two(minute)}`;
    });
  }
  return [(row) => (row.day ?? row.week ?? row.month ?? row.year ?? '').slice(0, 10)];
}

function labelsOf(
  { key, frame }: Bucket,
  whole: Frame,
  scale: Scale,
): { label: string; short: string } {
  const date = new Date(key.length > 10 ? `${key}:00Z` : `${key}T00:00:00Z`);
  switch (scale) {
    case 'minute':
    case 'hour': {
      const isOneDay = whole.from === whole.to;
      const clock = clockLabel().format(date);
      if (isOneDay) return { label: clock, short: clock };
      return { label: `${dayLabel().format(date)}, ${clock}`, short: weekdayShort().format(date) };
    }
    case 'week':
      return { label: days(frame), short: dayShort().format(date) };
    case 'month':
      return { label: monthLabel().format(date), short: monthShort().format(date) };
    case 'year':
      return { label: yearLabel().format(date), short: yearLabel().format(date) };
    default:
      return { label: dayLabel().format(date), short: dayShort().format(date) };
  }
}
