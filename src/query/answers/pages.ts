/**
 * Statistics by page: page, page/entry, page/exit (S-40 to S-46).
 *
 * Page views of few paths are counted row by row, all others along the sessions.
 */

import type { Segment } from '../../segment/memory/segment.ts';
import { tallyOver } from '../cache/cached-aggregate.ts';
import { tallySessionRows, tallySessionTime } from '../count/count-by-session.ts';
import { type PageGroups, pageGroupsIn } from '../count/page-groups.ts';
import { Tally, tallyRows, tallySessions, tallyTime } from '../count/tally.ts';
import { type Groups, type ListRow, listRows, presentIn } from '../list/listing.ts';
import { meanHalfEven, rate } from '../list/rates.ts';
import { denominatorsOf, isUnfiltered, type Scan, viewQuestion } from '../plan/query-context.ts';
import type { Scratch } from '../plan/scratch.ts';
import { gather, isInside, type Selection } from '../plan/selection.ts';
import { testsPagesOnly, type ViewQuestion } from '../plan/view-predicate.ts';
import type { Terms } from '../question/filter-values.ts';
import type { QueryFilters } from '../question/filters.ts';
import { PAGES, partOf } from '../rollup/breakdowns.ts';
import { keptCount, viewsByPath } from '../select/row-index.ts';
import { selectedSessions } from '../select/select-sessions.ts';
import { pathsTested, selectViews } from '../select/select-views.ts';
import { viewedSessions } from '../select/viewed-sessions.ts';
import { sessionViewsOf } from '../select/views-by-session.ts';
import { openTextSpace } from '../text/text-space.ts';

/** S-40: by path, or path and title. */
export function answerPages(scan: Scan): ListRow[] {
  const { query } = scan;
  const pages = pageGroupsIn(openTextSpace(query.domainId), query.byTitle);
  const tally = tallyPages(scan, query.filters, query.search, pages);
  return listRows(scan.statistic, query, pageRows(scan, pages, tally, tally.rows));
}

