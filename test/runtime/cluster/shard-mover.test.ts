// Goal: shards that move between nodes, in order or not, under load, count what one node would have.
// Method: nodes of one process on a real NATS server (`moving-node.ts`); states compared byte by byte
//   with one that was never moved; faults made on purpose in the middle of storing and restoring.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { encodeGroups } from '../../../src/bus/codec.ts';
import type { NatsLogOptions } from '../../../src/bus/nats-log.ts';
import { NatsSnapshots } from '../../../src/bus/nats-snapshots.ts';
import { errors } from '../../../src/model/errors.ts';
import type { Hit } from '../../../src/model/hit.ts';
import { DAY_MS, HOUR_MS } from '../../../src/model/limits.ts';
import { event, hit, keepAlive, MONDAY_MS } from '../../shard/hit-builder.ts';
import { NatsServer } from '../../support/nats-server.ts';
import { MovingNode } from './moving-node.ts';

const SHARDS = 4;
const NOON = MONDAY_MS + 12 * HOUR_MS;
const server = new NatsServer();
let places = 0;

beforeAll(() => server.start());
afterAll(() => server.dispose());
afterEach(() => {
  vi.restoreAllMocks();
});

function place(): NatsLogOptions {
  places++;
  return {
    access: { servers: [server.url], user: null, password: null, token: null, credentials: null },
    ...{ name: 'test', prefix: `m${places}`, shards: SHARDS, replicas: 1 },
    bytesMax: 256 * 1_024 * 1_024,
  };
}

async function start(options: NatsLogOptions, dataDir?: string): Promise<MovingNode> {
  const node = await MovingNode.start(options, dataDir);
  let isStopped = false;
  const stop = node.stop.bind(node);
  node.stop = async () => {
    if (!isStopped) await stop();
    isStopped = true;
  };
  onTestFinished(async () => {
    await node.stop();
    node.removeFiles();
    expect(node.faults).toEqual([]);
  });
  return node;
}

/** The record of a step: some people of two sites over three days, some repeats of keys. */
function recordOf(step: number): Uint8Array {
  const hits = Array.from({ length: 12 }, (_, index): Hit => {
    const timeMs = NOON + (step % 3) * DAY_MS + step * 900 + index * 50;
    const person = (step * 5 + index) % 23;
    if (index % 7 === 6) return event(person, timeMs, { eventName: `e${step % 4}` });
    if (index % 5 === 4) return keepAlive(person, timeMs);
    return hit(person, timeMs, { path: `/${(step * index) % 17}`, title: `t${step % 6}` });
  });
  const head = { domainId: `site${step % 2}`, receivedMs: NOON + step, dropped: null };
  return encodeGroups([
    { ...head, idempotencyHash: step % 4 === 0 ? `key${step % 40}` : '', hits },
  ]);
}

/** Appends until it is ended. @returns how many records each shard got. */
function load(node: MovingNode): { end: () => Promise<number[]> } {
  const counts = new Array<number>(SHARDS).fill(0);
  let isEnding = false;
  const run = (async () => {
    for (let step = 0; !isEnding; step++) {
      const shard = step % SHARDS;
      await node.append(shard, recordOf(Math.floor(step / SHARDS)));
      counts[shard]! += 1;
    }
    return counts;
  })();
  const end = () => {
    isEnding = true;
    return run;
  };
  return { end };
}

const every = Array.from({ length: SHARDS }, (_, shard) => shard);
const openAll = (node: MovingNode, epoch: number) =>
  Promise.all(every.map((shard) => node.open(shard, epoch)));
const closeAll = (node: MovingNode) => Promise.all(every.map((shard) => node.close(shard)));
const statesOf = (node: MovingNode) => Promise.all(every.map((shard) => node.stateOf(shard)));

