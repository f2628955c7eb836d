// Goal: a snapshot or a stream that cannot be right is refused in one line that says what to do, and
//   nothing is damaged: what was there is there afterwards, and serves once the fault is mended.
// Method: a real server and real snapshots, spoilt through the same interface that stores them.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { NatsLogOptions } from '../../../src/bus/nats/log.ts';
import { NatsSnapshots } from '../../../src/bus/nats/snapshots/snapshots.ts';
import { asEpoch, asSequence, asShardId } from '../../../src/model/ids.ts';
import type { Manifest } from '../../../src/shard/snapshot/snapshot.ts';
import { NatsServer } from '../../support/nats-server.ts';
import { MovingNode, placeOn, recordOf } from './moving-node.ts';

const SHARD = asShardId(3);
const server = new NatsServer();

beforeAll(() => server.start());
afterAll(() => server.dispose());

/** A shard with a snapshot, the node that made it, and one whose state is older. */
async function moved(): Promise<{
  options: NatsLogOptions;
  store: NatsSnapshots;
  first: MovingNode;
  behind: MovingNode;
}> {
  const options = placeOn(server, SHARD + 1);
  const first = await MovingNode.startForTest(options);
  const behind = await MovingNode.startForTest(options);
  await behind.open(SHARD, asEpoch(1));
  for (let step = 0; step < 20; step++) await first.append(SHARD, recordOf(step));
  await behind.mover.latest(SHARD);
  await behind.open(SHARD, asEpoch(2));
  await behind.close(SHARD);
  await first.open(SHARD, asEpoch(3));
  for (let step = 20; step < 40; step++) await first.append(SHARD, recordOf(step));
  await first.mover.latest(SHARD);
  await first.open(SHARD, asEpoch(4));
  await first.close(SHARD);
  const store = await NatsSnapshots.open(options);
  onTestFinished(() => store.close());
  return { options, store, first, behind };
}

async function change(store: NatsSnapshots, fields: Partial<Manifest>): Promise<Manifest> {
  const found = await store.readManifest<Manifest>(SHARD);
  const { value, revision } = found as NonNullable<typeof found>;
  expect(await store.writeManifest(SHARD, { ...value, ...fields }, revision)).toBe(true);
  return value;
}

test.each<{ name: string; fields: Partial<Manifest>; code: string; message: RegExp }>([
  {
    name: 'of a newer format',
    fields: { format: 99 },
    code: 'SNAPSHOT_DAMAGED',
    message: /shard\.3 cannot be used: its format is 99, not \d+; update this node$/,
  },
  {
    name: 'of another stream',
    fields: { log: '2020-01-01T00:00:00Z' },
    code: 'SNAPSHOT_DAMAGED',
    message: /belongs to the stream made at 2020-01-01.*restore that stream/,
  },
  {
    name: 'of hits that the stream has lost',
    fields: { position: asSequence(123_456) },
    code: 'STREAM_WENT_BACK',
    message: /ends at \d+, but shard 3 has been counted up to 123456: restore/,
  },
  {
    name: 'with a part that was never stored',
    fields: { parts: { rest: '3/none' } },
    code: 'SNAPSHOT_DAMAGED',
    message: /3\/none cannot be used: it is missing; restore the object store/,
  },
])('a snapshot $name is refused, and nothing is damaged', async ({ fields, code, message }) => {
  const { store, first, behind } = await moved();
  const before = await behind.stateOf(SHARD);
  const value = await change(store, fields);
  const refused = behind.open(SHARD, asEpoch(5));
  await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining('\n') });
  expect(await behind.stateOf(SHARD)).toEqual(before);
  await change(store, value);
  expect(await behind.open(SHARD, asEpoch(6))).toMatchObject({ isRestored: true });
  expect(await behind.stateOf(SHARD)).toEqual(await first.stateOf(SHARD));
});

test('a part with other bytes than were stored is refused, and nothing is damaged', async () => {
  const { store, first, behind } = await moved();
  const before = await behind.stateOf(SHARD);
  const found = await store.readManifest<Manifest>(SHARD);
  const name = Object.values(found?.value.parts ?? {}).at(-1) as string;
  const right = await store.getObject(name);
  await store.putObject(name, Buffer.from(right).fill(7, 10, 20));
  await expect(behind.open(SHARD, asEpoch(5))).rejects.toMatchObject({
    code: 'SNAPSHOT_DAMAGED',
    message: expect.stringContaining('it is not what was stored; restore'),
  });
  expect(await behind.stateOf(SHARD)).toEqual(before);
  await store.putObject(name, right);
  expect(await behind.open(SHARD, asEpoch(6))).toMatchObject({ isRestored: true });
  expect(await behind.stateOf(SHARD)).toEqual(await first.stateOf(SHARD));
});

test('a state that is ahead of the stream is refused, and kept', async () => {
  const { first } = await moved();
  const before = await first.stateOf(SHARD);
  await first.stop();
  // The stream came back empty, as from no backup at all.
  const again = await MovingNode.startForTest(placeOn(server, SHARD + 1), first.dataDir);
  await expect(again.open(SHARD, asEpoch(1))).rejects.toMatchObject({
    code: 'STREAM_WENT_BACK',
    message: expect.stringMatching(/ends at 0, but shard 3 has been counted up to \d+: restore/),
  });
  expect(await again.stateOf(SHARD)).toEqual(before);
});
