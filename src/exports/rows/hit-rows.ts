/**
 * Page views or events of a segment for an export: by session, and within it in the order in which they
 * came.
 *
 * Data plane. A sort by counting, of some sessions at a time, so that memory does not grow with the day:
 * the blocks that have rows of these sessions are read, and each row goes to its place.
 *
 *     blocks   s2 s0 s2 s1 │ s0 s3 …        places   s0 0  s1 2  s2 3  s3 5
 *     sorted   s0 s0 s1 s2 s2 │ s3 …
 */

import { KIND } from '../../segment/memory/dictionary.ts';
import { type Layout, NONE } from '../../segment/memory/layout.ts';
import type { Table } from '../../segment/memory/table.ts';
import { TextForms, textBytes } from '../../segment/memory/text-bytes.ts';
import { fillTimesOnPage } from '../../segment/memory/time-on-page.ts';
import { BATCH_ROWS, keyVectors, type TakenSessions } from './taken-sessions.ts';
import { type Batch, numbers, TextList, type TextVector, textsBy } from './vectors.ts';

/** Rows that are sorted at once; all those of a session, however many it has. */
const SORTED_ROWS = 262_144;

type HitTable = 'views' | 'events';

/** Columns of numbers, and the one that says where a row's pairs end. */
const COLUMNS = {
  views: { words: ['session', 'path', 'title'], ends: 'tagEnd' },
  events: { words: ['session', 'name', 'path', 'title', 'durationSeconds'], ends: 'metaEnd' },
} as const;

/** Sorted rows. */
interface SortedHits {
  readonly count: number;
  readonly times: Float64Array;
  /** By column; also `start` and `end` of the pairs of a row. */
  readonly words: (name: string) => Uint32Array;
}

/**
 * Rows of the sessions that are taken.
 *
 * @param sortedRows of how many there is room while they are sorted.
 */
export function* hitBatches(
  taken: TakenSessions,
  name: HitTable,
  sortedRows = SORTED_ROWS,
): Generator<Batch> {
  const { room } = taken;
  const order = orderOf(taken, name);
  const { places } = order;
  const sessions = places.length - 1;
  for (let from = 0, to = 1; from < sessions; from = to++) {
    while (to < sessions && places[to + 1]! - places[from]! <= sortedRows) to++;
    const count = places[to]! - places[from]!;
    if (count === 0) continue;
    const words = (column: string) => room.words(`sorted ${column}`, count);
    const hits = { count, times: room.doubles('sorted timeMs', count), words };
    fill(hits, { taken, name, order }, { from, to });
    if (name === 'views') fillSeconds(hits);
    for (let first = 0; first < count; first += BATCH_ROWS)
      yield hitBatch(taken, name, { hits, first });
  }
}

