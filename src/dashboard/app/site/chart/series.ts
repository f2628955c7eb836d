/** The chart's line: rows of a statistic over time, as points. */
import type { StatisticOf } from '../../data/batch.ts';
import { dateOf, dayOf } from '../../view/days.ts';
import type { Scale, Span } from '../../view/range.ts';
import type { Metric } from '../../view/view.ts';
import { language } from '../../words/words.ts';
import { answerOf, type Shown } from '../site-data.ts';

/** One point. */
export interface Point {
  readonly label: string;
  readonly value: number;
  /** The days that it stands for; null within a day. */
  readonly span: Span | null;
}

type VisitorRow = StatisticOf<'visitor'>[number];
type DurationRow = StatisticOf<'duration/session'>[number];

const DAYS_OF: Readonly<Record<string, number>> = { day: 1, week: 7 };

const dayLabel = new Intl.DateTimeFormat(language, {
  ...{ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
});
const monthLabel = new Intl.DateTimeFormat(language, {
  ...{ timeZone: 'UTC', month: 'long', year: 'numeric' },
});
const yearLabel = new Intl.DateTimeFormat(language, { timeZone: 'UTC', year: 'numeric' });

/** The points of a metric, in order of time. @param prefix '' or 'compared '. */
export function pointsOf(shown: Shown, metric: Metric, prefix: string): readonly Point[] {
  const { scale } = shown;
  const isTime = metric === 'duration' && scale !== 'hour' && scale !== 'minute';
  const rows = answerOf<readonly (VisitorRow & DurationRow)[]>(
    shown,
    prefix + (isTime ? 'duration' : 'series'),
  );
  return (rows ?? []).map((row) => ({
    ...placed(row, scale),
    value: numberOf(row, metric),
  }));
}

function numberOf(row: VisitorRow & DurationRow, metric: Metric): number {
  switch (metric) {
    case 'bounceRate':
      return row.bounce_rate;
    case 'duration':
      return row.average_time_spent_seconds ?? 0;
    case 'conversion':
      return row.cr;
    default:
      return row[metric];
  }
}

function placed(row: VisitorRow, scale: Scale): Omit<Point, 'value'> {
  const given = row as unknown as { hour?: number; minute?: number };
  if (scale === 'hour') return { label: `${twoDigits(given.hour ?? 0)}:00`, span: null };
  if (scale === 'minute') return { label: minuteLabel(given.minute ?? 0), span: null };
  const text = (row.day ?? row.week ?? row.month ?? row.year ?? '').slice(0, 10);
  const from = dayOf(text);
  if (Number.isNaN(from)) return { label: text, span: null };
  const label = { month: monthLabel, year: yearLabel }[scale as 'month'] ?? dayLabel;
  return { label: label.format(dateOf(from)), span: { from, to: endOf(from, scale) } };
}

function endOf(from: number, scale: Scale): number {
  const length = DAYS_OF[scale];
  if (length !== undefined) return from + length - 1;
  const date = dateOf(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const next = scale === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year + 1, 0, 1);
  return next / 86_400_000 - 1;
}

function minuteLabel(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
