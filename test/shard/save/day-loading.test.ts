// Goal: a large day that comes back from disk keeps nobody waiting but who needs it, and what comes of
// the hits that waited is what would have come without (issue 11, 7).
// Method: an actor of two shards on a directory with a large saved day; the event loop turns as it does.
// What it counts is compared with an actor that opens the day at once, as in a replay.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LogRecord } from '../../../src/bus/log/interface.ts';
import { encodeGroups } from '../../../src/bus/record/codec.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { loadSegment } from '../../../src/segment/disk/persistence.ts';
import { readHeader } from '../../../src/segment/disk/segment-header.ts';
import { TABLE_NAMES } from '../../../src/segment/memory/layout.ts';
import { Actor } from '../../../src/shard/actor/actor.ts';
import type { ActorReply } from '../../../src/shard/actor/protocol.ts';
import { LeaseTable } from '../../../src/shard/state/lease-table.ts';
import { shardStatePath } from '../../../src/store/state-directories.ts';
import { StateEnvironment } from '../../../src/store/state-environment.ts';
import { queryOf } from '../../query/ask.ts';
import { event, hit, MONDAY_MS } from '../hit-builder.ts';

const DAY = MONDAY_MS / DAY_MS;
const NOON = MONDAY_MS + 12 * HOUR_MS;
/** Visitors, sessions and page views: more rows than are opened at once. */
const VISITS = 20_000;
const LARGE = { shard: 0, domainId: 'large' };
const SMALL = { shard: 1, domainId: 'small' };

const filled = { open: '', packed: '' };
let lastSequence = 0;
const directories: string[] = [];
const actors: Actor[] = [];

beforeAll(async () => {
  filled.open = await fill(NOON + MINUTE_MS);
  filled.packed = await fill(NOON + DAY_MS + HOUR_MS);
}, 120_000);

afterEach(async () => {
  for (const actor of actors.splice(0)) await actor.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

afterAll(() => {
  for (const directory of Object.values(filled)) rmSync(directory, { recursive: true });
});

test('a question to a cold large day waits for it, one to another site does not', async () => {
  const { actor, replies } = openActor(copyOf(filled.open));
  actor.onRequest(active(1, LARGE), 0, NOON + MINUTE_MS);
  actor.onRequest(active(2, SMALL), 0, NOON + MINUTE_MS);
  expect(replies.map(({ id }) => id)).toEqual([2]);
  const turns = await turnUntil(() => replies.length === 2);
  expect(turns).toBeGreaterThan(1);
  expect(replies[1]).toMatchObject({ id: 1, error: null });
  expect(JSON.parse(replies[1]!.value as string)).toMatchObject({ visitors: VISITS });
  // It is open now.
  actor.onRequest(active(3, LARGE), 0, NOON + MINUTE_MS);
  expect(replies).toHaveLength(3);
});

test.each(['open', 'packed'] as const)(
  'hits for a cold large day, %s when it was left, wait in order; those of other sites do not',
  async (state) => {
    const dataDir = copyOf(filled[state]);
    expect(await isPacked(dataDir)).toBe(state === 'packed');
    const records = [
      record(LARGE, [
        hit(7, NOON + MINUTE_MS, { path: '/a' }),
        event(VISITS + 1, NOON + MINUTE_MS),
      ]),
      record(SMALL, [hit(2, NOON + MINUTE_MS)]),
      record(LARGE, [hit(7, NOON + 2 * MINUTE_MS, { path: '/b' })]),
      // Behind what waits, although it needs no day from disk.
      record(LARGE, [hit(7, NOON + DAY_MS)]),
    ];
    const held: number[] = [];
    const sliced = openActor(dataDir, (bytes) => held.push(bytes));
    sliced.actor.onRecords(records, NOON + 3 * MINUTE_MS);
    sliced.actor.onRequest(save(1, SMALL, records[1]!), 0, NOON + 3 * MINUTE_MS);
    sliced.actor.onRequest(save(2, LARGE, records[3]!), 0, NOON + 3 * MINUTE_MS);
    expect(sliced.replies).toMatchObject([{ id: 1, error: null }]);
    const waiting = [records[0]!, records[2]!, records[3]!].map(({ payload }) => payload.length);
    expect(held).toEqual(waiting);
    await turnUntil(() => sliced.replies.length === 2);
    expect(sliced.replies[1]).toMatchObject({ id: 2, error: null });
    expect(held).toEqual([...waiting, ...waiting.map((bytes) => -bytes)]);

    const atOnce = openActor(copyOf(filled[state]));
    const replay = (after: number, visit: (record: LogRecord) => void) => {
      for (const each of records) if (each.sequence > after) visit(each);
      return records.at(-1)!.sequence;
    };
    atOnce.actor.recover({ replay }, NOON + 3 * MINUTE_MS);
    for (const { actor } of [sliced, atOnce]) await actor.close();
    actors.length = 0;
    expect(await isPacked(dataDir)).toBe(false);
    for (const day of [DAY, DAY + 1]) {
      expect(await rowsOf(sliced.dataDir, day)).toEqual(await rowsOf(atOnce.dataDir, day));
    }
  },
);

test.each([
  { state: 'open', turns: 0 },
  { state: 'open', turns: 2 },
  { state: 'packed', turns: 1 },
  { state: 'packed', turns: 3 },
  { state: 'packed', turns: 5 },
] as const)(
  'a shard that is let go of after $turns turns of opening a day ($state) has lost nothing',
  async ({ state, turns }) => {
    const { actor, replies, dataDir } = openActor(copyOf(filled[state]));
    const late = record(LARGE, [hit(7, NOON + MINUTE_MS)]);
    actor.onRecords([late], NOON + MINUTE_MS);
    actor.onRequest(save(1, LARGE, late), 0, NOON + MINUTE_MS);
    for (let turn = 0; turn < turns; turn++) await new Promise((done) => setImmediate(done));
    await actor.closeShard(LARGE.shard);
    expect(replies.map(({ id }) => id)).toEqual([1]);
    await actor.close();
    actors.length = 0;
    // The log has it still.
    const again = openActor(dataDir);
    again.actor.onRecords([late], NOON + MINUTE_MS);
    again.actor.onRequest(save(2, LARGE, late), 0, NOON + MINUTE_MS);
    await turnUntil(() => again.replies.length === 1);
    await again.actor.close();
    actors.length = 0;
    const rows = await rowsOf(dataDir, DAY);
    expect(rows['views']).toHaveLength(VISITS + 1);
    expect(rows['sessions']).toHaveLength(VISITS);
  },
);

function openActor(dataDir: string, onHeld: (bytes: number) => void = () => {}) {
  const replies: ActorReply[] = [];
  const actor = new Actor({
    ...{ dataDir, shards: [0, 1], leases: LeaseTable.alone(2), onHeld },
    reply: (reply) => replies.push(reply),
    onFault: (error) => {
      throw error;
    },
  });
  actors.push(actor);
  return { actor, replies, dataDir };
}

/** A directory with a large day, saved and looked at last at `endMs`. */
async function fill(endMs: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-openings-'));
  const { actor } = openActor(directory);
  for (let first = 0; first < VISITS; first += 1_000) {
    const hits = Array.from({ length: 1_000 }, (_, index) =>
      hit(first + index + 1, NOON - VISITS + first + index),
    );
    actor.onRecords([record(LARGE, hits)], NOON);
  }
  actor.onRecords([record(SMALL, [hit(1, NOON)])], NOON);
  actor.tick(NOON + MINUTE_MS);
  actor.tick(endMs + 2 * HOUR_MS);
  await actor.close();
  actors.length = 0;
  return directory;
}

function copyOf(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'footfall-openings-'));
  directories.push(copy);
  cpSync(directory, copy, { recursive: true });
  return copy;
}

