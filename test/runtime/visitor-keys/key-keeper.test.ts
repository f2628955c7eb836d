// Goal (P-22): each day has one key from before it begins until 48 h after its end, on all nodes
// and over any restart, and nothing has it afterwards.
// Method: keepers with real files and a manual clock; of several nodes with a shared document in
// memory, whose servers may be away or forget.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SharedDayKeys } from '../../../src/ingest/visitor/day-keys.ts';
import { errors } from '../../../src/model/errors.ts';
import { DAY_KEY_BYTES, DAY_MS, HOUR_MS } from '../../../src/model/limits.ts';
import { commonKeys } from '../../../src/runtime/visitor-keys/agreed-keys.ts';
import { KeyKeeper } from '../../../src/runtime/visitor-keys/key-keeper.ts';
import { DayKeyFile } from '../../../src/store/day-key-file.ts';

const DAY = 20_780;

let root: string;
let nowMs: number;
let servers: Servers;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'footfall-key-keeper-'));
  nowMs = DAY * DAY_MS + 12 * HOUR_MS;
  servers = new Servers();
});

afterEach(() => rmSync(root, { recursive: true }));

/** A bucket of one document. */
class Servers {
  isAway = false;
  document: { value: unknown; revision: number } | null = null;
  #revision = 0;
  /** Another node's turn, between the next read and its write. */
  between: (() => Promise<void>) | null = null;

  /** A server that was restarted has no bucket until somebody makes it. */
  hasBucket = false;

  async open(): Promise<this> {
    if (this.isAway) throw errors.LOG_UNAVAILABLE({ reason: 'away' });
    this.hasBucket = true;
    return this;
  }

  forget(): void {
    this.document = null;
    this.hasBucket = false;
  }

  async read<Document>(): Promise<{ value: Document; revision: number } | null> {
    if (this.isAway) throw errors.LOG_UNAVAILABLE({ reason: 'away' });
    const found = structuredClone(this.document);
    const work = this.between;
    this.between = null;
    await work?.();
    return found as { value: Document; revision: number } | null;
  }

