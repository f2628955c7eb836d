/**
 * How long the service takes to answer again after SIGKILL, with millions of page views in the day
 * that is open; and what those views take on disk and in memory, everything included.
 *
 * Control plane. It is killed right after load, so there is always something that no checkpoint has.
 * Ready is when it has given a token to a client that asks; what it has counted is asked afterwards
 * and must be all that was acknowledged.
 */
import { assert } from '../../src/base/assert.ts';
import { VISIT_VIEWS } from '../../src/load/hits/narrow.ts';
import { runLoad } from '../harness/load/load.ts';
import { batchBodies, POOL_HOSTNAME, pooledHits } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import { residentBytes } from '../harness/process-cpu.ts';
import { folderBytes } from '../harness/report/disk.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchService, startService } from '../harness/service.ts';

const VIEWS = { smoke: 1_000, normal: 1_000_000, full: 5_000_000 } as const;
const VISITS = { smoke: 400, normal: 2_000, full: 2_000 } as const;
const BATCH_HITS = 100;
const CONNECTIONS = 16;
const STRETCH_SECONDS = 5;
const LOAD_MS_MAX = 180_000;
const READY_SECONDS_MAX = 3;
const ROUNDS_MAX = 3;

macro('macro/restart', async ({ seed, isSmoke, isFull, rounds, tell }) => {
  const size = isSmoke ? 'smoke' : isFull ? 'full' : 'normal';
  const started = await startService({ hostnames: [POOL_HOSTNAME] });
  const emptyBytes = residentBytes(started.pid);
  const { id, accessKey: token } = started.domains[0]!;
  const pool = pooledHits({ seed, visits: VISITS[size] });
  let views = 0;
  let service: Omit<BenchService, 'domains'> = started;
  const load = async (seconds: number) => {
    const bodies = batchBodies(pool, { size: BATCH_HITS, timeMs: Date.now() });
    const url = `${service.address}/api/v1/hit/batch`;
    const { requests } = await runLoad({ url, token, bodies, connections: CONNECTIONS, seconds });
    views += requests * BATCH_HITS;
  };
  const beginMs = performance.now();
  while (views < VIEWS[size] && performance.now() - beginMs < LOAD_MS_MAX) {
    await load(isSmoke ? 1 : STRETCH_SECONDS);
    tell(`  ${views} page views in the open day`);
  }
  const readySeconds: number[] = [];
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++) {
    await load(1);
    const { again, readyMs } = await service.crash();
    service = again;
    readySeconds.push(readyMs / 1_000);
    tell(`  round ${round + 1}: ready after ${(readyMs / 1_000).toFixed(2)} s`);
    const counted = await viewsOf(service, id);
    assert(counted >= views, `${views} views were acknowledged and ${counted} were found`);
  }
  const figures = report(views, readySeconds, {
    disk: folderBytes(service.dataDir),
    memory: residentBytes(service.pid) - emptyBytes,
  });
  await service.end();
  return figures;
});

async function viewsOf(service: Omit<BenchService, 'domains'>, id: string): Promise<number> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const nowMs = Date.now();
  const range = `from=${day(nowMs - 86_400_000)}&to=${day(nowMs)}`;
  const total = await service.ask(`/statistics/total?id=${id}&${range}`);
  return (total as { views: number }).views;
}

function report(
  views: number,
  readySeconds: number[],
  bytes: { disk: number; memory: number },
): Figure[] {
  const group = `After SIGKILL, ${(views / 1e6).toFixed(1)} million page views in the open day`;
  const line = (name: string, unit: string, value: number): Figure => ({
    ...{ group, name, unit, value: spreadOf([value]) },
  });
  const ready: Figure = {
    ...{ group, name: 'ready', unit: 's', value: spreadOf(readySeconds) },
    target: { of: 'value', atMost: READY_SECONDS_MAX },
  };
  return [
    views >= VIEWS.full ? { ...ready, requirement: 'restart' } : ready,
    line('disk per page view, log included', 'bytes', bytes.disk / views),
    line('disk per session, log included', 'bytes', (bytes.disk / views) * VISIT_VIEWS),
    line('resident memory per page view', 'bytes', bytes.memory / views),
    line('resident memory per session', 'bytes', (bytes.memory / views) * VISIT_VIEWS),
  ];
}
