/**
 * Statistics by page: path, or path and title (S-40, S-46).
 */

import { KIND } from '../../../segment/memory/dictionary.ts';
import { tallyEventPages } from '../../count/event-page-tally.ts';
import { tallyPages } from '../../count/page-tally.ts';
import type { Tally } from '../../count/tally.ts';
import { type PageGroups, pageGroupsIn } from '../../group/page-groups.ts';
import { type Groups, type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { meanHalfEven, rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { asc, desc, numbers, type StatisticShape, texts } from '../../question/statistics.ts';
import {
  type BreakdownRows,
  breakdownOf,
  PAGES_BY_PATH,
  PAGES_BY_TITLE,
} from '../../rollup/breakdowns.ts';
import { denominatorsOf } from '../../rollup/denominators.ts';
import { totalsOver } from '../../rollup/totals.ts';
import { openTextSpace } from '../../text/text-space.ts';

/** What lists by page show. */
export const PAGE_SHAPE: StatisticShape = {
  name: 'page',
  unit: 'views',
  dimension: 'path',
  fields: [
    ...texts('path', 'title'),
    ...numbers('visitors', 'views', 'sessions', 'bounces'),
    ...numbers('relative_visitors', 'relative_views', 'bounce_rate'),
    ...numbers('average_time_spent_seconds'),
  ],
  order: [desc('visitors'), asc('path'), asc('title')],
  searched: [],
};

export const PAGES: AnsweredStatistic = {
  ...PAGE_SHAPE,
  byRows: answerByRows,
  byRollups: answerByRollups,
  takesMetric: true,
  searches: 'rows',
};

function answerByRows(context: QueryContext): ListRow[] {
  const { query, plan, statistic } = context;
  const pages = pageGroupsIn(openTextSpace(query.domainId), query.byTitle);
  if (plan.unit === 'events') {
    const tally = tallyEventPages(context, pages);
    // An event has one path and title, so a search on rows and one on their groups say the same.
    const shown = { ...statistic, searched: ['path', 'title'] };
    return listRows(shown, query, pageRows(context, pages, tally, tally.weights));
  }
  const tally = tallyPages(context, query.filters, query.search, pages);
  return listRows(statistic, query, pageRows(context, pages, tally, tally.rows));
}

/** The rows of pages, in either scope (S-40, S-47). */
export function pageRows(
  context: QueryContext,
  pages: PageGroups,
  tally: Tally,
  views: Float64Array,
): Groups {
  const all = denominatorsOf(context);
  return {
    present: presentIn(tally.rows, pages.count),
    fields: {
      path: (group) => pages.pathOf(group),
      title: (group) => pages.titleOf(group),
      visitors: (group) => tally.visitors[group] as number,
      views: (group) => views[group] as number,
      sessions: (group) => tally.sessions[group] as number,
      bounces: (group) => tally.bounces[group] as number,
      relative_visitors: (group) => rate(tally.visitors[group] as number, all.visitors),
      relative_views: (group) => rate(views[group] as number, all.views),
      bounce_rate: (group) => rate(tally.bounces[group] as number, tally.sessions[group] as number),
      average_time_spent_seconds: (group) =>
        meanHalfEven(tally.seconds[group] as number, tally.timed[group] as number),
    },
  };
}

function answerByRollups(context: QueryContext): ListRow[] {
  const { query, segments } = context;
  const rows = breakdownOf(context, query.byTitle ? PAGES_BY_TITLE : PAGES_BY_PATH);
  const [views, sessions] = [rows.reader('views'), rows.reader('sessions')];
  const [visitors, bounces] = [rows.reader('visitors'), rows.reader('bounces')];
  const [timed, seconds] = [rows.reader('timed'), rows.reader('seconds')];
  const all = totalsOver(segments, query.range);
  return listRows(context.statistic, query, {
    present: rows.present('views'),
    fields: {
      ...pageTexts(rows, query.byTitle),
      visitors,
      views,
      sessions,
      bounces,
      relative_visitors: (at) => rate(visitors(at), all.visitors),
      relative_views: (at) => rate(views(at), all.views),
      bounce_rate: (at) => rate(bounces(at), sessions(at)),
      average_time_spent_seconds: query.includesTimeOnPage
        ? (at) => meanHalfEven(seconds(at), timed(at))
        : () => 0,
    },
  });
}

/** Path and title of the pages of a breakdown; pages by path have no title. */
export function pageTexts(rows: BreakdownRows, byTitle: boolean): Groups['fields'] {
  if (!byTitle) return { path: rows.textReader(KIND.path), title: () => '' };
  const { groups, ids } = rows;
  const { titled, space } = ids;
  const [paths, titles] = [space.texts(KIND.path), space.texts(KIND.title)];
  return {
    path: (at) => paths[titled.firsts[groups[at] as number] as number] as string,
    title: (at) => titles[titled.seconds[groups[at] as number] as number] as string,
  };
}
