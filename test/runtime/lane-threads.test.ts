// Goal: lanes on real threads keep the order of a change of lanes, and none dies unnoticed.
// Method: an actor's thread over the built sources (`npm run build` first) is led through steps.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeGroups, encodeSplit } from '../../src/bus/codec.ts';
import type { LogRecord } from '../../src/bus/log.ts';
import { HOUR_MS } from '../../src/model/limits.ts';
import { SegmentReader } from '../../src/segment/segment-reader.ts';
import { hit, MONDAY_MS } from '../shard/hit-builder.ts';

const NOON = MONDAY_MS + 12 * HOUR_MS;
const DOMAIN = 'site';
const PERSONS = 2_000;
/** Records of a bulk of hits: enough that lanes are still at work when their base is done. */
const BULK = 40;

type Step = { append: Uint8Array } | { save: string } | { kill: number } | { wait: true };
/** What the thread says. */
interface Said {
  beyond?: number;
  position?: number;
  answer?: { value: unknown; error: unknown };
  log?: LogRecord[];
}

let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'footfall-lane-threads-'));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

function start(steps: Step[], log: LogRecord[] = []): { worker: Worker; said: Said[] } {
  const worker = new Worker(new URL('./lane-actor.mjs', import.meta.url), {
    workerData: { dataDir, nowMs: NOON, steps, log },
  });
  const said: Said[] = [];
  worker.on('message', (message: Said) => said.push(message));
  return { worker, said };
}

/** Page views, one of every person. */
function bulk(): Step[] {
  return Array.from({ length: BULK }, (_, record) => {
    const hits = Array.from({ length: PERSONS / BULK }, (_, row) => hit(row * BULK + record, NOON));
    const head = { domainId: DOMAIN, receivedMs: NOON, idempotencyHash: '', dropped: null };
    return { append: encodeGroups([{ ...head, hits }]) };
  });
}

function split(...lanes: number[]): Step {
  return { append: encodeSplit({ domainId: DOMAIN, lanes }) };
}

async function counted(): Promise<{ views: number; visits: number }> {
  const reader = new SegmentReader(dataDir, 1_000_000);
  const range = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
  const counts = { views: 0, visits: 0 };
  for (const { sessions, hidden } of reader.read({
    ...{ shard: 0, epoch: 1, domainId: DOMAIN },
    ...range,
  })) {
    for (let row = 0; row < sessions.rowCount; row++) {
      if (hidden?.[row] === 1) continue;
      counts.visits++;
      counts.views += sessions.columns.pageViews[row]!;
    }
  }
  await reader.close();
  return counts;
}

test('no lane is sent what follows a change of lanes before all have saved what it froze', async () => {
  const steps = [...bulk(), split(1, 3), ...bulk(), split(1, 3, 4), ...bulk(), split(1, 3, 4, 2)];
  const { worker, said } = start([...steps, ...bulk(), { save: DOMAIN }]);
  await once(worker, 'exit');
  const beyond = said.filter(({ beyond: change }) => (change ?? 0) > 0);
  expect(new Set(beyond.map((message) => message.beyond))).toEqual(
    new Set([BULK + 1, 2 * BULK + 2, 3 * BULK + 3]),
  );
  for (const { beyond: change, position } of beyond)
    expect(position).toBeGreaterThanOrEqual(change!);
  expect(said.find(({ answer }) => answer !== undefined)?.answer).toMatchObject({ value: 1 });
  expect(await counted()).toEqual({ views: 4 * PERSONS, visits: PERSONS });
});

test('an actor that is killed with its lanes recovers with them', async () => {
  const steps = [...bulk(), split(1, 3), ...bulk(), { save: DOMAIN }, ...bulk()];
  const records = steps
    .filter((step) => 'append' in step)
    .map(({ append }, index) => ({ shard: 0, sequence: index + 1, payload: append }));
  const path = new URL('./lane-process.mjs', import.meta.url);
  const child = fork(path, { serialization: 'advanced' });
  child.send({ dataDir, nowMs: NOON, steps: [...steps, { wait: true }], log: [] });
  const isSaved = new Promise<void>((resolve) => {
    child.on('message', (message: Said) => {
      if (message.answer !== undefined) resolve();
    });
  });
  await isSaved;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { worker } = start([{ save: DOMAIN }], records);
  await once(worker, 'exit');
  expect(await counted()).toEqual({ views: 3 * PERSONS, visits: PERSONS });
});

test('a lane that dies takes its actor with it, which says who it was', async () => {
  const { worker } = start([split(1, 2), { kill: 1 }, { wait: true }]);
  const [error] = (await once(worker, 'error')) as [Error];
  expect(error.message).toMatch(/^lane 1 of actor 0 died: /);
});

test('an actor that waits for a lane at a change of lanes learns of its death', async () => {
  const { worker } = start([split(1, 2), { kill: 1 }, split(1, 2, 3), { wait: true }]);
  const [error] = (await once(worker, 'error')) as [Error];
  expect(error.message).toMatch(/lane 1 (lives$|of actor 0 died: )/);
});
