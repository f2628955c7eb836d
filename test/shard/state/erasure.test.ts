// Goal: what a deletion leaves behind, in memory and on disk, day by day.
// Method: hits and deletions as records of a real shard over LMDB, one step at a time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import { dropReason } from '../../../src/model/drop-reasons.ts';
import type { ErasureKind } from '../../../src/model/erasure.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId, asEpoch, asSequence, asShardId, shardIds } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import { NONE } from '../../../src/segment/memory/layout.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import type { DomainState } from '../../../src/shard/state/domain-state.ts';
import { eraseNextDay } from '../../../src/shard/state/erasure.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';

const DAY = MONDAY_MS / DAY_MS;
const NOON = MONDAY_MS + 12 * HOUR_MS;
const MIDNIGHT = MONDAY_MS + DAY_MS;
const ALWAYS = { startMs: 0, endMs: MONDAY_MS + 10_000 * DAY_MS };

let dataDir = '';
let shard: Shard;
let sequence = 0;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-erasure-'));
  shard = new Shard(dataDir, asShardId(0), new Sessionizer());
  sequence = 0;
});

afterEach(async () => {
  await shard.close();
  rmSync(dataDir, { recursive: true });
});

function take(payload: Uint8Array): void {
  sequence++;
  shard.apply({ shard: asShardId(0), sequence: asSequence(sequence), payload }, 0);
}

function send(...hits: Hit[]): void {
  const head = { domainId: asDomainId('a'), receivedMs: NOON, idempotencyHash: '', dropped: null };
  take(encodeGroups([{ ...head, hits }]));
}

function erase(startMs: number, endMs: number, kind: ErasureKind = ''): void {
  take(encodeErasure({ domainId: asDomainId('a'), kind, startMs, endMs }));
}

function domain(): DomainState {
  const found = shard.existingDomain(asDomainId('a'), 0);
  if (found === null) throw new Error('the domain exists');
  return found;
}

function save(): void {
  checkpoint(shard, [domain()]);
}

/** Carries the deletion out to its end and saves. */
function finish(): void {
  while (domain().pendingErasures.size > 0) eraseNextDay(domain());
  save();
}

function read(reader: SegmentReader) {
  return reader.read({
    shard: asShardId(0),
    epoch: asEpoch(1),
    domainId: asDomainId('a'),
    ...ALWAYS,
  });
}

test('sessions that stay keep their rows, and so their ids; texts that nobody uses go (I-34)', () => {
  send(hit(1, NOON, { path: '/gone', utmSource: 'gone' }));
  send(hit(2, NOON + 1, { path: '/kept', pairs: ['k', 'kept'] }));
  send(hit(3, NOON, { path: '/gone too' }));
  erase(NOON, NOON + 1);
  finish();
  const { sessions, visitors, dictionary, views, tagPairs } =
    domain().existingSegment(DAY)!.segment;
  // The first is an empty row, the last is cut off.
  expect([sessions.rowCount, visitors.rowCount, views.rowCount]).toEqual([2, 1, 1]);
  expect([sessions.columns.visitor[0], sessions.columns.pageViews[0]]).toEqual([NONE, 0]);
  expect([sessions.columns.visitor[1], views.columns.session[0]]).toEqual([0, 1]);
  expect(dictionary.texts(KIND.path)).toEqual(['', '/kept']);
  expect(dictionary.texts(KIND.utmSource)).toEqual(['']);
  expect(dictionary.texts(KIND.tagValue)[tagPairs.columns.value[0]!]).toBe('kept');
});

test.each([
  { fromMs: NOON - 1, toMs: NOON, left: 3 },
  { fromMs: NOON, toMs: NOON + 1, left: 2 },
  { fromMs: NOON + 1, toMs: NOON + 2, left: 2 },
  { fromMs: NOON + 2, toMs: NOON + 3, left: 2 },
  { fromMs: NOON + 3, toMs: NOON + 4, left: 3 },
])('of views at 0, 1 and 2 ms, [$fromMs, $toMs) leaves $left', ({ fromMs, toMs, left }) => {
  send(hit(1, NOON), hit(2, NOON + 1), hit(3, NOON + 2));
  erase(fromMs, toMs);
  finish();
  expect(domain().existingSegment(DAY)?.segment.views.rowCount).toBe(left);
});

