/**
 * Statistics asked while batches come in to the same domain: what the hits then cost, and how long
 * the questions then take, each beside the same without the other.
 *
 * Control plane. Every question is about the open day, which the hits change all the time, so no
 * answer can be kept. Hits come at half of the maximum rate in both cases: CPU per hit compares only
 * at the same load. What the questions cost is in the hits' figure.
 */

import { runLoad, runPacedLoad } from '../harness/load/load.ts';
import { batchBodies, POOL_HOSTNAME, pooledHits } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { percentile, spreadOf } from '../harness/report/samples.ts';
import { settle, startService } from '../harness/service.ts';

const BATCH_HITS = 100;
const CONNECTIONS = 16;
const POOL_VISITS = { smoke: 400, full: 2_000 } as const;
const SMOKE_RATE = 10;
/** Checkpoints come about once a second; their cost belongs to the hits before. */
const SETTLE_MS = 1_200;
const ASK_EVERY_MS = 20;
const QUESTIONS = [
  'total',
  'page',
  'country',
  'referrer',
  'browser',
  'visitor&scale=day',
  'page&country=de',
  'active',
];

/** Latencies and loads of all rounds, alone and together. */
interface Measured {
  alone: number[];
  beside: number[];
  quietCpu: number[];
  askedCpu: number[];
  quietP99: number[];
  askedP99: number[];
}

macro('macro/mixed', async ({ seed, isSmoke, seconds, rounds, tell }) => {
  const service = await startService({ hostnames: [POOL_HOSTNAME] });
  const { id, accessKey: token } = service.domains[0]!;
  const visits = isSmoke ? POOL_VISITS.smoke : POOL_VISITS.full;
  const pool = pooledHits({ seed, visits });
  const plan = () => ({
    ...{ url: `${service.address}/api/v1/hit/batch`, token, connections: CONNECTIONS, seconds },
    bodies: batchBodies(pool, { size: BATCH_HITS, timeMs: Date.now() }),
  });
  const full = await runLoad(plan());
  const rate = isSmoke ? SMOKE_RATE : full.requests / full.seconds / 2;
  const load = async () => {
    const startMs = processCpuMs(service.pid);
    const result = await runPacedLoad({ ...plan(), rate });
    await settle(isSmoke ? 0 : SETTLE_MS);
    const hits = result.requests * BATCH_HITS;
    const cpu = ((processCpuMs(service.pid) - startMs) * 1_000) / hits;
    return { cpu, p99: result.latencyMsP99 };
  };
  const askAll = (latencies: number[]) =>
    askFor((path) => service.ask(path), id, seconds, latencies);
  const measured: Measured = {
    ...{ alone: [], beside: [], quietCpu: [], askedCpu: [], quietP99: [], askedP99: [] },
  };
  for (let round = 0; round < rounds; round++) {
    const quiet = await load();
    await askAll(measured.alone);
    const [asked] = await Promise.all([load(), askAll(measured.beside)]);
    measured.quietCpu.push(quiet.cpu);
    measured.askedCpu.push(asked.cpu);
    measured.quietP99.push(quiet.p99);
    measured.askedP99.push(asked.p99);
    tell(
      `  round ${round + 1}: ${quiet.cpu.toFixed(2)} µs per hit alone, ` +
        `${asked.cpu.toFixed(2)} µs while asked; questions p99 ` +
        `${percentile(measured.alone, 0.99).toFixed(1)} ms alone, ` +
        `${percentile(measured.beside, 0.99).toFixed(1)} ms beside hits`,
    );
  }
  await service.end();
  return report(measured, Math.round(rate * BATCH_HITS));
});

/** Asks the questions in turn for a while, on one connection. */
async function askFor(
  ask: (path: string) => Promise<unknown>,
  id: string,
  seconds: number,
  latencies: number[],
): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const endMs = performance.now() + seconds * 1_000;
  for (let turn = 0; performance.now() < endMs; turn++) {
    const [statistic, ...rest] = QUESTIONS[turn % QUESTIONS.length]!.split('&');
    const own = rest.map((pair) => `&${pair}`).join('');
    const startMs = performance.now();
    await ask(`/statistics/${statistic}?id=${id}&from=${today}&to=${today}${own}`);
    latencies.push(performance.now() - startMs);
    await settle(ASK_EVERY_MS);
  }
}

function report(measured: Measured, hitsPerSecond: number): Figure[] {
  const rate = hitsPerSecond.toLocaleString('en-US');
  const group = `Hits and questions at once, ${rate} hits/s in batches; baseline: each alone`;
  const line = (name: string, unit: string, sides: { own: number[]; alone: number[] }): Figure => ({
    ...{ group, name, unit, value: spreadOf(sides.own), baseline: spreadOf(sides.alone) },
    ratio: spreadOf(sides.own.map((value, round) => value / sides.alone[round]!)),
  });
  const questions = (share: number) => ({
    own: [percentile(measured.beside, share)],
    alone: [percentile(measured.alone, share)],
  });
  return [
    line('CPU per hit', 'µs', { own: measured.askedCpu, alone: measured.quietCpu }),
    line('batch p99, from the moment due', 'ms', {
      ...{ own: measured.askedP99, alone: measured.quietP99 },
    }),
    line('question p50', 'ms', questions(0.5)),
    line('question p99', 'ms', questions(0.99)),
  ];
}
