/** The oracle's statistics in event scope (S-13): events, their metadata and their pages. */

import type { EventRow, World } from '../world.ts';
import { passesSearch, scopedEvents, viewsInRange } from './filters.ts';
import { atLeastOne, groupBy, ordered } from './lists.ts';
import {
  allSharing,
  allViews,
  allVisitors,
  averageTimeOnPage,
  bouncesOf,
  sessionsOf,
  viewsOfEvents,
  visitorsOf,
} from './metrics.ts';
import { firstPlain, groupTitle, type Question } from './question.ts';

/** S-60. */
export function events(question: Question, world: World): unknown {
  const totalVisitors = atLeastOne(allVisitors(question, world));
  const groups = groupBy(scopedEvents(question, world), (event) => event.name).map(
    ([name, members]) => {
      const seconds = members.reduce((sum, event) => sum + event.durationSeconds, 0);
      return {
        name,
        count: members.length,
        visitors: visitorsOf(members),
        views: viewsOfEvents(question, world, members),
        cr: visitorsOf(members) / totalVisitors,
        average_duration_seconds: Math.trunc(seconds / members.length),
        meta_keys: [...new Set(members.flatMap((event) => Object.keys(event.meta)))].sort(),
      };
    },
  );
  const found = groups.filter((row) => passesSearch(question, row.name));
  return ordered(question, found, ['-visitors', 'name']);
}

/** S-47. */
export function eventPage(question: Question, world: World): unknown {
  const names = Object.keys(question.values);
  const hasEventFilter = names.some(
    (name) => ['event', 'event_meta_key'].includes(name) || name.startsWith('meta_'),
  );
  if (!hasEventFilter) return [];
  const all = viewsInRange(question, world);
  const keyOf = (event: EventRow): string =>
    JSON.stringify([event.path, groupTitle(question, event.title)]);
  const groups = groupBy(scopedEvents(question, world), keyOf).map(([key, members]) => {
    const [path = '', title = ''] = JSON.parse(key) as [string, string];
    const counted = new Set(members.map((event) => event.session));
    const ofPage = all.filter((view) => view.path === path && counted.has(view.session));
    const views = viewsOfEvents(question, world, members);
    return {
      ...{ path, title, views },
      visitors: visitorsOf(members),
      sessions: sessionsOf(members),
      bounces: bouncesOf(members),
      bounce_rate: bouncesOf(members) / atLeastOne(sessionsOf(members)),
      relative_visitors: visitorsOf(members) / atLeastOne(allSharing(question, world)),
      relative_views: views / atLeastOne(allViews(question, world)),
      average_time_spent_seconds: question.includesTime ? averageTimeOnPage(world, ofPage) : 0,
    };
  });
  const found = groups.filter((row) => passesSearch(question, row.path, row.title));
  return ordered(question, found, ['-visitors', 'path', 'title']);
}

/** S-61. */
export function eventMeta(question: Question, world: World): unknown {
  const key = firstPlain(question, 'event_meta_key');
  if (key === undefined || question.values.event === undefined) return [];
  const having = scopedEvents(question, world).filter((event) => key in event.meta);
  const keyOf = (event: EventRow): string => JSON.stringify([event.name, event.meta[key]]);
  const groups = groupBy(having, keyOf).map(([group, members]) => {
    const [name = '', value] = JSON.parse(group) as [string, string];
    const seconds = members.reduce((sum, event) => sum + event.durationSeconds, 0);
    return {
      ...{ name, meta_value: value },
      count: members.length,
      visitors: visitorsOf(members),
      views: viewsOfEvents(question, world, members),
      cr: visitorsOf(members) / atLeastOne(allVisitors(question, world)),
      average_duration_seconds: Math.trunc(seconds / members.length),
    };
  });
  const found = groups.filter((row) => passesSearch(question, row.name));
  return ordered(question, found, ['-visitors', 'meta_value', 'name']);
}

/** S-62; `json` orders and is not answered. */
export function eventList(question: Question, world: World): unknown {
  const jsonOf = (event: EventRow): string => {
    const pairs = Object.entries(event.meta).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`;
  };
  const keyOf = (event: EventRow): string => JSON.stringify([event.name, jsonOf(event)]);
  const groups = groupBy(scopedEvents(question, world), keyOf).map(([key, members]) => {
    const [name = '', json = ''] = JSON.parse(key) as [string, string];
    return { name, json, visitors: visitorsOf(members), count: members.length };
  });
  const found = groups.filter((row) => passesSearch(question, row.name));
  return ordered(question, found, ['-count', 'name', 'json']).map(({ json, ...row }) => ({
    ...row,
    meta: JSON.parse(String(json)),
  }));
}
