// Goal: an import that meets a fault of ours ends with words, holds up no other, and leaves no
// addresses (P-3).
// Method: a real registry, uploads on a disk, a clock of the test's own, a reader that fails as told.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { changed } from '../../src/control/descriptor/draft.ts';
import { checkUploadRoom, newImport, newUpload } from '../../src/control/imports.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { type ImportJob, importJob } from '../../src/control/resources/import-job.ts';
import { mail } from '../../src/control/resources/mail.ts';
import { upload } from '../../src/control/resources/upload.ts';
import { ImportRefusal } from '../../src/imports/adapter.ts';
import type { ReadStage } from '../../src/imports/job/import-run.ts';
import { readSource } from '../../src/imports/job/source-reader.ts';
import { copyUpload, importsFolder } from '../../src/imports/uploads.ts';
import { NOWHERE } from '../../src/ingest/place/place.ts';
import { imports } from '../../src/jobs/imports.ts';
import { errors } from '../../src/model/errors.ts';
import {
  IMPORT_ATTEMPTS_MAX,
  IMPORT_RETRY_MS_MAX,
  UPLOAD_COUNT_MAX,
  UPLOAD_DISK_FREE_BYTES_MIN,
  UPLOAD_KEPT_MS,
  UPLOAD_SWEEP_MS,
  UPLOADED_BYTES_MAX,
} from '../../src/model/import-limits.ts';
import { NO_IMPORTS } from '../support/fake-ports.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const STAMP = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;
const SUMS =
  '"date","visitors","pageviews","bounces","visits","visit_duration"\n2024-01-01,1,2,0,1,9';
const LOG =
  '203.0.113.9 - - [31/Jan/2024:23:59:59 +0100] "GET / HTTP/1.1" 200 5120 "-" ' +
  '"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"';

/** Bytes that the disk has free; null: as many as it has. */
const disk = vi.hoisted(() => ({ freeBytes: null as number | null }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const statfsSync = (path: string) => ({ ...real.statfsSync(path), ...freeOf(disk.freeBytes) });
  return { ...real, statfsSync };
});
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const statfs = async (path: string) => {
    return { ...(await real.statfs(path)), ...freeOf(disk.freeBytes) };
  };
  return { ...real, statfs };
});
function freeOf(bytes: number | null) {
  return bytes === null ? {} : { bavail: bytes, bsize: 1 };
}

let directory: string;
let nowMs: number;
let registry: Registry;
let domains: string[];
let userId: string;
/** What reading does, by upload. */
let reading: Map<string, ReadStage>;
let turn: () => Promise<void>;

const read: ReadStage = async (task, watch) => {
  await readSource(task, { locate: () => NOWHERE, addresses: null }, (progress) => {
    void watch.onProgress(progress, false);
  });
  return true;
};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  directory = mkdtempSync(join(tmpdir(), 'footfall-imports-job-'));
  nowMs = NOW_MS;
  disk.freeBytes = null;
  registry = Registry.open(directory, NOW_MS);
  userId = (await createAccount(registry, { email: 'ada@example.org' }, NOW_MS)).user.id;
  domains = [];
  for (const hostname of ['a.example.org', 'b.example.org']) {
    const wanted = { email: 'ada@example.org', hostname };
    domains.push((await createDomain(registry, wanted, NOW_MS)).domain.id);
  }
  reading = new Map();
  const parts = {
    ...NO_IMPORTS,
    dataDir: directory,
    read: ((task, watch) => {
      const id = task.folder.split('/').at(-2) as string;
      return (reading.get(id) ?? read)(task, watch);
    }) satisfies ReadStage,
  };
  turn = imports({ registry, owns: () => true, imports: parts, nowMs: () => nowMs });
});

afterEach(async () => {
  vi.useRealTimers();
  await registry.close();
  rmSync(directory, { recursive: true });
});

/** An upload of a file, and a job for it. */
async function asked(domain: number, id: string, file: { name: string; text: string }) {
  await brought(domain, id, file);
  await start(domain, id, id);
}

