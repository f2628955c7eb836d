// Goal: the rows of an export are those of the sessions taken, also where arrays are used again (P-10).
// Method: days, some with deleted sessions, go one after the other through the same arrays; the plain
// way takes a session, and the rows that say they are of it, one by one.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DIMENSION_COLUMNS,
  EXPORT_COLUMNS,
  PLATFORM_TEXTS,
  ROW_TABLES,
  type RowTable,
} from '../../src/exports/columns.ts';
import { hitBatches } from '../../src/exports/rows/hit-rows.ts';
import { sessionBatches } from '../../src/exports/rows/session-rows.ts';
import {
  BATCH_ROWS,
  type Span,
  type TakenSessions,
  takenSessions,
} from '../../src/exports/rows/taken-sessions.ts';
import { type Batch, Room, type Vector } from '../../src/exports/rows/vectors.ts';
import type { Hit } from '../../src/model/hit.ts';
import { asDomainId } from '../../src/model/ids.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/model/limits.ts';
import { KIND } from '../../src/segment/memory/dictionary.ts';
import { NONE } from '../../src/segment/memory/layout.ts';
import { rebuildSegment } from '../../src/segment/memory/rebuild.ts';
import type { Segment } from '../../src/segment/memory/segment.ts';
import { APPENDED_BLOCK_ROWS } from '../../src/segment/memory/table.ts';
import { DomainState } from '../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../src/shard/state/sessionizer.ts';
import { SegmentBuilder } from '../query/segment-builder.ts';
import { applyHits, event, hit, MONDAY_MS } from '../shard/hit-builder.ts';
import { tries } from '../support/runs.ts';

const NOTHING_STORED = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};
const ALWAYS: Span = { startMs: 0, endMs: Number.POSITIVE_INFINITY };

/** A row as one text: the values of its columns. */
type Row = string;

/** The rows of batches, each taken before the next one is made. */
function rowsOf(batches: Iterable<Batch>): Row[] {
  const rows: Row[] = [];
  for (const batch of batches) {
    for (let row = 0; row < batch.rows; row++) {
      rows.push(batch.vectors.map((vector) => textOf(vector, row)).join('|'));
    }
  }
  return rows;
}

function textOf(vector: Vector, row: number): string {
  if (vector.kind === 'numbers') return String(vector.values[row]);
  if (vector.kind === 'ids') return idOf(vector.low[row]!, vector.high[row]!);
  const { bytes, starts, ends } = vector.texts;
  const id = vector.ids[row]!;
  return bytes.toString('utf8', starts[id], ends[id]);
}

function idOf(low: number, high: number): string {
  return String((BigInt(high) << 32n) | BigInt(low));
}

function batchesOf(taken: TakenSessions, table: RowTable, sortedRows?: number): Iterable<Batch> {
  return table === 'sessions' ? sessionBatches(taken) : hitBatches(taken, table, sortedRows);
}

/** The plain way to the same rows. */
function plainRows(segment: Segment, { startMs, endMs }: Span, table: RowTable): Row[] {
  const { sessions, visitors, dictionary, day } = segment;
  const columns = sessions.columns;
  const rows: Row[] = [];
  const hitsOf = table === 'sessions' ? null : plainHits(segment, table);
  for (let session = 0; session < sessions.rowCount; session++) {
    const visitor = columns.visitor[session]!;
    const start = columns.startMs[session]!;
    if (visitor === NONE || start < startMs || start >= endMs) continue;
    const id = idOf(visitors.columns.low[visitor]!, visitors.columns.high[visitor]!);
    const key = [day, id, session + 1];
    if (hitsOf !== null) {
      for (const values of hitsOf.get(session) ?? []) rows.push([...key, ...values].join('|'));
      continue;
    }
    const text = (kind: number, of: number) => dictionary.texts(kind)[of];
    const last = columns.lastMs[session]!;
    const values = [
      ...[start, last, Math.floor((last - start) / SECOND_MS)],
      text(KIND.path, columns.entryPath[session]!),
      text(KIND.title, columns.entryTitle[session]!),
      text(KIND.path, columns.exitPath[session]!),
      text(KIND.title, columns.exitTitle[session]!),
      ...[columns.pageViews[session], columns.isBounce[session], columns.extended[session]],
      PLATFORM_TEXTS[columns.platform[session]!],
      ...DIMENSION_COLUMNS.map(([, name]) => text(KIND[name], columns[name][session]!)),
    ];
    rows.push([...key, ...values].join('|'));
  }
  return rows;
}

