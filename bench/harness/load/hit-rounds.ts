/**
 * Hits sent to several servers in turns: what a stretch of load on each of them took.
 *
 * Control plane. Sides take turns within each round, so that whatever else the machine does hits all
 * of them; ratios are taken round by round. Processor time is that of whole processes, deferred
 * work included: after the load each side is given `SETTLE_MS` before its clock is read.
 */

import type { MacroContext } from '../macro.ts';
import { processCpuMs } from '../process-cpu.ts';
import { type Spread, spreadOf } from '../report/samples.ts';
import { settle } from '../service.ts';
import { type LoadResult, runLoad } from './load.ts';
import { batchBodies, type PooledHit, pooledHits, singleBodies } from './pool.ts';

export const CONNECTIONS = 64;
export const BATCH_HITS = 100;
/** Checkpoints come about once a second; their cost belongs to the hits before. */
const SETTLE_MS = 1_200;
const POOL_VISITS = { smoke: 400, full: 2_000 } as const;

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
): Promise<Rounds> {
  const { seed, isSmoke, seconds, rounds, tell } = context;
  const hits = pooledHits({ seed, visits: isSmoke ? POOL_VISITS.smoke : POOL_VISITS.full });
  const measured: Rounds = new Map(sides.map(({ name }) => [name, []]));
  // The first round warms up: compiled code, caches, and the first segments.
  for (let round = isSmoke ? 1 : 0; round <= rounds; round++) {
    for (const side of sides) {
      const length = round === 0 ? Math.min(seconds, 3) : seconds;
      const measurement = await measure(kind, side, {
        hits,
        seconds: length,
        settleMs: isSmoke ? 0 : SETTLE_MS,
      });
      if (round > 0) measured.get(side.name)?.push(measurement);
      tell(
        `  ${kind} ${side.name} ${round === 0 ? 'warm-up' : `round ${round}`}: ` +
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
  load: { hits: PooledHit[]; seconds: number; settleMs: number },
): Promise<Measurement> {
  const { hits, seconds } = load;
  const isBatch = kind === 'batch';
  const bodies = isBatch
    ? batchBodies(hits, { size: BATCH_HITS, timeMs: Date.now() })
    : singleBodies(hits);
  const startMs = cpuMs(side);
  const result = await runLoad({
    url: `${side.address}/api/v1/hit${isBatch ? '/batch' : ''}`,
    token: side.token,
    bodies,
    connections: CONNECTIONS,
    seconds,
  });
  await settle(load.settleMs);
  const hitCount = result.requests * (isBatch ? BATCH_HITS : 1);
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
