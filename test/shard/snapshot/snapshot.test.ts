// Goal: what a snapshot brings back is the state it was made of; an older one never replaces a newer.
// Method: environments with random entries and a store in memory.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { asEpoch, asShardId } from '../../../src/model/ids.ts';
import {
  newestManifest,
  restoreSnapshot,
  type StoredGroup,
  saveSnapshot,
} from '../../../src/shard/snapshot/snapshot.ts';
import { StateEnvironment, type StateKey } from '../../../src/store/state-environment.ts';
import { MemoryStore } from './memory-store.ts';

const SHARD = asShardId(7);
const PLACE = { shard: SHARD, log: 'made once' };

let store: MemoryStore;

beforeEach(() => {
  store = new MemoryStore();
});

function environment(): StateEnvironment {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-snapshot-'));
  const made = new StateEnvironment(directory);
  onTestFinished(async () => {
    await made.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return made;
}

function put(into: StateEnvironment, position: number, entries: [StateKey, string][]): void {
  into.write(() => {
    for (const [key, text] of entries) into.put(key, Buffer.from(text));
    // msgpack of a number below 128.
    into.put(['p'], Buffer.from([position]));
  });
}

function entriesOf(from: StateEnvironment): [StateKey, string][] {
  const snapshot = from.snapshot();
  const entries = [...snapshot.range()].map(({ key, value }): [StateKey, string] => [
    key,
    Buffer.from(value).toString('hex'),
  ]);
  snapshot.done();
  return entries;
}

function save(from: StateEnvironment, epoch: number, isHeld = () => true): Promise<number | null> {
  return saveSnapshot(from, store, { ...PLACE, epoch: asEpoch(epoch), stored: new Map(), isHeld });
}

async function restored(): Promise<StateEnvironment> {
  const manifest = await newestManifest(store, SHARD);
  const copy = environment();
  if (manifest !== null) await restoreSnapshot(copy, manifest.value, store);
  return copy;
}

test('a snapshot brings back every entry; days that did not change are stored once', async () => {
  const state = environment();
  put(state, 5, [
    [['d', 'one'], 'domain'],
    [['h', 'one', 20_000], 'head'],
    [['b', 'one', 20_000, 2, 0], 'block'],
    [['t', 'one', 20_000, 0], 'texts'],
    [['s', 'one', 20_001, 0], 'blocks that are packed'],
    [['x', 'one'], 'pending'],
    [['h', 'one', 20_001], 'head of another day'],
    [['h', 'two', 20_000], 'head of another site'],
    [['k', 'hash'], 'key'],
  ]);
  expect(await save(state, 1)).toBe(5);
  // Two days, and the rest.
  expect(store.objects.size).toBe(3);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
  put(state, 9, [[['b', 'one', 20_001, 2, 0], 'block']]);
  const before = store.puts;
  expect(await save(state, 1)).toBe(9);
  // That day, and the rest with the position; what they replace is gone, packed or not.
  expect(store.puts - before).toBe(2);
  expect(store.objects.size).toBe(3);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
});

test('a large day is cut into parts, of which rows that are appended change few', async () => {
  const state = environment();
  const text = (block: number) => `block ${block + 1_000} `.repeat(2_000);
  const blocks = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at): [StateKey, string] => [
      ['b', 'one', 20_000, 3, from + at],
      text(from + at),
    ]);
  put(state, 5, [[['h', 'one', 20_000], 'head'], ...blocks(0, 300)]);
  await save(state, 1);
  // Six megabytes in parts of one to two, and the rest.
  expect(store.objects.size).toBeGreaterThan(4);
  expect(Math.max(...[...store.objects.values()].map(({ length }) => length))).toBeLessThan(3e6);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
  const before = store.puts;
  put(state, 6, [[['h', 'one', 20_000], 'head 2'], ...blocks(299, 302)]);
  await save(state, 1);
  expect(store.puts - before).toBeLessThanOrEqual(4);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
});

test('old days go together by eights, the newest two alone; one that is gone leaves no object', async () => {
  const state = environment();
  const days = Array.from({ length: 40 }, (_, day): [StateKey, string] => [
    ['h', 'one', 20_000 + day],
    `head of ${day}`,
  ]);
  put(state, 5, days);
  await save(state, 1);
  // 20,000 is a multiple of eight: five groups of the first 38 days, two days, the rest.
  expect(store.objects.size).toBe(8);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
  state.write(() => {
    for (let day = 0; day < 8; day++) state.remove(['h', 'one', 20_000 + day]);
  });
  put(state, 6, []);
  await save(state, 1);
  expect(store.objects.size).toBe(7);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
});