/** By session: its rows in the order in which they came. */
function plainHits(segment: Segment, table: 'views' | 'events'): Map<number, unknown[][]> {
  const { views, events, tagPairs, metaPairs, dictionary } = segment;
  const isView = table === 'views';
  const { session, timeMs, path, title } = segment[table].columns;
  const ends = isView ? views.columns.tagEnd : events.columns.metaEnd;
  const { key, value } = (isView ? tagPairs : metaPairs).columns;
  const seconds = isView ? views.columns.timeOnPage : events.columns.durationSeconds;
  const keys = dictionary.texts(isView ? KIND.tagKey : KIND.metaKey);
  const values = dictionary.texts(isView ? KIND.tagValue : KIND.metaValue);
  const hits = new Map<number, unknown[][]>();
  for (let row = 0; row < segment[table].rowCount; row++) {
    const pairs: string[] = [];
    for (let pair = row === 0 ? 0 : ends[row - 1]!; pair < ends[row]!; pair++) {
      pairs.push(`${JSON.stringify(keys[key[pair]!])}:${JSON.stringify(values[value[pair]!])}`);
    }
    const name = isView ? [] : [dictionary.texts(KIND.eventName)[events.columns.name[row]!]];
    const of = hits.get(session[row]!) ?? [];
    hits.set(session[row]!, of);
    of.push([
      ...[timeMs[row], ...name, dictionary.texts(KIND.path)[path[row]!]],
      ...[dictionary.texts(KIND.title)[title[row]!], seconds[row]],
      pairs.length === 0 ? '' : `{${pairs.join(',')}}`,
    ]);
  }
  return hits;
}

function segmentsOf(hits: readonly Hit[]): Segment[] {
  const domain = new DomainState(NOTHING_STORED, asDomainId('d'), null);
  applyHits(new Sessionizer(), domain, hits);
  return [...domain.segments.values()].map(({ segment }) => segment).sort((a, b) => a.day - b.day);
}

/** The segment after a deletion of some sessions. */
function without(segment: Segment, isDeleted: (session: number) => boolean): Segment {
  const kept = (table: 'views' | 'events') =>
    Uint8Array.from({ length: segment[table].rowCount }, (_, row) =>
      Number(!isDeleted(segment[table].columns.session[row]!)),
    );
  const carried = new Uint8Array(segment.carried.rowCount);
  return rebuildSegment(segment, { views: kept('views'), events: kept('events'), carried });
}

const traffic = fc.array(
  fc.record({
    isView: fc.boolean(),
    person: fc.nat({ max: 5 }),
    minutes: fc.nat({ max: 3 * 24 * 60 }),
    lateMinutes: fc.constantFrom(0, 0, 0, 7),
    text: fc.constantFrom('', '/', '/a', 'ä€👩', 'a longer one'),
    pairs: fc.uniqueArray(fc.constantFrom('k', 'ключ', '"'), { maxLength: 2 }),
  }),
  { maxLength: 80 },
);

type Traffic = typeof traffic extends fc.Arbitrary<infer T> ? T : never;

function hitsOf(given: Traffic): Hit[] {
  return given
    .toSorted((one, other) => one.minutes - other.minutes)
    .map(({ isView, person, minutes, lateMinutes, text, pairs: keys }, at) => {
      const timeMs = MONDAY_MS + DAY_MS + (minutes - lateMinutes) * MINUTE_MS + person;
      const pairs = keys.length === 0 ? null : keys.flatMap((key) => [key, `${text}${at}`]);
      const fields = { path: text, title: `${text}${at % 3}`, browser: text, pairs };
      if (isView) return hit(person, timeMs, fields);
      return event(person, timeMs, {
        ...fields,
        eventName: `e${at % 2}`,
        eventDurationSeconds: at,
      });
    });
}

const minutes = fc.integer({ min: -60, max: 4 * 24 * 60 });
const choice = fc.record({
  span: fc.tuple(minutes, minutes),
  /** By the last digits of a session's number. */
  deleted: fc.nat({ max: 255 }),
  sortedRows: fc.integer({ min: 1, max: 12 }),
});

test('nothing of a session that is left out or deleted appears, nor of another day (P-10)', () => {
  fc.assert(
    fc.property(traffic, choice, (given, { span: [from, to], deleted, sortedRows }) => {
      const [startMs, endMs] = [Math.min(from, to), Math.max(from, to)].map(
        (minute) => MONDAY_MS + DAY_MS + minute * MINUTE_MS,
      ) as [number, number];
      const segments = segmentsOf(hitsOf(given)).map((segment) =>
        without(segment, (session) => ((deleted >>> (session & 7)) & 1) === 1),
      );
      const room = new Room();
      for (const span of [ALWAYS, { startMs, endMs }, ALWAYS]) {
        for (const segment of segments) {
          const taken = takenSessions(segment, span, room);
          for (const table of ROW_TABLES) {
            const right = plainRows(segment, span, table);
            expect(rowsOf(batchesOf(taken, table, sortedRows))).toEqual(right);
          }
        }
      }
    }),
    tries(400),
  );
});

