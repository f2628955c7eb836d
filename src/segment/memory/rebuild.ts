/**
 * A segment without some of its rows: what is kept is copied into a new segment.
 *
 * Data plane. The copy is a new object with a dictionary of its own, so that texts that nobody uses
 * any more are gone and no cache takes it for the old one. What is kept keeps its order.
 *
 *     sessions keep their row numbers, and so their ids (I-34): a session whose last row went leaves
 *     an empty row behind (`pageViews` 0, visitor `NONE`, times 0), but for those at the end
 *     visitors without a session go; ordinals close up
 *     time on page and the chain of views follow the views that are left (I-60, I-62)
 */

import { DICTIONARY_KINDS, TEXT_DIMENSIONS } from '../../model/dimensions.ts';
import type { Dictionary } from './dictionary.ts';
import { KIND } from './dictionary.ts';
import { BOUND_ELSEWHERE, NONE } from './layout.ts';
import { Segment } from './segment.ts';
import { timeOnPage } from './time-on-page.ts';

/** Columns of sessions that hold texts, and of which kind. */
const SESSION_TEXTS = [
  { name: 'entryPath', kind: KIND.path },
  { name: 'exitPath', kind: KIND.path },
  { name: 'entryTitle', kind: KIND.title },
  { name: 'exitTitle', kind: KIND.title },
  ...TEXT_DIMENSIONS.map((name) => ({ name, kind: KIND[name] })),
] as const;

/** Which rows of a segment stay: one byte per row, 0 goes. */
export interface KeptRows {
  readonly views: Uint8Array;
  readonly events: Uint8Array;
  readonly carried: Uint8Array;
}

/** Texts on their way from one dictionary to another: by kind, new id by old id. */
class TextMover {
  readonly #from: Dictionary;
  readonly #to: Dictionary;
  readonly #moved: (Uint32Array | undefined)[] = DICTIONARY_KINDS.map(() => undefined);

  constructor(from: Dictionary, to: Dictionary) {
    this.#from = from;
    this.#to = to;
  }