test('time on page follows the views that are left, the session stays as it was (I-60)', () => {
  send(...[0, 60, 180].map((seconds) => hit(1, NOON + seconds * 1_000, { path: `/${seconds}` })));
  erase(NOON + 60_000, NOON + 60_001);
  finish();
  const { views, sessions } = domain().existingSegment(DAY)!.segment;
  expect([...views.columns.timeOnPage.subarray(0, 2)]).toEqual([180, 0]);
  expect([sessions.columns.pageViews[0], sessions.columns.lastView[0]]).toEqual([3, 1]);
  send(hit(1, NOON + 200_000));
  expect([...views.columns.timeOnPage.subarray(0, 3)]).toEqual([180, 20, 0]);
});

test('a session goes with its last row only; events alone keep one', () => {
  send(hit(1, NOON, { path: '/v' }), event(1, NOON + 10, { path: '/e' }));
  erase(NOON, NOON + 1);
  finish();
  let segment = domain().existingSegment(DAY)!.segment;
  expect([segment.sessions.rowCount, segment.views.rowCount, segment.events.rowCount]).toEqual([
    1, 0, 1,
  ]);
  erase(NOON, NOON + 100, 'events');
  while (domain().pendingErasures.size > 0) eraseNextDay(domain());
  segment = domain().existingSegment(DAY)!.segment;
  expect([segment.sessions.rowCount, segment.visitors.rowCount]).toEqual([0, 0]);
});

test('the next hit of a visitor whose live session went opens one, a keep-alive does not', () => {
  send(hit(1, NOON), hit(2, NOON));
  erase(NOON, NOON + 1);
  send(keepAlive(2, NOON + MINUTE_MS), hit(1, NOON + MINUTE_MS, { path: '/new' }));
  const { sessions } = domain().existingSegment(DAY)!.segment;
  expect([sessions.rowCount, sessions.columns.pageViews[0]]).toEqual([1, 1]);
  const [sums] = domain().drops.days.values();
  const reason = dropReason('keep-alive-without-session');
  expect([...(sums?.values() ?? [])]).toEqual([{ reason, bot: '', count: 1 }]);
});

test('a session that was carried over midnight is forgotten on the later day, too (I-46)', () => {
  send(hit(1, MIDNIGHT - MINUTE_MS), keepAlive(1, MIDNIGHT + MINUTE_MS));
  save();
  erase(MONDAY_MS, MIDNIGHT);
  finish();
  // Both days are empty: the later one only carried the session.
  expect(domain().segments.size).toBe(0);
  expect(domain().existingSegment(DAY)).toBeNull();
  expect(domain().existingSegment(DAY + 1)).toBeNull();
  send(hit(1, MIDNIGHT + 2 * MINUTE_MS));
  const { sessions } = domain().existingSegment(DAY + 1)!.segment;
  expect([sessions.rowCount, domain().existingSegment(DAY)]).toEqual([1, null]);
});

test('a row of the old number in the home day is not taken for the carried session (I-46)', () => {
  send(hit(1, MIDNIGHT - MINUTE_MS), keepAlive(1, MIDNIGHT + MINUTE_MS));
  send(hit(9, MIDNIGHT + MINUTE_MS));
  erase(MONDAY_MS, MIDNIGHT);
  // Late, and live for what comes next: it takes row 0 of the first day again.
  send(hit(2, MIDNIGHT - MINUTE_MS));
  send(hit(1, MIDNIGHT + 3 * MINUTE_MS));
  const [first, second] = [DAY, DAY + 1].map((day) => domain().existingSegment(day)!.segment);
  expect([first?.views.rowCount, second?.views.rowCount]).toEqual([1, 2]);
});

test('a reader sees each day as it was or as it is, and a day made anew (A-64)', async () => {
  const reader = new SegmentReader(dataDir, 100_000_000);
  send(hit(1, NOON, { path: '/old' }), hit(1, NOON + DAY_MS, { path: '/old' }));
  save();
  expect(read(reader).map(({ views }) => views.rowCount)).toEqual([1, 1]);
  erase(MONDAY_MS, MIDNIGHT + DAY_MS);
  save();
  expect(read(reader).map(({ views }) => views.rowCount)).toEqual([1, 1]);
  eraseNextDay(domain());
  save();
  expect(read(reader).map(({ day }) => day)).toEqual([DAY + 1]);
  finish();
  expect(read(reader)).toEqual([]);
  send(hit(2, NOON, { path: '/new', title: 'New' }));
  save();
  const [segment] = read(reader);
  expect(segment?.dictionary.texts(KIND.path)).toEqual(['', '/new']);
  expect(segment?.dictionary.texts(KIND.title)).toEqual(['', 'New']);
  await reader.close();
});

