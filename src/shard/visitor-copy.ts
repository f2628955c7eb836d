/**
 * Copies a visitor from a frozen holder into the holder of a lane, whole (`frozen-holders.ts`).
 *
 * Data plane, once per visitor. What has to stay together goes together: the sessions of a visitor,
 * the ids of later days that are bound to them, and the visitors of those ids (I-46). Sessions keep
 * everything but their row numbers, and so get other ids (I-34).
 *
 *     id ─▶ visitor ─▶ sessions ─▶ ids of later days bound to them ─▶ …
 *      └──▶ link to the id of the day before, home of the session ─▶ …
 */

import { KIND } from '../segment/dictionary.ts';
import { NONE } from '../segment/layout.ts';
import type { OpenSegment } from '../segment/open-segment.ts';
import { moveSessionTexts } from '../segment/rebuild.ts';
import { TextMover } from '../segment/text-mover.ts';
import type { DomainState } from './domain-state.ts';
import { noteEvent } from './rollup-notes.ts';
import { appendView } from './rows.ts';

/** Columns of a session that are copied as they are. */
const KEPT_AS_THEY_ARE = [
  ...(['startMs', 'lastMs', 'pageViews', 'isBounce'] as const),
  ...(['extended', 'boundDays', 'platform'] as const),
] as const;

/** Where visitors are copied from. */
export interface Source {
  /** The day as it is at this place in the log; null if there is none. */
  segment(day: number): OpenSegment | null;
  isHidden(day: number, session: number): boolean;
  /** A session counts no longer here. */
  hide(day: number, session: number): void;
}

/** A visitor id and its UTC day. */
export interface DayId {
  readonly day: number;
  readonly low: number;
  readonly high: number;
}

/** Rows of a day, by number. */
interface Place {
  readonly day: number;
  readonly row: number;
}

/** What stays together. */
interface Closure {
  readonly visitors: readonly Place[];
  /** Rows of `carried`. */
  readonly links: readonly Place[];
}

/**
 * Copies the visitor of an id with all that belongs to it, and hides it in the source.
 *
 * @returns false when the source does not have it, or not any more.
 * @cost in proportion to the visitor's rows.
 */
export function copyVisitor(source: Source, into: DomainState, id: DayId): boolean {
  const { visitors, links } = closureOf(source, id);
  if (visitors.length === 0 && links.length === 0) return false;
  const sessions = new Map<string, number>();
  for (const visitor of visitors) copySessionsOf(source, into, visitor, sessions);
  for (const visitor of visitors) bindVisitor(source, into, visitor, sessions);
  for (const link of links) copyLink(source, into, link, sessions);
  return true;
}

function closureOf(source: Source, first: DayId): Closure {
  const visitors: Place[] = [];
  const links: Place[] = [];
  const known = new Set<string>();
  const left: DayId[] = [];
  const take = (id: DayId): void => {
    const name = `${id.day} ${id.low} ${id.high}`;
    if (known.has(name)) return;
    known.add(name);
    left.push(id);
  };
  take(first);
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const { day, low, high } = id;
    const open = source.segment(day);
    if (open === null) continue;
    const visitor = open.visitorIndex.find(low, high);
    if (visitor >= 0 && hasCountedSession(source, open, visitor)) {
      visitors.push({ day, row: visitor });
      takeLaterIds(source, open, visitor, take);
    }
    const link = open.carriedIndex.find(low, high);
    if (link >= 0 && isCountedLink(source, open, link)) {
      links.push({ day, row: link });
      takeLinked(source, open, link, take);
    }
  }
  // Links lead from day to day: earlier ones first, as they came to be.
  links.sort((a, b) => a.day - b.day);
  return { visitors, links };
}

function hasCountedSession(source: Source, open: OpenSegment, visitor: number): boolean {
  const latest = open.visitorSessions.latestOf(visitor);
  return latest !== NONE && !source.isHidden(open.day, latest);
}

/** Whether a link leads anywhere: its session was not copied with another id. */
function isCountedLink(source: Source, open: OpenSegment, link: number): boolean {
  const { session, homeDay } = open.segment.carried.columns;
  return session[link] === NONE || !source.isHidden(homeDay[link]!, session[link]!);
}