/** Whether the large day is packed. */
async function isPacked(dataDir: string): Promise<boolean> {
  const environment = new StateEnvironment(shardStatePath(dataDir, LARGE.shard));
  const header = readHeader(environment, LARGE.domainId, DAY);
  await environment.close();
  return header!.packed !== null;
}

interface Site {
  shard: number;
  domainId: string;
}

function record({ shard, domainId }: Site, hits: Hit[]): LogRecord {
  const head = { domainId, receivedMs: NOON, idempotencyHash: '', dropped: null };
  return { shard, sequence: ++lastSequence, payload: encodeGroups([{ ...head, hits }]) };
}

function active(id: number, { shard, domainId }: Site) {
  const query = queryOf('active', '', NOON + MINUTE_MS);
  return { kind: 'active', id, shard, domainId, sequence: 0, query } as never;
}

function save(id: number, { shard, domainId }: Site, { sequence }: LogRecord) {
  return { kind: 'save', id, shard, domainId, sequence } as never;
}

async function turnUntil(isDone: () => boolean): Promise<number> {
  let turns = 0;
  for (; !isDone() && turns < 100_000; turns++) await new Promise((done) => setImmediate(done));
  expect(isDone()).toBe(true);
  return turns;
}

/** Every stored row of a day of the large site, by table. */
async function rowsOf(dataDir: string, day: number): Promise<Record<string, unknown[]>> {
  const environment = new StateEnvironment(shardStatePath(dataDir, LARGE.shard));
  const header = readHeader(environment, LARGE.domainId, day);
  const { segment } = loadSegment(environment, LARGE.domainId, day, header!);
  const rows: Record<string, unknown[]> = {};
  for (const name of TABLE_NAMES) {
    const table = segment[name];
    const columns = Object.values(table.columns) as Uint32Array[];
    rows[name] = Array.from({ length: table.rowCount }, (_, row) =>
      columns.map((column) => column[row]),
    );
  }
  await environment.close();
  return rows;
}
