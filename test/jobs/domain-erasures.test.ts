// Goal: what the registry says is still to be erased is erased late enough, and whatever fails (M-11).
// Method: a real registry, a clock of the test's own, and a log that takes or refuses.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccount, createDomain } from '../../src/control/accounts.ts';
import { Records } from '../../src/control/records.ts';
import { Registry } from '../../src/control/registry/registry.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { erasure } from '../../src/control/resources/erasure.ts';
import type { JobContext } from '../../src/jobs/job.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { JOBS } from '../../src/jobs/job-table.ts';
import type { Erasure } from '../../src/model/erasure.ts';
import { ERASURE_WAIT_MS_MAX, ERASURE_WAIT_MS_MIN } from '../../src/model/limits.ts';
import { NO_EXPORTS, NO_IMPORTS, NO_NUMBERS } from '../support/fake-ports.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EMAIL = 'ada@example.org';
const STAMP = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;

let directory: string;
let registry: Registry;
let jobs: JobRunner[];
let submitted: Erasure[];
let faults: unknown[];
/** What the log answers next; null: it has it. */
let refusal: Error | null;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  directory = mkdtempSync(join(tmpdir(), 'footfall-erasures-'));
  registry = Registry.open(directory, NOW_MS);
  jobs = [];
  submitted = [];
  faults = [];
  refusal = null;
  await createAccount(registry, { email: EMAIL }, NOW_MS);
});

afterEach(async () => {
  for (const job of jobs) await job.stop();
  vi.useRealTimers();
  await registry.close();
  rmSync(directory, { recursive: true });
});

function start(on = registry): JobRunner {
  const context: JobContext = {
    ...{
      registry: on,
      numbers: NO_NUMBERS,
      owns: () => true,
      crowds: async () => [],
      ...{ imports: NO_IMPORTS, exports: NO_EXPORTS },
      settledMs: () => Number.POSITIVE_INFINITY,
      haveBefore: async () => new Set(),
      retentionDays: 0,
      lastHits: async () => new Map(),
      nowMs: () => NOW_MS,
    },
    submitErasure: (asked, done) => {
      if (refusal === null) submitted.push(asked);
      done(refusal);
    },
  };
  const erasures = JOBS.filter(({ name }) => name === 'erasures');
  const job = new JobRunner(erasures, context, {
    ...{ mayRun: () => true, before: [] },
    onFault: (_, error) => faults.push(error),
  });
  jobs.push(job);
  return job;
}

async function deletedDomain(): Promise<string> {
  const made = await createDomain(registry, { email: EMAIL, hostname: 'a.test' }, NOW_MS);
  const { id } = made.domain;
  await new Records(registry).remove(domain, id, STAMP);
  return id;
}

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

const pending = () => [...registry.view.all(erasure)].map(({ id }) => id);

test('a deleted domain leaves an erasure of everything, in the record that deletes it (M-11)', async () => {
  const before = registry.sequence;
  const id = await deletedDomain();
  // One record for the domain with its clients, one for all of the deletion.
  expect(registry.sequence).toBe(before + 2);
  expect(pending()).toEqual([id]);
  start();
  await pass(ERASURE_WAIT_MS_MAX + 2_000);
  expect(submitted).toEqual([
    { domainId: id, kind: '', startMs: 0, endMs: Number.MAX_SAFE_INTEGER },
  ]);
  expect(pending()).toEqual([]);
  expect(registry.sequence).toBe(before + 3);
  await pass(60_000);
  expect(submitted).toHaveLength(1);
});

test('it waits until no node takes hits of it any more', async () => {
  await deletedDomain();
  start();
  await pass(ERASURE_WAIT_MS_MIN);
  expect(submitted).toEqual([]);
  await pass(ERASURE_WAIT_MS_MAX - ERASURE_WAIT_MS_MIN + 2_000);
  expect(submitted).toHaveLength(1);
});

test('what the log refuses is tried again, and the entry stays until it is durable', async () => {
  const id = await deletedDomain();
  start();
  refusal = new Error('the log is full');
  await pass(ERASURE_WAIT_MS_MAX + 5_000);
  expect(submitted).toEqual([]);
  expect(pending()).toEqual([id]);
  expect(faults).toContain(refusal);
  refusal = null;
  await pass(2_000);
  expect(submitted).toHaveLength(1);
  expect(pending()).toEqual([]);
});

test('a process that ends in between leaves it to the next one', async () => {
  const id = await deletedDomain();
  await start().stop();
  await pass(ERASURE_WAIT_MS_MAX * 2);
  expect(submitted).toEqual([]);
  expect(pending()).toEqual([id]);
  const later = Registry.open(directory, NOW_MS);
  start(later);
  await pass(ERASURE_WAIT_MS_MAX + 2_000);
  expect(submitted).toMatchObject([{ domainId: id }]);
  registry.refresh();
  expect(pending()).toEqual([]);
  await later.close();
});

test('several nodes do it without hindering each other', async () => {
  const id = await deletedDomain();
  const other = Registry.open(directory, NOW_MS);
  start();
  start(other);
  await pass(ERASURE_WAIT_MS_MAX + 2_000);
  expect(submitted.length).toBeGreaterThan(0);
  expect(submitted.every(({ domainId }) => domainId === id)).toBe(true);
  registry.refresh();
  expect(pending()).toEqual([]);
  expect(faults).toEqual([]);
  await other.close();
});

test('those of an account with many domains go together', async () => {
  for (let count = 0; count < 30; count++) await deletedDomain();
  const before = registry.sequence;
  start();
  await pass(ERASURE_WAIT_MS_MAX + 2_000);
  expect(new Set(submitted.map(({ domainId }) => domainId)).size).toBe(30);
  expect(pending()).toEqual([]);
  // A record a second at most, not one for each.
  expect(registry.sequence - before).toBeLessThan(10);
});
