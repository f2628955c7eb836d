/**
 * Page views, visitors, sessions, bounces and time on page by page.
 *
 * Data plane. Page views of few paths are counted row by row, all others along the sessions; which it
 * is says the segment planner.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import type { PageGroups } from '../group/page-groups.ts';
import { type QueryContext, viewPredicate } from '../plan/query-context.ts';
import { type QueryRun, WorkingWords } from '../plan/query-run.ts';
import { pageCountWay } from '../plan/segment-planner.ts';
import { gather, isInside, type Selection } from '../plan/selection.ts';
import { testsPagesOnly, type ViewPredicate } from '../plan/view-predicate.ts';
import type { FilterValues } from '../question/filter-values.ts';
import type { QueryFilters } from '../question/filters.ts';
import { viewsOfPaths } from '../select/estimates.ts';
import { viewsByPath } from '../select/row-index.ts';
import { selectedSessions } from '../select/select-sessions.ts';
import { pathsTested, selectViews } from '../select/select-views.ts';
import { sessionViewsOf } from '../select/views-by-session.ts';
import { tallySessionRows } from './count-by-session.ts';
import { type Tally, tallyRows, tallyTime } from './tally.ts';
import { tallyOver } from './tally-over.ts';

/** Working arrays. */
const ROW_PATHS = new WorkingWords();
const ROW_TITLES = new WorkingWords();
const ROW_SESSIONS = new WorkingWords();

/** Page views, visitors, sessions, bounces and time on page by page. */
export function tallyPages(
  context: QueryContext,
  filters: QueryFilters,
  search: FilterValues | null,
  pages: PageGroups,
): Tally {
  const { run } = context;
  const predicate = viewPredicate(context.query, filters, search);
  // The same for pages and for the pages of entries and exits, so that they share what is cached.
  const query = { ...context.query, statistic: 'page', filters, byTitle: pages.pairs !== null };
  const searched = search === null ? null : [search, predicate.byTitle];
  const tally = tallyOver({ ...context, query }, ['pages', searched], 0, (segment, into) => {
    if (isBySession(segment, predicate, run)) {
      tallyPagesOfSessions(segment, predicate, pages, { tally: into, context });
      return;
    }
    const selection = selectViews(segment, predicate, run);
    if (selection.count > 0) tallyPagesOf(segment, selection, pages, { tally: into, context });
  });
  tally.reserve(pages.count);
  return tally;
}

/** Page views are counted along the sessions unless a tag is asked for, or few paths among many. */
function isBySession(segment: Segment, predicate: ViewPredicate, run: QueryRun): boolean {
  if (!testsPagesOnly(predicate) || !isInside(segment, predicate.range)) return false;
  const paths = pathsTested(segment, predicate);
  const index = paths === null ? null : viewsByPath(segment, run);
  const ofPaths = viewsOfPaths(segment, index, paths);
  const way = pageCountWay({ ofPaths, rowCount: segment.views.rowCount });
  return run.decided(segment, 'counted by page', way) === 'by session';
}

/** Adds the page views of a whole segment that no tag is asked of, session by session. */
function tallyPagesOfSessions(
  segment: Segment,
  predicate: ViewPredicate,
  pages: PageGroups,
  into: { tally: Tally; context: QueryContext },
): void {
  const { tally, context } = into;
  const { run, query } = context;
  const views = sessionViewsOf(segment);
  const grouped = pages.assignOrdered(segment, predicate, views);
  tally.reserve(pages.count);
  const sessions = selectedSessions(segment, predicate, null, run);
  const rows = { ...grouped, views, sessions };
  tallySessionRows(segment, rows, tally, { run, includesTime: query.includesTimeOnPage });
}

function tallyPagesOf(
  segment: Segment,
  selection: Selection,
  pages: PageGroups,
  into: { tally: Tally; context: QueryContext },
): void {
  const { tally, context } = into;
  const { run, query } = context;
  const { path, title, session, timeOnPage } = segment.views.columns;
  const { count, rows } = selection;
  const columns = {
    paths: gather(selection, path, run, ROW_PATHS),
    titles: pages.pairs === null ? path : gather(selection, title, run, ROW_TITLES),
    count,
  };
  const { groups, groupCount, groupMap } = pages.assign(segment, columns, run);
  tally.reserve(pages.count);
  const sessions = gather(selection, session, run, ROW_SESSIONS);
  tallyRows(segment, { count, sessions, groups, groupCount, groupMap, weights: null }, tally, run);
  if (query.includesTimeOnPage) tallyTime({ count, groups, groupMap }, rows, timeOnPage, tally);
}
