/**
 * Live push (O-51): what open streams cost while nothing happens, how soon after its 2xx a hit is
 * there, and what hits cost while somebody looks at their site.
 *
 * Control plane. Streams are sockets of this process; the processor time is the service's. The cost of
 * the actor alone is that of one in this process, its messages included.
 */
import { MessageChannel } from 'node:worker_threads';
import { LiveStreams } from '../harness/load/live-streams.ts';
import { NewVisitors } from '../harness/load/new-visitors.ts';
import { macro } from '../harness/macro.ts';
import { MeasuredActor } from '../harness/measured-actor.ts';
import { processCpuMs, residentBytes } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { percentile, spreadOf } from '../harness/report/samples.ts';
import { type BenchService, settle, startService, temporaryDataDir } from '../harness/service.ts';

const SIZE = {
  smoke: { streams: 8, sites: 2, watchMs: 500, latencies: 3, actorHits: 2_000 },
  full: { streams: 1_000, sites: 100, watchMs: 15_000, latencies: 300, actorHits: 60_000 },
} as const;
const REST_PERCENT_MAX = 5;
const SEEN_WITHIN_MS = 200;
/** Between two hits whose way is timed: fewer than a stream is told. */
const HIT_EVERY_MS = 60;
/** Hits a second while many look: as many as each of them is told. */
const WATCHED_RATE = 20;
const ACTOR_RATE = 1_000;
const ROUNDS = 5;
const GROUP = 'Live push';

macro('macro/live', async ({ seed, isSmoke, tell }) => {
  const size = isSmoke ? SIZE.smoke : SIZE.full;
  const hostnames = Array.from({ length: size.sites }, (_, index) => `site-${index}.example`);
  const service = await startService({ hostnames });
  const token = await service.newToken();
  const figures: Figure[] = [];
  const streams = new LiveStreams();
  const open = async (count: number, siteAt: (index: number) => number) => {
    for (let index = 0; index < count; index++) {
      const { id } = service.domains[siteAt(index)] as (typeof service.domains)[number];
      await streams.open(service.address, `/api/v1/statistics/live?id=${id}`, token);
    }
  };
  const hits = new Hits(service, seed);
  await hits.send(0);
  await settle(Math.min(3_000, size.watchMs));
  const emptyPercent = await cpuPercent(service, size.watchMs);
  await open(size.streams, (index) => index % size.sites);
  await settle(Math.min(3_000, size.watchMs));
  const restPercent = await cpuPercent(service, size.watchMs);
  tell(`  ${size.streams} streams at rest: ${restPercent.toFixed(2)} % of a core`);
  const ofStreams = `${size.streams.toLocaleString('en-US')} streams of ${size.sites} sites`;
  figures.push(
    { group: GROUP, name: 'CPU without streams', unit: '%', value: spreadOf([emptyPercent]) },
    {
      ...{ group: GROUP, name: `CPU, ${ofStreams}, at rest`, unit: '%' },
      ...{ value: spreadOf([restPercent]), target: { of: 'value', atMost: REST_PERCENT_MAX } },
    },
    await latencyFigure(hits, streams, size.latencies),
  );
  // The heap has what a thousand take by now: what further ones take is on top of it.
  const beforeBytes = residentBytes(service.pid);
  await open(2 * size.streams, (index) => index % size.sites);
  await settle(Math.min(3_000, size.watchMs));
  figures.push({
    ...{ group: GROUP, name: 'resident memory per further stream', unit: 'kB' },
    value: spreadOf([(residentBytes(service.pid) - beforeBytes) / 2 / size.streams / 1e3]),
  });
  streams.close();
  figures.push(...(await watchedFigures(hits, streams, { open, ...size })));
  await service.end();
  figures.push(...(await actorFigures(seed, size.actorHits, tell)));
  return figures;
});

/** Hits of ever new visitors to the sites of a service. */
class Hits {
  readonly service: BenchService;
  readonly #visitors: NewVisitors;

  constructor(service: BenchService, seed: number) {
    this.service = service;
    this.#visitors = new NewVisitors(seed);
  }

  async send(site: number): Promise<void> {
    const { hostname, accessKey: token } = this.service.domains[site] as { hostname: string } & {
      accessKey: string;
    };
    const hit = this.#visitors.next(hostname, (at) => `/page-${at}`);
    await this.service.ask('/hit', { token, body: JSON.stringify(hit) });
  }
}

