/**
 * The pre-aggregates of a segment worked out from its columns, of all of it or of a span of time.
 *
 * Data plane, but plainly: per family the group of every row, then one count over all groups. This is
 * what the rolling updates must come to (they are compared in tests), how data without pre-aggregates
 * gets them, and how a range that cuts a segment is answered.
 *
 *     rows in the span ─▶ (group, session) entries ─▶ sorted by group ─▶ distinct sessions, visitors
 */

import { compareCodePoints } from '../base/code-points.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/limits.ts';
import { KIND } from './dictionary.ts';
import { NONE } from './layout.ts';
import { PairIndex } from './pair-index.ts';
import { FAMILY, QUARTER_MS, SESSION_FAMILIES, type SessionKey } from './rollups.ts';
import type { Segment } from './segment.ts';

/** Instants `[startMs, endMs)`. */
export interface RollupSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** The tables of pre-aggregates. */
export type Rollups = Pick<Segment, 'rollups' | 'pages' | 'titledPages' | 'quarters'>;

/** Rows that count, with the group of each. */
interface Entries {
  readonly groups: Uint32Array;
  readonly sessions: Uint32Array;
}

interface Counts {
  readonly rows: Uint32Array;
  readonly sessions: Uint32Array;
  readonly visitors: Uint32Array;
  readonly bounces: Uint32Array;
}

/** Whether a segment has its pre-aggregates: one saved by an older release has none. */
export function isRolledUp({ quarters, rollups, views, events }: Segment): boolean {
  return quarters.rowCount + rollups.rowCount > 0 || views.rowCount + events.rowCount === 0;
}

/** Makes the pre-aggregates of a whole segment anew, in place. */
export function rebuildRollups(segment: Segment): void {
  for (const table of [segment.rollups, segment.pages, segment.titledPages, segment.quarters]) {
    table.clear();
  }
  const rows = new SpanRows(segment, null);
  fillPages(rows, segment);
  fillQuarters(rows, segment);
  fillGroups(rows, segment);
}

/** What of a segment lies in a span. */
export class SpanRows {
  readonly segment: Segment;
  readonly views: Uint32Array;
  readonly events: Uint32Array;
  /** Session of each of the views. */
  readonly viewSessions: Uint32Array;
  /** Distinct sessions with a page view in the span. */
  readonly sessions: Uint32Array;

  /** @param span null: everything. */
  constructor(segment: Segment, span: RollupSpan | null) {
    this.segment = segment;
    const { views, events, sessions } = segment;
    this.views = rowsIn(views.columns.timeMs, views.rowCount, span);
    this.events = rowsIn(events.columns.timeMs, events.rowCount, span);
    const { session } = views.columns;
    this.viewSessions = this.views.map((row) => session[row]!);
    const marks = new Uint8Array(sessions.rowCount);
    for (let index = 0; index < this.views.length; index++) marks[this.viewSessions[index]!] = 1;
    this.sessions = rowsMarked(marks);
  }
}

function rowsIn(timeMs: Float64Array, rowCount: number, span: RollupSpan | null): Uint32Array {
  const rows = new Uint32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) {
    const atMs = timeMs[row]!;
    if (span === null || (atMs >= span.startMs && atMs < span.endMs)) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

function rowsMarked(marks: Uint8Array): Uint32Array {
  const rows = new Uint32Array(marks.length);
  let count = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] === 1) rows[count++] = row;
  return rows.subarray(0, count);
}

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

/** Fills `rollups`. */
export function fillGroups(rows: SpanRows, into: Rollups): void {
  fillClock(rows, into);
  fillTags(rows, into);
  fillEvents(rows, into);
  fillReferrers(rows, into);
  for (const { code, keys, blanksUnknown } of SESSION_FAMILIES) {
    fillSessions(rows, into, { code, keys, blanksUnknown });
  }
}

function fillClock({ segment, views, viewSessions }: SpanRows, into: Rollups): void {
  const { timeMs } = segment.views.columns;
  for (const [code, spanMs, count] of [
    [FAMILY.hour, HOUR_MS, 24],
    [FAMILY.minute, MINUTE_MS, 60],
  ] as const) {
    const groups = views.map((row) => Math.floor(timeMs[row]! / spanMs) % count);
    const counts = countEntries(segment, { groups, sessions: viewSessions }, count);
    appendGroups(into, code, counts, (group) => [group, 0, 0]);
  }
}