test('a day whose header has not moved is not read again, and is in the next snapshot', async () => {
  const state = environment();
  const stored = new Map<string, StoredGroup>();
  const saveKnowing = () =>
    saveSnapshot(state, store, { ...PLACE, epoch: asEpoch(1), stored, isHeld: () => true });
  put(state, 5, [
    [['h', 'one', 1], 'head'],
    [['b', 'one', 1, 2, 0], 'block'],
    [['s', 'one', 1, 0], 'packed blocks '.repeat(1_000)],
    [['h', 'one', 2], 'head'],
  ]);
  await saveKnowing();
  const before = new Set(store.objects.keys());
  put(state, 6, [[['h', 'one', 2], 'head 2']]);
  await saveKnowing();
  const added = [...store.objects].filter(([name]) => !before.has(name));
  expect(added.map(([, { length }]) => length < 1_000)).toEqual([true, true]);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
  // Objects that somebody else's snapshot has dropped are stored again.
  store.manifest = null;
  store.objects.clear();
  put(state, 7, []);
  await saveKnowing();
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
});

test('what was dropped of a day travels though its header has not moved, or there is none (P-31)', async () => {
  const state = environment();
  const stored = new Map<string, StoredGroup>();
  const saveKnowing = () =>
    saveSnapshot(state, store, { ...PLACE, epoch: asEpoch(1), stored, isHeld: () => true });
  put(state, 5, [
    [['h', 'one', 1], 'head'],
    [['b', 'one', 1, 2, 0], 'block'],
    [['l', 'one', 1], 'one drop'],
    [['l', 'one', 9], 'of a day without hits'],
    [['h', 'two', 20], 'head'],
  ]);
  await saveKnowing();
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
  put(state, 6, [
    [['l', 'one', 1], 'two drops'],
    [['l', 'two', 2], 'one of a day of others'],
  ]);
  await saveKnowing();
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
});

test('a lease that lapses while parts are stored leaves the manifest as it was', async () => {
  const state = environment();
  put(state, 5, [[['d', 'one'], 'before']]);
  expect(await save(state, 1)).toBe(5);
  const before = structuredClone(store.manifest);
  put(state, 6, [[['d', 'one'], 'after']]);
  expect(await save(state, 1, () => false)).toBeNull();
  expect(store.manifest).toEqual(before);
});

test('nothing new is stored for the same position, and nothing at all for an earlier one', async () => {
  const [late, early] = [environment(), environment()];
  put(late, 9, [[['d', 'one'], 'late']]);
  put(early, 8, [[['d', 'one'], 'early']]);
  expect(await save(late, 2)).toBe(9);
  const { puts } = store;
  expect(await save(late, 2)).toBe(9);
  expect(await save(early, 1)).toBeNull();
  expect(store.puts).toBe(puts);
  expect(entriesOf(await restored())).toEqual(entriesOf(late));
});

test('of two nodes that store at once the manifest of one stands, with all of its parts', async () => {
  const [left, right] = [environment(), environment()];
  put(left, 5, [
    [['h', 'one', 1], 'same'],
    [['d', 'x'], 'left'],
  ]);
  put(right, 6, [
    [['h', 'one', 1], 'same'],
    [['d', 'x'], 'right'],
  ]);
  const saved = await Promise.all([save(left, 1), save(right, 2)]);
  expect(saved.filter((position) => position !== null)).toHaveLength(1);
  const winner = saved[0] === null ? right : left;
  expect(entriesOf(await restored())).toEqual(entriesOf(winner));
});

test('a write during a snapshot is not in it', async () => {
  const state = environment();
  put(state, 5, [
    [['d', 'one'], 'before'],
    [['h', 'one', 1], 'x'],
  ]);
  const before = entriesOf(state);
  const saving = save(state, 1);
  const original = store.putObject.bind(store);
  store.putObject = async (name, bytes) => {
    put(state, 6, [
      [['d', 'one'], 'after'],
      [['h', 'one', 2], 'y'],
    ]);
    await original(name, bytes);
  };
  expect(await saving).toBe(5);
  expect(entriesOf(await restored())).toEqual(before);
});

test.each([
  [1, 'use the version that stored it'],
  [6, 'update this node'],
])('a manifest of format %d is refused: %s', async (format, remedy) => {
  await store.writeManifest(SHARD, { format, position: 1, epoch: 1, parts: {} }, 0);
  const refused = expect(newestManifest(store, SHARD)).rejects;
  await refused.toMatchObject({
    code: 'SNAPSHOT_DAMAGED',
    message: expect.stringContaining(remedy),
  });
});

test('a manifest of the build before is read', async () => {
  const before = { format: 2, position: 1, epoch: 1, log: PLACE.log, parts: {} };
  await store.writeManifest(SHARD, before, 0);
  expect((await newestManifest(store, SHARD))?.value).toEqual(before);
});
