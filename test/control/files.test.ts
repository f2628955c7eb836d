// Goal: files stand on disk only: neither the start nor the memory of a thread grows with them.
// Method: a registry with many of them, opened anew; what its records and entities on disk hold.
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Hex } from '../../src/base/hash.ts';
import { createAccount } from '../../src/control/accounts.ts';
import { Files, fileContent } from '../../src/control/files.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { file } from '../../src/control/resources/file.ts';
import type { Theme } from '../../src/control/resources/theme.ts';
import { user } from '../../src/control/resources/user.ts';
import { saveTheme, themeRemoval } from '../../src/control/themes.ts';
import { FILE_BYTES_MAX, FILE_PART_BYTES } from '../../src/model/limits.ts';
import { checkRegistry, RegistryStore } from '../../src/store/registry-store.ts';
import { registryPath } from '../../src/store/registry-table.ts';
import { largePng } from '../support/images.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const BY = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;
const MIB = 1_024 * 1_024;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footfall-files-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const diskBytes = () => statSync(join(registryPath(directory), 'data.mdb')).size;

async function fill(registry: Registry, count: number): Promise<Theme[]> {
  const { user } = await createAccount(registry, { email: 'ada@example.org' }, NOW_MS);
  const store = { records: new Records(registry), files: new Files(registry) };
  const themes: Theme[] = [];
  for (let index = 0; index < count; index++) {
    const files = new Map([
      ['favicon', fileContent('image/png', largePng(FILE_BYTES_MAX))],
    ] as const);
    const wish = { target: { kind: 'new' }, copyOf: null, files } as const;
    themes.push(await saveTheme(store, wish, { ...BY, userId: user.id, sent: { name: 'T' } }));
  }
  return themes;
}

test('a registry with 64 MiB of files is opened without them (M-70)', async () => {
  const registry = Registry.open(directory, NOW_MS);
  await fill(registry, 64);
  await registry.close();
  expect(diskBytes()).toBeGreaterThan(64 * MIB);
  checkRegistry(directory, true);
  const before = process.memoryUsage();
  const opened = Registry.open(directory, NOW_MS);
  const after = process.memoryUsage();
  expect(opened.view.count(file)).toBe(64);
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(8 * MIB);
  await opened.close();
  const store = new RegistryStore(directory, null);
  // Records are kept without the bytes as well: a thread that follows them never has them.
  const recordBytes = JSON.stringify(store.recordsAfter(0)).length;
  expect(recordBytes).toBeLessThan(200_000);
  expect(JSON.stringify(store.entities()).length).toBeLessThan(200_000);
  await store.close();
});

test('what goes makes room on the disk for what comes (M-70)', async () => {
  const registry = Registry.open(directory, NOW_MS);
  const records = new Records(registry);
  for (const { id } of await fill(registry, 8)) {
    await records.decide(BY, (view, nowMs) => {
      return { changes: themeRemoval(id, false, { view, nowMs, userId: '' }), result: null };
    });
  }
  const full = diskBytes();
  expect(registry.view.count(file)).toBe(0);
  const userId = [...registry.view.all(user)][0]?.id ?? '';
  const store = { records, files: new Files(registry) };
  for (let index = 0; index < 24; index++) {
    const files = new Map([
      ['favicon', fileContent('image/png', largePng(FILE_BYTES_MAX))],
    ] as const);
    const wish = { target: { kind: 'new' }, copyOf: null, files } as const;
    const { id } = await saveTheme(store, wish, { ...BY, userId, sent: { name: 'T' } });
    await records.decide(BY, (view, nowMs) => {
      return { changes: themeRemoval(id, false, { view, nowMs, userId }), result: null };
    });
  }
  expect(diskBytes()).toBeLessThan(full + 4 * MIB);
  await registry.close();
});

test('a part that is damaged is noticed when it is asked for, and costs no other file (M-70)', async () => {
  const registry = Registry.open(directory, NOW_MS);
  const images = [largePng(700_000), largePng(700_000)];
  const { user } = await createAccount(registry, { email: 'ada@example.org' }, NOW_MS);
  const store = { records: new Records(registry), files: new Files(registry) };
  for (const image of images) {
    const files = new Map([['favicon', fileContent('image/png', image)]] as const);
    const wish = { target: { kind: 'new' }, copyOf: null, files } as const;
    await saveTheme(store, wish, { ...BY, userId: user.id, sent: { name: 'T' } });
  }
  await registry.close();
  const [wounded = Buffer.alloc(0), whole = Buffer.alloc(0)] = images;
  const path = join(registryPath(directory), 'data.mdb');
  const at = readFileSync(path).indexOf(wounded.subarray(10_000, 10_100));
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.from([(wounded[10_000] ?? 0) ^ 1]), 0, 1, at);
  closeSync(fd);
  // The start does not read parts.
  checkRegistry(directory, true);
  const again = Registry.open(directory, NOW_MS);
  const files = new Files(again);
  expect(() => files.bytesAt(sha256Hex(wounded), 0)).toThrow('damaged');
  expect(files.bytesAt(sha256Hex(whole), 0)).toEqual(whole.subarray(0, FILE_PART_BYTES));
  await again.close();
});

test('a file that goes while another theme comes to show it is brought again (M-70)', async () => {
  const registry = Registry.open(directory, NOW_MS);
  const { user } = await createAccount(registry, { email: 'ada@example.org' }, NOW_MS);
  const [records, files] = [new Records(registry), new Files(registry)];
  const image = largePng(600_000);
  const wish = {
    ...({ target: { kind: 'new' }, copyOf: null } as const),
    files: new Map([['favicon', fileContent('image/png', image)]] as const),
  } as const;
  const request = { ...BY, userId: user.id, sent: { name: 'T' } };
  const first = await saveTheme({ records, files }, wish, request);
  let keeps = 0;
  const keep: Files['keep'] = async (content, stamp) => {
    await files.keep(content, stamp);
    keeps++;
    if (keeps > 1) return;
    await records.decide(BY, (view, nowMs) => {
      return { changes: themeRemoval(first.id, false, { view, nowMs, userId: '' }), result: null };
    });
    expect(files.find(sha256Hex(image))).toBeNull();
  };
  await saveTheme({ records, files: { keep } }, wish, request);
  expect(keeps).toBe(2);
  expect(files.bytesAt(sha256Hex(image), 0)).toEqual(image.subarray(0, FILE_PART_BYTES));
  await registry.close();
});