  /** Id in the new dictionary. Added without the bound of I-79, which the old one has kept to. */
  move(kind: number, id: number): number {
    if (id === 0) return 0;
    let moved = this.#moved[kind];
    if (moved === undefined) {
      moved = new Uint32Array(this.#from.texts(kind).length);
      this.#moved[kind] = moved;
    }
    const known = moved[id]!;
    if (known !== 0) return known;
    const added = this.#to.texts(kind).length;
    this.#to.load(kind, this.#from.texts(kind)[id]!);
    moved[id] = added;
    return added;
  }
}

/**
 * Copies the kept rows of a segment.
 *
 * @param kept flags for every row of the tables named. A session stays while a row of it does; its
 *   fields stay as they are.
 * @returns a new segment, all of it unsaved; `segment` is not changed.
 * @cost one pass over every table.
 */
export function rebuildSegment(segment: Segment, kept: KeptRows): Segment {
  const rebuilt = new Segment(segment.domainId, segment.day);
  const texts = new TextMover(segment.dictionary, rebuilt.dictionary);
  const stays = sessionsWithRows(segment, kept);
  const ordinals = copyVisitors(segment, rebuilt, stays);
  copySessions(segment, rebuilt, { stays, ordinals, texts });
  copyViews(segment, rebuilt, kept.views, texts);
  copyEvents(segment, rebuilt, kept.events, texts);
  copyCarried(segment, rebuilt, kept.carried);
  return rebuilt;
}

/** One byte per session: 1 while a kept row is of it. */
export function sessionsWithRows(segment: Segment, kept: KeptRows): Uint8Array {
  const stays = new Uint8Array(segment.sessions.rowCount);
  const { session: ofView } = segment.views.columns;
  const { session: ofEvent } = segment.events.columns;
  for (let row = 0; row < kept.views.length; row++) {
    if (kept.views[row] !== 0) stays[ofView[row]!] = 1;
  }
  for (let row = 0; row < kept.events.length; row++) {
    if (kept.events[row] !== 0) stays[ofEvent[row]!] = 1;
  }
  return stays;
}

/** @returns new ordinal by old one, `NONE` for visitors that go. */
function copyVisitors(from: Segment, to: Segment, stays: Uint8Array): Uint32Array {
  const { visitor } = from.sessions.columns;
  const { low, high, session } = from.visitors.columns;
  const ordinals = new Uint32Array(from.visitors.rowCount).fill(NONE);
  for (let row = 0; row < stays.length; row++) {
    if (stays[row] !== 0) ordinals[visitor[row]!] = 0;
  }
  for (let old = 0; old < ordinals.length; old++) {
    if (ordinals[old] === NONE) continue;
    const row = to.visitors.append();
    ordinals[old] = row;
    const { columns } = to.visitors;
    const bound = session[old]!;
    const isGone = bound !== BOUND_ELSEWHERE && bound !== NONE && stays[bound] === 0;
    columns.low[row] = low[old]!;
    columns.high[row] = high[old]!;
    columns.session[row] = isGone ? NONE : bound;
  }
  return ordinals;
}

function copySessions(
  from: Segment,
  to: Segment,
  by: { stays: Uint8Array; ordinals: Uint32Array; texts: TextMover },
): void {
  const { stays, ordinals, texts } = by;
  const { sessions } = to;
  const source = from.sessions.columns;
  const count = stays.lastIndexOf(1) + 1;
  for (let row = 0; row < count; row++) {
    sessions.append();
    const { columns } = sessions;
    columns.lastView[row] = NONE;
    if (stays[row] === 0) {
      sessions.widen('visitor', NONE);
      columns.visitor[row] = NONE;
      continue;
    }
    sessions.widen('extended', source.extended[row]!);
    sessions.widen('boundDays', source.boundDays[row]!);
    for (let index = 0; index < sessions.names.length; index++) {
      const name = sessions.names[index]!;
      columns[name][row] = source[name][row]!;
    }
    columns.visitor[row] = ordinals[source.visitor[row]!]!;
    columns.lastView[row] = NONE;
    moveSessionTexts(source, sessions, row, texts);
    to.cover(columns.startMs[row]!);
    to.cover(columns.lastMs[row]!);
  }
}

/**
 * Sets the texts of a session that is copied.
 *
 * Every text is moved before its column is taken: a new id may need a wider one, another array.
 */
function moveSessionTexts(
  source: Segment['sessions']['columns'],
  into: Segment['sessions'],
  row: number,
  texts: TextMover,
): void {
  for (let index = 0; index < SESSION_TEXTS.length; index++) {
    const { name, kind } = SESSION_TEXTS[index]!;
    const id = texts.move(kind, source[name][row]!);
    into.columns[name][row] = id;
  }
}

function copyViews(from: Segment, to: Segment, kept: Uint8Array, texts: TextMover): void {
  const source = from.views.columns;
  const moved = new Uint32Array(kept.length).fill(NONE);
  const { views, sessions } = to;
  for (let old = 0; old < kept.length; old++) {
    if (kept[old] === 0) continue;
    const start = old === 0 ? 0 : source.tagEnd[old - 1]!;
    copyPairs(from, to, { table: 'tagPairs', start, end: source.tagEnd[old]! }, texts);
    const path = texts.move(KIND.path, source.path[old]!);
    const title = texts.move(KIND.title, source.title[old]!);
    const row = views.append();
    moved[old] = row;
    const { columns } = views;
    columns.timeMs[row] = source.timeMs[old]!;
    columns.session[row] = source.session[old]!;
    columns.path[row] = path;
    columns.title[row] = title;
    columns.tagEnd[row] = to.tagPairs.rowCount;
    to.cover(source.timeMs[old]!);
  }
  const { columns } = views;
  for (let old = 0; old < kept.length; old++) {
    if (kept[old] === 0) continue;
    const row = moved[old]!;
    const before = keptBefore(source.previous, kept, source.previous[old]!);
    columns.previous[row] = before === NONE ? NONE : moved[before]!;
    if (before === NONE) continue;
    columns.timeOnPage[moved[before]!] = timeOnPage(source.timeMs[before]!, source.timeMs[old]!);
  }
  const { lastView } = from.sessions.columns;
  for (let session = 0; session < sessions.rowCount; session++) {
    if (sessions.columns.visitor[session] === NONE) continue;
    const last = keptBefore(source.previous, kept, lastView[session]!);
    sessions.columns.lastView[session] = last === NONE ? NONE : moved[last]!;
  }
}

/** The first view of a chain, from `row` on backwards, that is kept. */
function keptBefore(previous: Uint32Array, kept: Uint8Array, row: number): number {
  let view = row;
  while (view !== NONE && kept[view] === 0) view = previous[view]!;
  return view;
}

function copyEvents(from: Segment, to: Segment, kept: Uint8Array, texts: TextMover): void {
  const source = from.events.columns;
  const { events } = to;
  for (let old = 0; old < kept.length; old++) {
    if (kept[old] === 0) continue;
    const start = old === 0 ? 0 : source.metaEnd[old - 1]!;
    copyPairs(from, to, { table: 'metaPairs', start, end: source.metaEnd[old]! }, texts);
    const name = texts.move(KIND.eventName, source.name[old]!);
    const path = texts.move(KIND.path, source.path[old]!);
    const title = texts.move(KIND.title, source.title[old]!);
    const row = events.append();
    const { columns } = events;
    columns.timeMs[row] = source.timeMs[old]!;
    columns.session[row] = source.session[old]!;
    columns.name[row] = name;
    columns.path[row] = path;
    columns.title[row] = title;
    columns.durationSeconds[row] = source.durationSeconds[old]!;
    columns.metaEnd[row] = to.metaPairs.rowCount;
    to.cover(source.timeMs[old]!);
  }
}

function copyPairs(
  from: Segment,
  to: Segment,
  pairs: { table: 'tagPairs' | 'metaPairs'; start: number; end: number },
  texts: TextMover,
): void {
  const source = from[pairs.table].columns;
  const target = to[pairs.table];
  const keyKind = pairs.table === 'tagPairs' ? KIND.tagKey : KIND.metaKey;
  const valueKind = pairs.table === 'tagPairs' ? KIND.tagValue : KIND.metaValue;
  for (let old = pairs.start; old < pairs.end; old++) {
    const key = texts.move(keyKind, source.key[old]!);
    const value = texts.move(valueKind, source.value[old]!);
    const row = target.append();
    target.columns.key[row] = key;
    target.columns.value[row] = value;
  }
}

function copyCarried(from: Segment, to: Segment, kept: Uint8Array): void {
  const { carried } = to;
  for (let old = 0; old < kept.length; old++) {
    if (kept[old] === 0) continue;
    const row = carried.append();
    for (let index = 0; index < carried.names.length; index++) {
      const name = carried.names[index]!;
      carried.columns[name][row] = from.carried.columns[name][old]!;
    }
  }
}
