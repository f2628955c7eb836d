/**
 * Goal: damage in what is stored of one site is that site's alone, wherever it is met: others are saved
 * and answered, and once the damage is mended everything acknowledged counts (I-78, A-10).
 * Method: bits are flipped in the files of a saved state so that damage is met by a save, amid a record
 * and amid the opening of a large day; later they are flipped back.
 */

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeErasure, encodeGroups } from '../../../src/bus/record/codec.ts';
import type { OperatingError } from '../../../src/model/errors.ts';
import type { Hit, HitGroup } from '../../../src/model/hit.ts';
import { asDomainId, asEpoch, asSequence, asShardId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { TABLE_NAMES } from '../../../src/segment/memory/layout.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import { checkpoint } from '../../../src/shard/save/checkpoint.ts';
import { DayEviction } from '../../../src/shard/save/evict-days.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { OpenMemory } from '../../../src/shard/state/open-memory.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { Shard } from '../../../src/shard/state/shard.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { queryOf } from '../../query/ask.ts';
import { hit, MONDAY_MS } from '../hit-builder.ts';

const MONDAY = MONDAY_MS / DAY_MS;
const NOON = MONDAY_MS + 12 * HOUR_MS;
const SESSIONS = TABLE_NAMES.indexOf('sessions');
const DAMAGED = { code: 'STATE_DAMAGED' };

let dataDir = '';
let sequence = 0;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-set-aside-'));
  sequence = 0;
  good.clear();
});

afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

test('a save that meets damage holds up neither saves nor questions of other sites', async () => {
  const opened = openActor();
  const { actor, replies, faults } = opened;
  actor.onRecords([record(group('a', [hit(1, NOON)]), group('b', [hit(1, NOON)]))], NOON);
  await ask(opened, 'save', 'a');
  await ask(opened, 'save', 'b');
  actor.onRecords([erasureOf('a')], NOON);
  // The rebuilt day goes where the old one is, which its header tells.
  await damage(['h', 'a', MONDAY]);
  actor.onRecords([record(group('b', [hit(2, NOON)]))], NOON);
  actor.erase(NOON, () => 0);
  expect(faults).toMatchObject([DAMAGED]);
  await ask(opened, 'save', 'a');
  await ask(opened, 'save', 'b');
  await ask(opened, 'active', 'b');
  expect(replies).toEqual([...[null, null], ...['STATE_DAMAGED', null, null]]);
  await actor.close();
});

test('damage that is met while room is made amid a record parks that record', async () => {
  const memory = new Cramped();
  const shard = new Shard(dataDir, asShardId(0), new Sessionizer(), memory);
  const faults: unknown[] = [];
  const onFault = (error: Error) => faults.push(error);
  new DayEviction(
    { values: () => [shard], epochOf: () => asEpoch(1) },
    { memory, bytesMax: 1, onFault },
  );
  const daily = (person: number, fields: Partial<Hit> = {}) =>
    Array.from({ length: 5 }, (_, day) => hit(person, NOON + day * DAY_MS, fields));
  const log = [
    record(group('a', daily(1)), group('b', [...daily(1), ...daily(9)])),
    erasureOf('a'),
    record(group('a', daily(2)), group('b', daily(2))),
    record(group('b', daily(3)), group('a', daily(3))),
  ];
  for (const each of log.slice(0, 2)) shard.apply(each, NOON);
  checkpoint(shard, [...shard.unsaved]);
  expect(shard.savedSequence).toBe(2);

  // Hits rebuild days of `a`; room is made behind the first, and saving it meets the damage.
  await damage(['h', 'a', MONDAY]);
  memory.isShort = true;
  shard.apply(log[2]!, NOON);
  memory.isShort = false;
  expect(faults).toMatchObject([DAMAGED]);
  expect(() => shard.aside.check(asDomainId('a'))).toThrow(expect.objectContaining(DAMAGED));
  shard.apply(log[3]!, NOON);
  expect([...shard.unsaved].map(({ domainId }) => domainId)).toEqual(['b']);
  checkpoint(shard, [...shard.unsaved]);
  // The log keeps what came for it.
  expect(shard.savedSequence).toBe(2);
  await shard.close();

  mend(['h', 'a', MONDAY]);
  const mended = new Shard(dataDir, asShardId(0), new Sessionizer());
  for (const each of log) mended.apply(each, NOON);
  for (const [domainId, views] of [
    ['a', 2],
    ['b', 4],
  ] as const) {
    const domain = mended.existingDomain(asDomainId(domainId), NOON)!;
    for (let day = MONDAY; day < MONDAY + 5; day++) {
      expect(domain.existingSegment(day)!.segment.views.rowCount).toBe(views);
    }
  }
  await mended.close();
});