async function brought(domain: number, id: string, file: { name: string; text: string }) {
  const records = new Records(registry);
  const path = join(directory, file.name);
  writeFileSync(path, file.text);
  await copyUpload(directory, id, [{ path, name: file.name }]);
  const domainId = domains[domain] as string;
  const of = { id, domainId, name: file.name, bytes: file.text.length };
  await records.decide(STAMP, (view, atMs) => newUpload(view, of, atMs));
}

async function start(domain: number, id: string, property: string): Promise<void> {
  const domainId = domains[domain] as string;
  const wanted = { id, domainId, userId, property, from: '', to: '' };
  await new Records(registry).decide(STAMP, (view, atMs) => newImport(view, wanted, atMs));
}

const jobOf = (id: string) => registry.view.find(importJob, id) as ImportJob;
const isThere = (id: string) =>
  registry.view.has(upload.name, id) && existsSync(join(importsFolder(directory), id));
const sums = { name: 'imported_visitors.csv', text: SUMS };

test('a fault of ours is tried again after a rest, while others go on; in the end it has words', async () => {
  await asked(0, 'a', sums);
  await asked(1, 'b', sums);
  reading.set('a', () => Promise.reject(new TypeError('a fault of ours')));
  await expect(turn()).rejects.toThrow('a fault of ours');
  expect(jobOf('a')).toMatchObject({ state: 'running', attempts: 1, error: 'a fault of ours' });
  // It rests: the next turn is the other's.
  await turn();
  expect(jobOf('b')).toMatchObject({ state: 'done', rowsImported: 1, attempts: 0 });
  for (let attempt = 2; attempt <= IMPORT_ATTEMPTS_MAX; attempt++) {
    vi.advanceTimersByTime(IMPORT_RETRY_MS_MAX);
    await expect(turn()).rejects.toThrow('a fault of ours');
    expect(jobOf('a')).toMatchObject({ state: 'running', attempts: attempt });
  }
  vi.advanceTimersByTime(IMPORT_RETRY_MS_MAX);
  await turn();
  expect(jobOf('a')).toMatchObject({
    ...{ state: 'failed', error: 'given up after 5 attempts; the last one: a fault of ours' },
  });
  // Who began them is told once of each (O-22).
  const fault = jobOf('a').error;
  expect([...registry.view.all(mail)].map(({ kind, about }) => ({ kind, ...about }))).toEqual([
    { kind: 'import-done', source: sums.name, rows: 1, to: expect.stringMatching(/^2\d{3}-/) },
    { kind: 'import-failed', fault },
  ]);
});

test('an attempt that ended the service counts, one that brought it further begins anew', async () => {
  await asked(0, 'a', sums);
  // As a service that was killed leaves it.
  const left = async (fields: Partial<ImportJob>) => {
    await registry.change(STAMP, (view) => {
      const job = view.find(importJob, 'a') as ImportJob;
      return [changed(importJob, { ...job, ...fields })];
    });
  };
  await left({ state: 'running', attempts: IMPORT_ATTEMPTS_MAX - 1, rowsRead: 10 });
  reading.set('a', async (_, watch) => {
    await watch.onProgress({ format: 'plausible', rowsRead: 11 }, true);
    throw new TypeError('a fault of ours');
  });
  await expect(turn()).rejects.toThrow();
  expect(jobOf('a')).toMatchObject({ state: 'running', attempts: 0, rowsRead: 11 });
  await left({ attempts: IMPORT_ATTEMPTS_MAX, error: '' });
  vi.advanceTimersByTime(IMPORT_RETRY_MS_MAX);
  await turn();
  expect(jobOf('a').error).toBe(
    'given up after 5 attempts; the last one: the service ended while it was at it',
  );
});

test('who is busy is waited for, as often as it takes', async () => {
  await asked(0, 'a', sums);
  reading.set('a', () => Promise.reject(errors.OVERLOADED({ reason: 'x' })));
  for (let attempt = 0; attempt < 2 * IMPORT_ATTEMPTS_MAX; attempt++) {
    await expect(turn()).rejects.toThrow();
    vi.advanceTimersByTime(IMPORT_RETRY_MS_MAX);
  }
  reading.delete('a');
  await turn();
  expect(jobOf('a')).toMatchObject({ state: 'done', error: '' });
});

