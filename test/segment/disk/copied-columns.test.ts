// Goal: rows that are copied are those of the column, wherever its table is and its blocks end.
// Method: tables of a row less than a block up to a row more than two are read from memory, an open day
// and a packed one, into arrays that are full of something else; the plain way is the array.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asDomainId } from '../../../src/model/ids.ts';
import { packSegment } from '../../../src/segment/disk/packed-blocks.ts';
import { openForReading, refreshSegment } from '../../../src/segment/disk/persistence.ts';
import { saveSegment } from '../../../src/segment/disk/save-segment.ts';
import { readHeader } from '../../../src/segment/disk/segment-header.ts';
import type { Layout } from '../../../src/segment/memory/layout.ts';
import { Segment } from '../../../src/segment/memory/segment.ts';
import {
  APPENDED_BLOCK_ROWS,
  BLOCK_ROWS,
  type RowRange,
  type Table,
} from '../../../src/segment/memory/table.ts';
import { ViewChain } from '../../../src/segment/memory/view-chain.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';

const DOMAIN = asDomainId('domain');
/** Of a value that was in an array before. */
const STALE = 0xdead_beef;

let directory = '';
let environment: StateEnvironment;
let day = 20_000;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-copied-columns-'));
  environment = new StateEnvironment(directory);
});

afterAll(async () => {
  await environment.close();
  rmSync(directory, { recursive: true });
});

/** A segment with so many sessions and views; columns that are never set are 0 throughout. */
function segmentOf(sessionRows: number, viewRows: number): Segment {
  const segment = new Segment(DOMAIN, day++);
  const { sessions, views } = segment;
  sessions.widen('entryPath', 70_000);
  sessions.widen('visitor', sessionRows);
  views.widen('path', 70_000);
  for (let at = 0; at < sessionRows; at++) {
    const row = sessions.append();
    const { columns } = sessions;
    columns.startMs[row] = 1_700_000_000_000 + row * 333;
    columns.visitor[row] = sessionRows - row;
    // Small in one block, large in the next.
    columns.entryPath[row] = row < BLOCK_ROWS ? row % 7 : row * 31;
    columns.isBounce[row] = row % 2;
    // Of one row of a block.
    columns.exitTitle[row] = row === BLOCK_ROWS - 1 ? 9 : 0;
    segment.cover(columns.startMs[row]!);
  }
  for (let at = 0; at < viewRows; at++) {
    const row = views.append();
    const { columns } = views;
    columns.timeMs[row] = 1_700_000_000_000 + row * 250;
    columns.session[row] = (row * 7) % sessionRows;
    columns.path[row] = row < APPENDED_BLOCK_ROWS ? 5 : (row * 13) % 70_000;
    segment.cover(columns.timeMs[row]!);
  }
  const chain = new ViewChain();
  chain.link(views.columns, viewRows, sessionRows);
  sessions.columns.lastView.set(chain.heads.subarray(0, sessionRows));
  return segment;
}

type Place = 'memory' | 'an open day' | 'a packed day';

/** The segment as who reads it has it. */
function readFrom(place: Place, segment: Segment): Segment {
  if (place === 'memory') return segment;
  environment.write(() => {
    const header = saveSegment(environment, segment, null, 1);
    if (place === 'a packed day') packSegment(environment, segment, { header, version: 2 });
  });
  environment.refresh();
  const header = readHeader(environment, DOMAIN, segment.day)!;
  expect(header.packed === null).toBe(place === 'an open day');
  const stored = openForReading(environment, DOMAIN, segment.day, header);
  refreshSegment(environment, stored, header);
  return stored.segment;
}

/** Ranges of so many blocks, the last one as far as it goes. */
function rangesOf({ rowCount, blockRows }: Table<Layout>, blocks: number): RowRange[] {
  const ranges: RowRange[] = [];
  for (let first = 0; first < rowCount; first += blocks * blockRows) {
    ranges.push({ first, end: Math.min(first + blocks * blockRows, rowCount) });
  }
  return ranges;
}

/** Copies every column in ranges of so many blocks, and says where it is not the column. */
function differencesOf(read: Table<Layout>, written: Table<Layout>, blocks: number): string[] {
  const differences: string[] = [];
  const wide = new Float64Array(blocks * read.blockRows + 1);
  const narrow = new Uint32Array(wide.length);
  for (const name of read.names) {
    const into = read.layout[name] === 'f64' ? wide : narrow;
    for (const range of rangesOf(read, blocks)) {
      into.fill(STALE);
      read.copy(name, range, into);
      const count = range.end - range.first;
      const right = written.columns[name]!;
      for (let at = 0; at < into.length; at++) {
        const value = at < count ? right[range.first + at] : STALE;
        if (into[at] !== value) differences.push(`${name} ${range.first + at}: ${into[at]}`);
      }
    }
  }
  return differences.slice(0, 5);
}

const BLOCKS: readonly (readonly [string, (rows: number) => number])[] = [
  ['a row less than a block', (rows) => rows - 1],
  ['a block', (rows) => rows],
  ['a row more than a block', (rows) => rows + 1],
  ['two blocks', (rows) => rows * 2],
  ['a row more than two blocks', (rows) => rows * 2 + 1],
];
const PLACES: readonly Place[] = ['memory', 'an open day', 'a packed day'];

test.each(BLOCKS.flatMap(([name, rows]) => PLACES.map((place) => [name, place, rows] as const)))(
  '%s of %s is copied as it is',
  (_, place, rows) => {
    const segment = segmentOf(rows(BLOCK_ROWS), rows(APPENDED_BLOCK_ROWS));
    const read = readFrom(place, segment);
    for (const name of ['sessions', 'views'] as const) {
      const [table, written] = [read[name], segment[name]] as unknown as Table<Layout>[];
      for (const blocks of [1, 2, 3]) {
        expect(differencesOf(table!, written!, blocks), `${name} by ${blocks}`).toEqual([]);
      }
    }
  },
);

test.each(['an open day', 'a packed day'] as const)(
  'of %s nothing is held after a copy, and a column that is held is copied too',
  (place) => {
    const segment = segmentOf(BLOCK_ROWS + 1, APPENDED_BLOCK_ROWS + 1);
    const { views } = readFrom(place, segment);
    const into = new Uint32Array(APPENDED_BLOCK_ROWS * 2);
    const rows = { first: 0, end: views.rowCount };
    const right = Array.from(segment.views.columns.path.subarray(0, views.rowCount));
    views.copy('path', rows, into);
    expect(views.bytes).toBe(0);
    expect(Array.from(into.subarray(0, rows.end))).toEqual(right);
    expect(views.columns.path.length).toBeGreaterThanOrEqual(rows.end);
    into.fill(STALE);
    views.copy('path', rows, into);
    expect(Array.from(into.subarray(0, rows.end))).toEqual(right);
    expect(into[rows.end]).toBe(STALE);
  },
);