async function cpuPercent({ pid }: BenchService, forMs: number): Promise<number> {
  const [beforeMs, startMs] = [processCpuMs(pid), performance.now()];
  await settle(forMs);
  return ((processCpuMs(pid) - beforeMs) / (performance.now() - startMs)) * 100;
}

/** From the 2xx of a hit to its event, one hit at a time; 0 when the event came before. */
async function latencyFigure(hits: Hits, streams: LiveStreams, count: number): Promise<Figure> {
  const latencies: number[] = [];
  const perHit = new Set<number>();
  for (let at = 0; at < count; at++) {
    const before = streams.hits;
    let seenMs = 0;
    const seen = new Promise<void>((resolve) => {
      streams.onHit = () => {
        seenMs ||= performance.now();
        resolve();
      };
    });
    await hits.send(0);
    const storedMs = performance.now();
    await seen;
    latencies.push(Math.max(0, seenMs - storedMs));
    await settle(HIT_EVERY_MS);
    perHit.add(streams.hits - before);
  }
  if (perHit.size !== 1) throw new Error('every stream of the site is told every hit');
  return {
    ...{ group: GROUP, name: 'a hit, from its 2xx to its event', unit: 'ms' },
    ...{ value: spreadOf(latencies), p99: percentile(latencies, 0.99) },
    target: { of: 'p99', atMost: SEEN_WITHIN_MS },
  };
}

/** The whole service while one site has hits, with nobody, one, and many who look. */
async function watchedFigures(
  hits: Hits,
  streams: LiveStreams,
  { open, ...size }: { open: Open; streams: number; watchMs: number },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  let aloneMs = 0;
  for (const count of [0, 1, size.streams]) {
    await open(count, () => 0);
    await settle(1_000);
    const { pid } = hits.service;
    const [beforeMs, heard] = [processCpuMs(pid), streams.hits];
    const sent = await sendPaced(hits, size.watchMs);
    const cpuMs = processCpuMs(pid) - beforeMs;
    const events = streams.hits - heard;
    streams.close();
    if (count === 0) aloneMs = cpuMs / sent;
    figures.push({
      ...{ group: GROUP, name: `CPU per hit, ${count.toLocaleString('en-US')} look at its site` },
      ...{ unit: 'ms', value: spreadOf([cpuMs / sent]) },
    });
    if (count < size.streams) continue;
    figures.push({
      ...{ group: GROUP, name: `CPU per event sent, ${count.toLocaleString('en-US')} look` },
      ...{ unit: 'µs', value: spreadOf([((cpuMs - aloneMs * sent) / events) * 1e3]) },
    });
  }
  return figures;
}

type Open = (count: number, siteAt: (index: number) => number) => Promise<void>;

async function sendPaced(hits: Hits, forMs: number): Promise<number> {
  const startMs = performance.now();
  let sent = 0;
  while (performance.now() - startMs < forMs) {
    await hits.send(0);
    sent++;
    await settle(Math.max(0, startMs + (sent * 1_000) / WATCHED_RATE - performance.now()));
  }
  return sent;
}

/** The actor alone: turns of both, so that what else the machine does hits both. */
async function actorFigures(
  seed: number,
  hits: number,
  tell: (text: string) => void,
): Promise<Figure[]> {
  const domains = ['bench'];
  const actor = new MeasuredActor(temporaryDataDir(), seed);
  const { port1, port2 } = new MessageChannel();
  port2.on('message', () => undefined).unref();
  const costs = { quiet: [] as number[], watched: [] as number[] };
  const plan = { hits, domains, hitsPerSecond: ACTOR_RATE };
  await actor.apply(plan);
  for (let round = 0; round < ROUNDS; round++) {
    costs.quiet.push(await actor.apply(plan));
    actor.watch('bench', port1);
    costs.watched.push(await actor.apply(plan));
    actor.watch('bench', null);
    tell(`  actor: ${costs.quiet.at(-1)?.toFixed(2)} and ${costs.watched.at(-1)?.toFixed(2)} µs`);
  }
  await actor.close();
  port1.close();
  const line = (name: string, samples: number[]): Figure => ({
    ...{ group: GROUP, name, unit: 'µs', value: spreadOf(samples) },
  });
  return [
    line('CPU per hit in the actor, nobody looks', costs.quiet),
    line(`… somebody looks, ${ACTOR_RATE.toLocaleString('en-US')} hits/s`, costs.watched),
  ];
}
