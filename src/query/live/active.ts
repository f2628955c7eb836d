/**
 * Active visitors, answered by the actor on its live segments (S-80 to S-82): from counts that are
 * kept current, or by a scan, which knows filters.
 *
 * Data plane: both run on the thread that takes hits. Page views are only nearly in order of time,
 * so the scan skips blocks of 1,024 rows by their latest time, which is worked out once per full
 * block: a page view's time never changes. A session's last activity does: all are looked at.
 */

import { assert } from '../../base/assert.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { PairIndex } from '../../segment/memory/pair-index.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { BLOCK_ROWS } from '../../segment/memory/table.ts';
import { type Groups, type ListRow, listRows } from '../list/listing.ts';
import { checkBudget, openScan, type Scan } from '../plan/query-context.ts';
import { gather, type Selection } from '../plan/selection.ts';
import { hasSessionFilter, hasViewFilter } from '../question/filters.ts';
import type { StatisticsQuery } from '../question/request.ts';
import { findStatistic } from '../question/statistics.ts';
import { selectSessions } from '../select/select-sessions.ts';
import { selectViews } from '../select/select-views.ts';

/** Latest time per full block of page views, per live segment. */
const blockTimes = new WeakMap<Segment, { count: number; maxMs: Float64Array }>();

/** Pages of the window with the texts of their segments, told apart by text. */
class ActivePages {
  readonly paths: string[] = [];
  readonly titles: string[] = [];
  readonly visitors: number[] = [];
  // Path → title → position: only the pages seen in the window enter, a few hundred at most.
  readonly #positions = new Map<string, Map<string, number>>();

  add(path: string, title: string, visitors: number): void {
    let titles = this.#positions.get(path);
    if (titles === undefined) {
      titles = new Map();
      this.#positions.set(path, titles);
    }
    const known = titles.get(title);
    if (known !== undefined) {
      this.visitors[known] = (this.visitors[known] as number) + visitors;
      return;
    }
    titles.set(title, this.paths.length);
    this.paths.push(path);
    this.titles.push(title);
    this.visitors.push(visitors);
  }

  groups(): Groups {
    return {
      present: Uint32Array.from(this.paths.keys()),
      fields: {
        path: (group) => this.paths[group] as string,
        title: (group) => this.titles[group] as string,
        visitors: (group) => this.visitors[group] as number,
      },
    };
  }
}

/** What is kept of one segment for a window. */
export interface ActiveBoard {
  /** [0] visitors of sessions whose last activity lies in the window; [page + 1] of its views. */
  readonly counts: Uint32Array;
  pathOf(page: number): string;
  /** '' unless pages are told apart by title. */
  titleOf(page: number): string;
}

/** What the statistic `active` answers. */
export interface ActiveAnswer {
  readonly stats: readonly ListRow[];
  readonly visitors: number;
}

/**
 * Answers a query for the statistic `active` by a scan.
 *
 * @param segments every segment of the domain that may hold rows or sessions of the window.
 * @returns page views in the window by path, and the distinct visitors that were active.
 * @throws QUERY_BUDGET_EXCEEDED when the segments have more rows than the query may scan.
 * @cost a look at every session; of the page views only the blocks with recent ones.
 */
export function runActive(query: StatisticsQuery, segments: readonly Segment[]): ActiveAnswer {
  const scan = openScan(query, segments, {
    budget: null,
    usesRollups: false,
    indexes: 'never',
  });
  checkBudget(scan);
  assert(scan.statistic.kind === 'active', 'the query asks for active visitors');
  const byRows = hasViewFilter(query.filters);
  const pages = new ActivePages();
  let visitors = 0;
  for (const segment of scan.segments) {
    const selection = selectViews(segment, questionOf(segment, query), scan.scratch);
    addPages(segment, selection, pages, scan);
    visitors += byRows ? visitorsOfRows(segment, selection) : activeVisitors(segment, scan);
  }
  return {
    stats: listRows(scan.statistic, query, pages.groups()),
    visitors,
  };
}

function questionOf(segment: Segment, query: StatisticsQuery) {
  const { range, filters, byTitle } = query;
  return { range, filters, byTitle, search: null, blockMaxMs: blockMaximaOf(segment) };
}