/** The ids of later days that are bound to sessions of the visitor. */
function takeLaterIds(
  source: Source,
  open: OpenSegment,
  visitor: number,
  take: (id: DayId) => void,
): void {
  const { boundDays } = open.segment.sessions.columns;
  const { visitorSessions } = open;
  let session = visitorSessions.latestOf(visitor);
  for (; session !== NONE; session = visitorSessions.before(session)) {
    for (let day = open.day + 1; day <= open.day + boundDays[session]!; day++) {
      const later = source.segment(day);
      const row = later?.carriedRowOfSession(open.day, session) ?? -1;
      if (later === null || row < 0) continue;
      const { low, high } = later.segment.carried.columns;
      take({ day, low: low[row]!, high: high[row]! });
    }
  }
}

/** The id of the day before, and the visitor of the session that the link is bound to. */
function takeLinked(
  source: Source,
  open: OpenSegment,
  link: number,
  take: (id: DayId) => void,
): void {
  const { previousLow, previousHigh, session, homeDay } = open.segment.carried.columns;
  take({ day: open.day - 1, low: previousLow[link]!, high: previousHigh[link]! });
  if (session[link] === NONE) return;
  const home = source.segment(homeDay[link]!);
  if (home === null) return;
  const visitor = home.segment.sessions.columns.visitor[session[link]!]!;
  if (visitor === NONE) return;
  const { low, high } = home.segment.visitors.columns;
  take({ day: home.day, low: low[visitor]!, high: high[visitor]! });
}

function copySessionsOf(
  source: Source,
  into: DomainState,
  { day, row: visitor }: Place,
  copies: Map<string, number>,
): void {
  const from = source.segment(day) as OpenSegment;
  const to = into.segmentOf(day);
  const { low, high } = from.segment.visitors.columns;
  const ordinal = to.visitorOf(low[visitor]!, high[visitor]!);
  const texts = new TextMover(from.segment.dictionary, to.segment.dictionary);
  const rows: number[] = [];
  let session = from.visitorSessions.latestOf(visitor);
  for (; session !== NONE; session = from.visitorSessions.before(session)) rows.push(session);
  // As they were opened.
  for (const row of rows.reverse()) {
    const copy = copySession(from, to, { row, ordinal, texts });
    copies.set(`${day} ${row}`, copy);
    copyViews(from, to, { row, copy, texts });
    copyEvents(from, to, { row, copy, texts });
    source.hide(day, row);
  }
  to.isDirty = true;
}

function copySession(
  from: OpenSegment,
  to: OpenSegment,
  { row, ordinal, texts }: { row: number; ordinal: number; texts: TextMover },
): number {
  const { sessions } = to.segment;
  const source = from.segment.sessions.columns;
  const copy = sessions.append();
  sessions.widen('extended', source.extended[row]!);
  sessions.widen('boundDays', source.boundDays[row]!);
  const { columns } = sessions;
  for (let index = 0; index < KEPT_AS_THEY_ARE.length; index++) {
    const name = KEPT_AS_THEY_ARE[index]!;
    columns[name][copy] = source[name][row]!;
  }
  columns.visitor[copy] = ordinal;
  columns.lastView[copy] = NONE;
  moveSessionTexts(source, sessions, { old: row, row: copy }, texts);
  to.segment.cover(source.startMs[row]!);
  to.segment.cover(source.lastMs[row]!);
  to.visitorSessions.add(ordinal, copy);
  return copy;
}

/** A session on its way. */
interface Copied {
  readonly row: number;
  readonly copy: number;
  readonly texts: TextMover;
}

