/** The totals of a view and how they have grown (S-70 to S-72). */
import type { StatisticOf } from '../../data/batch.ts';
import type { Metric } from '../../view/view.ts';
import { answerOf, goalRows, type Shown } from '../site-data.ts';
import { goalOf } from './conversion.ts';

type Total = StatisticOf<'total'>;
type Growth = StatisticOf<'growth'>;
type Durations = StatisticOf<'duration/session'>;
type Years = StatisticOf<'visitor'>;
type Prefix = '' | 'compared ';

/** A total of what is shown; null: it is not known. */
export function totalOf(shown: Shown | null, metric: Metric, prefix: Prefix = ''): number | null {
  const total = answerOf<Total>(shown, `${prefix}total`);
  if (shown === null || total === null) return null;
  switch (metric) {
    case 'bounceRate':
      return total.bounce_rate;
    case 'duration':
      return meanDuration(
        answerOf<Durations>(shown, `${prefix}total duration`),
        answerOf<Years>(shown, `${prefix}total years`),
      );
    case 'conversion': {
      const wanted = goalOf(shown.view, goalRows(shown))?.page_goal.id;
      const row = goalRows(shown, prefix).find(({ page_goal: { id } }) => id === wanted);
      return row?.stats.cr ?? null;
    }
    default:
      return total[metric];
  }
}

/** Over all sessions: of each year its mean, weighed by its sessions. */
function meanDuration(rows: Durations | null, years: Years | null): number | null {
  if (rows === null) return null;
  if (rows.length === 1 || years === null) return rows[0]?.average_time_spent_seconds ?? 0;
  const sessions = years.map((year) => year.sessions);
  const all = sessions.reduce((sum, one) => sum + one, 0);
  const weighed = rows.map((row, at) => row.average_time_spent_seconds * (sessions[at] ?? 0));
  return all === 0 ? 0 : weighed.reduce((sum, one) => sum + one, 0) / all;
}

/** How a total has grown; null: it is not known, or there is nothing before it. */
export function growthOf(shown: Shown | null, metric: Metric): number | null {
  if (shown === null) return null;
  const { comparison, range } = shown.view;
  if (comparison === 'none' && range === 'all') return null;
  const growth = answerOf<Growth>(shown, 'growth');
  const isPrevious = comparison === 'none' || comparison === 'previous';
  // That of the API knows the second that it is, and its duration is a sum.
  if (isPrevious && growth !== null) {
    if (metric === 'visitors') return growth.visitors_growth;
    if (metric === 'views') return growth.views_growth;
    if (metric === 'sessions') return growth.sessions_growth;
    if (metric === 'bounceRate') return growth.bounces_growth;
  }
  const now = totalOf(shown, metric);
  const before = totalOf(shown, metric, 'compared ');
  if (now === null || before === null) return null;
  if (before === 0) return now === 0 ? 0 : 1;
  return (now - before) / before;
}
