// Goal: a day that is over takes few large values on disk, and nobody can tell from what it holds.
// Method: an actor is led past the end of the day; its state is read back before and after, and after
// a hit that comes late, also by a reader that has held the day all along.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeGroups } from '../../src/bus/record/codec.ts';
import { DICTIONARY_KINDS } from '../../src/model/dimensions.ts';
import type { Hit } from '../../src/model/hit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/model/limits.ts';
import { loadSegment, openForReading, refreshSegment } from '../../src/segment/disk/persistence.ts';
import { readHeader, type SegmentHeader } from '../../src/segment/disk/segment-header.ts';
import { TABLE_NAMES } from '../../src/segment/memory/layout.ts';
import type { Segment } from '../../src/segment/memory/segment.ts';
import { Actor } from '../../src/shard/actor/actor.ts';
import { LeaseTable } from '../../src/shard/state/lease-table.ts';
import { shardStatePath } from '../../src/store/state-directories.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { hit, MONDAY_MS } from './hit-builder.ts';

const DAY = MONDAY_MS / DAY_MS;
const NOON = MONDAY_MS + 12 * HOUR_MS;
const OVER = MONDAY_MS + DAY_MS + 2 * HOUR_MS;

let dataDir = '';
let actor: Actor;
let environment: StateEnvironment;
let sequence = 0;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-packing-'));
  const onFault = (error: unknown) => {
    throw error;
  };
  actor = new Actor({
    dataDir,
    shards: [0],
    leases: LeaseTable.alone(1),
    reply: () => {},
    onFault,
  });
  environment = new StateEnvironment(shardStatePath(dataDir, 0));
  sequence = 0;
});

afterEach(async () => {
  await actor.close();
  await environment.close();
  rmSync(dataDir, { recursive: true });
});

function apply(hits: Hit[], nowMs: number): void {
  const head = { domainId: 'a', receivedMs: nowMs, idempotencyHash: '', dropped: null };
  const payload = encodeGroups([{ ...head, hits }]);
  actor.onRecords([{ shard: 0, sequence: ++sequence, payload }], nowMs);
}

/** Three ticks, a millisecond apart: what is due is saved, then packed. */
function settle(nowMs: number): void {
  for (let tick = 0; tick < 3; tick++) actor.tick(nowMs + tick);
  environment.refresh();
}

function header(): SegmentHeader {
  const found = readHeader(environment, 'a', DAY);
  expect(found).not.toBeNull();
  return found as SegmentHeader;
}

function blockKeys(): number {
  const ranges = ['b', 't'].map((kind) => [...environment.range([kind, 'a'], [kind, 'b'])].length);
  return ranges.reduce((sum, count) => sum + count, 0);
}

function contentOf(segment: Segment): unknown {
  const tables = TABLE_NAMES.map((name) => {
    const { columns, names, rowCount } = segment[name];
    return names.map((column) =>
      Array.from((columns as Record<string, Uint32Array>)[column]!.subarray(0, rowCount)),
    );
  });
  return { tables, texts: DICTIONARY_KINDS.map((_, kind) => segment.dictionary.texts(kind)) };
}

function stored(): Segment {
  return loadSegment(environment, 'a', DAY, header()).segment;
}

/** More views than a block has rows, more texts than a block has entries. */
function traffic(): Hit[] {
  return Array.from({ length: 9_000 }, (_, index) =>
    hit(Math.floor(index / 3) + 1, NOON + index * 100, { path: `/p${index % 2_500}` }),
  );
}

test('a day is packed two hours after its end, not before, and holds what it held', () => {
  apply(traffic(), NOON);
  settle(NOON + HOUR_MS);
  const before = contentOf(stored());
  const generation = header().generation;
  settle(OVER - 2);
  expect([header().packed, blockKeys() > 10]).toEqual([null, true]);
  settle(OVER + 1);
  expect(header().packed).not.toBeNull();
  expect([blockKeys(), header().generation]).toEqual([0, generation]);
  expect(contentOf(stored())).toEqual(before);
});

test('a copy that was read before goes on after packing, and after a late hit has unpacked the day', () => {
  apply(traffic(), NOON);
  settle(NOON + HOUR_MS);
  const reading = openForReading(environment, 'a', DAY, header());
  refreshSegment(environment, reading, header());
  const rows = reading.segment.views.rowCount;
  // One column is held, the others come from the packs.
  expect(reading.segment.views.columns.path.length).toBeGreaterThanOrEqual(rows);
  settle(OVER + MINUTE_MS);
  refreshSegment(environment, reading, header());
  expect(contentOf(reading.segment)).toEqual(contentOf(stored()));

  apply([hit(99_999, NOON, { path: '/late' })], OVER + 2 * MINUTE_MS);
  for (let second = 0; second < 120; second++) {
    actor.tick(OVER + 2 * MINUTE_MS + second * 1_000);
    environment.refresh();
    if (header().rows[TABLE_NAMES.indexOf('views')] !== rows) break;
  }
  refreshSegment(environment, reading, header());
  expect(reading.segment.views.rowCount).toBe(rows + 1);
  expect(contentOf(reading.segment)).toEqual(contentOf(stored()));
  settle(OVER + 10 * MINUTE_MS);
  expect([header().packed === null, blockKeys()]).toEqual([false, 0]);
  refreshSegment(environment, reading, header());
  expect(contentOf(reading.segment)).toEqual(contentOf(stored()));
});

test('a day that is over is not packed between hits that still come to it, but once after the last', () => {
  apply(traffic(), OVER + HOUR_MS);
  let nowMs = OVER + HOUR_MS;
  for (let lot = 0; lot < 8; lot++) {
    for (let second = 0; second < 10; second++) {
      nowMs += 1_000;
      actor.tick(nowMs);
    }
    environment.refresh();
    expect(header().packed).toBeNull();
    apply([hit(90_000 + lot, NOON)], nowMs);
  }
  const views = TABLE_NAMES.indexOf('views');
  // A site with few hits is saved some time after the last, and packed half a minute after it.
  const lastMs = nowMs;
  while (header().packed === null && nowMs < lastMs + 5 * MINUTE_MS) {
    nowMs += 1_000;
    actor.tick(nowMs);
    environment.refresh();
  }
  expect(header().packed).not.toBeNull();
  expect(nowMs).toBeGreaterThanOrEqual(lastMs + 30_000);
  expect(header().rows[views]).toBe(traffic().length + 8);
});
