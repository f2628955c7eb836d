// Goal: a column of ids is narrow and yet never loses a bit of an id.
// Method: a segment gets texts, sessions and pairs across the borders of one and two bytes; every row
// is read back, also from disk; sizes are asserted where the budget of an open day depends on them.

import { expect, test, vi } from 'vitest';
import { asDomainId } from '../../../src/model/ids.ts';
import { decodeBlock, encodeBlock } from '../../../src/segment/disk/block-codec.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import { SESSIONS, VIEWS } from '../../../src/segment/memory/layout.ts';
import { Segment } from '../../../src/segment/memory/segment.ts';
import { Table } from '../../../src/segment/memory/table.ts';

const ROWS = 66_000;

/** A segment with a session, two texts and a tag for each of its views. */
function segmentOf(rows: number): Segment {
  const segment = new Segment(asDomainId('domain'), 20_000);
  const { sessions, views, tagPairs, dictionary } = segment;
  for (let at = 0; at < rows; at++) {
    const path = dictionary.intern(KIND.path, `/p${at}`);
    const title = dictionary.intern(KIND.title, `t${at}`);
    const key = dictionary.intern(KIND.tagKey, `k${at}`);
    const pair = tagPairs.append();
    tagPairs.columns.key[pair] = key;
    const session = sessions.append();
    sessions.columns.entryPath[session] = path;
    sessions.columns.exitTitle[session] = title;
    const view = views.append();
    views.columns.path[view] = path;
    views.columns.title[view] = title;
    views.columns.session[view] = session;
    views.columns.tagEnd[view] = tagPairs.rowCount;
  }
  return segment;
}

test('ids across 255, 256, 65,535 and 65,536 are read as they were written, in every column', () => {
  const { sessions, views, tagPairs } = segmentOf(ROWS);
  for (let row = 0; row < ROWS; row++) {
    const { path, title, session, tagEnd } = views.columns;
    const found = [path[row], title[row], session[row], tagEnd[row], tagPairs.columns.key[row]];
    const { entryPath, exitTitle } = sessions.columns;
    const ids = [row + 1, row + 1, row, row + 1, row + 1, row + 1, row + 1];
    expect([...found, entryPath[row], exitTitle[row]]).toEqual(ids);
  }
});

test.each([254, 255, 256, 65_535, 65_536])(
  'a copy of a table read from disk holds the id %i and the one after it',
  (most) => {
    const table = new Table(VIEWS, { isAppended: true });
    table.widen('path', most + 1);
    for (const id of [0, most, most + 1]) {
      const row = table.append();
      table.columns.path[row] = id;
    }
    const copy = new Table(VIEWS, { isAppended: true });
    copy.defer(table.rowCount, () => decodeBlock(copy, 0, encodeBlock(table, 0)));
    expect([...copy.columns.path.subarray(0, 3)]).toEqual([0, most, most + 1]);
  },
);

test('widening keeps what is there, and a narrower bound changes nothing', () => {
  const table = new Table(SESSIONS);
  for (let index = 0; index < 3; index++) {
    const row = table.append();
    table.columns.browser[row] = 250 + row;
  }
  const narrow = table.bytes;
  table.widen('browser', 255);
  expect(table.bytes).toBe(narrow);
  table.widen('browser', 256);
  expect(table.bytes).toBe(narrow + table.capacity);
  table.widen('browser', 7);
  expect([...table.columns.browser.subarray(0, 3)]).toEqual([250, 251, 252]);
});

test('a table that has lost its rows still takes the ids it took before', () => {
  const segment = segmentOf(300);
  segment.views.clear();
  const view = segment.views.append();
  segment.views.columns.path[view] = 299;
  expect(segment.views.columns.path[view]).toBe(299);
});

test('of a day with up to 65,535 texts of a kind a view takes 28 bytes and a session 90 at most', () => {
  const segment = new Segment(asDomainId('domain'), 20_000);
  const { views, sessions, dictionary } = segment;
  for (let text = 0; text < 300; text++) {
    for (let kind = 0; kind < 21; kind++) dictionary.intern(kind, `text ${text}`);
  }
  for (let row = 0; row < 60_000; row++) views.append();
  for (let row = 0; row < 20_000; row++) sessions.append();
  const free = views.capacity / views.rowCount;
  expect(free).toBeLessThanOrEqual(1.125);
  expect(views.bytes / views.capacity).toBeLessThanOrEqual(28);
  expect(sessions.bytes / sessions.capacity).toBeLessThanOrEqual(90);
});

test('a large table is copied a few times in its life, and says what of its room was written to', () => {
  const rows = 2_000_000;
  const table = new Table(VIEWS, { isAppended: true });
  const buffers = new Set<ArrayBufferLike>();
  for (let at = 0; at < rows; at++) {
    const row = table.append();
    table.columns.timeMs[row] = at;
    table.columns.timeOnPage[row] = at & 0xffff;
    if (at >= 1_000_000) buffers.add(table.columns.timeMs.buffer);
  }
  expect(buffers.size).toBe(1);
  const rowBytes = 8 + 4 + 2 + 4;
  expect(table.bytes).toBe(rows * rowBytes);
  expect(table.capacity).toBeGreaterThan(2 * rows);
  // In room that was reserved a column is widened as far as there are rows.
  table.widen('path', 70_000);
  table.columns.path[rows - 1] = 70_000;
  const { timeMs, timeOnPage, path } = table.columns;
  for (let row = 0; row < rows; row += 997) {
    expect([timeMs[row], timeOnPage[row], path[row]]).toEqual([row, row & 0xffff, 0]);
  }
  expect([timeMs[rows - 1], path[rows - 1]]).toEqual([rows - 1, 70_000]);
});

test('where the system gives no room that is not written to, a large table grows by an eighth', () => {
  const bytesMax = 24 << 20;
  class StrictBuffer extends ArrayBuffer {
    constructor(bytes: number) {
      if (bytes > bytesMax) throw new RangeError('Array buffer allocation failed');
      super(bytes);
    }
  }
  vi.stubGlobal('ArrayBuffer', StrictBuffer);
  try {
    const table = new Table(VIEWS, { isAppended: true });
    for (let at = 0; at < 1_000_000; at++) {
      const row = table.append();
      table.columns.timeMs[row] = at;
    }
    expect(table.capacity).toBeLessThan(1_200_000);
    expect(table.columns.timeMs[999_999]).toBe(999_999);
    expect(() => table.reserve(2_000_000)).toThrow(RangeError);
  } finally {
    vi.unstubAllGlobals();
  }
});
