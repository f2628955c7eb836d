// Goal: an environment that passes the check can be opened, and says what was written or that it is
//   damaged; nothing is missing from it without a word.
// Method: one with values on and beside their keys' pages, after many commits; bits are flipped and
//   pages zeroed all over its file. What the check lets through is read with LMDB and compared.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkEnvironment } from '../../src/store/environment-check.ts';
import { bufferToKeyValue } from '../../src/store/lmdb-keys.ts';
import { registryPath } from '../../src/store/registry-table.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { seededRandom } from '../support/clients/load-client.ts';
import { wound } from '../support/faults/damage.ts';
import { SEED } from '../support/runs.ts';

const WOUNDS = 120;
const COMMITS = 12;
const ENTRIES = 150;
/** Beside a writer. */
const LOOKS = 200;

let whole: Buffer;
let contents: Map<string, string>;

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-check-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Everything in an environment; a value that is damaged is left out. */
function contentsOf(environment: StateEnvironment, keys: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const key of keys) {
    try {
      const value = environment.get(JSON.parse(key));
      if (value !== undefined) found.set(key, Buffer.from(value).toString('base64'));
      else found.set(key, 'missing');
    } catch (error) {
      expect(error).toMatchObject({ code: 'STATE_DAMAGED' });
    }
  }
  return found;
}

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-check-'));
  const environment = new StateEnvironment(directory);
  const random = seededRandom(1);
  const keys = new Set<string>();
  for (let commit = 0; commit < COMMITS; commit++) {
    environment.write(() => {
      for (let entry = 0; entry < ENTRIES; entry++) {
        const number = Math.floor(random() * 300);
        const isLarge = number % 5 === 0;
        const key = isLarge ? ['b', 'site', 20_000, 1, number] : ['k', `hash-${number}-é`];
        const bytes = Buffer.alloc(isLarge ? 3_000 + number * 20 : number % 90, commit + number);
        if (random() < 0.1) {
          environment.remove(key);
          keys.delete(JSON.stringify(key));
          continue;
        }
        environment.put(key, bytes);
        keys.add(JSON.stringify(key));
      }
    });
  }
  contents = contentsOf(environment, keys);
  await environment.close();
  whole = readFileSync(join(directory, 'data.mdb'));
  rmSync(directory, { recursive: true });
});

test('a sound environment passes, and every value of it is looked at', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'data.mdb'), whole);
  const check = checkEnvironment(directory);
  expect(check).toEqual({ fault: '', damagedKeys: [], entries: contents.size });
});

test(`what passes after a wound has every entry as it was, or says so (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const counts = { harmless: 0, value: 0, refused: 0 };
  for (let index = 0; index < WOUNDS; index++) {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'data.mdb'), whole);
    const done = wound(directory, index % 2 === 0 ? 'bit' : 'page', random);
    const { fault, damagedKeys } = checkEnvironment(directory);
    if (fault !== '') {
      counts.refused++;
      continue;
    }
    counts[damagedKeys.length > 0 ? 'value' : 'harmless']++;
    const environment = new StateEnvironment(directory);
    const found = contentsOf(environment, contents.keys());
    await environment.close();
    const damaged = new Set(damagedKeys.map((key) => JSON.stringify(bufferToKeyValue(key))));
    for (const [key, value] of contents) {
      const expected = damaged.has(key) ? undefined : value;
      expect(found.get(key), `${key} after ${JSON.stringify(done)}`).toBe(expected);
    }
  }
  expect(counts.refused).toBeGreaterThan(0);
  expect(counts.value).toBeGreaterThan(0);
});

test('at every length that it is cut to it is refused', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'data.mdb');
  writeFileSync(path, whole);
  const pages = whole.length / 4_096;
  let isRefused = false;
  for (let page = pages - 1; page >= 0; page--) {
    truncateSync(path, page * 4_096 + (page % 3) * 100);
    const { fault } = checkEnvironment(directory);
    // The last pages may be free.
    if (fault !== '') isRefused = true;
    expect(fault !== '', `${page} of ${pages} pages`).toBe(isRefused);
  }
  expect(isRefused).toBe(true);
});

test('a file that is none of LMDB is refused', () => {
  const directory = join(temporaryDirectory(), 'other');
  mkdirSync(directory);
  writeFileSync(join(directory, 'data.mdb'), Buffer.alloc(40_000, 7));
  expect(checkEnvironment(directory, () => false).fault).toBe('its meta page 0 is damaged');
});

test('what another process writes meanwhile is no damage', async () => {
  const directory = temporaryDirectory();
  const program = new URL('./registry-writer.mjs', import.meta.url).pathname;
  const writer = spawn(process.execPath, [program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(writer, 'exit');
  try {
    await once(writer.stdout, 'data');
    for (let time = 0; time < LOOKS; time++) {
      const { fault, damagedKeys } = checkEnvironment(registryPath(directory));
      expect({ fault, damagedKeys, time }).toEqual({ fault: '', damagedKeys: [], time });
    }
  } finally {
    writer.kill('SIGKILL');
    await ended;
  }
});