test('shards that move under load, in order or not, hold the very bytes of one that stayed (I-78)', async () => {
  const options = place();
  const forget = vi.spyOn(NatsSnapshots.prototype, 'forgetRecords').mockResolvedValue();
  const nodes = [await start(options), await start(options)] as const;
  let epoch = 1;
  await openAll(nodes[0], epoch);
  const loading = load(nodes[1]);
  const at = every.map(() => 0);
  for (let round = 0; round < 24; round++) {
    const shard = round % SHARDS;
    const from = nodes[at[shard] as 0 | 1];
    const to = nodes[(1 - at[shard]!) as 0 | 1];
    epoch++;
    if (round % 3 === 2) from.lose(shard);
    else await from.close(shard);
    // The other may be told again, by another lease, before it has come up.
    if (round % 5 === 4) {
      const first = to.open(shard, epoch);
      to.lose(shard);
      await expect(first).rejects.toMatchObject({ code: 'SHARD_MOVED' });
      epoch++;
    }
    await to.open(shard, epoch);
    at[shard] = 1 - at[shard]!;
  }
  const counts = await loading.end();
  expect(Math.min(...counts)).toBeGreaterThan(20);
  for (const shard of every) {
    const owner = nodes[at[shard] as 0 | 1];
    await owner.mover.latest(shard);
    await owner.open(shard, epoch + 1);
    await owner.close(shard);
  }
  expect(forget).toHaveBeenCalled();
  vi.spyOn(NatsSnapshots.prototype, 'readManifest').mockResolvedValue(null);
  const still = await start(options);
  await openAll(still, 1);
  await Promise.all(every.map((shard) => still.mover.latest(shard)));
  vi.spyOn(NatsSnapshots.prototype, 'writeManifest').mockResolvedValue(true);
  await closeAll(still);
  const expected = await statesOf(still);
  for (const shard of every) {
    const moved = await nodes[at[shard] as 0 | 1].stateOf(shard);
    expect(moved.size).toBeGreaterThan(10);
    expect(moved).toEqual(expected[shard]);
  }
}, 120_000);

test('the log is forgotten behind a snapshot, and a node with nothing has it all from there', async () => {
  const options = place();
  const one = await start(options);
  await openAll(one, 1);
  for (let step = 0; step < 60; step++) await one.append(step % SHARDS, recordOf(step));
  const forget = vi.spyOn(NatsSnapshots.prototype, 'forgetRecords');
  await closeAll(one);
  expect(forget).toHaveBeenCalledTimes(SHARDS);
  const other = await start(options);
  const opened = await openAll(other, 2);
  expect(opened.map(({ isRestored }) => isRestored)).toEqual(every.map(() => true));
  expect(await statesOf(other)).toEqual(await statesOf(one));
  // The state of the first is as new as the snapshot: it need not be fetched.
  await closeAll(other);
  const again = await openAll(one, 3);
  expect(again.map(({ isRestored }) => isRestored)).toEqual(every.map(() => false));
}, 60_000);

test('a lease that has lapsed is not saved under, nor answered for, nor stored (I-78)', async () => {
  const options = place();
  const node = await start(options);
  await node.open(1, 7);
  await node.append(1, recordOf(0));
  const sequence = await node.mover.latest(1);
  const request = { kind: 'save', shard: 1, domainId: 'site0', sequence } as const;
  node.leases.grant(1, 7, 0);
  await expect(node.actors.ask(request)).rejects.toMatchObject({
    code: 'SHARD_MOVED',
    status: 503,
  });
  const write = vi.spyOn(NatsSnapshots.prototype, 'writeManifest');
  await node.mover.close(1);
  expect(write).not.toHaveBeenCalled();
  expect((await node.stateOf(1)).size).toBe(0);
  // Another lease of the same shard is another matter.
  await node.open(1, 8);
  expect(await node.actors.ask(request)).toBe(8);
  expect((await node.stateOf(1)).size).toBeGreaterThan(0);
});

test('a question that waits for a shard is sent elsewhere when the shard goes', async () => {
  const node = await start(place());
  await node.open(2, 1);
  const request = { kind: 'save', shard: 2, domainId: 'site0', sequence: 1_000 } as const;
  const waiting = node.actors.ask(request);
  node.lose(2);
  await expect(waiting).rejects.toMatchObject({ code: 'SHARD_MOVED' });
  await expect(node.mover.latest(2)).rejects.toMatchObject({ code: 'SHARD_MOVED' });
});

test('a restore that is cut off leaves the state as it was, and the next one is whole', async () => {
  const options = place();
  const one = await start(options);
  await one.open(0, 1);
  for (let step = 0; step < 30; step++) await one.append(0, recordOf(step));
  await one.close(0);
  const other = await start(options);
  // What a process that was killed leaves behind.
  mkdirSync(join(other.dataDir, 'state', 'shard-0000-1-draft'), { recursive: true });
  const get = vi.spyOn(NatsSnapshots.prototype, 'getObject');
  get.mockRejectedValue(errors.LOG_UNAVAILABLE({ reason: 'cut off' }));
  await expect(other.open(0, 2)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
  expect(readdirSync(join(other.dataDir, 'state'))).toEqual([]);
  get.mockRestore();
  await other.open(0, 2);
  expect(readdirSync(join(other.dataDir, 'state'))).toEqual(['shard-0000-1']);
  expect(await other.stateOf(0)).toEqual(await one.stateOf(0));
});