function fillTags({ segment, views, viewSessions }: SpanRows, into: Rollups): void {
  const { tagEnd } = segment.views.columns;
  const { key } = segment.tagPairs.columns;
  const groups: number[] = [];
  const sessions: number[] = [];
  for (let index = 0; index < views.length; index++) {
    const row = views[index]!;
    for (let pair = row === 0 ? 0 : tagEnd[row - 1]!; pair < tagEnd[row]!; pair++) {
      groups.push(key[pair]!);
      sessions.push(viewSessions[index]!);
    }
  }
  const entries = { groups: Uint32Array.from(groups), sessions: Uint32Array.from(sessions) };
  const counts = countEntries(segment, entries, segment.dictionary.texts(KIND.tagKey).length);
  counts.sessions.fill(0);
  counts.bounces.fill(0);
  appendGroups(into, FAMILY.tagKey, counts, (group) => [group, 0, 0]);
}

function fillEvents({ segment, views, events, viewSessions }: SpanRows, into: Rollups): void {
  if (events.length === 0) return;
  const { session, name, durationSeconds, metaEnd } = segment.events.columns;
  const { key } = segment.metaPairs.columns;
  const groups = events.map((row) => name[row]!);
  const sessions = events.map((row) => session[row]!);
  const groupCount = segment.dictionary.texts(KIND.eventName).length;
  const { rows: count, visitors } = countEntries(segment, { groups, sessions }, groupCount);
  const viewsOf = new Uint32Array(segment.sessions.rowCount);
  for (let index = 0; index < views.length; index++) viewsOf[viewSessions[index]!]!++;
  const seconds = new Float64Array(groupCount);
  const viewCounts = new Float64Array(groupCount);
  const fired = new PairIndex();
  const keys = new PairIndex();
  for (let index = 0; index < events.length; index++) {
    const row = events[index]!;
    const group = groups[index]!;
    seconds[group]! += durationSeconds[row]!;
    const known = fired.count;
    if (fired.idOf(sessions[index]!, group) === known)
      viewCounts[group]! += viewsOf[sessions[index]!]!;
    for (let pair = row === 0 ? 0 : metaEnd[row - 1]!; pair < metaEnd[row]!; pair++) {
      keys.idOf(group, key[pair]!);
    }
  }
  for (let group = 0; group < groupCount; group++) {
    if (count[group] === 0) continue;
    const row = appendGroup(into, FAMILY.eventName, [group, 0, 0]);
    const { columns } = into.rollups;
    columns.timed[row] = count[group]!;
    columns.seconds[row] = seconds[group]!;
    columns.visitors[row] = visitors[group]!;
    columns.views[row] = viewCounts[group]!;
  }
  for (let pair = 0; pair < keys.count; pair++) {
    appendGroup(into, FAMILY.eventKey, [keys.firsts[pair]!, keys.seconds[pair]!, 0]);
  }
}

function fillReferrers({ segment, sessions }: SpanRows, into: Rollups): void {
  const { referrerName, referrer, referrerIcon } = segment.sessions.columns;
  const { dictionary } = segment;
  const groups = sessions.map((row) => referrerName[row]!);
  const groupCount = dictionary.texts(KIND.referrerName).length;
  const counts = countEntries(segment, { groups, sessions }, groupCount);
  const [urls, icons] = [KIND.referrer, KIND.referrerIcon].map((kind) => dictionary.texts(kind));
  const smallest = new Map<number, { url: number; icon: number }>();
  for (const row of sessions) {
    const held = smallest.get(referrerName[row]!) ?? { url: 0, icon: 0 };
    held.url = smallerOf(urls as readonly string[], held.url, referrer[row]!);
    held.icon = smallerOf(icons as readonly string[], held.icon, referrerIcon[row]!);
    smallest.set(referrerName[row]!, held);
  }
  counts.rows.fill(0);
  appendGroups(into, FAMILY.referrerName, counts, (group) => {
    const { url, icon } = smallest.get(group) ?? { url: 0, icon: 0 };
    return [group, url, icon];
  });
}

function smallerOf(texts: readonly string[], held: number, other: number): number {
  if (other === 0 || other === held) return held;
  if (held === 0) return other;
  return compareCodePoints(texts[other]!, texts[held]!) < 0 ? other : held;
}

