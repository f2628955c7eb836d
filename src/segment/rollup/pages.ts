/**
 * The pre-aggregates by page and by quarter of an hour, worked out from the rows of a span of time.
 *
 * Data plane.
 */

import { SECOND_MS } from '../../model/limits.ts';
import { KIND } from '../memory/dictionary.ts';
import { NONE } from '../memory/layout.ts';
import { PairIndex } from '../memory/pair-index.ts';
import type { Segment } from '../memory/segment.ts';
import { type Counts, countEntries, type Rollups, type SpanRows } from './counts.ts';
import { QUARTER_MS } from './families.ts';

/** Fills `pages` and `titledPages`. */
export function fillPages(rows: SpanRows, into: Rollups): void {
  const { segment, views, sessions, viewSessions } = rows;
  const { path, title, timeOnPage } = segment.views.columns;
  const { entryPath, entryTitle, exitPath, exitTitle } = segment.sessions.columns;
  const titled = new PairIndex();
  const titledViews = views.map((row) => titled.idOf(path[row]!, title[row]!));
  const entries = sessions.map((row) => titled.idOf(entryPath[row]!, entryTitle[row]!));
  const exits = sessions.map((row) => titled.idOf(exitPath[row]!, exitTitle[row]!));
  // Path and title are ids of the dictionary; pages are numbered in order of first appearance.
  const pageOf = new Map<number, number>();
  const pageOfTitled = new Uint32Array(titled.count);
  const titleCounts: number[] = [];
  for (let pair = 0; pair < titled.count; pair++) {
    const ofPath = titled.firsts[pair]!;
    const page = pageOf.get(ofPath) ?? pageOf.size;
    pageOf.set(ofPath, page);
    pageOfTitled[pair] = page;
    titleCounts[page] = (titleCounts[page] ?? 0) + 1;
  }
  const timed = { rows: views, seconds: timeOnPage };
  const titledRows = new Uint32Array(titled.count).fill(NONE);
  for (let pair = 0; pair < titled.count; pair++) {
    const page = pageOfTitled[pair]!;
    const [ofPath, ofTitle] = [titled.firsts[pair]!, titled.seconds[pair]!];
    if (page === into.pages.rowCount) {
      const row = into.pages.append();
      into.pages.columns.path[row] = ofPath;
      into.pages.columns.title[row] = titleCounts[page] === 1 ? ofTitle : NONE;
    }
    if (titleCounts[page] === 1) continue;
    const row = into.titledPages.append();
    into.titledPages.columns.path[row] = ofPath;
    into.titledPages.columns.title[row] = ofTitle;
    titledRows[pair] = row;
  }
  const toPage = (pairs: Uint32Array): Uint32Array => pairs.map((pair) => pageOfTitled[pair]!);
  const toTitled = (pairs: Uint32Array): Uint32Array => pairs.map((pair) => titledRows[pair]!);
  for (const [table, rowOf] of [
    [into.pages, toPage],
    [into.titledPages, toTitled],
  ] as const) {
    const groups = rowOf(titledViews);
    addCounts(table, countEntries(segment, { groups, sessions: viewSessions }, table.rowCount));
    addTime(table, groups, timed);
    addOnes(table.columns.entries, rowOf(entries));
    addOnes(table.columns.exits, rowOf(exits));
  }
}

/** Fills `pages` by path alone: what no title is asked of. `title` says nothing. */
export function fillPaths(rows: SpanRows, into: Rollups): void {
  const { segment, views, sessions, viewSessions } = rows;
  const { path, timeOnPage } = segment.views.columns;
  const { entryPath, exitPath } = segment.sessions.columns;
  const { pages } = into;
  const rowOfPath = new Uint32Array(segment.dictionary.texts(KIND.path).length).fill(NONE);
  const rowsOf = (paths: Uint32Array, of: Uint32Array): Uint32Array => {
    const found = new Uint32Array(of.length);
    for (let index = 0; index < of.length; index++) {
      const id = paths[of[index]!]!;
      if (rowOfPath[id] === NONE) {
        const row = pages.append();
        pages.columns.path[row] = id;
        pages.columns.title[row] = NONE;
        rowOfPath[id] = row;
      }
      found[index] = rowOfPath[id]!;
    }
    return found;
  };
  const groups = rowsOf(path, views);
  const entries = rowsOf(entryPath, sessions);
  const exits = rowsOf(exitPath, sessions);
  addCounts(pages, countEntries(segment, { groups, sessions: viewSessions }, pages.rowCount));
  addTime(pages, groups, { rows: views, seconds: timeOnPage });
  addOnes(pages.columns.entries, entries);
  addOnes(pages.columns.exits, exits);
}

