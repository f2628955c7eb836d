// Goal: a shard applies every record once, whatever was saved when, and forgets keys in time.
// Method: records go into a real shard over LMDB; it is closed, opened again and fed again.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import { DROP_REASONS, type DropReasonText, dropReason } from '../../../src/model/drop-reasons.ts';
import type { Drop, Hit, HitGroup } from '../../../src/model/hit.ts';
import { asDomainId, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, IDEMPOTENCY_KEY_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { forgetKeys } from '../../../src/shard/state/idempotency-keys.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';

const DUPLICATE = dropReason('duplicate');
const NOON = MONDAY_MS + 12 * HOUR_MS;
const DAY = MONDAY_MS / DAY_MS;

let dataDir = '';
let shard: Shard;
let sequence = 0;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-shard-'));
  shard = new Shard(dataDir, asShardId(0), new Sessionizer());
  sequence = 0;
});

afterEach(async () => {
  await shard.close();
  rmSync(dataDir, { recursive: true });
});

function group(domainId: string, hits: Hit[], fields: Partial<HitGroup> = {}): HitGroup {
  return {
    domainId: asDomainId(domainId),
    receivedMs: NOON,
    idempotencyHash: '',
    dropped: null,
    hits,
    ...fields,
  };
}

function record(...groups: HitGroup[]): LogRecord {
  sequence++;
  return { shard: asShardId(0), sequence: asSequence(sequence), payload: encodeGroups(groups) };
}

function drop(reason: DropReasonText, count: number): Drop {
  return { reason: dropReason(reason), day: DAY, bot: 'a bot', count };
}

/** Items of a domain that were dropped on the day, by reason. */
function droppedOf(domainId: string): Map<number, number> {
  const asked = { span: { fromDay: DAY, toDay: DAY }, hasBots: false };
  const [day] = shard.usage.ledger(asDomainId(domainId), asked, false);
  return new Map(day?.dropped.map(([reason, , count]) => [reason, count]));
}

async function reopen(): Promise<void> {
  await shard.close();
  shard = new Shard(dataDir, asShardId(0), new Sessionizer());
}

function viewsOf(domainId: string, day = DAY): number {
  return (
    shard.existingDomain(asDomainId(domainId), NOON)?.existingSegment(day)?.segment.views
      .rowCount ?? 0
  );
}

test('a domain saved ahead of its shard takes nothing twice when the log is replayed', async () => {
  const records = [
    record(group('a', [hit(1, NOON)]), group('b', [hit(1, NOON)])),
    record(group('a', [hit(1, NOON + 1)])),
    record(group('b', [hit(2, NOON)]), group('a', [hit(3, NOON)])),
  ];
  for (const each of records) shard.apply(each, 0);
  const a = shard.existingDomain(asDomainId('a'), NOON);
  expect(a).not.toBeNull();
  if (a !== null) checkpoint(shard, [a]);
  // `b` has not been saved since its first record, so the shard still needs the log from there.
  expect(shard.savedSequence).toBe(0);
  await reopen();
  expect([viewsOf('a'), viewsOf('b')]).toEqual([3, 0]);
  for (const each of records) shard.apply(each, 0);
  expect([viewsOf('a'), viewsOf('b')]).toEqual([3, 2]);
  checkpoint(shard, [...shard.unsaved]);
  expect(shard.savedSequence).toBe(3);
});

test('a position on disk is that of a whole record: behind it stand all parts of the next', () => {
  // A record in parts has the sequence of its last one (`bus/nats/publisher.ts`); here 4 to 7.
  const [first, large, last] = [
    record(group('a', [hit(1, NOON)])),
    record(group('b', [hit(1, NOON)])),
    record(group('a', [hit(2, NOON)])),
  ];
  for (const [each, at] of [
    [first, 3],
    [large, 7],
    [last, 8],
  ] as const) {
    shard.apply({ ...(each as LogRecord), sequence: asSequence(at) }, 0);
  }
  const a = shard.existingDomain(asDomainId('a'), NOON);
  if (a !== null) checkpoint(shard, [a]);
  expect(shard.savedSequence).toBe(3);
  checkpoint(shard, [...shard.unsaved]);
  expect(shard.savedSequence).toBe(8);
});

test('what was active in the last hour is open after any restart, whatever got hits since (S-82)', async () => {
  shard.apply(record(group('a', [hit(1, NOON)])), NOON);
  checkpoint(shard, [...shard.unsaved]);
  for (const daysAgo of [7, 8]) {
    await reopen();
    // As an import does: hits of old days only, then a save, which tells the next start what is open.
    shard.apply(record(group('a', [hit(1, NOON - daysAgo * DAY_MS)])), NOON + MINUTE_MS);
    checkpoint(shard, [...shard.unsaved]);
  }
  await reopen();
  const days = (nowMs: number) => [
    ...(shard.existingDomain(asDomainId('a'), nowMs)?.segments.keys() ?? []),
  ];
  expect(days(NOON + HOUR_MS)).toEqual([DAY]);
  await reopen();
  expect(days(NOON + HOUR_MS + 1)).toEqual([]);
});