function fillSessions(
  { segment, sessions }: SpanRows,
  into: Rollups,
  family: { code: number; keys: readonly SessionKey[]; blanksUnknown: boolean },
): void {
  const { keys, code, blanksUnknown } = family;
  const columns = keys.map((key) => segment.sessions.columns[key]);
  // Groups of one key are its ids; each further key makes pairs of them.
  const levels = keys.slice(1).map(() => new PairIndex());
  const [first] = columns;
  const groups = sessions.map((row) => {
    const isBlank = blanksUnknown && first![row] === 0;
    let group = first![row]!;
    for (let level = 0; level < levels.length; level++) {
      group = levels[level]!.idOf(group, isBlank ? 0 : columns[level + 1]![row]!);
    }
    return group;
  });
  let groupCount = levels.at(-1)?.count ?? 0;
  if (levels.length === 0) for (const group of groups) groupCount = Math.max(groupCount, group + 1);
  const { visitors, rows } = countEntries(segment, { groups, sessions }, groupCount);
  for (let group = 0; group < groupCount; group++) {
    if (rows[group] === 0) continue;
    const row = appendGroup(into, code, keysOf(levels, group));
    into.rollups.columns.visitors[row] = visitors[group]!;
  }
}

function keysOf(levels: readonly PairIndex[], group: number): readonly [number, number, number] {
  const [pairs, triples] = levels;
  if (pairs === undefined) return [group, 0, 0];
  if (triples === undefined) return [pairs.firsts[group]!, pairs.seconds[group]!, 0];
  const pair = triples.firsts[group]!;
  return [pairs.firsts[pair]!, pairs.seconds[pair]!, triples.seconds[group]!];
}

function appendGroup(
  into: Rollups,
  code: number,
  [first, second, third]: readonly [number, number, number],
): number {
  const row = into.rollups.append();
  const { columns } = into.rollups;
  columns.family[row] = code;
  columns.first[row] = first;
  columns.second[row] = second;
  columns.third[row] = third;
  return row;
}

/** Appends every group that counts anything. */
function appendGroups(
  into: Rollups,
  code: number,
  counts: Counts,
  keysOfGroup: (group: number) => readonly [number, number, number],
): void {
  for (let group = 0; group < counts.rows.length; group++) {
    if (counts.visitors[group] === 0) continue;
    const row = appendGroup(into, code, keysOfGroup(group));
    const { columns } = into.rollups;
    columns.views[row] = counts.rows[group]!;
    columns.sessions[row] = counts.sessions[group]!;
    columns.visitors[row] = counts.visitors[group]!;
    columns.bounces[row] = counts.bounces[group]!;
  }
}

/** Counts per group; groups from `groupCount` on are left out. */
function countEntries(segment: Segment, entries: Entries, groupCount: number): Counts {
  const { groups } = entries;
  const { visitor, isBounce } = segment.sessions.columns;
  const counts: Counts = {
    rows: new Uint32Array(groupCount),
    sessions: new Uint32Array(groupCount),
    visitors: new Uint32Array(groupCount),
    bounces: new Uint32Array(groupCount),
  };
  for (let index = 0; index < groups.length; index++) {
    if (groups[index]! < groupCount) counts.rows[groups[index]!]!++;
  }
  const sorted = sortedSessions(entries, counts.rows);
  const sessionStamps = new Uint32Array(segment.sessions.rowCount);
  const visitorStamps = new Uint32Array(segment.visitors.rowCount);
  let index = 0;
  for (let group = 0; group < groupCount; group++) {
    const stamp = group + 1;
    for (const end = index + counts.rows[group]!; index < end; index++) {
      const session = sorted[index]!;
      if (sessionStamps[session] === stamp) continue;
      sessionStamps[session] = stamp;
      counts.sessions[group]!++;
      counts.bounces[group]! += isBounce[session]!;
      const ordinal = visitor[session]!;
      if (visitorStamps[ordinal] === stamp) continue;
      visitorStamps[ordinal] = stamp;
      counts.visitors[group]!++;
    }
  }
  return counts;
}

/** The entries' sessions in order of group. */
function sortedSessions({ groups, sessions }: Entries, sizes: Uint32Array): Uint32Array {
  const next = new Uint32Array(sizes.length);
  let start = 0;
  for (let group = 0; group < sizes.length; group++) {
    next[group] = start;
    start += sizes[group]!;
  }
  const sorted = new Uint32Array(start);
  for (let index = 0; index < groups.length; index++) {
    const group = groups[index]!;
    if (group < sizes.length) sorted[next[group]!++] = sessions[index]!;
  }
  return sorted;
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
