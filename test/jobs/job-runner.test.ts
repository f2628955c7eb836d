// Goal: jobs have their turns, each by itself, only where their lease is; what fails is counted,
// told, and tried again; all of it is known to the next start (O-3). Method: the runner under fake
// timers, with jobs that do as they are told.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job, JobContext, JobLease, JobState } from '../../src/jobs/job.ts';
import { JobRunner, mayRun } from '../../src/jobs/job-runner.ts';
import { JOBS } from '../../src/jobs/job-table.ts';
import { SECOND_MS } from '../../src/model/limits.ts';
import { JobBoard, readJobBoard } from '../../src/runtime/telemetry/job-board.ts';
import { NO_EXPORTS, NO_IMPORTS, NO_NUMBERS } from '../support/fake-ports.ts';
import { memoryRegistry } from '../support/memory-registry.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

let nowMs: number;
let runner: JobRunner;
let told: [string, unknown][];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  nowMs = NOW_MS;
  told = [];
});

afterEach(async () => {
  await runner.stop();
  vi.useRealTimers();
});

function start(
  turn: () => Promise<void>,
  options: { isHere?: () => boolean; before?: JobState[] } = {},
) {
  const job: Job = {
    ...{ name: 'goals', duty: 'counts', periodMs: SECOND_MS, lease: 'first shard' },
    open: () => turn,
  };
  const context: JobContext = {
    ...{
      registry: memoryRegistry(),
      numbers: NO_NUMBERS,
      nowMs: () => nowMs,
      owns: () => true,
      crowds: async () => [],
      ...{ imports: NO_IMPORTS, exports: NO_EXPORTS },
      settledMs: () => Number.POSITIVE_INFINITY,
      haveBefore: async () => new Set(),
      retentionDays: 0,
      lastHits: async () => new Map(),
    },
    submitErasure: (_, done) => done(null),
  };
  runner = new JobRunner([job], context, {
    ...{ mayRun: options.isHere ?? (() => true), before: options.before ?? [] },
    onFault: (name, error) => told.push([name, error]),
  });
}

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

const state = () => runner.states()[0] as JobState;

test('a job has its first turn at once and one each period, whatever the wall clock does', async () => {
  let turns = 0;
  start(async () => {
    turns++;
  });
  await pass(10);
  expect(turns).toBe(1);
  nowMs -= 86_400_000;
  await pass(3 * SECOND_MS);
  expect(turns).toBe(4);
  expect(state()).toMatchObject({ runs: 4, failures: 0, isHere: true });
  expect(state().nextRunMs).toBe(Number(state().lastRunMs) + SECOND_MS);
});

test('one that takes long leaves turns out, and the end waits for it', async () => {
  let end = () => {};
  let turns = 0;
  start(() => {
    turns++;
    return new Promise((resolve) => {
      end = resolve;
    });
  });
  await pass(10 * SECOND_MS);
  expect([turns, state().runs]).toEqual([1, 0]);
  let isStopped = false;
  const stopped = runner.stop().then(() => {
    isStopped = true;
  });
  await pass(SECOND_MS);
  expect(isStopped).toBe(false);
  end();
  await stopped;
  expect(state().runs).toBe(1);
});

test('a turn that fails is counted and told, and the next one tries again', async () => {
  let isBroken = true;
  start(async () => {
    if (isBroken) throw new Error('the log is away');
  });
  await pass(SECOND_MS + 10);
  expect(state()).toMatchObject({ runs: 2, failures: 2, lastFault: 'the log is away' });
  expect(told.map(([name]) => name)).toEqual(['goals', 'goals']);
  isBroken = false;
  await pass(SECOND_MS);
  expect(state()).toMatchObject({ runs: 3, failures: 2 });
});

test('a job of another node has no turns here, and begins when the lease comes (O-3)', async () => {
  let isHere = false;
  let turns = 0;
  const count = async () => {
    turns++;
  };
  start(count, { isHere: () => isHere });
  await pass(5 * SECOND_MS);
  expect(turns).toBe(0);
  expect(state()).toMatchObject({ isHere: false, lastRunMs: null, runs: 0 });
  isHere = true;
  await pass(SECOND_MS);
  expect(turns).toBe(1);
});

test.each<[JobLease, readonly number[], boolean]>([
  ['none', [], true],
  ['first shard', [], false],
  ['first shard', [0], true],
  ['first shard', [1, 2], false],
  ['shard of each domain', [], false],
  ['shard of each domain', [2], true],
])('with the lease "%s" a node that owns the shards %j: %s (O-3)', (lease, held, may) => {
  start(async () => {});
  const job = { ...(JOBS[0] as Job), lease };
  const epochOf = (shard: number) => (held.includes(shard) ? 7 : 0);
  expect(mayRun(job, { shards: 3, epochOf })).toBe(may);
});

test('how it went is known to the next start; a file that was cut off is as none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'footfall-jobs-'));
  start(async () => {
    throw new Error('full');
  });
  await pass(10);
  const onFault = (error: unknown) => expect.fail(String(error));
  new JobBoard(directory, () => runner.states(), onFault).close();
  expect(readJobBoard(directory)).toEqual(runner.states());
  await runner.stop();
  start(async () => {}, { before: [...readJobBoard(directory)] });
  await pass(10);
  expect(state()).toMatchObject({ runs: 2, failures: 1, lastFault: 'full' });
  writeFileSync(join(directory, 'jobs.json'), '[{"name":');
  expect(readJobBoard(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
  expect(readJobBoard(directory)).toEqual([]);
});

test('each job stands in the table once, with what it is for', () => {
  start(async () => {});
  const names = JOBS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { duty, periodMs } of JOBS) {
    expect(duty.split(' ').length).toBeGreaterThan(3);
    expect(periodMs).toBeGreaterThanOrEqual(SECOND_MS);
  }
});