test('a checkpoint that the disk refuses loses nothing: the next one writes all of it', async () => {
  const many = Array.from({ length: 1_500 }, (_, at) => hit(at, NOON + at, { path: `/p${at}` }));
  shard.apply(record(group('a', many)), 0);
  checkpoint(shard, [...shard.unsaved]);
  shard.apply(record(group('a', [hit(1, NOON + 2_000, { path: '/last' })])), 0);
  const environment = shard.environment();
  const put = environment.put.bind(environment);
  let puts = 0;
  vi.spyOn(environment, 'put').mockImplementation((key, value) => {
    puts++;
    if (puts === 3) throw new Error('No space left on device');
    put(key, value);
  });
  expect(() => checkpoint(shard, [...shard.unsaved])).toThrow('No space left on device');
  expect([shard.savedSequence, shard.unsaved.size]).toEqual([1, 1]);
  vi.restoreAllMocks();
  checkpoint(shard, [...shard.unsaved]);
  expect(shard.savedSequence).toBe(2);
  await reopen();
  const segment = shard.existingDomain(asDomainId('a'), NOON)?.existingSegment(DAY)?.segment;
  expect([segment?.views.rowCount, segment?.dictionary.texts(KIND.path).at(-1)]).toEqual([
    1_501,
    '/last',
  ]);
});

test.each([
  { hits: 4_095, waiting: 4_095 },
  { hits: 4_096, waiting: 0 },
  { hits: 4_097, waiting: 0 },
])(
  'of $hits hits $waiting wait for a save to be counted in pre-aggregates',
  ({ hits, waiting }) => {
    const many = Array.from({ length: hits }, (_, at) => hit(at, NOON + at));
    shard.apply(record(group('a', many)), 0);
    const open = shard.existingDomain(asDomainId('a'), NOON)?.existingSegment(DAY);
    const counted = open?.unflushed.views ?? Number.NaN;
    expect(hits - counted).toBe(waiting);
    // Every page view is counted in its quarter of an hour.
    const views = open?.segment.quarters.columns.views.reduce((sum, count) => sum + count, 0);
    expect(views).toBe(counted);
  },
);

test('a record that was applied is passed over when it comes again', () => {
  const first = record(group('a', [hit(1, NOON)]));
  shard.apply(first, 0);
  shard.apply(first, 0);
  expect(viewsOf('a')).toBe(1);
});

test.each([
  { afterMs: IDEMPOTENCY_KEY_MS - 1, views: 1 },
  { afterMs: IDEMPOTENCY_KEY_MS, views: 2 },
  { afterMs: IDEMPOTENCY_KEY_MS + 1, views: 2 },
])('I-76: a key repeated after $afterMs ms leaves $views view(s)', async ({ afterMs, views }) => {
  const idempotencyHash = 'k'.repeat(32);
  shard.apply(record(group('a', [hit(1, NOON)], { idempotencyHash })), 0);
  // Half way, so that a repeat which does not prolong is told from one that does.
  const between = { idempotencyHash, receivedMs: NOON + afterMs / 2 };
  shard.apply(record(group('a', [hit(2, NOON), hit(3, NOON)], between)), 0);
  checkpoint(shard, [...shard.unsaved]);
  await reopen();
  const later = { idempotencyHash, receivedMs: NOON + afterMs };
  shard.apply(record(group('a', [hit(4, NOON)], later)), 0);
  expect(viewsOf('a')).toBe(views);
  expect(droppedOf('a').get(DUPLICATE)).toBe(2 + (views === 1 ? 1 : 0));
});

test('I-77: every item of a repeated request counts as duplicate, dropped ones too', () => {
  const fields = { idempotencyHash: 'x'.repeat(32), dropped: [drop('ua-chars', 3)] };
  shard.apply(record(group('a', [hit(1, NOON)], fields)), 0);
  shard.apply(record(group('a', [hit(1, NOON)], fields)), 0);
  const dropped = droppedOf('a');
  expect([dropped.get(dropReason('ua-chars')), dropped.get(DUPLICATE)]).toEqual([3, 4]);
});