/** Where the rows of a table go. */
interface Order {
  /** By session: where its first row goes; last, how many rows there are. */
  readonly places: Uint32Array;
  /** By block: the first and the last session that it has rows of. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
}

function orderOf({ segment, visitors, room }: TakenSessions, name: HitTable): Order {
  const table = tableOf(segment, name);
  const places = new Uint32Array(visitors.length + 1);
  const firsts = new Uint32Array(table.blockCount).fill(NONE);
  const lasts = new Uint32Array(table.blockCount);
  const session = room.words('block session', table.blockRows);
  for (let block = 0; block < firsts.length; block++) {
    const rows = readBlock(table, 'session', block, session);
    for (let row = 0; row < rows; row++) {
      const of = session[row]!;
      if (visitors[of] === NONE) continue;
      places[of + 1]!++;
      if (of < firsts[block]!) firsts[block] = of;
      if (of > lasts[block]!) lasts[block] = of;
    }
  }
  for (let at = 1; at < places.length; at++) places[at]! += places[at - 1]!;
  return { places, firsts, lasts };
}

/** Sorts the rows of the sessions `[from, to)`, whose places are used up then. */
function fill(
  { times, words }: SortedHits,
  { taken, name, order }: { taken: TakenSessions; name: HitTable; order: Order },
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const { segment, visitors, room } = taken;
  const { places, firsts, lasts } = order;
  const { words: names, ends } = COLUMNS[name];
  const table = tableOf(segment, name);
  const base = places[from]!;
  const picked = room.words('block picked', table.blockRows);
  const targets = room.words('block targets', table.blockRows);
  const block32 = room.words('block words', table.blockRows);
  const block64 = room.doubles('block doubles', table.blockRows);
  for (let block = 0; block < firsts.length; block++) {
    if (firsts[block]! >= to || lasts[block]! < from) continue;
    let count = 0;
    const rows = readBlock(table, 'session', block, block32);
    for (let row = 0; row < rows; row++) {
      const of = block32[row]!;
      if (of < from || of >= to || visitors[of] === NONE) continue;
      picked[count] = row;
      targets[count++] = places[of]!++ - base;
    }
    const put = (sorted: Uint32Array | Float64Array, values: Uint32Array | Float64Array) => {
      for (let at = 0; at < count; at++) sorted[targets[at]!] = values[picked[at]!]!;
    };
    for (const column of names) {
      readBlock(table, column, block, block32);
      put(words(column), block32);
    }
    readBlock(table, 'timeMs', block, block64);
    put(times, block64);
    readBlock(table, ends, block, block32);
    put(words('end'), block32);
    // A row's pairs start where those of the row before end.
    block32.copyWithin(1, 0, rows - 1);
    block32[0] = block === 0 ? 0 : table.at(ends, block * table.blockRows - 1);
    put(words('start'), block32);
  }
}

/** Either table: both have the methods, and the columns that are asked for. */
function tableOf(segment: TakenSessions['segment'], name: HitTable): Table<Layout> {
  return segment[name] as unknown as Table<Layout>;
}

/** @returns how many rows the block has. */
function readBlock(
  table: Table<Layout>,
  column: string,
  block: number,
  into: Uint32Array | Float64Array,
): number {
  const first = block * table.blockRows;
  const end = Math.min(first + table.blockRows, table.rowCount);
  table.copy(column, { first, end }, into);
  return end - first;
}

/** Time on page, session by session. */
function fillSeconds({ count, times, words }: SortedHits): void {
  const session = words('session');
  const seconds = words('seconds').fill(0, 0, count);
  for (let start = 0, end = 1; start < count; start = end++) {
    while (end < count && session[end] === session[start]) end++;
    fillTimesOnPage(times, { start, end }, seconds);
  }
}

function hitBatch(
  taken: TakenSessions,
  name: HitTable,
  { hits, first }: { readonly hits: SortedHits; readonly first: number },
): Batch {
  const { texts, room } = taken;
  const rows = Math.min(hits.count - first, BATCH_ROWS);
  const words = (column: string) => hits.words(column).subarray(first, first + rows);
  const text = (kind: number, column: string) => textsBy(words(column), texts[kind]!);
  const isView = name === 'views';
  return {
    rows,
    vectors: [
      ...keyVectors(taken, words('session'), rows),
      numbers(hits.times.subarray(first, first + rows)),
      ...(isView ? [] : [text(KIND.eventName, 'name')]),
      text(KIND.path, 'path'),
      text(KIND.title, 'title'),
      numbers(words(isView ? 'seconds' : 'durationSeconds')),
      pairTexts(taken, name, {
        ...{ starts: words('start'), ends: words('end'), rows },
        ids: room.words('pairs', BATCH_ROWS),
      }),
    ],
  };
}

/** The pairs of rows as JSON objects; '' where there are none. */
function pairTexts(
  { segment, texts }: TakenSessions,
  name: HitTable,
  at: { starts: Uint32Array; ends: Uint32Array; rows: number; ids: Uint32Array },
): TextVector {
  const isView = name === 'views';
  const { key, value } = (isView ? segment.tagPairs : segment.metaPairs).columns;
  const allKeys = new TextForms(texts[isView ? KIND.tagKey : KIND.metaKey]!, JSON.stringify);
  const allValues = new TextForms(texts[isView ? KIND.tagValue : KIND.metaValue]!, JSON.stringify);
  const list = new TextList();
  for (let row = 0; row < at.rows; row++) {
    let text = '';
    for (let pair = at.starts[row]!; pair < at.ends[row]!; pair++) {
      text += `${text === '' ? '{' : ','}${allKeys.of(key[pair]!)}:${allValues.of(value[pair]!)}`;
    }
    at.ids[row] = text === '' ? 0 : list.idOf(`${text}}`);
  }
  return textsBy(at.ids, textBytes(list.texts));
}
