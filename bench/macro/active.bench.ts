/**
 * Active visitors while hits come in: one dashboard asks every few milliseconds, batches of hits go
 * to the same domain at a fixed rate.
 *
 * Control plane. The load is paced from this process, one batch at a time, so that the domain is
 * neither idle nor full; latency is that of the asking client, parsing of the answer included.
 */
import { assert } from '../../src/base/assert.ts';
import type { Figure } from '../harness/figures.ts';
import { macro } from '../harness/macro.ts';
import { POOL_HOSTNAME, pooledHits, VISIT_VIEWS, visitAddress } from '../harness/pool.ts';
import { percentile, spreadOf } from '../harness/samples.ts';
import { settle, startService } from '../harness/service.ts';

const BATCH_ITEMS = 99;
/** Batches made before the clock starts, sent in turn. */
const BATCHES = 300;
const ACTIVE = { smoke: 333, full: 100_000 } as const;
/** Hits a second beside the questions. */
const HITS_PER_SECOND = 50_000;
const ASK_EVERY_MS = 5;
const TARGET_MS = 3;

macro('macro/active', async ({ seed, isSmoke, seconds, rounds, tell }) => {
  const active = isSmoke ? ACTIVE.smoke : ACTIVE.full;
  const service = await startService({ hostnames: [POOL_HOSTNAME] });
  const domain = service.domains[0] as (typeof service.domains)[number];
  const bodyOf = batchMaker(seed);
  const send = (made: string) => {
    const body = made.replaceAll('"NOW"', JSON.stringify(new Date()));
    return service.ask('/hit/batch', { token: domain.accessKey, body });
  };
  const bodies: string[] = [];
  for (let visit = 0; visit < active; visit += BATCH_ITEMS / VISIT_VIEWS) {
    const body = bodyOf(visit);
    await send(body);
    if (bodies.length < BATCHES) bodies.push(body);
  }
  const ask = () => service.ask(`/statistics/active?id=${domain.id}`);
  const first = (await ask()) as { visitors: number };
  assert(
    first.visitors >= active,
    `${active} visitors are active and ${first.visitors} were found`,
  );
  const quiet: number[] = [];
  const loaded: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < (isSmoke ? 1 : rounds); round++) {
    quiet.push(...(await askFor(ask, seconds * 1_000)));
    const load = paced(send, bodies, seconds * 1_000);
    loaded.push(...(await askFor(ask, seconds * 1_000)));
    rates.push((await load) / seconds);
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
    line('asked while hits come in', loaded),
    { group, name: 'hits beside it', unit: 'hits/s', value: spreadOf(rates) },
  ];
});

/** Makes batches of visits, each from an address of its own; the sender puts the time in. */
function batchMaker(seed: number): (firstVisit: number) => string {
  const templates = pooledHits({ seed, visits: 2_000 }).map(({ ip: _, ...hit }) => {
    return JSON.stringify(hit).slice(1);
  });
  return (firstVisit) => {
    const items: string[] = [];
    for (let item = 0; item < BATCH_ITEMS; item++) {
      const visit = firstVisit + Math.floor(item / VISIT_VIEWS);
      const pooled = templates[(visit * VISIT_VIEWS + (item % VISIT_VIEWS)) % templates.length];
      items.push(`{"ip":"${visitAddress(visit)}","time":"NOW",${pooled}`);
    }
    return `[${items.join(',')}]`;
  };
}

/** Keeps the rate as well as one connection can. @returns hits sent. */
async function paced(
  send: (body: string) => Promise<unknown>,
  bodies: readonly string[],
  forMs: number,
): Promise<number> {
  const startMs = performance.now();
  let sent = 0;
  while (performance.now() - startMs < forMs) {
    const dueMs = startMs + (sent * 1_000) / HITS_PER_SECOND;
    if (dueMs > performance.now()) await settle(dueMs - performance.now());
    // The same visitors come again: as many stay active.
    await send(bodies[(sent / BATCH_ITEMS) % bodies.length] as string);
    sent += BATCH_ITEMS;
  }
  return sent;
}

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
