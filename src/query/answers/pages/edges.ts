/**
 * Entry and exit pages: distinct sessions by their first and last page (S-43, S-44, S-46).
 *
 * Beside each stand the figures of its path as a page, under the filters that do not test pages.
 */

import { bringNear } from '../../../base/bring-near.ts';
import { KIND } from '../../../segment/memory/dictionary.ts';
import { tallyPages } from '../../count/page-tally.ts';
import { Tally } from '../../count/tally.ts';
import { tallyOver } from '../../count/tally-over.ts';
import { type PageGroups, pageGroupsIn } from '../../group/page-groups.ts';
import { type ImportedRow, importedRows } from '../../imported/imported-sums.ts';
import { type CountedGroups, withImported } from '../../imported/with-imported.ts';
import { type ListRow, listRows, presentIn } from '../../list/listing.ts';
import { meanHalfEven, rate } from '../../list/rates.ts';
import {
  type AnsweredStatistic,
  type QueryContext,
  viewPredicate,
} from '../../plan/query-context.ts';
import { WorkingWords } from '../../plan/query-run.ts';
import { withoutPageFilters } from '../../question/filters.ts';
import { asc, desc, numbers, type StatisticShape, texts } from '../../question/statistics.ts';
import {
  type BreakdownRows,
  breakdownOf,
  PAGES_BY_PATH,
  PAGES_BY_TITLE,
} from '../../rollup/breakdowns.ts';
import { sharesOf } from '../../rollup/denominators.ts';
import { viewedSessions } from '../../select/viewed-sessions.ts';
import { openTextSpace } from '../../text/text-space.ts';
import { pageTexts } from './pages.ts';

/** Working arrays. */
const EDGE_COUNTS = new WorkingWords();

/** One end of a session, as an answer calls it. */
interface Edge {
  readonly isEntry: boolean;
  readonly counted: 'entries' | 'exits';
  readonly rate: 'entry_rate' | 'exit_rate';
}

const ENTRY: Edge = { isEntry: true, counted: 'entries', rate: 'entry_rate' };
/** Of a path that is no own page. */
const NOWHERE = -1;
const EXIT: Edge = { isEntry: false, counted: 'exits', rate: 'exit_rate' };

const SHAPE: Pick<StatisticShape, 'unit' | 'dimension' | 'searched'> = {
  unit: 'sessions',
  dimension: 'path',
  searched: ['path'],
};

export const ENTRIES: AnsweredStatistic = {
  ...SHAPE,
  name: 'page/entry',
  fields: [
    ...texts('path', 'title'),
    ...numbers('visitors', 'sessions', 'entries', 'entry_rate', 'average_time_spent_seconds'),
  ],
  order: [desc('entries'), asc('path'), asc('title')],
  byRows: (context) => answerByRows(context, ENTRY),
  byRollups: (context) => answerByRollups(context, ENTRY),
  also: 'own pages',
};

/** Exit pages show no time (S-44). */
export const EXITS: AnsweredStatistic = {
  ...SHAPE,
  name: 'page/exit',
  fields: [...texts('path', 'title'), ...numbers('visitors', 'sessions', 'exits', 'exit_rate')],
  order: [desc('exits'), asc('path'), asc('title')],
  byRows: (context) => answerByRows(context, EXIT),
  byRollups: (context) => answerByRollups(context, EXIT),
  also: 'own pages',
};

function answerByRows(context: QueryContext, edge: Edge): ListRow[] {
  const { query } = context;
  // One space for both, so that an edge page and the path as a page have one number.
  const space = openTextSpace(query.domainId);
  const edges = pageGroupsIn(space, query.byTitle);
  const sessions = tallyEdges(context, edge, edges);
  const tally = tallyOwnPages(context, edge, pageGroupsIn(space, false));
  const figure = (values: Float64Array) => (path: number) => values[path] ?? 0;
  const own: OwnPages = {
    placeOf: (group) => edges.pathIdOf(group),
    byPath: () => new Map(space.texts(KIND.path).map((path, id) => [path, id])),
    visitors: figure(tally.visitors),
    sessions: figure(tally.sessions),
    ...{ seconds: figure(tally.seconds), timed: figure(tally.timed) },
  };
  const counted: Counted = {
    present: presentIn(sessions.sessions, edges.count),
    texts: { path: (group) => edges.pathOf(group), title: (group) => edges.titleOf(group) },
    counts: { edges: (group) => sessions.sessions[group] as number },
  };
  return listed(context, edge, counted, own);
}

type Counted = CountedGroups<'path' | 'title', 'edges'>;

/** The figures of paths as pages (S-43), by their places. */
interface OwnPages {
  /** The place of the path of a group. */
  placeOf(group: number): number;
  /** The places of all paths. */
  byPath(): ReadonlyMap<string, number>;
  visitors(place: number): number;
  sessions(place: number): number;
  seconds(place: number): number;
  timed(place: number): number;
}

