/**
 * An actor's thread with lanes on threads of their own, over the built sources: `lane-threads.test.ts`.
 *
 * Does the steps it is given one after the other; says what it was answered, and what was on disk
 * whenever a lane was sent something from behind a change of lanes.
 */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { isSplit } from '../../dist/src/bus/codec.js';
import { laneSpawner } from '../../dist/src/runtime/lane-thread.js';
import { Actor } from '../../dist/src/shard/actor.js';
import { LeaseTable } from '../../dist/src/shard/lease-table.js';
import { positionOf } from '../../dist/src/shard/snapshot.js';
import { shardStatePath } from '../../dist/src/store/state-directories.js';
import { StateEnvironment } from '../../dist/src/store/state-environment.js';

const { dataDir, nowMs, steps } = workerData;
const settings = { dataDir, logLevel: 'silent', logFormat: 'json' };
const leases = LeaseTable.alone(1);
const lanes = new Map();
const log = [];
let lastSplit = 0;

const start = laneSpawner({
  index: 0,
  settings,
  leases: leases.memory,
  onSaved: (lane, shard, sequence) => parentPort.postMessage({ saved: { lane, shard, sequence } }),
});
const spawn = (lane, memory) => {
  const thread = start(lane, memory);
  lanes.set(lane, thread);
  const tell = (call) => {
    // The records of a message are consecutive here, and a change of lanes is the last of its own.
    if (call.kind === 'records' && call.index[1] > lastSplit) {
      const environment = new StateEnvironment(shardStatePath(dataDir, 0));
      parentPort.postMessage({ beyond: lastSplit, position: positionOf(environment) });
      void environment.close();
    }
    thread.tell(call);
  };
  return { ...thread, tell };
};
const answers = [];
const actor = new Actor({
  ...{ dataDir, leases, shards: [0], spawn },
  reply: (reply) => answers.shift()(reply),
  onFault: (error) => {
    throw error;
  },
});
actor.recover(
  {
    replay: (after, visit) => {
      for (const record of workerData.log) if (record.sequence > after) visit(record);
      return workerData.log.length;
    },
  },
  nowMs,
);
log.push(...workerData.log);

async function take(step) {
  if (step.append !== undefined) {
    const record = { shard: 0, sequence: log.length + 1, payload: step.append };
    log.push(record);
    actor.onRecords([record], nowMs);
    if (isSplit(step.append)) lastSplit = record.sequence;
  }
  if (step.save !== undefined) {
    const head = { kind: 'save', id: 1, shard: 0, sequence: log.length };
    const answer = new Promise((resolve) => answers.push(resolve));
    actor.onRequest({ ...head, domainId: step.save }, 0, nowMs);
    parentPort.postMessage({ answer: await answer });
  }
  // What no actor says: a lane cannot read it, and dies.
  if (step.kill !== undefined) lanes.get(step.kill).tell({ kind: 'records', body: null });
  if (step.wait !== undefined) await once(parentPort, 'message');
}

for (const step of steps) await take(step);
await actor.close();
parentPort.postMessage({ log });
parentPort.close();
