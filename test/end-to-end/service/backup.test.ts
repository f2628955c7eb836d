// Goal (P-20): a backup that is taken under load, while the service or the backup itself is killed at
// random
//   moments, has every hit that was acknowledged before it began, none twice; what is renewed takes what
//   has changed only; one that is damaged anywhere is told, and nothing is made of it.
// Method: load with a ledger, as in the crash test; of each backup a data directory is made, a service
//   started on it, and every request looked up by its own page. Then bits are flipped in a backup.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyUpload, jobFolder, uploadedFiles } from '../../../src/imports/uploads.ts';
import { type BackupSink, noCounts } from '../../../src/runtime/backup/sink.ts';
import { takeBackup } from '../../../src/runtime/backup/take-backup.ts';
import { verifyBackup } from '../../../src/runtime/backup/verify-backup.ts';
import { verifyDataDir } from '../../../src/runtime/directory/verify.ts';
import { ApiClient } from '../../support/clients/client.ts';
import { type LedgerEntry, LoadClient, seededRandom } from '../../support/clients/load-client.ts';
import { filesBelow } from '../../support/faults/damage.ts';
import { type Site, totalViews, wrongCounts } from '../../support/faults/ledger-check.ts';
import { IS_LONG, runs, SEED } from '../../support/runs.ts';
import {
  cleanEnvironment,
  ENTRY_POINT,
  makeTemporaryDirectory,
  RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';
import { pause } from '../../support/until.ts';

const ENV = {
  ...{ FOOTFALL_LOG_LEVEL: 'warn', FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2' },
  ...{ FOOTFALL_SHARDS: '4' },
};
/** Backups under load, in each of which the service is killed once in the long run. */
const ROUNDS = IS_LONG ? 5 : 1;
const KILLS = IS_LONG ? 12 : 1;
const FLIPS = IS_LONG ? 1_000 : runs(320);
const random = seededRandom(SEED);

interface Failed {
  readonly stdout: string;
  readonly stderr: string;
}

interface Told {
  readonly new_bytes: number;
  readonly bytes: number;
}

let running: RunningService;
const sites: Site[] = [];
const folder = makeTemporaryDirectory();
const backup = join(folder, 'backup');

/** A backup as a process, to be killed. */
function backupProcess(...flags: string[]): ChildProcess {
  const words = ['backup', '--data-dir', running.dataDir, ...flags];
  return spawn(process.execPath, [ENTRY_POINT, ...words], {
    env: cleanEnvironment(),
    stdio: 'ignore',
  });
}

function restored(from: string): Promise<RunningService> {
  const dataDir = join(makeTemporaryDirectory(), 'data');
  return runCommand(['restore', '--from', from, '--data-dir', dataDir]).then(() => {
    return new RunningService({ dataDir, env: ENV });
  });
}

/** Requests as they are now; what was sent later must count once at the most. */
function ledgersNow(): LedgerEntry[][] {
  return sites.map(({ load }) => load.ledger.map((entry) => ({ ...entry })));
}

/** Looks all requests up in a copy of the service. */
async function wrongIn(copy: RunningService, before: readonly LedgerEntry[][]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [index, { domain, load }] of sites.entries()) {
    const reader = await ApiClient.withSecret(copy.baseUrl, domain.client_id, domain.client_secret);
    const own = before[index] ?? [];
    const later = load.ledger
      .slice(own.length)
      .map((entry) => ({ ...entry, fate: 'unknown' as const, hasKey: false }));
    // A request with a key that had no answer yet was perhaps not sent before.
    const owed = own.map((entry) => ({ ...entry, hasKey: false }));
    const looked = { domain, reader, load: { ledger: [...owed, ...later] } } as unknown as Site;
    wrong.push(...(await wrongCounts(looked)));
  }
  return wrong;
}

async function viewsIn(service: RunningService): Promise<number[]> {
  const views: number[] = [];
  for (const { domain } of sites) {
    const { client_id, client_secret } = domain;
    const reader = await ApiClient.withSecret(service.baseUrl, client_id, client_secret);
    views.push(await totalViews({ domain, reader }));
  }
  return views;
}

async function dispose(copy: RunningService): Promise<void> {
  await copy.dispose();
  rmSync(join(copy.dataDir, '..'), { recursive: true, force: true });
}

beforeAll(async () => {
  running = await startService({ env: ENV });
  const { email } = await running.createAccount();
  const { baseUrl } = running;
  for (const name of ['one', 'two']) {
    const hostname = `${name}.example`;
    const domain = await running.createDomain({ email, hostname, timezone: 'UTC' });
    const reader = await ApiClient.whenKnown(baseUrl, domain.client_id, domain.client_secret);
    const options = { baseUrl, hostname, connections: 3, restMsMax: 25, random };
    const load = new LoadClient({ ...options, accessKey: domain.access_key });
    sites.push({ domain, reader, load });
  }
}, 120_000);

afterAll(async () => {
  await running.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test(`P-20: ${ROUNDS} backups under load and kills have what was acknowledged before (seed ${SEED})`, {
  timeout: 600_000,
}, async () => {
  for (const { load } of sites) load.start();
  for (let round = 0; round < ROUNDS; round++) {
    await pause(500 + random() * 1_500);
    const before = ledgersNow();
    const copying = once(backupProcess('--to', backup, '--incremental'), 'exit');
    if (IS_LONG) {
      await pause(random() * 800);
      await running.kill();
      await running.start();
    }
    const [status] = await copying;
    expect(status).toBe(0);
    const copy = await restored(backup);
    await copy.start();
    const wrong = await wrongIn(copy, before);
    expect(wrong.slice(0, 20), `${wrong.length} wrong counts`).toEqual([]);
    const acknowledged = before.flat().filter(({ fate }) => fate === 'acknowledged').length;
    expect(acknowledged).toBeGreaterThan(10);
    await dispose(copy);
  }
});

test('P-20: a backup that is killed leaves the one before; the next one goes on', {
  timeout: 600_000,
}, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const child = backupProcess('--to', backup, '--incremental');
    const ended = once(child, 'exit');
    await pause(300 + random() * 900);
    child.kill('SIGKILL');
    await ended;
    const verified = await runCommand(['verify', '--backup', backup]);
    expect(verified).toMatchObject({ is_sound: true, damages: [] });
  }
  for (const { load } of sites) await load.stop();
  // Everything that was sent is in it by now, and again where nothing is sent any more.
  const views = await viewsIn(running);
  await runCommand(['backup', '--to', backup, '--incremental', '--data-dir', running.dataDir]);
  const copy = await restored(backup);
  await copy.start();
  expect(await viewsIn(copy)).toEqual(views);
  await dispose(copy);
});

test('P-20: only what has changed is written; an archive holds the same; a stopped directory, too', {
  timeout: 240_000,
}, async () => {
  const views = await viewsIn(running);
  await running.stop();
  const flags = ['--data-dir', running.dataDir];
  await runCommand(['backup', '--to', backup, '--incremental', ...flags]);
  const again = await runCommand<Told>(['backup', '--to', backup, '--incremental', ...flags]);
  expect(again.bytes).toBeGreaterThan(20_000);
  expect(again.new_bytes).toBe(0);
  const archive = join(folder, 'backup.tar');
  const child = spawn(process.execPath, [ENTRY_POINT, 'backup', '--to', '-', ...flags], {
    env: cleanEnvironment(),
    stdio: ['ignore', openSync(archive, 'w'), 'inherit'],
  });
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(await runCommand(['verify', '--backup', archive])).toMatchObject({ is_sound: true });
  const copy = await restored(archive);
  await copy.start();
  expect(await viewsIn(copy)).toEqual(views);
  await dispose(copy);
});

test('P-20: uploads go with it, what a job has made of them does not: it would be ahead of the log', async () => {
  const { dataDir } = running;
  const [path, name] = [join(folder, 'days.csv'), 'days.csv'];
  writeFileSync(path, 'date,visitors\n2024-01-01,1\n');
  await copyUpload(dataDir, 'upload1', [{ path, name }]);
  const made = jobFolder(dataDir, 'upload1', 'job1');
  mkdirSync(made);
  writeFileSync(join(made, 'written.json'), '{}');
  await runCommand(['backup', '--to', backup, '--incremental', '--data-dir', dataDir]);
  const copy = await restored(backup);
  const restoredUpload = uploadedFiles(copy.dataDir, 'upload1') ?? [];
  expect(readFileSync(restoredUpload[0]?.path ?? '')).toEqual(readFileSync(path));
  expect(existsSync(jobFolder(copy.dataDir, 'upload1', 'job1'))).toBe(false);
  await dispose(copy);
});

test(`P-20: each of ${FLIPS} flipped bits of a backup is found, and nothing is restored`, {
  timeout: 600_000,
}, async () => {
  const files = readdirSync(backup, { recursive: true, encoding: 'utf8' })
    .map((name) => join(backup, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('.lock'));
  for (let flip = 0; flip < FLIPS; flip++) {
    const path = files[Math.floor(random() * files.length)]!;
    const bytes = readFileSync(path);
    const wounded = Buffer.from(bytes);
    const at = Math.floor(random() * bytes.length);
    wounded[at]! ^= 1 << Math.floor(random() * 8);
    writeFileSync(path, wounded);
    const { damages } = await verifyBackup(backup);
    expect(damages.length, `${path}, byte ${at}`).toBeGreaterThan(0);
    if (flip === 0) {
      const dataDir = join(folder, 'refused');
      const refused = runCommand(['restore', '--from', backup, '--data-dir', dataDir]);
      await expect(refused).rejects.toMatchObject({ stderr: expect.stringMatching(/is damaged/) });
      expect(readdirSync(dataDir)).toEqual([]);
    }
    writeFileSync(path, bytes);
  }
});

/** What a data directory holds, whichever pages and files it is in: what a backup of it would be. */
function contentOf(dataDir: string): string {
  const sink: BackupSink = {
    ...{ path: '', counts: noCounts(), finish: () => undefined },
    put: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  };
  const { environments, files } = takeBackup(dataDir, sink);
  return JSON.stringify([environments, files]);
}

test(`P-20: each of ${FLIPS} flipped bits of a data directory is found, or changes nothing`, {
  timeout: 900_000,
}, () => {
  const { dataDir } = running;
  const healthy = contentOf(dataDir);
  expect(verifyDataDir(dataDir).damages).toEqual([]);
  let found = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    // Zeros that no record has been written to yet, and what LMDB has let go of, are of no meaning.
    const undo = woundInPlace(dataDir, random);
    const { damages } = verifyDataDir(dataDir);
    if (damages.length > 0) found++;
    else expect(contentOf(dataDir), JSON.stringify(undo.wound)).toBe(healthy);
    undo();
  }
  console.log(`${found} of ${FLIPS} flipped bits were found, the others changed nothing`);
  expect(found).toBeGreaterThan(FLIPS / 4);
  expect(contentOf(dataDir)).toBe(healthy);
});

/** Flips a bit anywhere. @returns what makes it as it was. */
function woundInPlace(
  dataDir: string,
  random: () => number,
): (() => void) & { readonly wound: { file: string; at: number } } {
  const all = filesBelow(dataDir);
  const file = all[Math.floor(random() * all.length)]!;
  const path = join(dataDir, file);
  const bytes = readFileSync(path);
  let end = bytes.length;
  while (end > 1 && bytes[end - 1] === 0) end--;
  const at = Math.floor(random() * end);
  const wounded = Buffer.from(bytes);
  wounded[at]! ^= 1 << Math.floor(random() * 8);
  writeFileSync(path, wounded);
  return Object.assign(() => writeFileSync(path, bytes), { wound: { file, at } });
}

test('P-20: what a part of a backup is about is told by site and day', async () => {
  const manifest = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8').split('\n')[0]!);
  const ids = new Set(sites.map(({ domain }) => domain.id));
  const [part] = manifest.environments.flatMap(
    ({ parts }: { parts: { object: string; places: string[][] }[] }) =>
      parts.filter(({ places }) => places.some(([id = '', day]) => ids.has(id) && day !== '')),
  );
  const wounded = join(folder, 'wounded');
  cpSync(backup, wounded, { recursive: true });
  rmSync(join(wounded, 'objects', part.object.slice(0, 2), part.object));
  const failed = await runCommand<Failed>(['verify', '--backup', wounded]).catch(
    (error) => error as Failed,
  );
  const { damages } = JSON.parse(failed.stdout);
  const [id, day] = part.places.find(([place]: string[]) => ids.has(place ?? ''));
  expect(damages).toContainEqual(expect.objectContaining({ domain_id: id, day }));
});

test('P-20: what cannot be is refused in one line', async () => {
  const { dataDir } = running;
  const other = join(folder, 'other');
  const cases: [words: string[], says: RegExp][] = [
    [['backup', '--to', backup, '--data-dir', dataDir], /add --incremental to renew it/],
    [['backup', '--to', dataDir, '--data-dir', dataDir], /which is of no backup; name an empty/],
    [['backup', '--to', other, '--data-dir', join(folder, 'none')], /no such directory/],
    [['restore', '--from', backup, '--data-dir', dataDir], /it is not empty/],
    [['restore', '--from', join(folder, 'none'), '--data-dir', other], /there is none/],
    [
      ['restore', '--from', other, '--data-dir', join(folder, 'new')],
      /no backup has been completed/,
    ],
    [['restore', '--from', ENTRY_POINT, '--data-dir', join(folder, 'new')], /cannot be used/],
  ];
  for (const [words, says] of cases) {
    const failed = await runCommand<Failed>(words).catch((error) => error as Failed);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
    expect(failed.stderr.trim().split('\n')).toHaveLength(1);
  }
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
