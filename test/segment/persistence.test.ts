// Goal: a segment on disk is the segment in memory, and a stale copy catches up with it.
// Method: random rows and texts appended between saves; a reader refreshes and must be equal.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DICTIONARY_KINDS } from '../../src/model/dimensions.ts';
import { KIND } from '../../src/segment/dictionary.ts';
import { TABLE_NAMES } from '../../src/segment/layout.ts';
import {
  loadSegment,
  readHeader,
  refreshSegment,
  type SegmentHeader,
  saveSegment,
} from '../../src/segment/persistence.ts';
import { Segment } from '../../src/segment/segment.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';

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
      return table.names.map((column) =>
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
  const segment = new Segment('domain', 20_000);
  let header: SegmentHeader | null = null;
  grow(segment, 2_500, 1);
  environment.write(() => {
    header = saveSegment(environment, segment, header, 1);
  });
  environment.refresh();
  const copy = loadSegment(
    environment,
    'domain',
    20_000,
    readHeader(environment, 'domain', 20_000)!,
  );
  expect(contentOf(copy.segment)).toEqual(contentOf(segment));

  // One old row, new rows, new texts; blocks in between stay as they are.
  segment.views.columns.timeOnPage[3] = 17;
  segment.views.touch(3);
  grow(segment, 700, 900);
  const untouched = [...(copy.header.blockVersions[TABLE_NAMES.indexOf('views')] ?? [])];
  environment.write(() => {
    header = saveSegment(environment, segment, header, 2);
  });
  environment.refresh();
  expect(contentOf(copy.segment)).not.toEqual(contentOf(segment));
  refreshSegment(environment, copy, readHeader(environment, 'domain', 20_000)!);
  expect(contentOf(copy.segment)).toEqual(contentOf(segment));
  const versions = copy.header.blockVersions[TABLE_NAMES.indexOf('views')];
  expect(untouched).toEqual([1, 1, 1]);
  expect(versions).toEqual([2, 1, 2, 2]);
});