/** Adds a segment's page views of the window by page. */
function addPages(segment: Segment, selection: Selection, pages: ActivePages, scan: Scan): void {
  const { scratch, query } = scan;
  const { path, title, session } = segment.views.columns;
  const { visitor } = segment.sessions.columns;
  const { count } = selection;
  if (count === 0) return;
  const rowPaths = gather(selection, path, scratch, 'rowPaths');
  const rowTitles = query.byTitle ? gather(selection, title, scratch, 'rowTitles') : null;
  const sessions = gather(selection, session, scratch, 'rowSessions');
  // Pairs instead of an entry per path, session and visitor of the day: the window has few of them.
  const seen = new PairIndex();
  const pageVisitors = new PairIndex();
  const visitors = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const page = seen.idOf(rowPaths[index]!, rowTitles === null ? 0 : rowTitles[index]!);
    const known = pageVisitors.count;
    if (pageVisitors.idOf(page, visitor[sessions[index]!]!) === known) visitors[page]!++;
  }
  const pathTexts = segment.dictionary.texts(KIND.path);
  const titleTexts = segment.dictionary.texts(KIND.title);
  for (let page = 0; page < seen.count; page++) {
    const pageTitle = query.byTitle ? (titleTexts[seen.seconds[page]!] as string) : '';
    pages.add(pathTexts[seen.firsts[page]!] as string, pageTitle, visitors[page]!);
  }
}

/**
 * Answers a query without filters from counts that were kept current.
 *
 * @param boards one per segment with anything in the window.
 * @cost a look at every count; texts only of what is compared or shown.
 */
export function answerActive(query: StatisticsQuery, boards: readonly ActiveBoard[]): ActiveAnswer {
  const statistic = findStatistic(query.statistic);
  assert(statistic?.kind === 'active', 'the query asks for active visitors');
  let visitors = 0;
  for (const { counts } of boards) visitors += counts[0] ?? 0;
  const [only] = boards;
  if (only === undefined) return { stats: [], visitors };
  const groups = boards.length === 1 ? groupsOf(only) : mergedGroups(boards);
  return { stats: listRows(statistic, query, groups), visitors };
}

/** Pages of one segment: group = page + 1, as the counts have it. */
function groupsOf(board: ActiveBoard): Groups {
  const { counts, pathOf, titleOf } = board;
  const present = new Uint32Array(counts.length);
  let found = 0;
  for (let group = 1; group < counts.length; group++) {
    if (counts[group] !== 0) present[found++] = group;
  }
  return {
    present: present.subarray(0, found),
    fields: {
      path: (group) => pathOf(group - 1),
      title: (group) => titleOf(group - 1),
      visitors: (group) => counts[group] as number,
    },
  };
}

/** Pages of several segments, around midnight: visitors of a page are of different segments. */
function mergedGroups(boards: readonly ActiveBoard[]): Groups {
  const pages = new ActivePages();
  for (const board of boards) {
    const { present } = groupsOf(board);
    for (const group of present) {
      pages.add(board.pathOf(group - 1), board.titleOf(group - 1), board.counts[group] as number);
    }
  }
  return pages.groups();
}

/** Distinct visitors of the selected page views (S-82, with a page-level filter). */
function visitorsOfRows(segment: Segment, selection: Selection): number {
  const { session } = segment.views.columns;
  const { visitor } = segment.sessions.columns;
  const { rows, count } = selection;
  const seen = new PairIndex();
  for (let index = 0; index < count; index++) {
    seen.idOf(visitor[session[rows === null ? index : rows[index]!]!]!, 0);
  }
  return seen.count;
}

/** Distinct visitors of selected sessions whose last activity lies in the window (S-82). */
function activeVisitors(segment: Segment, scan: Scan): number {
  const { range, filters } = scan.query;
  const { lastMs, visitor } = segment.sessions.columns;
  const { rowCount } = segment.sessions;
  const mask = hasSessionFilter(filters)
    ? selectSessions(segment, filters, range, scan.scratch)
    : null;
  const { startMs, endMs } = range;
  const seen = new PairIndex();
  for (let session = 0; session < rowCount; session++) {
    const atMs = lastMs[session]!;
    if (atMs < startMs || atMs >= endMs) continue;
    if (mask !== null && mask[session] === 0) continue;
    seen.idOf(visitor[session]!, 0);
  }
  return seen.count;
}

/** Latest time of every full block of page views; blocks that filled up since are added. */
export function blockMaximaOf(segment: Segment): Float64Array {
  const { rowCount, columns } = segment.views;
  const full = Math.floor(rowCount / BLOCK_ROWS);
  let held = blockTimes.get(segment);
  if (held === undefined || held.count > full) {
    held = { count: 0, maxMs: new Float64Array(0) };
    blockTimes.set(segment, held);
  }
  if (held.maxMs.length < full) {
    const grown = new Float64Array(full * 2);
    grown.set(held.maxMs);
    held.maxMs = grown;
  }
  for (; held.count < full; held.count++) {
    held.maxMs[held.count] = latestOf(columns.timeMs, held.count * BLOCK_ROWS);
  }
  return held.maxMs.subarray(0, full);
}

function latestOf(timeMs: Float64Array, from: number): number {
  let latestMs = Number.NEGATIVE_INFINITY;
  for (let row = from; row < from + BLOCK_ROWS; row++) {
    if (timeMs[row]! > latestMs) latestMs = timeMs[row]!;
  }
  return latestMs;
}