/** Fills `quarters`. */
export function fillQuarters(rows: SpanRows, into: Rollups): void {
  const { segment, views, sessions, viewSessions } = rows;
  const { timeMs, timeOnPage } = segment.views.columns;
  const { visitor, isBounce, startMs, lastMs } = segment.sessions.columns;
  const { quarters } = into;
  const rowOfQuarter = new Map<number, number>();
  const rowAt = (quarter: number): number => {
    let row = rowOfQuarter.get(quarter);
    if (row === undefined) {
      row = quarters.append();
      quarters.columns.quarter[row] = quarter;
      rowOfQuarter.set(quarter, row);
    }
    return row;
  };
  const ofSessions = new Reach(segment.sessions.rowCount);
  const ofVisitors = new Reach(segment.visitors.rowCount);
  for (let index = 0; index < views.length; index++) {
    const view = views[index]!;
    const quarter = Math.floor(timeMs[view]! / QUARTER_MS);
    const session = viewSessions[index]!;
    ofSessions.widen(session, quarter);
    ofVisitors.widen(visitor[session]!, quarter);
    const row = rowAt(quarter);
    const { views: counted, pageTimed, pageSeconds } = quarters.columns;
    counted[row]!++;
    pageSeconds[row]! += timeOnPage[view]!;
    if (timeOnPage[view]! > 0) pageTimed[row]!++;
  }
  // From here on every quarter has its row.
  const to = quarters.columns;
  for (const session of sessions) {
    const seconds = Math.floor((lastMs[session]! - startMs[session]!) / SECOND_MS);
    const first = rowAt(ofSessions.first[session]!);
    const last = rowAt(ofSessions.last[session]!);
    to.sessionsFirst[first]!++;
    to.sessionsLast[last]!++;
    to.bouncesFirst[first]! += isBounce[session]!;
    to.bouncesLast[last]! += isBounce[session]!;
    to.secondsFirst[first]! += seconds;
    to.secondsLast[last]! += seconds;
    if (seconds > 0) to.timedFirst[first]!++;
    if (seconds > 0) to.timedLast[last]!++;
  }
  for (let ordinal = 0; ordinal < ofVisitors.first.length; ordinal++) {
    if (ofVisitors.first[ordinal] === NONE) continue;
    to.visitorsFirst[rowAt(ofVisitors.first[ordinal]!)]!++;
    to.visitorsLast[rowAt(ofVisitors.last[ordinal]!)]!++;
  }
}

/** First and last quarter by session or by visitor; `NONE` for those without a page view. */
class Reach {
  readonly first: Uint32Array;
  readonly last: Uint32Array;

  constructor(count: number) {
    this.first = new Uint32Array(count).fill(NONE);
    this.last = new Uint32Array(count);
  }

  widen(at: number, quarter: number): void {
    if (quarter < this.first[at]!) this.first[at] = quarter;
    if (quarter > this.last[at]!) this.last[at] = quarter;
  }
}

function addCounts(table: Segment['pages'], counts: Counts): void {
  for (let row = 0; row < table.rowCount; row++) {
    table.columns.views[row] = counts.rows[row]!;
    table.columns.sessions[row] = counts.sessions[row]!;
    table.columns.visitors[row] = counts.visitors[row]!;
    table.columns.bounces[row] = counts.bounces[row]!;
  }
}

function addTime(
  table: Segment['pages'],
  groups: Uint32Array,
  time: { rows: Uint32Array; seconds: Uint16Array },
): void {
  const { timed, seconds } = table.columns;
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index]!;
    const spent = time.seconds[time.rows[index]!]!;
    if (group === NONE || spent === 0) continue;
    seconds[group]! += spent;
    timed[group]!++;
  }
}

function addOnes(counts: Uint32Array, groups: Uint32Array): void {
  for (let index = 0; index < groups.length; index++) {
    if (groups[index]! !== NONE) counts[groups[index]!]!++;
  }
}
