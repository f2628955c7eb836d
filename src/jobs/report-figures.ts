/**
 * What a report tells of its days (O-31): asked as the API is, in one batch, so every number is one
 * that it answers for that range.
 *
 * Control plane. The duration is that of the page: the mean of a single bucket where the days are
 * one, else that of each year, weighed by its sessions.
 */
import type { ReportDays } from '../control/report-times.ts';
import type { Domain } from '../control/resources/domain.ts';
import type { SiteQuestion } from '../control/site-questions.ts';
import type { CountedRow } from '../delivery/mail/letters/parts.ts';
import type { Compared, ReportFigures, ReportGoal } from '../delivery/mail/letters/report.ts';
import { REPORT_DAY_BAR_COUNT_MAX, REPORT_ROW_COUNT } from '../model/outgoing-limits.ts';
import { formatDay, parseDay } from '../query/question/calendar.ts';
import type { SiteNumbers } from './site-numbers.ts';

const WEEK_DAYS = 7;

type Row = Readonly<Record<string, unknown>>;

/** Asks for all of it. Rejects as `SiteNumbers.ask` does. */
export async function reportFigures(
  numbers: SiteNumbers,
  site: Domain,
  days: ReportDays,
  nowMs: number,
): Promise<ReportFigures> {
  const range = rangeOf(days);
  const questions = questionsOf(range);
  const names = Object.keys(questions) as Key[];
  const asked = names.map((name) => questions[name]);
  const answers = await numbers.ask(site, asked, nowMs);
  const answerOf = (name: Key) => answers[names.indexOf(name)];
  const rowsOf = (name: Key) => answerOf(name) as readonly Row[];
  const total = answerOf('total') as Record<
    'visitors' | 'views' | 'sessions' | 'bounce_rate',
    number
  >;
  const growth = answerOf('growth') as Record<string, number>;
  const compared = (value: number, of: string): Compared => ({
    ...{ value, growth: growth[`${of}_growth`] ?? 0 },
  });
  return {
    ...days,
    visitors: compared(total.visitors, 'visitors'),
    views: compared(total.views, 'views'),
    sessions: compared(total.sessions, 'sessions'),
    bounceRate: compared(total.bounce_rate, 'bounces'),
    durationSeconds: grown(
      meanSeconds(rowsOf('durations'), rowsOf('sessions')),
      meanSeconds(rowsOf('durationsBefore'), rowsOf('sessionsBefore')),
    ),
    days: rowsOf('bars').map((row) => ({ day: dateOf(row, range.scale), visitors: counted(row) })),
    scale: range.scale,
    pages: firstOf(rowsOf('pages'), (row) => String(row['path'])),
    referrers: firstOf(rowsOf('referrers'), (row) =>
      String(row['referrer_name'] || row['referrer']),
    ),
    countries: firstOf(rowsOf('countries'), (row) => String(row['country_code'])),
    // Without a campaign is not one of them.
    campaigns: firstOf(
      rowsOf('campaigns').filter((row) => row['utm_campaign'] !== ''),
      (row) => String(row['utm_campaign']),
    ),
    events: firstOf(rowsOf('events'), (row) => String(row['name'])),
    goals: rowsOf('goals').slice(0, REPORT_ROW_COUNT).map(goalOf),
  };
}

interface Range extends ReportDays {
  readonly fromDay: number;
  readonly toDay: number;
  /** Of the bars. */
  readonly scale: 'day' | 'week';
}

function rangeOf({ from, to }: ReportDays): Range {
  const [fromDay, toDay] = [parseDay(from) ?? 0, parseDay(to) ?? 0];
  const dayCount = toDay - fromDay + 1;
  return { from, to, fromDay, toDay, scale: dayCount > REPORT_DAY_BAR_COUNT_MAX ? 'week' : 'day' };
}

type Key = keyof ReturnType<typeof questionsOf>;

/** By what they are for. */
function questionsOf({ fromDay, toDay, scale }: Range) {
  const dayCount = toDay - fromDay + 1;
  const spanned = (first: number, last: number) => ({
    from: formatDay(first),
    to: formatDay(last),
  });
  const days = spanned(fromDay, toDay);
  // S-72: a day is compared with the same weekday, several with as many before.
  const shift = dayCount === 1 ? WEEK_DAYS : dayCount;
  const before = spanned(fromDay - shift, toDay - shift);
  // Of a single day the bars are its week, or there would be one.
  const bars = spanned(Math.min(fromDay, toDay - WEEK_DAYS + 1), toDay);
  const list = (name: string, limit = REPORT_ROW_COUNT): SiteQuestion => ({
    ...{ name, parameters: { ...days, limit } },
  });
  const over = (name: string, of: ReportDays): SiteQuestion => ({
    ...{ name, parameters: { ...of, scale: wholeScale(dayCount) } },
  });
  return {
    total: { name: 'total', parameters: days },
    growth: { name: 'growth', parameters: days },
    durations: over('duration/session', days),
    sessions: over('visitor', days),
    durationsBefore: over('duration/session', before),
    sessionsBefore: over('visitor', before),
    bars: { name: 'visitor', parameters: { ...bars, scale } },
    pages: { name: 'page', parameters: { ...days, limit: REPORT_ROW_COUNT, include_title: false } },
    referrers: list('referrer'),
    countries: list('country'),
    campaigns: list('utm/campaign', REPORT_ROW_COUNT + 1),
    events: list('events'),
    goals: { name: 'goals', parameters: days },
  } as const satisfies Readonly<Record<string, SiteQuestion>>;
}

/** A scale that has the days in one bucket, if any has: a week of a report begins on a Monday. */
function wholeScale(dayCount: number): string {
  if (dayCount === 1) return 'day';
  return dayCount === WEEK_DAYS ? 'week' : 'year';
}

function meanSeconds(durations: readonly Row[], sessions: readonly Row[]): number {
  const seconds = durations.map((row) => Number(row['average_time_spent_seconds']));
  if (seconds.length <= 1) return seconds[0] ?? 0;
  const weights = sessions.map((row) => Number(row['sessions']));
  const all = weights.reduce((sum, one) => sum + one, 0);
  if (all === 0) return 0;
  return seconds.reduce((sum, one, at) => sum + one * (weights[at] ?? 0), 0) / all;
}

/** S-70. */
function grown(value: number, before: number): Compared {
  if (before === 0) return { value, growth: value === 0 ? 0 : 1 };
  return { value, growth: (value - before) / before };
}

function firstOf(rows: readonly Row[], nameOf: (row: Row) => string): CountedRow[] {
  return rows.slice(0, REPORT_ROW_COUNT).map((row) => ({ name: nameOf(row), count: counted(row) }));
}

function counted(row: Row): number {
  return Number(row['visitors']);
}

/** Of the field that is its scale. */
function dateOf(row: Row, scale: 'day' | 'week'): string {
  return String(row[scale]).slice(0, 'yyyy-mm-dd'.length);
}

function goalOf({ page_goal: shape, stats }: Row): ReportGoal {
  const goal = shape as Row;
  const { visitors, cr } = stats as { visitors: number; cr: number };
  const target = (name: string) => (goal[name] as number | null | undefined) ?? null;
  return {
    ...{ name: String(goal['name']), visitors, conversionRate: cr },
    ...{ visitorTarget: target('visitor_goal'), rateTarget: target('cr_goal') },
  };
}
