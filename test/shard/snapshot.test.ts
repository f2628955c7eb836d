// Goal: what a snapshot brings back is the state it was made of; an older one never replaces a newer.
// Method: environments with random entries and a store in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  newestManifest,
  restoreSnapshot,
  type SnapshotStore,
  saveSnapshot,
} from '../../src/shard/snapshot.ts';
import { StateEnvironment, type StateKey } from '../../src/store/state-environment.ts';

const SHARD = 7;
const PLACE = { shard: SHARD, log: 'made once' };

class MemoryStore implements SnapshotStore {
  readonly objects = new Map<string, Uint8Array>();
  manifest: { value: unknown; revision: number } | null = null;
  puts = 0;

  async readManifest<Found>(): Promise<{ value: Found; revision: number } | null> {
    return structuredClone(this.manifest) as { value: Found; revision: number } | null;
  }

  async writeManifest(_: number, value: unknown, revision: number): Promise<boolean> {
    if ((this.manifest?.revision ?? 0) !== revision) return false;
    this.manifest = { value: structuredClone(value), revision: revision + 1 };
    return true;
  }

  async putObject(name: string, bytes: Uint8Array): Promise<void> {
    this.puts++;
    this.objects.set(name, bytes.slice());
  }

  async getObject(name: string): Promise<Uint8Array> {
    const bytes = this.objects.get(name);
    if (bytes === undefined) throw new Error(`${name} is missing`);
    return bytes;
  }

  async deleteObject(name: string): Promise<void> {
    this.objects.delete(name);
  }
}

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
  return saveSnapshot(from, store, { ...PLACE, epoch, stored: new Map(), isHeld });
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
  // That day, and the rest with the position; what they replace is gone.
  expect(store.puts - before).toBe(2);
  expect(store.objects.size).toBe(3);
  expect(entriesOf(await restored())).toEqual(entriesOf(state));
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

test('a manifest of a newer format is refused', async () => {
  await store.writeManifest(SHARD, { format: 2, position: 1, epoch: 1, parts: {} }, 0);
  await expect(newestManifest(store, SHARD)).rejects.toMatchObject({ code: 'SNAPSHOT_DAMAGED' });
});
