// Goal: a small domain that nobody needs leaves memory with its open day, and nobody can tell.
// Method: an actor is led through hits and pauses; the same hits go to one without the pauses' looks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { loadSegment } from '../../../src/segment/disk/persistence.ts';
import { readHeader } from '../../../src/segment/disk/segment-header.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { hit, MONDAY_MS } from '../hit-builder.ts';

const DAY = MONDAY_MS / DAY_MS;
const NOON = MONDAY_MS + 12 * HOUR_MS;
const OVER = MONDAY_MS + DAY_MS + 2 * HOUR_MS;

let dataDir = '';
let actor: Actor;
let environment: StateEnvironment;
let sequence = 0;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-resting-'));
  const onFault = (error: unknown) => {
    throw error;
  };
  const leases = LeaseTable.alone(1);
  actor = new Actor({ dataDir, shards: [0], leases, reply: () => {}, onFault });
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

/** Ticks a minute apart, the last one at `endMs`. @returns domains that left meanwhile. */
function tickTo(endMs: number, minutes: number): number {
  for (let tick = minutes; tick >= 0; tick--) actor.tick(endMs - tick * MINUTE_MS);
  environment.refresh();
  return actor.takeRested();
}

function visits(count: number, timeMs: number): Hit[] {
  return Array.from({ length: count }, (_, index) => hit(index + 1, timeMs + index));
}

function stored() {
  const header = readHeader(environment, 'a', DAY);
  expect(header).not.toBeNull();
  return loadSegment(environment, 'a', DAY, header!).segment;
}

test('a small domain leaves memory two minutes after its last hit, not before', () => {
  apply(visits(3, NOON), NOON);
  actor.tick(NOON + MINUTE_MS);
  expect(actor.takeRested()).toBe(0);
  actor.tick(NOON + 2 * MINUTE_MS - 1);
  expect(actor.takeRested()).toBe(0);
  expect(tickTo(NOON + 4 * MINUTE_MS, 1)).toBe(1);
});

test('a domain of more rows than are cheap to open stays: 1,000 visits leave, 1,001 do not', () => {
  for (const [count, left] of [
    [999, 1],
    [1_000, 1],
    [1_001, 0],
  ] as const) {
    const base = NOON + count * HOUR_MS * 24;
    apply(visits(count, base), base);
    expect([count, tickTo(base + 5 * MINUTE_MS, 5)]).toEqual([count, left]);
  }
});

test('a visit goes on across the rest of its domain: the same session, counted once (I-46)', () => {
  apply(visits(3, NOON), NOON);
  expect(tickTo(NOON + 5 * MINUTE_MS, 5)).toBe(1);
  apply(visits(3, NOON + 6 * MINUTE_MS), NOON + 6 * MINUTE_MS);
  tickTo(NOON + 12 * MINUTE_MS, 5);
  const { sessions, views, visitors } = stored();
  expect([visitors.rowCount, sessions.rowCount, views.rowCount]).toEqual([3, 3, 6]);
});

test('a day that left memory before it was over is packed when it is, not before', () => {
  apply(visits(3, NOON), NOON);
  expect(tickTo(NOON + 5 * MINUTE_MS, 5)).toBe(1);
  tickTo(OVER, 1);
  expect(readHeader(environment, 'a', DAY)?.packed).toBeNull();
  tickTo(OVER + 5 * MINUTE_MS, 3);
  expect(readHeader(environment, 'a', DAY)?.packed).not.toBeNull();
  expect(stored().views.rowCount).toBe(3);
});
