/**
 * Statistics by page: path, or path and title (S-40, S-46).
 */

import { KIND } from '../../../segment/memory/dictionary.ts';
import { tallyEventPages } from '../../count/event-page-tally.ts';
import { tallyPages } from '../../count/page-tally.ts';
import type { Tally } from '../../count/tally.ts';
import { type PageGroups, pageGroupsIn } from '../../group/page-groups.ts';
import { importedRows } from '../../imported/imported-sums.ts';
import { type CountedGroups, withImported } from '../../imported/with-imported.ts';
import { type Groups, type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { meanHalfEven, rate } from '../../list/rates.ts';
import type { AnsweredStatistic, QueryContext } from '../../plan/query-context.ts';
import { keepsOneOf } from '../../question/filter-values.ts';
import { asc, desc, numbers, type StatisticShape, texts } from '../../question/statistics.ts';
import {
  type BreakdownRows,
  breakdownOf,
  PAGES_BY_PATH,
  PAGES_BY_TITLE,
} from '../../rollup/breakdowns.ts';
import { sharesOf } from '../../rollup/denominators.ts';
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
    return listRows(shown, query, pageFields(context, countedPages(pages, tally, tally.weights)));
  }
  const tally = tallyPages(context, query.filters, query.search, pages);
  const own = countedPages(pages, tally, tally.rows);
  return listRows(statistic, query, pageFields(context, withImportedPages(context, own)));
}

type Counted = CountedGroups<
  'path' | 'title',
  'visitors' | 'views' | 'sessions' | 'bounces' | 'seconds' | 'timed'
>;

/** Pages of a tally, in either scope (S-40, S-47). */
export function countedPages(pages: PageGroups, tally: Tally, views: Float64Array): Counted {
  return {
    present: presentIn(tally.rows, pages.count),
    texts: { path: (group) => pages.pathOf(group), title: (group) => pages.titleOf(group) },
    counts: {
      visitors: (group) => tally.visitors[group] as number,
      views: (group) => views[group] as number,
      sessions: (group) => tally.sessions[group] as number,
      bounces: (group) => tally.bounces[group] as number,
      seconds: (group) => tally.seconds[group] as number,
      timed: (group) => tally.timed[group] as number,
    },
  };
}

/** S-98: imports know neither titles nor the time on a page. */
function withImportedPages(context: QueryContext, counted: Counted): Counted {
  const { search } = context.query;
  const imported = importedRows(context, 'page')
    .filter(({ value, visitors, views }) => {
      if (visitors === 0 && views === 0) return false;
      return search === null || keepsOneOf(search, [value]);
    })
    .map(({ value, visitors, views, sessions, bounces }) => ({
      texts: { path: value },
      counts: { visitors, views, sessions, bounces, seconds: 0, timed: 0 },
    }));
  return withImported(counted, imported, ['path', 'title']);
}

/** The fields of pages, wherever their counts come from. */
export function pageFields(context: QueryContext, { present, texts, counts }: Counted): Groups {
  const { visitors, views, sessions, bounces, seconds, timed } = counts;
  const all = sharesOf(context);
  return {
    present,
    fields: {
      ...texts,
      ...{ visitors, views, sessions, bounces },
      relative_visitors: (group) => rate(visitors(group), all.visitors),
      relative_views: (group) => rate(views(group), all.views),
      bounce_rate: (group) => rate(bounces(group), sessions(group)),
      average_time_spent_seconds: (group) => meanHalfEven(seconds(group), timed(group)),
    },
  };
}

function answerByRollups(context: QueryContext): ListRow[] {
  const { query } = context;
  const rows = breakdownOf(context, query.byTitle ? PAGES_BY_TITLE : PAGES_BY_PATH);
  const isTimed = query.includesTimeOnPage;
  const own: Counted = {
    present: rows.present('views'),
    texts: pageTexts(rows, query.byTitle),
    counts: {
      visitors: rows.reader('visitors'),
      views: rows.reader('views'),
      sessions: rows.reader('sessions'),
      bounces: rows.reader('bounces'),
      seconds: isTimed ? rows.reader('seconds') : () => 0,
      timed: isTimed ? rows.reader('timed') : () => 0,
    },
  };
  return listRows(context.statistic, query, pageFields(context, withImportedPages(context, own)));
}

/** Path and title of the pages of a breakdown; pages by path have no title. */
export function pageTexts(rows: BreakdownRows, byTitle: boolean): Counted['texts'] {
  if (!byTitle) return { path: rows.textReader(KIND.path), title: () => '' };
  const { groups, ids } = rows;
  const { titled, space } = ids;
  const [paths, titles] = [space.texts(KIND.path), space.texts(KIND.title)];
  return {
    path: (at) => paths[titled.firsts[groups[at] as number] as number] as string,
    title: (at) => titles[titled.seconds[groups[at] as number] as number] as string,
  };
}
