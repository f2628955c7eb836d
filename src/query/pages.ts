/**
 * Statistics by page: page, page/entry, page/exit (S-40 to S-46).
 *
 * Groups are paths, or pairs of path and title when titles are told apart. Their numbers are those of
 * the domain's text space, so that segments add up in place.
 */

import { KIND } from '../segment/dictionary.ts';
import { PairIndex } from '../segment/pair-index.ts';
import type { Segment } from '../segment/segment.ts';
import type { QueryFilters } from './filters.ts';
import { groupPairs, joinPairs } from './group-pairs.ts';
import { type Groups, type ListRow, listRows, presentIn } from './listing.ts';
import { meanHalfEven, rate } from './rates.ts';
import { gather, isInside, type Selection } from './rows.ts';
import { denominatorsOf, type Scan, viewQuestion } from './scan.ts';
import type { Scratch } from './scratch.ts';
import {
  keepSearched,
  pathsTested,
  selectViews,
  testsPagesOnly,
  type ViewQuestion,
} from './selection.ts';
import { type SessionRows, tallySessionRows, tallySessionTime } from './session-rows.ts';
import { selectedSessions } from './session-selection.ts';
import { type SessionViews, sessionViewsOf } from './session-views.ts';
import { numbersIn, tallyOver } from './sums.ts';
import { type Tally, tallyRows, tallySessions, tallyTime } from './tally.ts';
import type { Terms } from './terms.ts';
import { openTextSpace, spaceIds, type TextSpace } from './texts.ts';
import { viewedSessions } from './viewed-sessions.ts';

/** Paths, or paths and titles, over all segments of a query. */
export class PageGroups {
  readonly space: TextSpace;
  /** Pairs of numbers in the space; null when pages are told apart by path only. */
  readonly pairs: PairIndex | null;

  constructor(space: TextSpace, byTitle: boolean) {
    this.space = space;
    this.pairs = byTitle ? new PairIndex() : null;
  }

  get count(): number {
    return this.pairs?.count ?? this.space.texts(KIND.path).length;
  }

  pathIdOf(group: number): number {
    return this.pairs === null ? group : (this.pairs.firsts[group] as number);
  }

  pathOf(group: number): string {
    return this.space.texts(KIND.path)[this.pathIdOf(group)] as string;
  }

  titleOf(group: number): string {
    if (this.pairs === null) return '';
    return this.space.texts(KIND.title)[this.pairs.seconds[group] as number] as string;
  }

  /** Groups of a segment's (path, title) pairs in `groups`, and where they go in the tally. */
  assign(
    segment: Segment,
    columns: { paths: Uint32Array; titles: Uint32Array; count: number },
    scratch: Scratch,
  ): { groups: Uint32Array; groupCount: number; groupMap: Uint32Array } {
    const pathMap = spaceIds(this.space, segment, KIND.path);
    const { paths, titles, count } = columns;
    if (this.pairs === null) {
      const groupCount = segment.dictionary.texts(KIND.path).length;
      return { groups: paths, groupCount, groupMap: pathMap };
    }
    const maps = { firsts: pathMap, seconds: spaceIds(this.space, segment, KIND.title) };
    const groups = scratch.rawWords('pairGroups', count);
    return groupPairs({ firsts: paths, seconds: titles, count }, maps, this.pairs, groups);
  }

  /** Groups of all page views of a segment, in the order of `views`, and which of them are kept. */
  assignOrdered(
    segment: Segment,
    question: ViewQuestion,
    views: SessionViews,
  ): Pick<SessionRows, 'groups' | 'groupCount' | 'groupMap' | 'kept'> {
    const pathMap = spaceIds(this.space, segment, KIND.path);
    if (this.pairs === null) {
      const groupCount = segment.dictionary.texts(KIND.path).length;
      const kept = pagesKept(segment, question, null);
      return { groups: views.paths, groupCount, groupMap: pathMap, kept };
    }
    const { pages, pairs } = views.titled;
    const maps = { firsts: pathMap, seconds: spaceIds(this.space, segment, KIND.title) };
    const groupMap = joinPairs(pairs, maps, this.pairs);
    const kept = pagesKept(segment, question, pairs);
    return { groups: pages, groupCount: pairs.count, groupMap, kept };
  }
}

/** Pages by path, or by path and title, of a domain. */
export function pageGroupsIn(space: TextSpace, byTitle: boolean): PageGroups {
  const name = byTitle ? 'pages by title' : 'pages';
  return numbersIn(space, name, () => new PageGroups(space, byTitle));
}

/** A byte per page of a segment: 1 passes what is asked of its path, and of its title in a search. */
function pagesKept(segment: Segment, question: ViewQuestion, pairs: PairIndex | null): Uint8Array {
  const paths = pathsTested(segment, question);
  if (pairs === null) {
    return paths ?? new Uint8Array(segment.dictionary.texts(KIND.path).length).fill(1);
  }
  const { search } = question;
  const rows = Uint32Array.from({ length: pairs.count }, (_, pair) => pair);
  const columns = { path: pairs.firsts, title: pairs.seconds };
  const count =
    search === null
      ? rows.length
      : keepSearched(segment, search, columns, { rows, count: rows.length });
  const kept = new Uint8Array(pairs.count);
  for (let index = 0; index < count; index++) {
    const pair = rows[index]!;
    kept[pair] = paths === null ? 1 : paths[pairs.firsts[pair]!]!;
  }
  return kept;
}

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
  const question = viewQuestion(query, filters, search);
  const asked = ['pages', filters, search, pages.pairs !== null, query.includesTimeOnPage];
  const tally = tallyOver(scan, asked, 0, (segment, into) => {
    if (testsPagesOnly(question) && isInside(segment, query.range)) {
      tallyPagesOfSessions(segment, question, pages, { tally: into, scan });
      return;
    }
    const selection = selectViews(segment, question, scratch);
    if (selection.count > 0) tallyPagesOf(segment, selection, pages, { tally: into, scan });
  });
  tally.reserve(pages.count);
  return tally;
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