test('a file that is refused is not tried again', async () => {
  await asked(0, 'a', sums);
  reading.set('a', () => Promise.reject(new ImportRefusal('it is too large')));
  await turn();
  expect(jobOf('a')).toMatchObject({ state: 'failed', error: 'it is too large' });
});

test('what may hold addresses goes with the end of its import, sums can be imported again', async () => {
  await asked(0, 'log', { name: 'access.log', text: LOG });
  await asked(1, 'sums', sums);
  await turn();
  await turn();
  expect([jobOf('log'), jobOf('sums')]).toMatchObject([
    { state: 'done', format: 'access-log', rowsImported: 1 },
    { state: 'done', format: 'plausible', rowsImported: 1 },
  ]);
  expect([isThere('log'), isThere('sums')]).toEqual([false, true]);
  await start(1, 'again', 'sums');
  await turn();
  expect(jobOf('again')).toMatchObject({ state: 'done', rowsImported: 1 });
});

test('nobody knows what is in a file that is no export: it goes, too', async () => {
  await asked(0, 'notes', { name: 'notes.txt', text: '203.0.113.9' });
  await turn();
  expect(jobOf('notes')).toMatchObject({ state: 'failed', format: '' });
  expect(isThere('notes')).toBe(false);
});

test('of a job that was cancelled while it read, nothing stays', async () => {
  await asked(0, 'log', { name: 'access.log', text: LOG });
  reading.set('log', async (_, watch) => {
    await registry.change(STAMP, (view) => {
      const job = view.find(importJob, 'log') as ImportJob;
      return [changed(importJob, { ...job, state: 'cancelled' })];
    });
    return !watch.isStopped();
  });
  await turn();
  expect(jobOf('log').state).toBe('cancelled');
  expect(isThere('log')).toBe(false);
});

test('a disk that is full is told in one sentence, stores nothing, and the upload goes on later (P-2, P-3)', async () => {
  await brought(0, 'a', sums);
  disk.freeBytes = UPLOAD_DISK_FREE_BYTES_MIN - 1;
  await expect(brought(1, 'b', sums)).rejects.toMatchObject({ code: 'UPLOAD_FAILED', status: 503 });
  expect(existsSync(join(importsFolder(directory), 'b'))).toBe(false);
  await start(0, 'full', 'a');
  await turn();
  expect(jobOf('full')).toMatchObject({
    ...{ state: 'failed', error: 'the disk of this node has no room left for the import' },
    ...{ rowsImported: 0, hasSums: false },
  });
  disk.freeBytes = UPLOAD_DISK_FREE_BYTES_MIN;
  await brought(1, 'b', sums);
  await start(0, 'again', 'a');
  await turn();
  expect(jobOf('again')).toMatchObject({ state: 'done', rowsImported: 1 });
});

test('uploads of a domain are bounded, and go after a day (P-2)', async () => {
  for (let index = 1; index < UPLOAD_COUNT_MAX; index++) await brought(0, `u${index}`, sums);
  const domainId = domains[0] as string;
  const room = (bytes: number) => () => checkUploadRoom(registry.view, domainId, bytes);
  expect(room(1)).not.toThrow();
  expect(room(UPLOADED_BYTES_MAX)).toThrow(
    expect.objectContaining({ detail: expect.anything(), status: 400 }),
  );
  await brought(0, 'last', sums);
  expect(room(1)).toThrow();
  await expect(brought(0, 'one-more', sums)).rejects.toMatchObject({ status: 400 });
  // The other site has room of its own.
  await brought(1, 'other', sums);
  // Files have the time of the machine.
  nowMs = Math.max(NOW_MS, Date.now()) + UPLOAD_KEPT_MS;
  vi.advanceTimersByTime(UPLOAD_SWEEP_MS);
  await turn();
  expect(registry.view.count(upload)).toBe(0);
  expect(room(1)).not.toThrow();
  expect(existsSync(join(importsFolder(directory), 'last'))).toBe(false);
});
