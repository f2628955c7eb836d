/**
 * The rows of a segment for an export: sessions in the order in which they were opened, views and events
 * by session, and within it in the order in which they came.
 *
 * Data plane. A session that began outside of the span is left out with all of its rows, and so are
 * places where a deletion has taken a session.
 */

import { SECOND_MS } from '../../model/limits.ts';
import { KIND } from '../../segment/memory/dictionary.ts';
import { NONE } from '../../segment/memory/layout.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { DIMENSION_COLUMNS, PLATFORM_TEXTS, type RowTable } from '../columns.ts';
import type { Batch, IdVector, NumberVector, TextVector, Vector } from './vectors.ts';

/** Rows of a batch at most. */
const BATCH_ROWS = 16_384;

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Instants `[startMs, endMs)`. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The rows of a table of a segment, in batches. */
export function* batchesOf(segment: Segment, table: RowTable, span: Span): Generator<Batch> {
  const taken = sessionsWithin(segment, span);
  if (table === 'sessions') {
    for (const rows of portionsOf(taken.rows)) yield sessionBatch(segment, rows);
    return;
  }
  const order = rowsBySession(segment[table], taken);
  for (const rows of portionsOf(order)) {
    yield table === 'views' ? viewBatch(segment, rows) : eventBatch(segment, rows);
  }
}

/** Sessions that are taken: their rows, and a byte per session. */
interface TakenSessions {
  readonly rows: Uint32Array;
  readonly flags: Uint8Array;
}

function sessionsWithin({ sessions }: Segment, { startMs, endMs }: Span): TakenSessions {
  const { visitor, startMs: start } = sessions.columns;
  const flags = new Uint8Array(sessions.rowCount);
  const rows = new Uint32Array(sessions.rowCount);
  let count = 0;
  for (let row = 0; row < flags.length; row++) {
    if (visitor[row] === NONE || start[row]! < startMs || start[row]! >= endMs) continue;
    flags[row] = 1;
    rows[count++] = row;
  }
  return { rows: rows.subarray(0, count), flags };
}

/** Rows of taken sessions, sorted by session and else as they stand: a sort by counting. */
function rowsBySession(
  { columns: { session }, rowCount }: Segment['views'] | Segment['events'],
  { flags }: TakenSessions,
): Uint32Array {
  const places = new Uint32Array(flags.length + 1);
  for (let row = 0; row < rowCount; row++) {
    const of = session[row]!;
    if (flags[of] === 1) places[of + 1]!++;
  }
  for (let at = 1; at < places.length; at++) places[at]! += places[at - 1]!;
  const order = new Uint32Array(places[flags.length]!);
  for (let row = 0; row < rowCount; row++) {
    const of = session[row]!;
    if (flags[of] === 1) order[places[of]!++] = row;
  }
  return order;
}

function* portionsOf(rows: Uint32Array): Generator<Uint32Array> {
  for (let first = 0; first < rows.length; first += BATCH_ROWS) {
    yield rows.subarray(first, first + BATCH_ROWS);
  }
}

function sessionBatch(segment: Segment, rows: Uint32Array): Batch {
  const { columns } = segment.sessions;
  const text = (kind: number, column: Column) => textsAt(segment, kind, column, rows);
  const number = (column: Column) => numbers(gathered(column, rows));
  const seconds = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    seconds[at] = Math.floor((columns.lastMs[row]! - columns.startMs[row]!) / SECOND_MS);
  }
  const vectors: Vector[] = [
    ...keyVectors(segment, rows),
    number(columns.startMs),
    number(columns.lastMs),
    numbers(seconds),
    text(KIND.path, columns.entryPath),
    text(KIND.title, columns.entryTitle),
    text(KIND.path, columns.exitPath),
    text(KIND.title, columns.exitTitle),
    number(columns.pageViews),
    number(columns.isBounce),
    number(columns.extended),
    { kind: 'texts', ids: gathered(columns.platform, rows), texts: PLATFORM_TEXTS },
    ...DIMENSION_COLUMNS.map(([, name]) => text(KIND[name], columns[name])),
  ];
  return { rows: rows.length, vectors };
}