/** The rows of pages, in either scope (S-40, S-47). */
export function pageRows(scan: Scan, pages: PageGroups, tally: Tally, views: Float64Array): Groups {
  const all = denominatorsOf(scan);
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

/** S-43: by the entry page of the sessions among the rows. */
export function answerEntries(scan: Scan): ListRow[] {
  return answerEdges(scan, 'entry');
}

/** S-44: by their exit page. */
export function answerExits(scan: Scan): ListRow[] {
  return answerEdges(scan, 'exit');
}

function answerEdges(scan: Scan, edge: 'entry' | 'exit'): ListRow[] {
  const { query } = scan;
  // One space for both, so that an edge page and the path as a page have one number.
  const space = openTextSpace(query.domainId);
  const edges = pageGroupsIn(space, query.byTitle);
  const sessions = tallyEdges(scan, edge, edges);
  // The edge pages' own figures: those of that path as a page, under what is left of the filter.
  const pages = pageGroupsIn(space, false);
  // S-44: exit pages show no time.
  const withTime = query.includesTimeOnPage && edge === 'entry';
  const own = { ...scan, query: { ...query, includesTimeOnPage: withTime } };
  const tally = tallyPages(own, pageLevelRemoved(query.filters), null, pages);
  const pageFigure = (values: Float64Array) => (group: number) =>
    (values[edges.pathIdOf(group)] as number | undefined) ?? 0;
  const [seconds, timed] = [pageFigure(tally.seconds), pageFigure(tally.timed)];
  const all = denominatorsOf(scan).sessions;
  const counted = edge === 'entry' ? 'entries' : 'exits';
  const groups: Groups = {
    present: presentIn(sessions.sessions, edges.count),
    fields: {
      path: (group) => edges.pathOf(group),
      title: (group) => edges.titleOf(group),
      visitors: pageFigure(tally.visitors),
      sessions: pageFigure(tally.sessions),
      [counted]: (group) => sessions.sessions[group] as number,
      [`${edge}_rate`]: (group) => rate(sessions.sessions[group] as number, all),
      average_time_spent_seconds: (group) => meanHalfEven(seconds(group), timed(group)),
    },
  };
  return listRows(scan.statistic, query, groups);
}

/** Distinct sessions among the rows by their entry or exit page. */
function tallyEdges(scan: Scan, edge: 'entry' | 'exit', edges: PageGroups): Tally {
  const { query, scratch } = scan;
  // A search on entry and exit pages filters groups, not rows (F-32).
  const question = viewQuestion(query, query.filters, null);
  const tally = tallyOver(scan, ['edges', edge], 0, (segment, into) => {
    const viewed = viewedSessions(segment, question, scratch);
    const { entryPath, entryTitle, exitPath, exitTitle } = segment.sessions.columns;
    const columns = {
      paths: edge === 'entry' ? entryPath : exitPath,
      titles: edge === 'entry' ? entryTitle : exitTitle,
      count: segment.sessions.rowCount,
    };
    const grouped = edges.assign(segment, columns, scratch);
    into.reserve(edges.count);
    tallySessions(segment, viewed.sessions, grouped, { into, scratch });
  });
  tally.reserve(edges.count);
  return tally;
}

/** Page views, visitors, sessions, bounces and time on page by page. */
function tallyPages(
  scan: Scan,
  filters: QueryFilters,
  search: Terms | null,
  pages: PageGroups,
): Tally {
  const { query, scratch } = scan;
  if (search === null && pages.pairs === null && isUnfiltered(filters) && scan.usesRollups) {
    return rolledPages(scan, pages);
  }
  const question = viewQuestion(query, filters, search);
  const asked = ['pages', filters, search, pages.pairs !== null, query.includesTimeOnPage];
  const tally = tallyOver(scan, asked, 0, (segment, into) => {
    if (isBySession(segment, question, scratch)) {
      tallyPagesOfSessions(segment, question, pages, { tally: into, scan });
      return;
    }
    const selection = selectViews(segment, question, scratch);
    if (selection.count > 0) tallyPagesOf(segment, selection, pages, { tally: into, scan });
  });
  tally.reserve(pages.count);
  return tally;
}

/** The same from pre-aggregates, by path without any filter. */
function rolledPages(scan: Scan, pages: PageGroups): Tally {
  const { part } = partOf(scan, PAGES);
  const [views, sessions, visitors, bounces, , , timed, seconds] = part.counts;
  const tally = new Tally(pages.count);
  for (let at = 0; at < part.groups.length; at++) {
    const group = part.groups[at]!;
    tally.rows[group] = views![at]!;
    tally.sessions[group] = sessions![at]!;
    tally.visitors[group] = visitors![at]!;
    tally.bounces[group] = bounces![at]!;
    if (!scan.query.includesTimeOnPage) continue;
    tally.timed[group] = timed![at]!;
    tally.seconds[group] = seconds![at]!;
  }
  return tally;
}

/** Of more than one view in this many on the kept paths, sessions are walked along. */
const PATHS_SHARE = 4;

/** Whether page views are counted along the sessions: no tag is asked for, nor one path among many. */
function isBySession(segment: Segment, question: ViewQuestion, scratch: Scratch): boolean {
  if (!testsPagesOnly(question) || !isInside(segment, question.range)) return false;
  const paths = pathsTested(segment, question);
  const index = paths === null ? null : viewsByPath(segment, scratch);
  return index === null || keptCount(index, paths as Uint8Array) * PATHS_SHARE > index.rows.length;
}

/** Adds the page views of a whole segment that no tag is asked of, session by session. */
function tallyPagesOfSessions(
  segment: Segment,
  question: ViewQuestion,
  pages: PageGroups,
  into: { tally: Tally; scan: Scan },
): void {
  const { tally, scan } = into;
  const { scratch, query } = scan;
  const views = sessionViewsOf(segment);
  const grouped = pages.assignOrdered(segment, question, views);
  tally.reserve(pages.count);
  const sessions = selectedSessions(segment, question, null, scratch);
  const rows = { ...grouped, views, sessions };
  tallySessionRows(segment, rows, tally, scratch);
  if (query.includesTimeOnPage) tallySessionTime(rows, tally);
}

function tallyPagesOf(
  segment: Segment,
  selection: Selection,
  pages: PageGroups,
  into: { tally: Tally; scan: Scan },
): void {
  const { tally, scan } = into;
  const { scratch, query } = scan;
  const { path, title, session, timeOnPage } = segment.views.columns;
  const { count, rows } = selection;
  const columns = {
    paths: gather(selection, path, scratch, 'rowPaths'),
    titles: pages.pairs === null ? path : gather(selection, title, scratch, 'rowTitles'),
    count,
  };
  const { groups, groupCount, groupMap } = pages.assign(segment, columns, scratch);
  tally.reserve(pages.count);
  const sessions = gather(selection, session, scratch, 'rowSessions');
  tallyRows(
    segment,
    { count, sessions, groups, groupCount, groupMap, weights: null },
    tally,
    scratch,
  );
  if (query.includesTimeOnPage) tallyTime({ count, groups, groupMap }, rows, timeOnPage, tally);
}

/** S-43: the filter without path, pattern, entry and exit path and tags. */
function pageLevelRemoved(filters: QueryFilters): QueryFilters {
  return {
    ...filters,
    path: null,
    pattern: null,
    tagKeys: null,
    tags: [],
    sessionTexts: filters.sessionTexts.filter(
      ({ column }) => column !== 'entryPath' && column !== 'exitPath',
    ),
  };
}
