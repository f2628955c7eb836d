// Goal: a segment on disk is the segment in memory, and a stale copy catches up with it.
// Method: random rows and texts appended between saves; a reader refreshes and must be equal.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asDomainId } from '../../../src/model/ids.ts';
import { DICTIONARY_KINDS } from '../../../src/model/text-kinds.ts';
import {
  loadSegment,
  openForReading,
  refreshSegment,
} from '../../../src/segment/disk/persistence.ts';
import { saveSegment } from '../../../src/segment/disk/save-segment.ts';
import { readHeader, type SegmentHeader } from '../../../src/segment/disk/segment-header.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import { NONE, TABLE_NAMES } from '../../../src/segment/memory/layout.ts';
import { Segment } from '../../../src/segment/memory/segment.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';

let directory = '';
let environment: StateEnvironment;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-persistence-'));
  environment = new StateEnvironment(directory);
});

afterAll(async () => {
  await environment.close();
  rmSync(directory, { recursive: true });
});

function contentOf(segment: Segment): unknown {
  return {
    span: [segment.minMs, segment.maxMs],
    tables: TABLE_NAMES.map((name) => {
      const table = segment[name];
      return table.storedNames.map((column) =>
        Array.from((table.columns as Record<string, Uint32Array>)[column] ?? []).slice(
          0,
          table.rowCount,
        ),
      );
    }),
    texts: DICTIONARY_KINDS.map((_, kind) => segment.dictionary.texts(kind)),
  };
}

function grow(segment: Segment, views: number, seed: number): void {
  for (let index = 0; index < views; index++) {
    const row = segment.views.append();
    const { columns } = segment.views;
    columns.timeMs[row] = 1_700_000_000_000 + seed * 1_000 + index;
    columns.path[row] = segment.dictionary.intern(KIND.path, `/p${(index * 7 + seed) % 1_500}`);
    columns.session[row] = Math.floor(row / 3);
    segment.cover(columns.timeMs[row] as number);
    if (row % 3 !== 0) continue;
    const session = segment.sessions.append();
    segment.sessions.columns.startMs[session] = columns.timeMs[row] as number;
    segment.sessions.columns.browser[session] = segment.dictionary.intern(KIND.browser, 'Chrome');
  }
}

test('a saved segment loads with every row and text, and a stale copy catches up', () => {
  const segment = new Segment(asDomainId('domain'), 20_000);
  let header: SegmentHeader | null = null;
  grow(segment, 6_000, 1);
  environment.write(() => {
    header = saveSegment(environment, segment, header, 1);
  });
  environment.refresh();
  const copy = loadSegment(
    environment,
    asDomainId('domain'),
    20_000,
    readHeader(environment, asDomainId('domain'), 20_000)!,
  );
  expect(contentOf(copy.segment)).toEqual(contentOf(segment));

  // One old row, new rows, new texts; blocks in between stay as they are.
  segment.views.columns.tagEnd[4_100] = 17;
  segment.views.touch(4_100);
  grow(segment, 4_000, 900);
  const untouched = [...(copy.header.blockVersions[TABLE_NAMES.indexOf('views')] ?? [])];
  environment.write(() => {
    header = saveSegment(environment, segment, header, 2);
  });
  environment.refresh();
  expect(contentOf(copy.segment)).not.toEqual(contentOf(segment));
  refreshSegment(environment, copy, readHeader(environment, asDomainId('domain'), 20_000)!);
  expect(contentOf(copy.segment)).toEqual(contentOf(segment));
  const versions = copy.header.blockVersions[TABLE_NAMES.indexOf('views')];
  expect(untouched).toEqual([1, 1]);
  expect(versions).toEqual([1, 2, 2]);
});

test('views are linked by time with equal ones in order of arrival, and a stale copy goes on (I-60, I-72)', () => {
  const day = 20_001;
  const segment = new Segment(asDomainId('domain'), day);
  const sessionCount = 40;
  const addViews = (count: number) => {
    for (let index = 0; index < count; index++) {
      const row = segment.views.append();
      // Few distinct instants: late ones and equal ones are common.
      segment.views.columns.timeMs[row] = day * 86_400_000 + ((row * 7_919) % 61) * 1_500;
      segment.views.columns.session[row] = (row * 31) % sessionCount;
    }
  };
  for (let index = 0; index < sessionCount; index++) segment.sessions.append();
  // The writer's own header; what a reader gets is another object.
  let header: SegmentHeader | null = null;
  const save = (version: number) => {
    environment.write(() => {
      header = saveSegment(environment, segment, header, version);
    });
    environment.refresh();
    return readHeader(environment, asDomainId('domain'), day)!;
  };
  addViews(5_000);
  const first = save(1);
  const copy = loadSegment(environment, asDomainId('domain'), day, first);
  const reading = openForReading(environment, asDomainId('domain'), day, first);
  refreshSegment(environment, reading, first);
  expect(chainOf(copy.segment)).toEqual(sortedChain(segment));
  expect(chainOf(reading.segment)).toEqual(sortedChain(segment));
  // Sessions grow as well: one more, with views of its own.
  segment.sessions.append();
  addViews(700);
  segment.views.columns.session[segment.views.append()] = sessionCount;
  const second = save(2);
  refreshSegment(environment, copy, second);
  expect(chainOf(copy.segment)).toEqual(sortedChain(segment));
  refreshSegment(environment, reading, second);
  expect(chainOf(reading.segment)).toEqual(sortedChain(segment));
  // Given up and made anew.
  const source = reading.lazyColumns[TABLE_NAMES.indexOf('views')];
  const held = reading.segment.views.bytes;
  source?.dropUntouched(1);
  expect(reading.segment.views.bytes).toBe(0);
  expect(chainOf(reading.segment)).toEqual(sortedChain(segment));
  expect(reading.segment.views.bytes).toBeLessThanOrEqual(held);
  const anew = loadSegment(environment, asDomainId('domain'), day, second).segment;
  expect(chainOf(anew)).toEqual(sortedChain(segment));
  const heads = Array.from(anew.sessions.columns.lastView.subarray(0, anew.sessions.rowCount));
  expect(heads).toEqual(chains(segment).map((rows) => rows.at(-1) ?? NONE));
});

function chainOf({ views }: Segment) {
  const { previous, timeOnPage } = views.columns;
  return Array.from({ length: views.rowCount }, (_, row) => [previous[row], timeOnPage[row]]);
}

/** Rows of every session's views by time. */
function chains({ sessions, views }: Segment): number[][] {
  const { timeMs, session } = views.columns;
  const rows = Array.from({ length: views.rowCount }, (_, row) => row);
  return Array.from({ length: sessions.rowCount }, (_, of) =>
    rows
      .filter((row) => session[row] === of)
      .sort((left, right) => timeMs[left]! - timeMs[right]! || left - right),
  );
}

function sortedChain(segment: Segment) {
  const { timeMs } = segment.views.columns;
  const linked: number[][] = Array.from({ length: segment.views.rowCount }, () => []);
  for (const rows of chains(segment)) {
    rows.forEach((row, at) => {
      const next = rows[at + 1];
      const seconds = next === undefined ? 0 : Math.floor((timeMs[next]! - timeMs[row]!) / 1_000);
      linked[row] = [rows[at - 1] ?? NONE, Math.min(seconds, 3_600)];
    });
  }
  return linked;
}