/** The rows, wherever their counts come from, with what imports add (S-98). */
function listed(context: QueryContext, edge: Edge, counted: Counted, own: OwnPages): ListRow[] {
  const { query, statistic } = context;
  const imported = importedRows(context, edge.isEntry ? 'entry' : 'exit')
    .filter(({ sessions }) => sessions > 0)
    .map(({ value, sessions }) => ({ texts: { path: value }, counts: { edges: sessions } }));
  const { present, texts, counts } = withImported(counted, imported, ['path', 'title']);
  const { path } = texts;
  const { edges } = counts;
  const places = imported.length === 0 ? null : own.byPath();
  const placeOf = (group: number): number =>
    places === null ? own.placeOf(group) : (places.get(path(group)) ?? NOWHERE);
  // Those of the path as a page, whatever the title (S-46).
  const pages = new Map<string, ImportedRow>();
  for (const row of importedRows(context, 'page', withoutPageFilters(query.filters))) {
    pages.set(row.value, row);
  }
  const all = sharesOf(context).sessions;
  return listRows(statistic, query, {
    present,
    fields: {
      ...texts,
      visitors: (group) => own.visitors(placeOf(group)) + (pages.get(path(group))?.visitors ?? 0),
      sessions: (group) => own.sessions(placeOf(group)) + (pages.get(path(group))?.sessions ?? 0),
      [edge.counted]: edges,
      [edge.rate]: (group) => rate(edges(group), all),
      average_time_spent_seconds: (group) =>
        meanHalfEven(own.seconds(placeOf(group)), own.timed(placeOf(group))),
    },
  });
}

/** Distinct sessions among the rows by their entry or exit page. */
function tallyEdges(context: QueryContext, edge: Edge, edges: PageGroups): Tally {
  const { query, run } = context;
  // A search on entry and exit pages filters groups, not rows (F-32).
  const predicate = viewPredicate(query, query.filters, null);
  const tally = tallyOver(context, ['edges', edge.counted], 0, (segment, into) => {
    const viewed = viewedSessions(segment, predicate, run);
    const { entryPath, entryTitle, exitPath, exitTitle } = segment.sessions.columns;
    const columns = {
      paths: edge.isEntry ? entryPath : exitPath,
      titles: edge.isEntry ? entryTitle : exitTitle,
      count: segment.sessions.rowCount,
    };
    const { groups, groupMap } = edges.assign(segment, columns, run);
    into.reserve(edges.count);
    // Only their number is shown: visitors and bounces are those of the page.
    const counts = EDGE_COUNTS.zeroed(run, groupMap.length);
    const { sessions } = viewed;
    bringNear(sessions.length, groups);
    for (let index = 0; index < sessions.length; index++) counts[groups[sessions[index]!]!]!++;
    for (let group = 0; group < counts.length; group++) {
      into.sessions[groupMap[group]!]! += counts[group]!;
    }
  });
  tally.reserve(edges.count);
  return tally;
}

/** The figures of every path as a page. */
function tallyOwnPages(context: QueryContext, edge: Edge, pages: PageGroups): Tally {
  const { query, plan } = context;
  const includesTimeOnPage = query.includesTimeOnPage && edge.isEntry;
  if (plan.ownPages === 'rows') {
    const asked = { ...context, query: { ...query, includesTimeOnPage } };
    return tallyPages(asked, withoutPageFilters(query.filters), null, pages);
  }
  const rows = breakdownOf(context, PAGES_BY_PATH);
  const tally = new Tally(pages.count);
  scatter(rows, 'sessions', tally.sessions);
  scatter(rows, 'visitors', tally.visitors);
  if (includesTimeOnPage) {
    scatter(rows, 'timed', tally.timed);
    scatter(rows, 'seconds', tally.seconds);
  }
  return tally;
}

/** Puts a count of a breakdown where its groups are. */
function scatter(rows: BreakdownRows, name: string, into: Float64Array): void {
  const { groups } = rows;
  const counts = rows.counts(name);
  for (let at = 0; at < groups.length; at++) into[groups[at]!] = counts[at]!;
}

function answerByRollups(context: QueryContext, edge: Edge): ListRow[] {
  const { byTitle, includesTimeOnPage } = context.query;
  const rows = breakdownOf(context, byTitle ? PAGES_BY_TITLE : PAGES_BY_PATH);
  // The page's own figures are those of its path, whatever the title (S-46).
  const pages = byTitle ? breakdownOf(context, PAGES_BY_PATH) : rows;
  const figure = (name: string) => {
    const counts = pages.counts(name);
    return (place: number) => counts[place] ?? 0;
  };
  const time = (name: string) => (includesTimeOnPage ? figure(name) : () => 0);
  const path = pages.textReader(KIND.path);
  const own: OwnPages = {
    placeOf: byTitle ? placesOfPaths(rows, pages) : (at) => at,
    byPath: () => new Map(Array.from(pages.groups, (_, place) => [path(place), place])),
    visitors: figure('visitors'),
    sessions: figure('sessions'),
    ...{ seconds: time('seconds'), timed: time('timed') },
  };
  const counted: Counted = {
    present: rows.present(edge.counted),
    texts: pageTexts(rows, byTitle),
    counts: { edges: rows.reader(edge.counted) },
  };
  return listed(context, edge, counted, own);
}

/** Where the path of a titled page stands among the pages by path. */
function placesOfPaths(titled: BreakdownRows, pages: BreakdownRows): (at: number) => number {
  const places = new Map<number, number>();
  for (const [place, path] of pages.groups.entries()) places.set(path, place);
  const { firsts } = titled.ids.titled;
  return (at) => places.get(firsts[titled.groups[at] as number] as number) as number;
}
