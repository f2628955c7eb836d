/**
 * The oracle's growth and overview (S-70 to S-74).
 */

import { durationSeconds, timeOnPageSeconds, type World } from '../world.ts';
import { hasPageFilter, rowsOf, scopedEvents, selectedSessions, viewsInRange } from './filters.ts';
import { addSums, summed, totalSums } from './imported.ts';
import { allVisitors, eventTotals, hasCustomMetric, totals } from './metrics.ts';
import type { Question } from './question.ts';

/** S-70. */
function growthOf(current: number, previous: number): number {
  if (current === 0 && previous === 0) return 0;
  return previous === 0 ? 1 : (current - previous) / previous;
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Filters that do not test the events whose durations are summed (S-71). */
function isPageLevel(name: string): boolean {
  return name === 'path' || name === 'pattern' || name === 'tag' || name.startsWith('tag_');
}

/** S-71: seconds in events, on pages or in sessions, by what is filtered. */
function secondsSpent(question: Question, world: World): number {
  const names = Object.keys(question.values);
  if (names.some((name) => /^(event|event_meta_key|meta_.*)$/.test(name))) {
    const entries = Object.entries(question.values).filter(([name]) => !isPageLevel(name));
    const ofEvents = { ...question, values: Object.fromEntries(entries) };
    const sessions = selectedSessions(question, world);
    const matching = scopedEvents(ofEvents, world).filter(({ session }) => sessions.has(session));
    return sum(matching.map((event) => event.durationSeconds));
  }
  const rows = rowsOf(question, world);
  if (hasPageFilter(question)) return sum(rows.map((view) => timeOnPageSeconds(world, view) ?? 0));
  const imported = summed(totalSums(question, world), 'seconds');
  return imported + sum([...new Set(rows.map((view) => view.session))].map(durationSeconds));
}

/** S-71. */
export function growth(question: Question, world: World): unknown {
  const figures = (period: Question): Record<string, number> => ({
    ...(hasCustomMetric(period)
      ? eventTotals(period, scopedEvents(period, world), viewsInRange(period, world))
      : addSums(
          totals(rowsOf(period, world), allVisitors(period, world)),
          totalSums(period, world),
        )),
    time: secondsSpent(period, world),
  });
  const [now, before] = [figures(question), figures({ ...question, ...question.previous() })];
  const of = (name: string): number => growthOf(now[name] ?? 0, before[name] ?? 0);
  return {
    visitors_growth: of('visitors'),
    views_growth: of('views'),
    sessions_growth: of('sessions'),
    bounces_growth: of('bounce_rate'),
    time_spent_growth: of('time'),
    cr_growth: of('cr'),
    custom_metric_avg_growth: of('custom_metric_avg'),
    custom_metric_total_growth: of('custom_metric_total'),
  };
}

/** S-74, S-57: of a question about the 7 days up to today. */
export function overview(question: Question, world: World, series: unknown): unknown {
  const figures = (period: Question): Record<string, number> =>
    addSums(totals(rowsOf(period, world), 0), totalSums(period, world));
  const [now, before] = [figures(question), figures({ ...question, ...question.previous() })];
  const of = (name: string): number => growthOf(now[name] ?? 0, before[name] ?? 0);
  return {
    visitors: now['visitors'],
    views: now['views'],
    visitors_growth: of('visitors'),
    visitor_growth: of('visitors'),
    views_growth: of('views'),
    member: 1,
    visitors_time_series: series,
  };
}