test('damage of a small day that is met behind the opening of a large one ends nobody else', async () => {
  const visits = 20_000;
  const midnight = MONDAY_MS + DAY_MS;
  const nowMs = midnight + 10 * MINUTE_MS;
  const filler = openActor();
  for (let first = 0; first < visits; first += 1_000) {
    const hits = Array.from({ length: 1_000 }, (_, index) =>
      hit(first + index + 1, midnight - MINUTE_MS - visits + first + index),
    );
    filler.actor.onRecords([record(group('a', hits))], nowMs);
  }
  filler.actor.onRecords([record(group('a', [hit(visits + 9, midnight + 1)]))], nowMs);
  await filler.actor.close();

  await damage(['b', 'a', MONDAY + 1, SESSIONS, 0]);
  const opened = openActor();
  const { actor, replies, faults } = opened;
  const behind = record(group('a', [hit(7, midnight - MINUTE_MS)]), group('b', [hit(1, nowMs)]));
  actor.onRecords([behind], nowMs);
  const asked = ask(opened, 'save', 'b', nowMs);
  await Promise.resolve();
  expect(replies).toEqual([]);
  await asked;
  actor.tick(nowMs);
  expect(faults).toMatchObject([DAMAGED]);
  await ask(opened, 'save', 'a', nowMs);
  expect(replies).toEqual([null, 'STATE_DAMAGED']);
  // It waits in the log.
  expect(actor.savedSequences()).toEqual([{ shard: 0, sequence: behind.sequence - 1 }]);
  await actor.close();
});

/** Room is made behind every hit while there is none. */
class Cramped extends OpenMemory {
  isShort = false;

  override get isDue(): boolean {
    return this.isShort;
  }
}

type Opened = ReturnType<typeof openActor>;

function openActor() {
  const replies: (string | null)[] = [];
  const faults: Error[] = [];
  const actor = new Actor({
    ...{ dataDir, shards: [asShardId(0)], leases: LeaseTable.alone(1) },
    onFault: (error) => faults.push(error),
  });
  return { actor, replies, faults };
}

/** Notes the code of the error that a request is answered with, null for none. */
async function ask(
  { actor, replies }: Opened,
  kind: 'save' | 'active',
  domainId: string,
  nowMs = NOON,
): Promise<void> {
  const query = queryOf('active', '', nowMs);
  const at = {
    shard: asShardId(0),
    domainId: asDomainId(domainId),
    sequence: asSequence(sequence),
  };
  const answered = actor.ask({ kind, ...at, query }, nowMs);
  replies.push(
    await answered.then(
      () => null,
      ({ code }: OperatingError) => code,
    ),
  );
}

function group(domainId: string, hits: Hit[]): HitGroup {
  return {
    domainId: asDomainId(domainId),
    receivedMs: NOON,
    idempotencyHash: '',
    dropped: null,
    hits,
  };
}

function record(...groups: HitGroup[]): LogRecord {
  return { shard: asShardId(0), sequence: asSequence(++sequence), payload: encodeGroups(groups) };
}

function erasureOf(domainId: string): LogRecord {
  const span = { startMs: MONDAY_MS, endMs: MONDAY_MS + 5 * DAY_MS };
  const payload = encodeErasure({ domainId: asDomainId(domainId), kind: 'all', ...span });
  return { shard: asShardId(0), sequence: asSequence(++sequence), payload };
}

/** By key: what is stored of it in good order. */
const good = new Map<string, Buffer>();

/** Flips a bit in the middle of a stored value. */
async function damage(key: (string | number)[]): Promise<void> {
  const environment = new StateEnvironment(shardStatePath(dataDir, asShardId(0)));
  const value = Buffer.from(environment.get(key)!);
  await environment.close();
  good.set(key.join(' '), value);
  overwrite(value, flipped(value));
}

function mend(key: (string | number)[]): void {
  const value = good.get(key.join(' '))!;
  overwrite(flipped(value), value);
}

function flipped(value: Buffer): Buffer {
  const bad = Buffer.from(value);
  bad[value.length >> 1]! ^= 4;
  return bad;
}

/** Wherever the pages lie by now; in place, since the file may be mapped. */
function overwrite(before: Buffer, after: Buffer): void {
  const path = join(shardStatePath(dataDir, asShardId(0)), 'data.mdb');
  const bytes = readFileSync(path);
  const fd = openSync(path, 'r+');
  const places: number[] = [];
  for (let at = bytes.indexOf(before); at !== -1; at = bytes.indexOf(before, at + 1)) {
    writeSync(fd, after, 0, after.length, at);
    places.push(at);
  }
  closeSync(fd);
  expect(places).not.toEqual([]);
}
