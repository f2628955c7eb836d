// Goal: whatever a disk refuses, no acknowledged hit is lost and none is counted that was refused; the
// service answers 503 or ends with status 1 and one sentence, and starts again on a whole disk.
// Method: a shim between the service and its files fails one call of a fixed workload, another one in
// every run. `npm test` tries a few calls, the long run every one of them in every way. What needs no
// service (a start's replay, spool, backup, upload) is done in one process again and again.
import { afterAll, expect, test } from 'vitest';
import { canFail, diskShim, FAULTS, type FaultPoint } from '../../support/disk/shim.ts';
import { countPoints, tryPoint } from '../../support/disk/sweep.ts';
import { sweepTask } from '../../support/disk/tasks/task-sweep.ts';
import { IS_LONG } from '../../support/runs.ts';

/** At a time; each is a service of its own. */
const LANES = 2;
/** Points after which the long run says how far it is. */
const TOLD = 50;
/** Of each kind of work in `npm test`, spread over all of its calls. */
const TASK_CALLS = 24;
/** One of each kind; all of them found something once, or would have. */
const SPREAD: readonly FaultPoint[] = [
  { point: 'fsync layout.json.draft', at: 1, fault: 'EIO' },
  { point: 'open exports/place.id', at: 1, fault: 'ENOSPC' },
  // Where lmdb-js looks whether the process has the file open.
  { point: 'open registry/data.mdb', at: 4, fault: 'EIO' },
  { point: 'open registry/data.mdb', at: 10, fault: 'ENOSPC' },
  { point: 'fdatasync registry/data.mdb', at: 8, fault: 'EIO' },
  { point: 'write log/log-#', at: 3, fault: 'SHORT' },
  { point: 'rename log/spare-#', at: 1, fault: 'EIO+' },
  { point: 'write state/shard-#/data.mdb', at: 3, fault: 'ENOSPC' },
  { point: 'dsync state/shard-#/data.mdb', at: 2, fault: 'EIO' },
  // Right before the stop.
  { point: 'dsync state/shard-#/data.mdb', at: 3, fault: 'EIO' },
];

const shim = diskShim();
if (shim.path === '') process.stderr.write(`disk-faults: skipped, ${shim.reason}\n`);

afterAll(() => shim.dispose());

/** How the process has to end, where that is certain; null: either way. */
function owedStatus({ point, fault }: FaultPoint): number | null {
  // Nobody knows which of two meta pages is on disk: only a start finds out.
  if (point.startsWith('dsync state/')) return 1;
  // What was not synced was not made, and a disk that is full has room again: it goes on.
  return /^(write|fdatasync) state\/shard-#\/data\.mdb$/.test(point) && fault === 'ENOSPC'
    ? 0
    : null;
}

async function everyPoint(): Promise<FaultPoint[]> {
  const points: FaultPoint[] = [];
  for (const [point, count] of await countPoints(shim)) {
    for (let at = 1; at <= count; at++) {
      for (const fault of FAULTS) if (canFail(point, fault)) points.push({ point, at, fault });
    }
  }
  return points;
}

/** What is wrong after one fault; null when the call was not made in this run. */
async function wrongWith(next: FaultPoint): Promise<string[] | null> {
  const outcome = await tryPoint(shim, next);
  const owed = owedStatus(next) ?? outcome.status;
  const wrong = [...outcome.wrong];
  if (outcome.hasFailed && outcome.status !== owed) {
    wrong.push(`it ends with ${outcome.status}, not ${owed}`);
  }
  const where = `${next.fault} of ${next.point} ${next.at}`;
  return outcome.hasFailed || wrong.length > 0 ? wrong.map((text) => `${where}: ${text}`) : null;
}

test.skipIf(shim.path === '')(
  'a disk that refuses one call, or all from then on, loses nothing and counts nothing twice',
  { timeout: 36_000_000 },
  async () => {
    const points = IS_LONG ? await everyPoint() : SPREAD;
    const wrong: string[] = [];
    let failed = 0;
    const left = [...points];
    const lane = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const found = await wrongWith(next);
        if (found === null) continue;
        failed++;
        wrong.push(...found);
        // A long run takes an hour.
        for (const text of found) process.stderr.write(`${text}\n`);
        const done = points.length - left.length;
        if (done % TOLD === 0) process.stderr.write(`disk faults: ${done} of ${points.length}\n`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    console.log(`disk faults: ${points.length} points, ${failed} of them met`);
    expect(wrong).toEqual([]);
    // Threads race: the last calls of a point are not made in every run.
    expect(failed).toBeGreaterThan(points.length * 0.9 - 1);
  },
);

// One after the other: each keeps a core busy.
test.skipIf(shim.path === '').each(['start', 'spool', 'backup', 'upload'])(
  'P-1 P-20: %s is whole, or refused in one sentence and done when the disk is whole again',
  { timeout: 3_600_000 },
  async (task) => {
    const { points, met, wrong } = await sweepTask(shim, task, IS_LONG ? 0 : TASK_CALLS);
    console.log(`disk faults of ${task}: ${points} points, ${met} of them met`);
    expect(wrong).toEqual([]);
    expect(met).toBeGreaterThan(points * 0.9 - 1);
    expect(met).toBeGreaterThan(0);
  },
);
