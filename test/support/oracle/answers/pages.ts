/**
 * The oracle's statistics of pages: views, entries, exits and who is on which page now
 * (S-40 to S-46, S-80 to S-82).
 */

import type { PageView, World } from '../world.ts';
import { eventPage } from './events.ts';
import { hasPageFilter, passesSearch, rowsOf, selectedSessions, viewsInRange } from './filters.ts';
import { addRows, summed, sumsOf, totalSums, unfiltered } from './imported.ts';
import { atLeastOne, countDistinct, groupBy, ordered, type Row } from './lists.ts';
import {
  allSharing,
  allViews,
  averageTimeOnPage,
  bouncesOf,
  hasCustomMetric,
  sessionsOf,
  visitorsOf,
} from './metrics.ts';
import { groupTitle, type Question } from './question.ts';

/** S-40. */
export function page(question: Question, world: World): unknown {
  if (hasCustomMetric(question)) return eventPage(question, world);
  const totalVisitors = atLeastOne(allSharing(question, world));
  // F-32: filters rows, like a page-level filter (S-2); titles where pages are told apart by them.
  const rows = rowsOf(question, world).filter((view) =>
    passesSearch(question, view.path, groupTitle(question, view.title)),
  );
  const totalViews = allViews(question, world);
  const keyOf = (view: PageView): string =>
    JSON.stringify([view.path, groupTitle(question, view.title)]);
  const groups = groupBy(rows, keyOf).map(([key, views]) => {
    const [path, title] = JSON.parse(key) as [string, string];
    return {
      ...{ path, title },
      visitors: visitorsOf(views),
      views: views.length,
      sessions: sessionsOf(views),
      bounces: bouncesOf(views),
      average_time_spent_seconds: question.includesTime ? averageTimeOnPage(world, views) : 0,
    };
  });
  const sums = sumsOf(question, world, 'page').filter(({ value }) => passesSearch(question, value));
  const counts = ['visitors', 'views', 'sessions', 'bounces'] as const;
  const all = addRows(groups, sums, {
    ...{ keys: ['path', 'title'], counts },
    rowOf: (members) => ({
      ...{ path: members[0]?.value, title: '', average_time_spent_seconds: 0 },
      ...Object.fromEntries(counts.map((name) => [name, summed(members, name)])),
    }),
  }).map((row) => ({
    ...row,
    bounce_rate: Number(row['bounces']) / atLeastOne(Number(row['sessions'])),
    relative_visitors: Number(row['visitors']) / totalVisitors,
    relative_views: Number(row['views']) / atLeastOne(totalViews),
  }));
  return ordered(question, all, ['-visitors', 'path', 'title']);
}

/** S-43: the filter without anything about pages. */
function asPages(question: Question): Question {
  const values = Object.fromEntries(
    Object.entries(question.values).filter(
      ([name]) =>
        !['path', 'pattern', 'entry_path', 'exit_path', 'tag', 'search'].includes(name) &&
        !name.startsWith('tag_'),
    ),
  );
  return { ...question, values };
}

/** S-43, S-44, S-45: sessions among the rows, by the path at one of their ends. */
function endPages(question: Question, world: World, end: 'entry' | 'exit'): Row[] {
  const sessions = [...new Set(rowsOf(question, world).map((view) => view.session))];
  const imported = totalSums(unfiltered(question), world);
  const allSessions = sessionsOf(viewsInRange(question, world)) + summed(imported, 'sessions');
  const ofPages = rowsOf(asPages(question), world);
  const sumsOfPages = sumsOf(asPages(question), world, 'page');
  const counted = end === 'entry' ? 'entries' : 'exits';
  const pathField = `${end}Path` as const;
  const titleField = `${end}Title` as const;
  const groups = groupBy(sessions, (session) =>
    JSON.stringify([session[pathField], groupTitle(question, session[titleField])]),
  );
  const own = groups.map(([key, members]): Row => {
    const [path = '', title] = JSON.parse(key) as [string, string];
    return { path, title, [counted]: members.length };
  });
  const all = addRows(own, sumsOf(question, world, end), {
    ...{ keys: ['path', 'title'], counts: [counted] },
    rowOf: (sums) => ({ path: sums[0]?.value, title: '', [counted]: summed(sums, 'sessions') }),
  });
  return all.map(({ path, title, [counted]: count }) => {
    const views = ofPages.filter((view) => view.path === path);
    const sums = sumsOfPages.filter(({ value }) => value === path);
    const time = question.includesTime ? averageTimeOnPage(world, views) : 0;
    return {
      ...{ path, title },
      visitors: visitorsOf(views) + summed(sums, 'visitors'),
      sessions: sessionsOf(views) + summed(sums, 'sessions'),
      [counted]: count,
      [`${end}_rate`]: Number(count) / atLeastOne(allSessions),
      ...(end === 'entry' ? { average_time_spent_seconds: time } : {}),
    };
  });
}

/** F-32: by the path at the end in question; filters groups. */
function found(question: Question, world: World, end: 'entry' | 'exit'): Row[] {
  return endPages(question, world, end).filter(({ path }) => passesSearch(question, String(path)));
}

/** S-43. */
export function pageEntry(question: Question, world: World): unknown {
  return ordered(question, found(question, world, 'entry'), ['-entries', 'path', 'title']);
}

/** S-44. */
export function pageExit(question: Question, world: World): unknown {
  return ordered(question, found(question, world, 'exit'), ['-exits', 'path', 'title']);
}

/** S-81, S-82. The window is the question's range. */
export function active(question: Question, world: World): unknown {
  const rows = rowsOf(question, world);
  const keyOf = (view: PageView): string =>
    JSON.stringify([view.path, groupTitle(question, view.title)]);
  const stats = groupBy(rows, keyOf).map(([key, views]) => {
    const [path, title] = JSON.parse(key) as [string, string];
    return { path, title, visitors: visitorsOf(views) };
  });
  const present = [...selectedSessions(question, world)].filter(
    (session) => session.lastMs >= question.fromMs && session.lastMs < question.toMs,
  );
  const visitors = hasPageFilter(question)
    ? visitorsOf(rows)
    : countDistinct(present.map((session) => session.visitor));
  return { stats: ordered(question, stats, ['-visitors', 'path', 'title']), visitors };
}