test('an emptied domain leaves nothing on disk but its counters, sums and positions (S-99)', () => {
  const many = Array.from({ length: 3_000 }, (_, at) =>
    hit(at, NOON + at, { path: `/p${at}`, pairs: ['k', `v${at}`] }),
  );
  send(...many, event(1, NOON + DAY_MS, { pairs: ['k', 'v'] }));
  save();
  erase(0, NOON + 2 * DAY_MS);
  finish();
  const kinds = [...shard.environment().range([''], ['z'])].map(({ key }) => key[0]);
  expect(kinds).toEqual(['d', 'p', 'u', 'v', 'w']);
});

test('days that were pending at a crash are rebuilt after it, hits behind them stay', async () => {
  for (let day = 0; day < 4; day++) send(hit(1, NOON + day * DAY_MS));
  save();
  erase(MONDAY_MS, NOON + 3 * DAY_MS);
  save();
  eraseNextDay(domain());
  save();
  eraseNextDay(domain());
  // The second day is rebuilt in memory only.
  await shard.close();
  shard = new Shard(dataDir, asShardId(0), new Sessionizer());
  expect([...shard.erasing]).toEqual(['a']);
  expect([...domain().pendingErasures.keys()]).toEqual([DAY + 1, DAY + 2]);
  send(hit(2, NOON + DAY_MS, { path: '/late' }));
  finish();
  expect(shard.erasing.size).toBe(0);
  const left = [0, 1, 2, 3].map(
    (day) => domain().existingSegment(DAY + day)?.segment.views.rowCount ?? 0,
  );
  expect(left).toEqual([0, 1, 0, 1]);
});

test('a deletion sent again while it is pending is no more work; a wider or other one is', () => {
  send(hit(1, NOON));
  save();
  const works = () => domain().pendingErasures.get(DAY)?.length;
  erase(NOON, NOON + 10);
  erase(NOON, NOON + 10);
  erase(NOON + 1, NOON + 9, 'events');
  expect(works()).toBe(1);
  erase(NOON, NOON + 11);
  expect(works()).toBe(2);
  finish();
  expect(domain().existingSegment(DAY)).toBeNull();
});

test('a disk that refuses a rebuilt day has it in the next save', () => {
  const reader = new SegmentReader(dataDir, 100_000_000);
  send(hit(1, NOON, { path: '/gone' }), hit(2, NOON + 1, { path: '/kept' }));
  save();
  erase(NOON, NOON + 1);
  eraseNextDay(domain());
  const environment = shard.environment();
  vi.spyOn(environment, 'put').mockImplementation(() => {
    throw new Error('No space left on device');
  });
  expect(save).toThrow('No space left on device');
  vi.restoreAllMocks();
  expect(read(reader)[0]?.views.rowCount).toBe(2);
  save();
  const [segment] = read(reader);
  expect(segment?.views.rowCount).toBe(1);
  expect(segment?.dictionary.texts(KIND.path)).toEqual(['', '/kept']);
  return reader.close();
});

test('the actor takes a slice at a time, and other work comes in between', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-erasure-actor-'));
  const actor = new Actor({
    ...{ dataDir: directory, shards: shardIds(1), leases: LeaseTable.alone(1) },
    onFault: () => {},
  });
  const head = { domainId: asDomainId('a'), receivedMs: NOON, idempotencyHash: '', dropped: null };
  const hits = [0, 1, 2].map((day) => hit(1, NOON + day * DAY_MS));
  const erasure = {
    domainId: asDomainId('a'),
    kind: '' as const,
    startMs: 0,
    endMs: NOON + 9 * DAY_MS,
  };
  const payloads = [encodeGroups([{ ...head, hits }]), encodeErasure(erasure)];
  actor.onRecords(
    payloads.map((payload, index) => ({
      shard: asShardId(0),
      sequence: asSequence(index + 1),
      payload,
    })),
    NOON,
  );
  // A clock on which every look takes longer than a slice.
  let clockMs = 0;
  const slow = () => {
    clockMs += 1_000;
    return clockMs;
  };
  const reader = new SegmentReader(directory, 1_000_000);
  const days = [];
  while (actor.erase(NOON, slow)) days.push(read(reader).length);
  expect(days).toEqual([2, 1, 0]);
  await reader.close();
  await actor.close();
  rmSync(directory, { recursive: true });
});
