// Goal: a segment opened for reading is the segment on disk, and holds only what is asked for.
// Method: rows appended between saves; some columns are taken before, some after the copy catches up.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asDomainId } from '../../../src/model/ids.ts';
import { openForReading, refreshSegment } from '../../../src/segment/disk/persistence.ts';
import { saveSegment } from '../../../src/segment/disk/save-segment.ts';
import { readHeader, type SegmentHeader } from '../../../src/segment/disk/segment-header.ts';
import { TABLE_NAMES } from '../../../src/segment/memory/layout.ts';
import { Segment } from '../../../src/segment/memory/segment.ts';
import { APPENDED_BLOCK_ROWS } from '../../../src/segment/memory/table.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';

let directory = '';
let environment: StateEnvironment;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-stored-columns-'));
  environment = new StateEnvironment(directory);
});

afterAll(async () => {
  await environment.close();
  rmSync(directory, { recursive: true });
});

function appendViews(segment: Segment, count: number): void {
  for (let index = 0; index < count; index++) {
    const row = segment.views.append();
    const { columns } = segment.views;
    columns.timeMs[row] = 1_700_000_000_000 + row * 250;
    columns.session[row] = row >> 1;
    columns.path[row] = (row * 7) % 1_500;
    columns.title[row] = row % 3_600;
    segment.cover(columns.timeMs[row] as number);
  }
}

/** A segment that is saved as it grows, and what a reader would find. */
function grownTwice(day: number, first: number, second: number) {
  const segment = new Segment(asDomainId('domain'), day);
  let header: SegmentHeader | null = null;
  const save = (version: number): SegmentHeader => {
    environment.write(() => {
      header = saveSegment(environment, segment, header, version);
    });
    environment.refresh();
    return readHeader(environment, asDomainId('domain'), day)!;
  };
  appendViews(segment, first);
  const saved = save(1);
  const copy = openForReading(environment, asDomainId('domain'), day, saved);
  refreshSegment(environment, copy, saved);
  const grow = () => {
    segment.views.columns.title[3] = 999;
    segment.views.touch(3);
    appendViews(segment, second);
    refreshSegment(environment, copy, save(2));
  };
  return { segment, copy, grow };
}

test.each([
  ['one row less than a block', APPENDED_BLOCK_ROWS - 1],
  ['a block', APPENDED_BLOCK_ROWS],
  ['one row more than a block', APPENDED_BLOCK_ROWS + 1],
])('%s is read column by column, before and after it grows', (name, rows) => {
  const day = 20_000 + name.length;
  const { segment, copy, grow } = grownTwice(day, rows, 2_000);
  const { views } = copy.segment;
  const until = (column: ArrayLike<number>) => Array.from(column).slice(0, segment.views.rowCount);
  expect(until(views.columns.path)).toEqual(until(segment.views.columns.path));
  expect(until(views.columns.title)).toEqual(until(segment.views.columns.title));
  grow();
  expect(views.rowCount).toBe(rows + 2_000);
  for (const column of ['path', 'title', 'session', 'timeMs', 'tagEnd'] as const) {
    expect(until(views.columns[column]), column).toEqual(until(segment.views.columns[column]));
  }
});

test('only columns that were asked for take memory, and those left alone are given up', () => {
  const { copy } = grownTwice(21_000, 3_000, 1);
  const { views } = copy.segment;
  // Without a dictionary that widens it, the column of paths had a byte each.
  const source = copy.lazyColumns[TABLE_NAMES.indexOf('views')];
  expect(views.bytes).toBe(0);
  expect(views.columns.path).toHaveLength(3_000);
  expect(views.bytes).toBe(3_000);
  expect(views.columns.timeMs).toHaveLength(3_000);
  expect(views.bytes).toBe(3_000 * 9);
  source?.begin(1);
  expect(views.columns.path[9]).toBe(63);
  source?.dropUntouched(0);
  expect(views.bytes).toBe(3_000 * 9);
  source?.dropUntouched(1);
  expect(views.bytes).toBe(3_000);
  expect(views.columns.timeMs[2]).toBe(1_700_000_000_500);
});
