// Goal: shards that move between nodes, in order or not, under load, count what one node would have.
// Method: nodes of one process on a real NATS server (`moving-node.ts`); states compared byte by byte
//   with one that was never moved; faults made on purpose in the middle of storing and restoring.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { NatsSnapshots } from '../../../src/bus/nats/snapshots/snapshots.ts';
import { errors } from '../../../src/model/errors.ts';
import { asDomainId, asEpoch, asSequence, asShardId, type Epoch } from '../../../src/model/ids.ts';
import { SegmentReader } from '../../../src/segment/disk/segment-reader.ts';
import { NatsServer } from '../../support/nats-server.ts';
import { MovingNode, placeOn, recordOf } from './moving-node.ts';

const SHARDS = 4;
const server = new NatsServer();
const place = () => placeOn(server, SHARDS);
const start = MovingNode.startForTest;

beforeAll(() => server.start());
afterAll(() => server.dispose());
afterEach(() => {
  vi.restoreAllMocks();
});

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
const openAll = (node: MovingNode, epoch: Epoch) =>
  Promise.all(every.map((shard) => node.open(shard, epoch)));
const closeAll = (node: MovingNode) => Promise.all(every.map((shard) => node.close(shard)));
const statesOf = (node: MovingNode) => Promise.all(every.map((shard) => node.stateOf(shard)));

test('shards that move under load, in order or not, hold the very bytes of one that stayed (I-78)', async () => {
  const options = place();
  const forget = vi.spyOn(NatsSnapshots.prototype, 'forgetRecords').mockResolvedValue();
  const nodes = [await start(options), await start(options)] as const;
  let epoch = 1;
  await openAll(nodes[0], asEpoch(epoch));
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
      const first = to.open(shard, asEpoch(epoch));
      to.lose(shard);
      await expect(first).rejects.toMatchObject({ code: 'SHARD_MOVED' });
      epoch++;
    }
    await to.open(shard, asEpoch(epoch));
    at[shard] = 1 - at[shard]!;
  }
  const counts = await loading.end();
  expect(Math.min(...counts)).toBeGreaterThan(20);
  for (const shard of every) {
    const owner = nodes[at[shard] as 0 | 1];
    await owner.mover.latest(asShardId(shard));
    await owner.open(shard, asEpoch(epoch + 1));
    await owner.close(shard);
  }
  expect(forget).toHaveBeenCalled();
  vi.spyOn(NatsSnapshots.prototype, 'readManifest').mockResolvedValue(null);
  const still = await start(options);
  await openAll(still, asEpoch(1));
  await Promise.all(every.map((shard) => still.mover.latest(asShardId(shard))));
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
  await openAll(one, asEpoch(1));
  for (let step = 0; step < 60; step++) await one.append(step % SHARDS, recordOf(step));
  // A record that the stream has may come after the order to close: then the next node applies it.
  await Promise.all(every.map((shard) => one.applied(shard)));
  const forget = vi.spyOn(NatsSnapshots.prototype, 'forgetRecords');
  await closeAll(one);
  expect(forget).toHaveBeenCalledTimes(SHARDS);
  const other = await start(options);
  const opened = await openAll(other, asEpoch(2));
  expect(opened.map(({ isRestored }) => isRestored)).toEqual(every.map(() => true));
  expect(await statesOf(other)).toEqual(await statesOf(one));
  // The state of the first is as new as the snapshot: it need not be fetched.
  await closeAll(other);
  const again = await openAll(one, asEpoch(3));
  expect(again.map(({ isRestored }) => isRestored)).toEqual(every.map(() => false));
}, 60_000);

test('a lease that has lapsed is not saved under, nor answered for, nor stored (I-78)', async () => {
  const options = place();
  const node = await start(options);
  await node.open(1, asEpoch(7));
  await node.append(1, recordOf(0));
  const sequence = await node.mover.latest(asShardId(1));
  const request = {
    kind: 'save',
    shard: asShardId(1),
    domainId: asDomainId('site0'),
    sequence,
  } as const;
  node.leases.grant(asShardId(1), asEpoch(7), 0);
  await expect(node.actors.ask(request)).rejects.toMatchObject({
    code: 'SHARD_MOVED',
    status: 503,
  });
  const write = vi.spyOn(NatsSnapshots.prototype, 'writeManifest');
  await node.mover.close(asShardId(1));
  expect(write).not.toHaveBeenCalled();
  expect((await node.stateOf(1)).size).toBe(0);
  // Another lease of the same shard is another matter.
  await node.open(1, asEpoch(8));
  expect(await node.actors.ask(request)).toBe(8);
  expect((await node.stateOf(1)).size).toBeGreaterThan(0);
});

test('a question that waits for a shard is sent elsewhere when the shard goes', async () => {
  const node = await start(place());
  await node.open(2, asEpoch(1));
  const request = {
    kind: 'save',
    shard: asShardId(2),
    domainId: asDomainId('site0'),
    sequence: asSequence(1_000),
  } as const;
  const waiting = node.actors.ask(request);
  node.lose(2);
  await expect(waiting).rejects.toMatchObject({ code: 'SHARD_MOVED' });
  await expect(node.mover.latest(asShardId(2))).rejects.toMatchObject({ code: 'SHARD_MOVED' });
});

test('a query thread reads what was restored under a new lease, not what it had open (A-64)', async () => {
  const options = place();
  const [one, other] = [await start(options), await start(options)];
  const reader = new SegmentReader(one.dataDir, 100_000_000);
  const views = (epoch: Epoch) => {
    const request = {
      shard: asShardId(0),
      epoch,
      domainId: asDomainId('site0'),
      startMs: 0,
      endMs: 1e14,
    };
    return reader.read(request).reduce((sum, { views: table }) => sum + table.rowCount, 0);
  };
  const addAndClose = async (node: MovingNode, epoch: Epoch, steps: number[]) => {
    await node.open(0, epoch);
    for (const step of steps) await node.append(0, recordOf(step));
    await node.mover.latest(asShardId(0));
    await node.open(0, asEpoch(epoch + 1));
    await node.close(0);
  };
  await addAndClose(one, asEpoch(1), [2, 6, 10]);
  const before = views(asEpoch(2));
  expect(before).toBeGreaterThan(0);
  // Exactly what a stale reader would take for its own: the same days, saved as often.
  await addAndClose(other, asEpoch(3), [14, 18, 22]);
  await addAndClose(one, asEpoch(5), []);
  expect(views(asEpoch(6))).toBe(before * 2);
  expect(readdirSync(join(one.dataDir, 'state'))).toEqual(['shard-0000-1']);
  await reader.close();
});

test('a restore that is cut off leaves the state as it was, and the next one is whole', async () => {
  const options = place();
  const one = await start(options);
  await one.open(0, asEpoch(1));
  for (let step = 0; step < 30; step++) await one.append(0, recordOf(step));
  await one.applied(0);
  await one.close(0);
  const other = await start(options);
  // What a process that was killed leaves behind.
  mkdirSync(join(other.dataDir, 'state', 'shard-0000-1-draft'), { recursive: true });
  const get = vi.spyOn(NatsSnapshots.prototype, 'getObject');
  get.mockRejectedValue(errors.LOG_UNAVAILABLE({ reason: 'cut off' }));
  await expect(other.open(0, asEpoch(2))).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
  expect(readdirSync(join(other.dataDir, 'state'))).toEqual([]);
  get.mockRestore();
  await other.open(0, asEpoch(2));
  expect(readdirSync(join(other.dataDir, 'state'))).toEqual(['shard-0000-1']);
  expect(await other.stateOf(0)).toEqual(await one.stateOf(0));
});