function copyViews(from: OpenSegment, to: OpenSegment, { row, copy, texts }: Copied): void {
  const { views, tagPairs, sessions } = from.segment;
  const { timeMs, path, title, tagEnd, previous } = views.columns;
  const rows: number[] = [];
  const latest = sessions.columns.lastView[row]!;
  for (let view = latest; view !== NONE; view = previous[view]!) rows.push(view);
  // As they came: equal times keep that order (I-60).
  for (const view of rows.sort((a, b) => a - b)) {
    for (let pair = view === 0 ? 0 : tagEnd[view - 1]!; pair < tagEnd[view]!; pair++) {
      const key = texts.move(KIND.tagKey, tagPairs.columns.key[pair]!);
      const value = texts.move(KIND.tagValue, tagPairs.columns.value[pair]!);
      const at = to.segment.tagPairs.append();
      to.segment.tagPairs.columns.key[at] = key;
      to.segment.tagPairs.columns.value[at] = value;
    }
    appendView(to, copy, {
      timeMs: timeMs[view]!,
      path: texts.move(KIND.path, path[view]!),
      title: texts.move(KIND.title, title[view]!),
    });
  }
}

function copyEvents(from: OpenSegment, to: OpenSegment, { row, copy, texts }: Copied): void {
  const { events, metaPairs } = from.segment;
  const source = events.columns;
  const target = to.segment;
  for (const old of eventsOf(from, row)) {
    for (let pair = old === 0 ? 0 : source.metaEnd[old - 1]!; pair < source.metaEnd[old]!; pair++) {
      const key = texts.move(KIND.metaKey, metaPairs.columns.key[pair]!);
      const value = texts.move(KIND.metaValue, metaPairs.columns.value[pair]!);
      const at = target.metaPairs.append();
      target.metaPairs.columns.key[at] = key;
      target.metaPairs.columns.value[at] = value;
    }
    const name = texts.move(KIND.eventName, source.name[old]!);
    const path = texts.move(KIND.path, source.path[old]!);
    const title = texts.move(KIND.title, source.title[old]!);
    const event = target.events.append();
    const { columns } = target.events;
    columns.timeMs[event] = source.timeMs[old]!;
    columns.session[event] = copy;
    columns.name[event] = name;
    columns.path[event] = path;
    columns.title[event] = title;
    columns.durationSeconds[event] = source.durationSeconds[old]!;
    columns.metaEnd[event] = target.metaPairs.rowCount;
    noteEvent(to, false);
  }
}

/** By frozen segment: rows of events by session; most segments are asked for many visitors. */
const eventRows = new WeakMap<OpenSegment, Map<number, number[]>>();

function eventsOf(from: OpenSegment, session: number): readonly number[] {
  let bySession = eventRows.get(from);
  if (bySession === undefined) {
    bySession = new Map();
    const { rowCount, columns } = from.segment.events;
    for (let row = 0; row < rowCount; row++) {
      const rows = bySession.get(columns.session[row]!);
      if (rows === undefined) bySession.set(columns.session[row]!, [row]);
      else rows.push(row);
    }
    eventRows.set(from, bySession);
  }
  return bySession.get(session) ?? [];
}

/** Binds the visitor's id to the copy of the session it was bound to; links bind the others. */
function bindVisitor(
  source: Source,
  into: DomainState,
  { day, row: visitor }: Place,
  copies: ReadonlyMap<string, number>,
): void {
  const { low, high, session } = (source.segment(day) as OpenSegment).segment.visitors.columns;
  const copy = copies.get(`${day} ${session[visitor]!}`);
  if (copy === undefined) return;
  const to = into.segmentOf(day);
  to.bindHere(to.visitorOf(low[visitor]!, high[visitor]!), copy);
}

function copyLink(
  source: Source,
  into: DomainState,
  { day, row: link }: Place,
  copies: ReadonlyMap<string, number>,
): void {
  const { columns } = (source.segment(day) as OpenSegment).segment.carried;
  const to = into.segmentOf(day);
  const previous = [columns.previousLow[link]!, columns.previousHigh[link]!] as const;
  const row = to.carriedRowOf(columns.low[link]!, columns.high[link]!, ...previous);
  to.isDirty = true;
  const homeDay = columns.homeDay[link]!;
  const copy = copies.get(`${homeDay} ${columns.session[link]!}`);
  if (copy !== undefined) to.bindCarried(row, homeDay, copy);
}
