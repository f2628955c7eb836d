/**
 * Latency of a single hit at half of the rate that the service can take at the most, beside the
 * baseline server at the same rate.
 *
 * Control plane. Every round first finds the maximum with 64 requests always waiting, then sends
 * half of it at a fixed rate; latency counts from the moment a request was due, so a server that
 * falls behind cannot hide it.
 */

import { type LoadResult, runLoad, runPacedLoad } from '../harness/load/load.ts';
import { POOL_HOSTNAME, pooledHits, singleBodies } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { settle, startBaseline, startService } from '../harness/service.ts';

const CONNECTIONS = 64;
const POOL_VISITS = { smoke: 400, full: 2_000 } as const;
/** A load program that has just started is slow itself: its first second is in no latency. */
const WARM_UP_SECONDS = 1;
/** In a smoke run, which shall not depend on what the machine can do. */
const SMOKE_RATE = 200;
/** Checkpoints come about once a second; their cost belongs to the hits before. */
const SETTLE_MS = 1_200;

interface Side {
  address: string;
  token: string;
  pid: number;
}

type Stretch = LoadResult & { cpuMicroseconds: number };

macro('macro/half-rate', async ({ seed, isSmoke, seconds, rounds, tell }) => {
  const baseline = await startBaseline();
  const service = await startService({ hostnames: [POOL_HOSTNAME] });
  const token = service.domains[0]?.accessKey ?? '';
  const visits = isSmoke ? POOL_VISITS.smoke : POOL_VISITS.full;
  const bodies = singleBodies(pooledHits({ seed, visits }));
  const load = { bodies, connections: CONNECTIONS, seconds };
  const paced = async (side: Side, rate: number): Promise<Stretch> => {
    const { address, token: key, pid } = side;
    const startMs = processCpuMs(pid);
    const url = `${address}/api/v1/hit`;
    const warmUpSeconds = isSmoke ? 0 : WARM_UP_SECONDS;
    const result = await runPacedLoad({ ...load, url, token: key, rate, warmUpSeconds });
    await settle(isSmoke ? 0 : SETTLE_MS);
    const cpuMs = processCpuMs(pid) - startMs;
    return { ...result, cpuMicroseconds: (cpuMs * 1_000) / result.requests };
  };
  const rates: number[] = [];
  const own: Stretch[] = [];
  const theirs: Stretch[] = [];
  // The first round warms up.
  for (let round = isSmoke ? 1 : 0; round <= rounds; round++) {
    const full = await runLoad({ ...load, url: `${service.address}/api/v1/hit`, token });
    const rate = isSmoke ? SMOKE_RATE : Math.floor(full.requests / full.seconds / 2);
    const measured = await paced({ address: service.address, token, pid: service.pid }, rate);
    const floor = await paced(
      { address: baseline.address, token: 'none', pid: baseline.pid },
      rate,
    );
    tell(
      `  ${round === 0 ? 'warm-up' : `round ${round}`}: ${rate} hits/s, ` +
        `p99 ${measured.latencyMsP99.toFixed(2)} ms, baseline ${floor.latencyMsP99.toFixed(2)} ms`,
    );
    if (round === 0) continue;
    rates.push(rate);
    own.push(measured);
    theirs.push(floor);
  }
  await service.end();
  await baseline.stop();
  return report(own, theirs, rates);
});

function report(own: Stretch[], theirs: Stretch[], rates: number[]): Figure[] {
  const group = 'Single hits at half of the maximum rate, durability sync, from the moment due';
  const line = (name: string, unit: string, of: (stretch: Stretch) => number): Figure => ({
    ...{ group, name, unit, value: spreadOf(own.map(of)), baseline: spreadOf(theirs.map(of)) },
    ratio: spreadOf(own.map((stretch, round) => of(stretch) / of(theirs[round]!))),
  });
  return [
    line('latency p50', 'ms', (stretch) => stretch.latencyMsP50),
    {
      ...line('latency p99', 'ms', (stretch) => stretch.latencyMsP99),
      ...{ target: { of: 'value', atMost: 5 }, requirement: 'single-p99' },
    },
    line('sent late, p99', 'ms', (stretch) => stretch.sendDelayMsP99),
    line('load program, share of a core', '', (stretch) => stretch.ownCpuShare),
    line('CPU per hit', 'µs', (stretch) => stretch.cpuMicroseconds),
    { group, name: 'half of the maximum rate', unit: 'hits/s', value: spreadOf(rates) },
  ];
}
