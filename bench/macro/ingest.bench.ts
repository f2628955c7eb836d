/**
 * The path of a hit: single hits and batches, against the baseline server, in the same run.
 *
 * Control plane. Sides take turns within each round, so that whatever else the machine does hits all
 * of them; ratios are taken round by round. Processor time is that of the whole process, deferred
 * work included: after the load each side is given `SETTLE_MS` before its clock is read.
 */
import type { Figure } from '../harness/figures.ts';
import { type LoadResult, runLoad } from '../harness/load.ts';
import { type MacroContext, macro } from '../harness/macro.ts';
import {
  batchBodies,
  POOL_HOSTNAME,
  type PooledHit,
  pooledHits,
  singleBodies,
  VISIT_VIEWS,
} from '../harness/pool.ts';
import { processCpuMs, residentBytes } from '../harness/process-cpu.ts';
import { type Spread, spreadOf } from '../harness/samples.ts';
import { settle, startBaseline, startService } from '../harness/service.ts';

const CONNECTIONS = 64;
const BATCH_HITS = 100;
/** Checkpoints come about once a second; their cost belongs to the hits before. */
const SETTLE_MS = 1_200;
const DURABILITIES = ['sync', 'os'] as const;
const TARGET_RATIO = { single: 1.8, batch: 3 } as const;
const TARGET_RATE = 200_000;
const POOL_VISITS = { smoke: 400, full: 2_000 } as const;

type Kind = 'single' | 'batch';

/** A server under load. */
interface Side {
  name: string;
  address: string;
  token: string;
  pid: number;
}

/** One stretch of load on one side. */
interface Measurement extends LoadResult {
  hitsPerSecond: number;
  cpuMicrosecondsPerHit: number;
}

macro('macro/ingest', async (context) => {
  const baseline = await startBaseline();
  const durabilities = context.isSmoke ? DURABILITIES.slice(0, 1) : DURABILITIES;
  const services = [];
  for (const durability of durabilities) {
    const settings = { FOOTFALL_DURABILITY: durability };
    services.push(await startService({ hostnames: [POOL_HOSTNAME], settings }));
  }
  const sides: Side[] = [
    { name: 'baseline', address: baseline.address, token: 'none', pid: baseline.pid },
    ...services.map((service, index) => ({
      name: durabilities[index] as string,
      address: service.address,
      token: service.domains[0]?.accessKey ?? '',
      pid: service.pid,
    })),
  ];
  const figures: Figure[] = [];
  for (const kind of ['single', 'batch'] as const) {
    figures.push(...report(kind, await measureRounds(kind, sides, context)));
  }
  for (const [index, service] of services.entries()) {
    figures.push({
      group: 'Memory after the load',
      name: `resident, durability ${durabilities[index]}`,
      unit: 'MB',
      value: spreadOf([residentBytes(service.pid) / 1e6]),
    });
    await service.end();
  }
  await baseline.stop();
  return figures;
});

type Rounds = Map<string, Measurement[]>;

async function measureRounds(
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
  const startMs = processCpuMs(side.pid);
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
    cpuMicrosecondsPerHit: ((processCpuMs(side.pid) - startMs) * 1_000) / hitCount,
  };
}

const COLUMNS: readonly {
  name: string;
  unit: string;
  of: (measurement: Measurement) => number;
}[] = [
  { name: 'CPU per hit', unit: 'µs', of: (m) => m.cpuMicrosecondsPerHit },
  { name: 'throughput', unit: 'hits/s', of: (m) => m.hitsPerSecond },
  { name: 'latency p50', unit: 'ms', of: (m) => m.latencyMsP50 },
  { name: 'latency p99', unit: 'ms', of: (m) => m.latencyMsP99 },
];

function report(kind: Kind, measured: Rounds): Figure[] {
  const [[, baseline = []] = [], ...services] = [...measured];
  const what = kind === 'single' ? 'Single hits' : `Batches of ${BATCH_HITS}`;
  return services.flatMap(([durability, service]) =>
    COLUMNS.map(({ name, unit, of }) => {
      const figure: Figure = {
        group: `${what}, durability ${durability}, ${CONNECTIONS} connections, ${VISIT_VIEWS} views a visit`,
        name,
        unit,
        value: spreadOf(service.map(of)),
        baseline: spreadOf(baseline.map(of)),
        ratio: ratioByRound(service.map(of), baseline.map(of)),
      };
      return durability === 'sync' ? judged(figure, kind) : figure;
    }),
  );
}

/** What the issue demands of this figure, if anything. */
function judged(figure: Figure, kind: Kind): Figure {
  if (figure.name === 'CPU per hit') {
    const target = { of: 'ratio', atMost: TARGET_RATIO[kind] } as const;
    return { ...figure, target, requirement: `${kind}-cpu` };
  }
  if (figure.name !== 'throughput' || kind === 'single') return figure;
  return { ...figure, target: { of: 'value', atLeast: TARGET_RATE }, requirement: 'batch-rate' };
}

function ratioByRound(values: readonly number[], baselines: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (baselines[round] as number)));
}
