/**
 * Entry of a thread that is an actor over real lane threads, and says what its work has cost.
 *
 * Control plane. As `runtime/actor-thread.ts` without log and edges: records come from the benchmark,
 * as fast as they are applied.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../src/base/assert.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLog } from '../../src/base/log.ts';
import { encodeSplit } from '../../src/bus/codec.ts';
import { keepBeating } from '../../src/runtime/actor-beat.ts';
import { laneSpawner } from '../../src/runtime/lane-thread.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { SETTINGS } from '../../src/settings/schema.ts';
import { Actor } from '../../src/shard/actor.ts';
import type { SpawnLane } from '../../src/shard/lane-protocol.ts';
import { LeaseTable } from '../../src/shard/lease-table.ts';
import { shardOf } from '../../src/shard/placement.ts';
import type { LanedAnswer, LanedCall } from './laned-actor.ts';
import { ownTask, taskCpuUs, tasks } from './thread-cpu.ts';

/** Records that the actor is given at once, about as many as the log's thread sends on. */
const RECORDS_AT_ONCE = 64;

const { dataDir, domainId } = workerData as { dataDir: string; domainId: string };
const shards = SETTINGS.shards.fallback;
const shard = shardOf(domainId, shards);
const leases = LeaseTable.alone(shards);
const loaded = loadSettings({ flags: { dataDir, logLevel: 'warn' }, environment: {} });
assert('settings' in loaded, 'the settings of the benchmark are right');
const spawnLane = laneSpawner({
  ...{ index: 0, settings: loaded.settings, leases: leases.memory },
  onSaved: (lane, of, sequence) => actor.noteFlushed(lane, of, sequence),
});
const baseTask = ownTask();
/** From lane 1 on. */
const laneTasks: number[] = [];
const spawn: SpawnLane = (lane, memory) => {
  const before = tasks();
  const thread = spawnLane(lane, memory);
  const [task] = [...tasks()].filter((one) => !before.has(one));
  assert(task !== undefined, 'a lane is a thread of its own');
  laneTasks[lane - 1] = task;
  return thread;
};
let noteSaved = (): void => {};
const actor: Actor = new Actor({
  ...{ dataDir, shards: [shard], leases, spawn },
  reply: ({ error }) => {
    assert(error === null, 'the actor saves');
    noteSaved();
  },
  onFault: (error) => {
    throw error;
  },
});
const log = openLog({ level: 'error', format: 'json', thread: 'bench' });
const rest = keepBeating(actor, (of, sequence) => actor.noteFlushed(0, of, sequence), log);
let sequence = 0;

/** Everything that was applied is on disk: base and lanes. */
async function save(): Promise<void> {
  const saved = new Promise<void>((resolve) => {
    noteSaved = resolve;
  });
  actor.onRequest({ kind: 'save', id: 1, shard, domainId, sequence }, 0, systemClock());
  await saved;
}

function record(payload: Uint8Array) {
  sequence++;
  return { shard, sequence, payload };
}

async function feed(body: SharedArrayBuffer, ends: Uint32Array): Promise<void> {
  for (let first = 0; first < ends.length; first += RECORDS_AT_ONCE) {
    const records = [];
    for (let at = first; at < Math.min(first + RECORDS_AT_ONCE, ends.length); at++) {
      const start = at === 0 ? 0 : ends[at - 1]!;
      records.push(record(new Uint8Array(body, start, ends[at]! - start)));
    }
    actor.onRecords(records, systemClock());
    await turn();
  }
  await save();
}

async function carryOut(call: LanedCall): Promise<void> {
  switch (call.kind) {
    case 'feed':
      return feed(call.body, call.ends);
    case 'split':
      // The actor does nothing else while it changes lanes: that is what is measured here.
      actor.onRecords([record(encodeSplit({ domainId, lanes: call.lanes }))], systemClock());
      return;
    case 'close':
      rest();
      return actor.close();
  }
}

function cpu(): { base: number; lanes: number[]; whole: number } {
  const { user, system } = process.cpuUsage();
  return { base: taskCpuUs(baseTask), lanes: laneTasks.map(taskCpuUs), whole: user + system };
}

assert(parentPort !== null, 'this runs in a thread');
const port = parentPort;
port.on('message', async (call: LanedCall) => {
  const before = cpu();
  const startMs = performance.now();
  await carryOut(call);
  const tookMs = performance.now() - startMs;
  const after = call.kind === 'close' ? before : cpu();
  port.postMessage({
    baseUs: after.base - before.base,
    lanesUs: after.lanes.map((us, lane) => us - (before.lanes[lane] ?? 0)),
    wholeUs: after.whole - before.whole,
    tookMs,
  } satisfies LanedAnswer);
  if (call.kind === 'close') port.close();
});
