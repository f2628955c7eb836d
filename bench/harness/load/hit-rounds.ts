/**
 * Hits sent to several servers in turns: what a stretch of load on each of them took.
 *
 * Control plane. Sides take turns within each round, so that whatever else the machine does hits all
 * of them; ratios are taken round by round. Processor time is that of whole processes, deferred
 * work included: after the load each side is given `SETTLE_MS` before its clock is read.
 */

import { mixHits, requestsOf } from '../../../src/load/prepared.ts';
import { footfall } from '../../../src/load/products/footfall.ts';
import type { WholeRequest } from '../../../src/load/send/requests.ts';
import type { Mix } from '../../../src/load/wish.ts';
import type { MacroContext } from '../macro.ts';
import { processCpuMs } from '../process-cpu.ts';
import { type Spread, spreadOf } from '../report/samples.ts';
import { settle } from '../service.ts';
import { type LoadResult, runRequests } from './load.ts';
import { POOL_HOSTNAME } from './pool.ts';

export const CONNECTIONS = 64;
export const BATCH_HITS = 100;
/** Checkpoints come about once a second; their cost belongs to the hits before. */
const SETTLE_MS = 1_200;
/** Of the narrow mix 2,000 visits; the longest visits of a site find room in the other. */
const POOL_HITS = { smoke: 1_200, narrow: 6_000, site: 16_384 } as const;

/** How hits are sent. */
export type Kind = 'single' | 'batch';

/** A server under load. */
export interface Side {
  name: string;
  address: string;
  token: string;
  /** Processes whose time is counted. */
  pids: readonly number[];
}

/** One stretch of load on one side. */
export interface Measurement extends LoadResult {
  hitsPerSecond: number;
  cpuMicrosecondsPerHit: number;
}

/** By the side's name: its measurements, in order. */
export type Rounds = Map<string, Measurement[]>;

/** Measures every side, round by round. */
export async function measureRounds(
  kind: Kind,
  sides: readonly Side[],
  context: MacroContext,
  mix: Mix = 'narrow',
): Promise<Rounds> {
  const { seed, isSmoke, seconds, rounds, tell } = context;
  const how = { mix, hostname: POOL_HOSTNAME, seed };
  const hits = mixHits({ ...how, hits: isSmoke ? POOL_HITS.smoke : POOL_HITS[mix] });
  const batch = kind === 'batch' ? BATCH_HITS : 1;
  const measured: Rounds = new Map(sides.map(({ name }) => [name, []]));
  // The first round warms up: compiled code, caches, and the first segments.
  for (let round = isSmoke ? 1 : 0; round <= rounds; round++) {
    for (const side of sides) {
      const length = round === 0 ? Math.min(seconds, 3) : seconds;
      const measurement = await measure(kind, side, {
        requests: requestsOf(hits, {
          product: footfall,
          access: { site: '', key: side.token },
          batch,
        }),
        seconds: length,
        settleMs: isSmoke ? 0 : SETTLE_MS,
      });
      if (round > 0) measured.get(side.name)?.push(measurement);
      tell(
        `  ${mix} ${kind} ${side.name} ${round === 0 ? 'warm-up' : `round ${round}`}: ` +
          `${Math.round(measurement.hitsPerSecond)} hits/s, ` +
          `${measurement.cpuMicrosecondsPerHit.toFixed(2)} µs CPU per hit, ` +
          `p99 ${measurement.latencyMsP99.toFixed(1)} ms`,
      );
    }
  }
  return measured;
}

async function measure(
  kind: Kind,
  side: Side,
  load: { requests: readonly WholeRequest[]; seconds: number; settleMs: number },
): Promise<Measurement> {
  const startMs = cpuMs(side);
  const result = await runRequests({
    url: side.address,
    requests: load.requests,
    connections: CONNECTIONS,
    seconds: load.seconds,
  });
  await settle(load.settleMs);
  const hitCount = result.requests * (kind === 'batch' ? BATCH_HITS : 1);
  return {
    ...result,
    hitsPerSecond: hitCount / result.seconds,
    cpuMicrosecondsPerHit: ((cpuMs(side) - startMs) * 1_000) / hitCount,
  };
}

function cpuMs({ pids }: Side): number {
  return pids.reduce((sum, pid) => sum + processCpuMs(pid), 0);
}

/** What is reported of a side. */
export const COLUMNS: readonly {
  name: string;
  unit: string;
  of: (measurement: Measurement) => number;
}[] = [
  { name: 'CPU per hit', unit: 'µs', of: (m) => m.cpuMicrosecondsPerHit },
  { name: 'throughput', unit: 'hits/s', of: (m) => m.hitsPerSecond },
  { name: 'latency p50', unit: 'ms', of: (m) => m.latencyMsP50 },
  { name: 'latency p99', unit: 'ms', of: (m) => m.latencyMsP99 },
];

/** Ratios of measurements that lie seconds apart. */
export function ratioByRound(values: readonly number[], baselines: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (baselines[round] as number)));
}