test('keys past their 24 hours are forgotten, younger ones stay', () => {
  const old = 'a'.repeat(32);
  const young = 'b'.repeat(32);
  shard.apply(record(group('a', [], { idempotencyHash: old, receivedMs: NOON })), 0);
  const later = NOON + 3 * HOUR_MS;
  shard.apply(record(group('a', [], { idempotencyHash: young, receivedMs: later })), 0);
  checkpoint(shard, [...shard.unsaved]);
  forgetKeys(shard.environment(), NOON + DAY_MS + 2 * HOUR_MS);
  expect(shard.idempotencyReceivedMs(old)).toBeUndefined();
  expect(shard.idempotencyReceivedMs(young)).toBe(later);
});

test('drops are counted over restarts', async () => {
  const fields = { dropped: [drop('ua-keyword', 2)], idempotencyHash: 'c'.repeat(32) };
  shard.apply(record(group('a', [hit(1, NOON)], fields)), 0);
  checkpoint(shard, [...shard.unsaved]);
  await reopen();
  expect(droppedOf('a')).toEqual(new Map([[dropReason('ua-keyword'), 2]]));
});

test('I-46: a session carried over midnight goes on after a restart in between', async () => {
  const midnight = MONDAY_MS + DAY_MS;
  shard.apply(record(group('a', [hit(1, midnight - MINUTE_MS)])), 0);
  checkpoint(shard, [...shard.unsaved]);
  await reopen();
  shard.apply(record(group('a', [hit(1, midnight + MINUTE_MS)])), 0);
  checkpoint(shard, [...shard.unsaved]);
  await reopen();
  shard.apply(record(group('a', [hit(1, midnight + 31 * MINUTE_MS - 1)])), 0);
  expect([viewsOf('a', DAY), viewsOf('a', DAY + 1)]).toEqual([3, 0]);
});

test('a crash and a replay leave every byte of the state as it would have been, pre-aggregates too (I-78)', async () => {
  const records = Array.from({ length: 40 }, (_, at) =>
    record(
      group(
        'a',
        Array.from({ length: 60 }, (_, index) => {
          const timeMs = NOON + at * 40_000 + index * 97;
          const [person, page] = [(at * 7 + index) % 40, (at + index) % 9];
          const [referrerName, title] = [`n${(at >> 3) % 2}`, `t${(at * index) % 3}`];
          const fields = { path: `/${page}`, title, referrerName, country: `c${person % 5}` };
          if (index % 11 === 0) return keepAlive(person, timeMs);
          if (index % 7 === 0) return event(person, timeMs, { ...fields, eventName: `e${page}` });
          return hit(person, timeMs, { ...fields, pairs: [`k${page}`, 'v'] });
        }),
      ),
    ),
  );
  for (const each of records) shard.apply(each, 0);
  checkpoint(shard, [...shard.unsaved]);
  const undisturbed = statesOf(shard);
  const otherDir = mkdtempSync(join(tmpdir(), 'footfall-shard-'));
  let other = new Shard(otherDir, asShardId(0), new Sessionizer());
  for (const each of records.slice(0, 25)) {
    other.apply(each, 0);
    if (each.sequence === 9 || each.sequence === 17) checkpoint(other, [...other.unsaved]);
  }
  // What was applied since the last checkpoint is lost with the process.
  await other.close();
  other = new Shard(otherDir, asShardId(0), new Sessionizer());
  for (const each of records.slice(other.savedSequence)) other.apply(each, 0);
  checkpoint(other, [...other.unsaved]);
  expect(other.savedSequence).toBe(shard.savedSequence);
  expect(undisturbed.size).toBeGreaterThan(8);
  expect(statesOf(other)).toEqual(undisturbed);
  await other.close();
  rmSync(otherDir, { recursive: true });
});

/** Every block and every text of every segment as it is on disk, by key. */
function statesOf(of: Shard): Map<string, string> {
  const states = new Map<string, string>();
  for (const kind of ['b', 't']) {
    for (const { key, value } of of.environment().range([kind, ''], [`${kind}!`])) {
      states.set(key.join(' '), Buffer.from(value).toString('hex'));
    }
  }
  return states;
}

test('what a shard drops can be told once, by reason (A-8, I-45, I-76)', () => {
  const [keyed, bare] = [group('a', [hit(1, NOON)]), group('a', [keepAlive(2, NOON)])];
  for (let times = 0; times < 3; times++) {
    shard.apply(
      record({ ...keyed, idempotencyHash: 'k', dropped: [drop('prefetch', 4)] }, bare),
      NOON,
    );
  }
  const told = Object.fromEntries(
    DROP_REASONS.map((reason, index) => [reason, shard.drops[index]]).filter(([, count]) => count),
  );
  expect(told).toEqual({
    prefetch: 4,
    duplicate: 2 * (1 + 4),
    'keep-alive-without-session': 3,
  });
});