function viewBatch(segment: Segment, rows: Uint32Array): Batch {
  const { columns } = segment.views;
  const { tagPairs, dictionary } = segment;
  const texts = { keys: dictionary.texts(KIND.tagKey), values: dictionary.texts(KIND.tagValue) };
  const vectors: Vector[] = [
    ...keyVectors(segment, gathered(columns.session, rows)),
    numbers(gathered(columns.timeMs, rows)),
    textsAt(segment, KIND.path, columns.path, rows),
    textsAt(segment, KIND.title, columns.title, rows),
    numbers(gathered(columns.timeOnPage, rows)),
    pairsAt({ ends: columns.tagEnd, ...tagPairs.columns, ...texts }, rows),
  ];
  return { rows: rows.length, vectors };
}

function eventBatch(segment: Segment, rows: Uint32Array): Batch {
  const { columns } = segment.events;
  const { metaPairs, dictionary } = segment;
  const texts = { keys: dictionary.texts(KIND.metaKey), values: dictionary.texts(KIND.metaValue) };
  const vectors: Vector[] = [
    ...keyVectors(segment, gathered(columns.session, rows)),
    numbers(gathered(columns.timeMs, rows)),
    textsAt(segment, KIND.eventName, columns.name, rows),
    textsAt(segment, KIND.path, columns.path, rows),
    textsAt(segment, KIND.title, columns.title, rows),
    numbers(gathered(columns.durationSeconds, rows)),
    pairsAt({ ends: columns.metaEnd, ...metaPairs.columns, ...texts }, rows),
  ];
  return { rows: rows.length, vectors };
}

/** Day, visitor and number of the sessions of some rows. */
function keyVectors(
  { day, sessions, visitors }: Segment,
  of: ArrayLike<number>,
): [NumberVector, IdVector, NumberVector] {
  const { visitor } = sessions.columns;
  const { low, high } = visitors.columns;
  const lows = new Uint32Array(of.length);
  const highs = new Uint32Array(of.length);
  const session = new Uint32Array(of.length);
  for (let at = 0; at < of.length; at++) {
    const row = of[at]!;
    lows[at] = low[visitor[row]!]!;
    highs[at] = high[visitor[row]!]!;
    // I-34.
    session[at] = row + 1;
  }
  const days = new Uint32Array(of.length).fill(day);
  return [numbers(days), { kind: 'ids', low: lows, high: highs }, numbers(session)];
}

function textsAt(
  { dictionary }: Segment,
  kind: number,
  column: Column,
  rows: Uint32Array,
): TextVector {
  return { kind: 'texts', ids: gathered(column, rows), texts: dictionary.texts(kind) };
}

/** Pairs of a table with their texts. */
interface Pairs {
  readonly ends: Column;
  readonly key: Column;
  readonly value: Column;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** The pairs of rows as JSON objects; '' where there are none. */
function pairsAt({ ends, key, value, keys, values }: Pairs, rows: Uint32Array): TextVector {
  const texts = [''];
  const known = new Map<string, number>();
  const ids = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const end = ends[row]!;
    let text = '';
    for (let pair = row === 0 ? 0 : ends[row - 1]!; pair < end; pair++) {
      const name = JSON.stringify(keys[key[pair]!]);
      text += `${text === '' ? '{' : ','}${name}:${JSON.stringify(values[value[pair]!])}`;
    }
    if (text === '') continue;
    const id = known.get(text) ?? texts.length;
    if (id === texts.length) {
      known.set(text, id);
      texts.push(`${text}}`);
    }
    ids[at] = id;
  }
  return { kind: 'texts', ids, texts };
}

function numbers(values: ArrayLike<number>): NumberVector {
  return { kind: 'numbers', values };
}

function gathered(column: Column, rows: Uint32Array): Uint32Array | Float64Array {
  const length = rows.length;
  const values =
    column instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length);
  for (let at = 0; at < length; at++) values[at] = column[rows[at]!]!;
  return values;
}
