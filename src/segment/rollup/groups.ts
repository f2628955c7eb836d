/**
 * The pre-aggregates by small groups, worked out from the rows of a span of time: hours, minutes, tags,
 * events, referrers and the dimensions of sessions.
 *
 * Data plane. Per family the group of every row, then one count over all groups.
 */

import { compareCodePoints } from '../../base/code-points.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/limits.ts';
import { KIND } from '../memory/dictionary.ts';
import { PairIndex } from '../memory/pair-index.ts';
import { type Counts, countEntries, type Rollups, type SpanRows } from './counts.ts';
import { FAMILY, SESSION_FAMILIES, type SessionKey } from './families.ts';

/** Fills `rollups`. @param only code of the one family that is asked for; null: all of them. */
export function fillGroups(rows: SpanRows, into: Rollups, only: number | null = null): void {
  const isAsked = (...codes: number[]): boolean => only === null || codes.includes(only);
  if (isAsked(FAMILY.hour, FAMILY.minute)) fillClock(rows, into);
  if (isAsked(FAMILY.tagKey)) fillTags(rows, into);
  if (isAsked(FAMILY.eventName, FAMILY.eventKey)) fillEvents(rows, into);
  if (isAsked(FAMILY.referrerName)) fillReferrers(rows, into);
  for (const { code, keys, blanksUnknown } of SESSION_FAMILIES) {
    if (isAsked(code)) fillSessions(rows, into, { code, keys, blanksUnknown });
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

/** The id of the smaller of two texts; 0, the empty one, counts for nothing. */
export function smallerOf(texts: readonly string[], held: number, other: number): number {
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