  async write(_key: string, value: unknown, revision: number): Promise<number | null> {
    if (this.isAway || !this.hasBucket) throw errors.LOG_UNAVAILABLE({ reason: 'away' });
    if ((this.document?.revision ?? 0) !== revision) return null;
    this.#revision++;
    this.document = { value: structuredClone(value), revision: this.#revision };
    return this.#revision;
  }
}

interface TestNode {
  readonly keeper: KeyKeeper;
  readonly memory: SharedDayKeys;
  readonly told: string[];
  readonly faults: unknown[];
  readonly aparts: unknown[];
  readonly changes: { count: number };
  /** The key that ids of a day are made with. */
  key(day: number): string;
  end(): void;
}

/** What fails of the file. */
interface Breakage {
  put?: boolean;
  erase?: boolean;
}

async function start(
  name: string,
  options: { isAlone?: boolean; broken?: Breakage } = {},
): Promise<TestNode> {
  const { isAlone = true, broken = {} } = options;
  const directory = mkdtempSync(join(root, `${name}-`));
  return await open(directory, { isAlone, broken });
}

async function open(
  directory: string,
  { isAlone = true, broken = {} }: { isAlone?: boolean; broken?: Breakage } = {},
): Promise<TestNode> {
  const file = new DayKeyFile(directory);
  const memory = SharedDayKeys.create();
  const told: string[] = [];
  const faults: unknown[] = [];
  const aparts: unknown[] = [];
  const changes = { count: 0 };
  const refuse = () => {
    throw new Error('EIO');
  };
  const keeper = new KeyKeeper({
    file: {
      found: file.found,
      put: (day, key) => (broken.put === true ? refuse() : file.put(day, key)),
      erase: (day) => (broken.erase === true ? refuse() : file.erase(day)),
    },
    memory,
    common: isAlone
      ? null
      : commonKeys(
          () => servers.open(),
          async () => {},
        ),
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    onChange: () => changes.count++,
    tell: (what, days) => told.push(`${what} ${days.map((day) => day - DAY).join(' ')}`),
    onFault: (error) => faults.push(error),
    onApart: (error) => aparts.push(error),
  });
  const end = () => {
    keeper.close();
    file.close();
  };
  try {
    await keeper.open();
  } catch (error) {
    end();
    throw error;
  }
  const key = (day: number) => {
    const out = new Uint8Array(DAY_KEY_BYTES);
    memory.read(day, out);
    return Buffer.from(out).toString('hex');
  };
  return { keeper, memory, told, faults, aparts, changes, key, end };
}

/** Whether the bytes of a key are anywhere in the files of the nodes. */
function isOnDisk(key: string): boolean {
  const bytes = Buffer.from(key, 'hex');
  const files = readdirSync(root, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(bytes));
}

test('P-22: a key is kept until 48 h after the end of its day, to the millisecond, and no longer', async () => {
  const directory = mkdtempSync(join(root, 'a-'));
  const node = await open(directory);
  expect(node.told).toEqual(['made -2 -1 0 1 2']);
  const key = node.key(DAY);
  nowMs = (DAY + 3) * DAY_MS - 1;
  await node.keeper.look();
  expect(node.key(DAY)).toBe(key);
  expect(isOnDisk(key)).toBe(true);
  const { count } = node.changes;
  nowMs++;
  await node.keeper.look();
  expect(node.changes.count).toBeGreaterThan(count);
  expect(isOnDisk(key)).toBe(false);
  expect(Buffer.from(node.memory.memory).includes(Buffer.from(key, 'hex'))).toBe(false);
  // Late hits count under today's.
  expect(node.key(DAY)).toBe(node.key(DAY + 3));
  expect(node.told.slice(1)).toEqual(['destroyed -2 -1', 'made 3 4', 'destroyed 0', 'made 5']);
  expect(node.keeper.heldCount).toBe(5);
  node.end();
});

test('P-22: the day that begins has its key for two days by then', async () => {
  const node = await start('a');
  const tomorrow = node.key(DAY + 1);
  expect(() => node.key(DAY + 3)).toThrow('try again');
  nowMs = (DAY + 1) * DAY_MS;
  await node.keeper.look();
  expect(node.key(DAY + 1)).toBe(tomorrow);
  expect(node.key(DAY + 3)).toMatch(/^[0-9a-f]{64}$/);
  node.end();
});

test('P-22: the same key after a restart, and after days of being off what is over is destroyed at the start', async () => {
  const directory = mkdtempSync(join(root, 'a-'));
  const first = await open(directory);
  const keys = [DAY - 2, DAY, DAY + 2].map((day) => first.key(day));
  first.end();
  const second = await open(directory);
  expect([DAY - 2, DAY, DAY + 2].map((day) => second.key(day))).toEqual(keys);
  expect(second.told).toEqual([]);
  second.end();
  nowMs += 4 * DAY_MS;
  const third = await open(directory);
  expect(third.told).toEqual(['destroyed -2 -1 0 1', 'made 3 4 5 6']);
  expect(keys.map(isOnDisk)).toEqual([false, false, true]);
  expect(third.key(DAY + 2)).toBe(keys[2]);
  third.end();
});

test('P-22: a clock that is put back finds the keys of its days again; what was destroyed is made anew', async () => {
  const node = await start('a');
  const before = [DAY - 2, DAY].map((day) => node.key(day));
  nowMs += DAY_MS;
  await node.keeper.look();
  const ahead = node.key(DAY + 3);
  nowMs -= DAY_MS;
  await node.keeper.look();
  expect(node.key(DAY)).toBe(before[1]);
  expect(node.key(DAY - 2)).not.toBe(before[0]);
  nowMs += DAY_MS;
  await node.keeper.look();
  expect(node.key(DAY + 3)).toBe(ahead);
  // A clock that was wrong by years leaves no key behind.
  nowMs += 4_000 * DAY_MS;
  await node.keeper.look();
  nowMs -= 4_000 * DAY_MS;
  await node.keeper.look();
  expect(node.keeper.heldCount).toBe(5);
  node.end();
});

test('P-22: a key that the disk does not take is given to nobody, and one that it does not let go of is used by nobody', async () => {
  const broken: Breakage = {};
  const directory = mkdtempSync(join(root, 'a-'));
  const node = await open(directory, { broken });
  const old = node.key(DAY - 2);
  broken.put = true;
  broken.erase = true;
  nowMs += DAY_MS;
  for (let look = 0; look < 3; look++) await node.keeper.look();
  // Told once.
  expect(node.faults).toHaveLength(1);
  expect(() => node.key(DAY + 3)).toThrow('try again');
  expect(node.key(DAY - 2)).toBe(node.key(DAY + 1));
  expect([isOnDisk(old), node.keeper.overdueCount]).toEqual([true, 1]);
  // One of the two does not keep the other from being done.
  broken.put = false;
  await node.keeper.look();
  expect(node.key(DAY + 3)).toMatch(/^[0-9a-f]{64}$/);
  broken.erase = false;
  await node.keeper.look();
  expect([isOnDisk(old), node.keeper.overdueCount]).toEqual([false, 0]);
  expect(node.told.slice(1)).toEqual(['made 3', 'destroyed -2']);
  node.end();
  // A start with it refused: no thread would have a key.
  await expect(start('b', { broken: { put: true } })).rejects.toThrow('EIO');
});

test('P-22: nodes that make the key of a day at the same moment have the same one', async () => {
  const a = await start('a', { isAlone: false });
  const b = await start('b', { isAlone: false });
  const keysOf = (node: TestNode) => [-2, -1, 0, 1, 2].map((at) => node.key(DAY + at));
  expect(keysOf(b)).toEqual(keysOf(a));
  nowMs += DAY_MS;
  // b comes first after a has read that there is none.
  servers.between = () => b.keeper.look();
  await a.keeper.look();
  expect(a.key(DAY + 3)).toBe(b.key(DAY + 3));
  expect([a.told, b.told]).toEqual([
    ['made -2 -1 0 1 2', 'destroyed -2', 'made 3'],
    ['made -2 -1 0 1 2', 'destroyed -2', 'made 3'],
  ]);
  const shared = JSON.stringify(servers.document);
  expect(shared).toContain(a.key(DAY + 3));
  expect(shared).not.toContain(`"${DAY - 2}"`);
  a.end();
  b.end();
});

test('P-22: servers that lost their memory are told again what the nodes have', async () => {
  const a = await start('a', { isAlone: false });
  const b = await start('b', { isAlone: false });
  const key = a.key(DAY);
  servers.forget();
  for (let look = 0; look < 2; look++) {
    nowMs += 3_000;
    await b.keeper.look();
    await a.keeper.look();
  }
  const c = await start('c', { isAlone: false });
  expect([a.key(DAY), b.key(DAY), c.key(DAY)]).toEqual([key, key, key]);
  expect([...a.told, ...b.told].filter((line) => line.startsWith('replaced'))).toEqual([]);
  for (const node of [a, b, c]) node.end();
});

test('P-22: while the servers are away nodes go on with the keys they have, for two days; then each with its own', async () => {
  const a = await start('a', { isAlone: false });
  const b = await start('b', { isAlone: false });
  const common = a.key(DAY + 2);
  servers.isAway = true;
  for (const days of [1, 1]) {
    nowMs += days * DAY_MS;
    for (const node of [a, b]) await node.keeper.look();
  }
  expect([a.key(DAY + 2), b.key(DAY + 2)]).toEqual([common, common]);
  // Told once; an election of theirs takes some seconds and is not worth a word.
  expect([a.aparts.length, b.aparts.length]).toEqual([1, 1]);
  expect([...a.faults, ...b.faults]).toEqual([]);
  nowMs += DAY_MS;
  for (const node of [a, b]) await node.keeper.look();
  // They had a day of its own each ready for this one (hits may be a day ahead, I-71).
  expect(a.key(DAY + 3)).not.toBe(b.key(DAY + 3));
  expect(a.told.at(-1)).toBe('made 4');
  servers.isAway = false;
  nowMs += 3_000;
  for (const node of [a, b]) await node.keeper.look();
  expect(a.key(DAY + 3)).toBe(b.key(DAY + 3));
  expect(b.told).toContain('replaced 3 4');
  for (const node of [a, b]) node.end();
});

test('P-22: a node that just starts waits for the others rather than make keys for itself', async () => {
  servers.isAway = true;
  await expect(start('a', { isAlone: false })).rejects.toThrow('cannot be reached');
  servers.isAway = false;
  // With keys of its own it starts; whoever answers later is told.
  const directory = mkdtempSync(join(root, 'a-'));
  (await open(directory, { isAlone: false })).end();
  servers.isAway = true;
  const node = await open(directory, { isAlone: false });
  expect([...node.faults, ...node.aparts]).toEqual([]);
  expect(node.key(DAY)).toMatch(/^[0-9a-f]{64}$/);
  node.end();
});

test('P-22: what nodes share is not trusted: a document of something else is written anew', async () => {
  servers.document = { value: { keys: { '20780': 'short', x: 'y', 20781: null } }, revision: 0 };
  const node = await start('a', { isAlone: false });
  expect(node.key(DAY)).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(servers.document)).toContain(node.key(DAY));
  node.end();
});
