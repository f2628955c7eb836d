// Goal (P-22): with FOOTFALL_VISITOR_KEYS=daily a visitor is one visitor all day, over a kill, and
// over stops; 48 h after the day's end nothing on disk can make its id again, and late hits count
// under another one.
// Method: a service whose wall clock is moved from outside, hits over HTTP, visitors by the
// statistics; the bytes of keys are looked for in every file of the data directory and of a backup.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_KEY_FILE, DayKeyFile } from '../../../src/store/day-key-file.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { filesBelow } from '../../support/faults/damage.ts';
import {
  type DomainCredentials,
  makeTemporaryDirectory,
  PROJECT_ROOT,
  RunningService,
  runCommand,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 Footfall/test';

const folder = makeTemporaryDirectory();
const dataDir = join(folder, 'data');
const clock = join(folder, 'clock');
const env = {
  ...{ FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '1', FOOTFALL_SHARDS: '4' },
  ...{ SHIFTED_CLOCK: clock, FOOTFALL_VISITOR_KEYS: 'daily' },
  NODE_OPTIONS: `--import=${join(PROJECT_ROOT, 'test/support/shifted-clock.mjs')}`,
};

let running: RunningService;
let site: DomainCredentials;
let shiftMs = 0;

beforeAll(async () => {
  mkdirSync(dataDir);
  // Noon: a test that passes midnight would be another day's.
  setClock(DAY_MS / 2 - (Date.now() % DAY_MS));
  running = new RunningService({ dataDir, env });
  const { email } = await running.createAccount();
  site = await running.createDomain({ email, hostname: 'one.example', timezone: 'UTC' });
  await running.start();
}, 120_000);

afterAll(async () => {
  await running.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function setClock(ms: number): void {
  shiftMs = ms;
  writeFileSync(clock, String(ms));
}

const today = () => Math.floor((Date.now() + shiftMs) / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A page view of one and the same person, at noon of a day. */
async function send(day = today()): Promise<void> {
  const hit = { url: 'https://one.example/', ip: '10.1.2.3', user_agent: AGENT };
  const sender = new ApiClient(running.baseUrl, site.access_key);
  await sender.collect('hit/batch', [{ ...hit, time: `${dateOf(day)}T12:00:00Z` }]);
}

async function visitorsOf(day: number): Promise<number> {
  const { id, client_id, client_secret } = site;
  const reader = await ApiClient.withSecret(running.baseUrl, client_id, client_secret);
  const answer = await reader.statistics('total', { id, from: dateOf(day), to: dateOf(day) });
  return (answer as { visitors: number }).visitors;
}

/** Key of a day, as the file has it. */
function keyOf(day: number): Buffer {
  const copy = makeTemporaryDirectory();
  writeFileSync(join(copy, DAY_KEY_FILE), readFileSync(join(dataDir, DAY_KEY_FILE)));
  const file = new DayKeyFile(copy);
  const key = file.found.get(day);
  file.close();
  rmSync(copy, { recursive: true });
  if (key === undefined) throw new Error(`there is no key of ${dateOf(day)}`);
  return Buffer.from(key);
}

/** Files that have a key, as bytes or in hexadecimal. */
function filesWith(key: Buffer, directory = dataDir): string[] {
  const paths = filesBelow(directory).map((path) => join(directory, path));
  return paths.filter((path) => {
    const content = readFileSync(path);
    return content.includes(key) || content.includes(key.toString('hex'));
  });
}

const made = (day: number) => () => running.output.includes(dateOf(day));

test('P-22: a visitor is one visitor of the day over a kill; no backup has the key', async () => {
  const day = today();
  await send();
  await running.kill();
  await running.start();
  await send();
  expect(await visitorsOf(day)).toBe(1);
  const key = keyOf(day);
  expect(filesWith(key)).toEqual([join(dataDir, DAY_KEY_FILE)]);

  const [backup, restored] = [join(folder, 'backup'), join(folder, 'restored')];
  await runCommand(['backup', '--to', backup, '--data-dir', dataDir]);
  await runCommand(['restore', '--from', backup, '--data-dir', restored]);
  expect([...filesWith(key, backup), ...filesWith(key, restored)]).toEqual([]);
  await runCommand(['verify', '--data-dir', dataDir]);
});

test('P-22: 48 h after the end of a day its key is nowhere, and late hits of it are those of another visitor', async () => {
  const day = today();
  const key = keyOf(day);
  // Two days later, and still that visitor.
  setClock(shiftMs + 2 * DAY_MS);
  await until(made(today() + 2));
  await send(day);
  expect(await visitorsOf(day)).toBe(1);

  setClock(shiftMs + DAY_MS);
  await until(() => filesWith(key).length === 0);
  expect(running.output).toContain('visitor-keys.destroyed');
  await until(made(today() + 2));
  await send(day);
  await send(day);
  expect(await visitorsOf(day)).toBe(2);
});

test('P-22: a key that is over at a start is destroyed before the first hit is taken', async () => {
  const day = today();
  await send();
  const key = keyOf(day);
  await running.kill();
  setClock(shiftMs + 30 * DAY_MS);
  await running.start();
  expect(filesWith(key)).toEqual([]);
  await send();
  expect(await visitorsOf(today())).toBe(1);
});

test('P-22: a clock that jumps ahead has hits wait for the key of their day, by a 503 at the most', async () => {
  setClock(shiftMs + 100 * DAY_MS);
  const day = today();
  const sender = new ApiClient(running.baseUrl, site.access_key);
  const body = { url: 'https://one.example/', ip: '10.1.2.3', user_agent: AGENT };
  const statuses = new Set<number>();
  await until(async () => {
    const answer = await sender.request('POST', '/api/v1/hit', { body });
    statuses.add(answer.status);
    return answer.status === 200;
  }, 20_000);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await send();
  expect(await visitorsOf(day)).toBe(1);
});

test('P-22: with fixed keys again the file of keys is gone; either change counts who is there once more', async () => {
  const day = today();
  const key = keyOf(day);
  await running.stop();
  const fixed = { ...env, FOOTFALL_VISITOR_KEYS: 'fixed' };
  const other = new RunningService({ dataDir, env: fixed });
  await other.start();
  const daily = running;
  running = other;
  await send();
  expect(await visitorsOf(day)).toBe(2);
  expect(filesWith(key)).toEqual([]);
  await other.stop();
  running = daily;
  await daily.start();
  await send();
  await send();
  expect(await visitorsOf(day)).toBe(3);
});
