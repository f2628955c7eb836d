/**
 * Where more cores end: processor time of each kind of thread per hit, by the service's own metric, and
 * from that how many hits a second keep which of them busy with 4, 8, 16 and 32 cores.
 *
 * Control plane. Measured on the cores that are here; computed for the others, as if each core more were
 * as good as those before. Threads are as many as `FOOTFALL_EDGES` and `FOOTFALL_ACTORS` are by cores.
 * The log is one thread whatever the cores: its ceiling is a second over its time per hit.
 */
import { assert } from '../../src/base/assert.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { BATCH_HITS, type Kind, measureRounds } from '../harness/load/hit-rounds.ts';
import { POOL_HOSTNAME } from '../harness/load/pool.ts';
import { type MacroContext, macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchService, startService } from '../harness/service.ts';

const CORES = [4, 8, 16, 32];
const METRICS_TOKEN = 'bench-metrics-token-0123456789abcdef';
const PARTS = ['edge', 'log', 'actor'] as const;
const US = 1e6;

/** Microseconds per hit: of each kind of thread, and of the whole process. */
type Cost = Record<(typeof PARTS)[number] | 'process', number>;

macro('macro/threads', async (given) => {
  // One stretch is long enough: it is processor time that is divided.
  const context = { ...given, rounds: 1 };
  const settings = { FOOTFALL_METRICS_TOKEN: METRICS_TOKEN };
  const service = await startService({ hostnames: [POOL_HOSTNAME], settings });
  const figures: Figure[] = [];
  for (const kind of ['single', 'batch'] as const) {
    const cost = await measure(kind, service, context);
    figures.push(...report(kind, cost));
  }
  await service.end();
  return figures;
});

async function measure(kind: Kind, service: BenchService, context: MacroContext): Promise<Cost> {
  const token = service.domains[0]?.accessKey ?? '';
  const sides = [{ name: 'Footfall', address: service.address, token, pids: [service.pid] }];
  // The first one warms up.
  if (!context.isSmoke) await measureRounds(kind, sides, { ...context, isSmoke: true }, 'site');
  const before = await threadSeconds(service);
  const processBefore = processCpuMs(service.pid);
  // In its form for a smoke run it has no warm-up of its own.
  const whole = { ...context, isSmoke: true };
  const [run] = (await measureRounds(kind, sides, whole, 'site')).get('Footfall') ?? [];
  assert(run !== undefined, 'the load was measured');
  const after = await threadSeconds(service);
  const hits = run.hitsPerSecond * run.seconds;
  const of = (part: string) => ((after.get(part) ?? 0) - (before.get(part) ?? 0)) / hits;
  return {
    ...{ edge: of('edge') * US, log: of('log') * US, actor: of('actor') * US },
    process: ((processCpuMs(service.pid) - processBefore) * 1_000) / hits,
  };
}

/** Seconds of processor time so far, by kind of thread. */
async function threadSeconds(service: BenchService): Promise<Map<string, number>> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const answer = await fetch(`${service.address}/metrics`, { headers });
  const text = await answer.text();
  const seconds = new Map<string, number>();
  const lines = text.matchAll(
    /^footfall_thread_cpu_seconds_total\{thread="([a-z]+)[^"]*"\} (\S+)/gm,
  );
  for (const [, part = '', value] of lines) {
    seconds.set(part, (seconds.get(part) ?? 0) + Number(value));
  }
  for (const part of PARTS) assert(seconds.has(part), `the metrics know the time of ${part}`);
  return seconds;
}

function report(kind: Kind, cost: Cost): Figure[] {
  const what = kind === 'single' ? 'single hits' : `batches of ${BATCH_HITS}`;
  const group = `Threads, ${what}`;
  const line = (name: string, unit: string, value: number): Figure => {
    return { group, name, unit, value: spreadOf([value]) };
  };
  const costs = PARTS.map((part) => line(`${part}: CPU per hit`, 'µs', cost[part]));
  return [
    ...costs,
    line('all threads: CPU per hit', 'µs', cost.process),
    line("the log's one thread: its ceiling", 'hits/s', US / cost.log),
    ...CORES.map((cores) => {
      const { first, rate } = firstBusy(cost, cores);
      return line(`${cores} cores: ${first} busy first`, 'hits/s', rate);
    }),
  ];
}

/** Which is busy first, and at how many hits a second. */
function firstBusy(cost: Cost, cores: number): { first: string; rate: number } {
  const loaded = loadSettings({ coreCount: cores, environment: {} });
  assert('settings' in loaded, 'no settings are given that could be wrong');
  const { edges, actors } = loaded.settings;
  const rates: [string, number][] = [
    [`${edges} edges`, (edges * US) / cost.edge],
    ['the log', US / cost.log],
    [`${actors} actors`, (actors * US) / cost.actor],
    ['all cores', (cores * US) / cost.process],
  ];
  const [first, rate] = rates.reduce((least, each) => (each[1] < least[1] ? each : least));
  return { first, rate };
}
