/**
 * Active visitors while hits come in: one dashboard asks every few milliseconds, batches of hits go
 * to the same domain at half of the rate that the service can take at the most.
 *
 * Control plane. The load comes from a process of its own; the same visitors come again and again,
 * so that as many stay active. Latency is that of the asking client, parsing of the answer included.
 */
import { assert } from '../../src/base/assert.ts';
import { VISIT_VIEWS } from '../../src/load/hits/narrow.ts';
import { SECOND_MS } from '../../src/model/limits.ts';
import { runPacedLoad } from '../harness/load/load.ts';
import { addressed, batchBodies, POOL_HOSTNAME, pooledHits } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import type { Figure } from '../harness/report/figures.ts';
import { percentile, spreadOf } from '../harness/report/samples.ts';
import { settle, startService } from '../harness/service.ts';

const BATCH_ITEMS = 99;
const BATCH_VISITS = BATCH_ITEMS / VISIT_VIEWS;
const BATCHES = { smoke: 2, full: 60 } as const;
const ACTIVE = { smoke: 333, full: 100_000 } as const;
const CONNECTIONS = 16;
/** Batches a second that nobody can take: the load then sends as fast as it is answered. */
const TOO_MANY = { smoke: 20, full: 4_000 } as const;
const ASK_EVERY_MS = 5;
/** The program of the load starts, and gets quick, before anybody asks beside it. */
const WARM_UP_SECONDS = { smoke: 0, full: 2 } as const;
const TARGET_MS = 5;

macro('macro/active', async ({ seed, isSmoke, seconds, rounds, tell }) => {
  const size = isSmoke ? 'smoke' : 'full';
  const service = await startService({ hostnames: [POOL_HOSTNAME] });
  const domain = service.domains[0] as (typeof service.domains)[number];
  const pool = pooledHits({ seed, visits: BATCHES[size] * BATCH_VISITS });
  const batches = () => batchBodies(pool, { size: BATCH_ITEMS, timeMs: Date.now() });
  const perTurn = BATCHES[size] * BATCH_VISITS;
  const active = Math.ceil(ACTIVE[size] / perTurn) * perTurn;
  const prepared = batches();
  for (let visit = 0; visit < active; visit += BATCH_VISITS) {
    const turn = visit / BATCH_VISITS;
    const visitBase = Math.floor(turn / prepared.length) * perTurn;
    const body = addressed(prepared[turn % prepared.length]!, visitBase);
    await service.ask('/hit/batch', { token: domain.accessKey, body });
  }
  const ask = () => service.ask(`/statistics/active?id=${domain.id}`);
  const load = (rate: number, forSeconds: number) =>
    runPacedLoad({
      ...{ url: `${service.address}/api/v1/hit/batch`, token: domain.accessKey },
      ...{ bodies: batches(), connections: CONNECTIONS, visitLimit: active },
      ...{ rate, seconds: forSeconds },
    });
  const { visitors } = (await ask()) as { visitors: number };
  assert(visitors >= active, `${active} visitors are active and ${visitors} were found`);
  const full = await load(TOO_MANY[size], 1);
  const rate = full.requests / full.seconds / 2;
  const quiet: number[] = [];
  const loaded: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    quiet.push(...(await askFor(ask, seconds * SECOND_MS)));
    const beside = load(rate, WARM_UP_SECONDS[size] + seconds);
    await settle(WARM_UP_SECONDS[size] * SECOND_MS);
    loaded.push(...(await askFor(ask, seconds * SECOND_MS)));
    const { requests, seconds: took } = await beside;
    rates.push((requests * BATCH_ITEMS) / took);
    tell(
      `  round ${round + 1}: p99 ${percentile(quiet, 0.99).toFixed(2)} ms alone, ` +
        `${percentile(loaded, 0.99).toFixed(2)} ms at ${Math.round(rates.at(-1) as number)} hits/s`,
    );
  }
  await service.end();
  const group = `Active visitors, ${active.toLocaleString('en-US')} active on the domain`;
  const line = (name: string, samples: number[]): Figure => ({
    ...{ group, name, unit: 'ms', value: spreadOf(samples), p99: percentile(samples, 0.99) },
    target: { of: 'p99', atMost: TARGET_MS },
  });
  return [
    line('asked alone', quiet),
    { ...line('asked while hits come in', loaded), requirement: 'active-p99' },
    { group, name: 'hits beside it', unit: 'hits/s', value: spreadOf(rates) },
  ];
});

async function askFor(ask: () => Promise<unknown>, forMs: number): Promise<number[]> {
  const latencies: number[] = [];
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const startMs = performance.now();
    await ask();
    latencies.push(performance.now() - startMs);
    await settle(ASK_EVERY_MS);
  }
  return latencies;
}