test('sessions around the end of a batch are taken, whichever others are not (P-10)', () => {
  const room = new Room();
  const builder = new SegmentBuilder('2024-05-06');
  const step = { at: '10:00', view: '/' };
  for (let at = 0; at < BATCH_ROWS + 3; at++) {
    const dimensions = { country: at % 3 === 0 ? '' : `c${at % 200}` };
    builder.session(`${at % 9_000}`, [{ ...step, view: `/${at % 700}` }], dimensions);
  }
  const { sessions, views } = builder.segment;
  const { startMs, isBounce } = sessions.columns;
  const isTaken: readonly ((session: number) => boolean)[] = [
    () => true,
    (session) => session % 3 === 1,
    (session) => session >= BATCH_ROWS,
    (session) => session < BATCH_ROWS,
    (session) => session === BATCH_ROWS - 1 || session === BATCH_ROWS + 2,
    () => false,
  ];
  for (const is of isTaken) {
    for (let session = 0; session < sessions.rowCount; session++) {
      startMs[session] = views.columns.timeMs[session]! - (is(session) ? 0 : DAY_MS);
      isBounce[session] = session & 1;
    }
    const span = { startMs: MONDAY_MS, endMs: MONDAY_MS + DAY_MS };
    const taken = takenSessions(builder.segment, span, room);
    const found = rowsOf(sessionBatches(taken));
    const right = plainRows(builder.segment, span, 'sessions');
    expect(found.length).toBe(right.length);
    expect(right.findIndex((row, at) => row !== found[at])).toBe(-1);
  }
});

test.each([1, 60, 1_000, APPENDED_BLOCK_ROWS, 1_000_000])(
  'rows of a day that are sorted by %i are those of the day, session by session (P-10)',
  (sortedRows) => {
    const { segment, right } = largeDay();
    const room = new Room();
    const taken = takenSessions(segment, ALWAYS, room);
    for (const table of ['views', 'events'] as const) {
      expect(segment[table].rowCount).toBeGreaterThan(APPENDED_BLOCK_ROWS);
      const found = rowsOf(hitBatches(taken, table, sortedRows));
      expect(found.length).toBe(segment[table].rowCount);
      expect(right[table].findIndex((row, at) => row !== found[at])).toBe(-1);
    }
  },
);

test('room for rows that are sorted is that of a portion, however large the day is', () => {
  const { segment } = largeDay();
  for (const [sortedRows, places] of [
    [1_000, 4_096],
    [APPENDED_BLOCK_ROWS, 4_096],
    [1_000_000, 8_192],
  ] as const) {
    const room = new Room();
    const rows = rowsOf(hitBatches(takenSessions(segment, ALWAYS, room), 'views', sortedRows));
    expect(rows.length).toBe(segment.views.rowCount);
    expect(room.doubles('sorted timeMs', 1).length).toBe(places);
  }
});

let large: { segment: Segment; right: Record<'views' | 'events', Row[]> } | null = null;

/** A day whose sessions have rows in all blocks of both tables; one has 200 views. */
function largeDay() {
  if (large !== null) return large;
  const hits = Array.from({ length: 10_500 }, (_, at) => {
    const person = at % 5 === 0 ? 0 : at % 170;
    const pairs = at % 3 === 0 ? [`k${at % 2}`, `${at % 500}`] : null;
    const fields = { path: `/${at % 800}`, title: `ü${at % 90}`, pairs };
    const timeMs = MONDAY_MS + at * 7_000;
    return at % 2 === 0 ? hit(person, timeMs, fields) : event(person, timeMs, fields);
  });
  const [segment] = segmentsOf(hits) as [Segment];
  const right = {
    views: plainRows(segment, ALWAYS, 'views'),
    events: plainRows(segment, ALWAYS, 'events'),
  };
  large = { segment, right };
  return large;
}

test('a row has a value for every column of its table', () => {
  const [segment] = segmentsOf([hit(1, MONDAY_MS), event(1, MONDAY_MS + 1)]) as [Segment];
  const taken = takenSessions(segment, ALWAYS, new Room());
  for (const table of ROW_TABLES) {
    const [batch] = [...batchesOf(taken, table)];
    expect(batch?.vectors.length).toBe(EXPORT_COLUMNS[table].length);
  }
});
