/**
 * The oracle's metrics over page views (S-3 to S-6, S-20) and over events (S-13).
 */

import {
  durationSeconds,
  type EventRow,
  type PageView,
  timeOnPageSeconds,
  type World,
} from '../world.ts';
import { viewsInRange } from './filters.ts';
import { summed, totalSums, unfiltered } from './imported.ts';
import { atLeastOne, countDistinct, halfEvenMean } from './lists.ts';
import type { Question } from './question.ts';

/** Something that belongs to a session: a page view or an event. */
type OfSession = Pick<PageView, 'session'>;

/** Distinct visitor ids (S-3). */
export function visitorsOf(rows: readonly OfSession[]): number {
  return countDistinct(rows.map((row) => row.session.visitor));
}

/** Distinct sessions (S-3). */
export function sessionsOf(rows: readonly OfSession[]): number {
  return countDistinct(rows.map((row) => row.session));
}

/** Distinct sessions with is_bounce, as it stands now (S-3). */
export function bouncesOf(rows: readonly OfSession[]): number {
  return countDistinct(rows.filter((row) => row.session.isBounce).map((row) => row.session));
}

/** T_v: distinct visitors in the range, every filter ignored (S-5). */
export function allVisitors(question: Question, world: World): number {
  return visitorsOf(viewsInRange(question, world));
}

/** T_v with what imports add: what shares are taken of, but not cr (S-98). */
export function allSharing(question: Question, world: World): number {
  const imported = totalSums(unfiltered(question), world);
  return allVisitors(question, world) + summed(imported, 'visitors');
}

/** T_w with what imports add. */
export function allViews(question: Question, world: World): number {
  const imported = totalSums(unfiltered(question), world);
  return viewsInRange(question, world).length + summed(imported, 'views');
}

/** Half-even mean of the time on page of those rows that have one above 0 (S-3). */
export function averageTimeOnPage(world: World, rows: readonly PageView[]): number {
  const times = rows.map((row) => timeOnPageSeconds(world, row) ?? 0);
  return halfEvenMean(times.filter((seconds) => seconds > 0));
}

/** Half-even mean of duration over the distinct sessions with one above 0 (S-3). */
export function averageSessionDuration(rows: readonly PageView[]): number {
  const sessions = [...new Set(rows.map((row) => row.session))];
  return halfEvenMean(sessions.map(durationSeconds).filter((seconds) => seconds > 0));
}

/**
 * The fields of S-20 over any group of page views.
 *
 * @param totalVisitors T_v of the range or bucket (S-6).
 */
export function totals(rows: readonly PageView[], totalVisitors: number): Record<string, number> {
  const sessions = sessionsOf(rows);
  const bounces = bouncesOf(rows);
  return {
    visitors: visitorsOf(rows),
    views: rows.length,
    sessions,
    bounces,
    bounce_rate: bounces / atLeastOne(sessions),
    cr: visitorsOf(rows) / atLeastOne(totalVisitors),
    custom_metric_avg: 0,
    custom_metric_total: 0,
  };
}

/** S-13: page views in the range of the distinct sessions that fired a matching event. */
export function viewsOfEvents(
  question: Question,
  world: World,
  events: readonly EventRow[],
): number {
  const sessions = new Set(events.map((event) => event.session));
  return viewsInRange(question, world).filter((view) => sessions.has(view.session)).length;
}

/** S-8: active with `event`, a key and a known type. */
export function hasCustomMetric({ values }: Question): boolean {
  const isGiven = values.event !== undefined && values.custom_metric_key !== undefined;
  return isGiven && ['integer', 'float'].includes(values.custom_metric_type?.[0] ?? '');
}

/** S-8: missing or unparsable is 0; whole numbers only where an integer is asked for. */
function numberOf(question: Question, event: EventRow): number {
  const text = event.meta[question.values.custom_metric_key?.[0] ?? ''] ?? '';
  if (text === '' || !/^[-+.\de]+$/i.test(text)) return 0;
  if (question.values.custom_metric_type?.[0] === 'integer' && /[.e]/i.test(text)) return 0;
  return Number.isFinite(Number(text)) ? Number(text) : 0;
}

/**
 * The fields of S-20 over events (S-13) with a custom metric (S-8).
 *
 * @param views all page views of the range or bucket.
 */
export function eventTotals(
  question: Question,
  events: readonly EventRow[],
  views: readonly PageView[],
): Record<string, number> {
  const fired = new Set(events.map((event) => event.session));
  const sum = events.reduce((total, event) => total + numberOf(question, event), 0);
  return {
    visitors: visitorsOf(events),
    views: views.filter((view) => fired.has(view.session)).length,
    sessions: sessionsOf(events),
    bounces: bouncesOf(events),
    bounce_rate: bouncesOf(events) / atLeastOne(sessionsOf(events)),
    cr: visitorsOf(events) / atLeastOne(visitorsOf(views)),
    custom_metric_avg: sum / atLeastOne(events.length),
    custom_metric_total: sum,
  };
}
