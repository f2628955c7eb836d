/**
 * Webhooks: what a delivery costs beside a bare client, and what they add to collection (O-2).
 *
 * Control plane. The processor time is that of the whole service; sides are domains of one service that
 * take turns, so that what else the machine does hits all of them.
 */
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../harness/children.ts';
import { EventLoad, makeWebhook } from '../harness/load/event-load.ts';
import { ratioByRound } from '../harness/load/hit-rounds.ts';
import { macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { ROOT } from '../harness/report/machine.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchDomain, settle, startService } from '../harness/service.ts';

const SIZE = {
  smoke: { rounds: 1, told: 100, pairs: 1, events: 200 },
  normal: { rounds: 3, told: 1_500, pairs: 12, events: 20_000 },
  full: { rounds: 5, told: 5_000, pairs: 24, events: 20_000 },
} as const;
const GROUP = 'Webhooks';
/** Of these each round's events go to all: a webhook has four requests under way. */
const RECEIVER_COUNT = 4;
const SETTINGS = { FOOTFALL_OUTBOUND_PRIVATE: 'on', FOOTFALL_RATE_LIMITS: 'off' };
const TOLD_MS_MAX = 300_000;
const PER_SECOND_MIN = 1_000;
const UNMATCHED_RATIO_MAX = 1.05;

type Size = (typeof SIZE)[keyof typeof SIZE];

macro('macro/deliver', async ({ seed, isSmoke, isFull, tell }) => {
  const size: Size = SIZE[isSmoke ? 'smoke' : isFull ? 'full' : 'normal'];
  const receiver = await startServer(
    [join(ROOT, 'dist/bench/harness/load/receiver-server.js')],
    {},
  );
  const hostnames = ['none.example', 'other.example', 'all.example', 'told.example'];
  const service = await startService({ hostnames, settings: SETTINGS });
  const events = new EventLoad(service, seed);
  const [none, other, all, told] = service.domains as [
    ...[BenchDomain, BenchDomain, BenchDomain, BenchDomain],
  ];
  for (let number = 0; number < RECEIVER_COUNT; number++) {
    await makeWebhook(service, other, 'never', `${receiver.address}/hang`);
    await makeWebhook(service, told, 'sold', `${receiver.address}/${number}`);
  }
  await makeWebhook(service, all, 'sold', `${receiver.address}/hang`);
  // Every edge knows them within a second.
  await settle(1_500);
  const figures = await deliveryFigures({ events, receiver, sides: { none, told }, size, tell });
  figures.push(...(await collectionFigures({ events, sides: { none, other, all }, size, tell })));
  await service.end();
  await receiver.stop();
  return figures;
});

interface Deliveries {
  events: EventLoad;
  receiver: ServerProcess;
  sides: { none: BenchDomain; told: BenchDomain };
  size: Size;
  tell: (text: string) => void;
}

/** The events themselves cost the same on both sides: the difference is theirs who are told. */
async function deliveryFigures({ events, receiver, sides, size, tell }: Deliveries) {
  const costs = { told: [] as number[], bare: [] as number[] };
  const rates: number[] = [];
  const entries = size.told * RECEIVER_COUNT;
  for (let round = 0; round <= size.rounds; round++) {
    const aloneMs = await events.send(sides.none, size.told);
    const before = await countOf(receiver);
    const { pid } = events.service;
    const [beforeMs, startMs] = [processCpuMs(pid), performance.now()];
    await events.send(sides.told, size.told);
    while ((await countOf(receiver)) < before + entries) {
      if (performance.now() - startMs > TOLD_MS_MAX) throw new Error('not everything was told');
      await settle(50);
    }
    const tookMs = performance.now() - startMs;
    // The last outcomes are written down.
    await settle(500);
    const cost = ((processCpuMs(pid) - beforeMs - aloneMs) * 1_000) / entries;
    const bare = await bareCost(receiver, entries);
    tell(
      `  ${round === 0 ? 'warm-up' : `round ${round}`}: ${cost.toFixed(0)} µs a delivery, ` +
        `${bare.toFixed(0)} a bare request, ${((entries * 1_000) / tookMs).toFixed(0)} a second`,
    );
    if (round === 0) continue;
    costs.told.push(cost);
    costs.bare.push(bare);
    rates.push((entries * 1_000) / tookMs);
  }
  return [
    {
      ...{ group: GROUP, name: 'CPU per delivery, from the event to what came of it', unit: 'µs' },
      ...{ value: spreadOf(costs.told), baseline: spreadOf(costs.bare) },
      ratio: ratioByRound(costs.told, costs.bare),
    },
    {
      ...{ group: GROUP, name: 'deliveries that one core has the time for', unit: '1/s' },
      value: spreadOf(costs.told.map((cost) => 1e6 / cost)),
      target: { of: 'value', atLeast: PER_SECOND_MIN },
    },
    {
      ...{ group: GROUP, name: `deliveries, ${RECEIVER_COUNT} webhooks, receiver included` },
      ...{ unit: '1/s', value: spreadOf(rates) },
    },
  ] satisfies Figure[];
}

/** Microseconds of this process for one request of node:http with such a body, 16 at once. */
async function bareCost({ address }: ServerProcess, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({ event_name: 'sold', filler: 'x'.repeat(400) });
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  let left = count;
  const before = process.cpuUsage();
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      await new Promise<void>((resolve, reject) => {
        const outgoing = request(
          `${address}/bare`,
          { agent, method: 'POST', headers },
          (answer) => {
            answer.on('end', resolve).resume();
          },
        );
        outgoing.on('error', reject).end(body);
      });
    }
  };
  await Promise.all(Array.from({ length: 4 * RECEIVER_COUNT }, send));
  const { user, system } = process.cpuUsage(before);
  agent.destroy();
  return (user + system) / count;
}

async function countOf({ address }: ServerProcess): Promise<number> {
  const answer = await fetch(`${address}/count`);
  const { count } = (await answer.json()) as { count: number };
  return count;
}

const NAMES = ['none', 'other', 'all'] as const;

/**
 * Events of a domain without webhooks, with webhooks for other events, and with one for each.
 *
 * What a stretch costs differs by a tenth and more, by what is collected and compiled when: so there are
 * many short ones, each side is first as often as it is last, and the median of the ratios counts.
 */
async function collectionFigures({
  events,
  sides,
  size,
  tell,
}: {
  events: EventLoad;
  sides: Record<(typeof NAMES)[number], BenchDomain>;
  size: Size;
  tell: (text: string) => void;
}): Promise<Figure[]> {
  const costs = { none: [] as number[], other: [] as number[], all: [] as number[] };
  for (let pair = 0; pair <= size.pairs; pair++) {
    // What waits for a receiver that hangs costs more with every round: seldom is enough.
    const asked = pair <= size.rounds ? NAMES : NAMES.slice(0, 2);
    const order = pair % 2 === 0 ? asked : asked.toReversed();
    for (const side of order) {
      const cost = ((await events.send(sides[side], size.events)) * 1_000) / size.events;
      tell(`  events, ${side} told, ${pair}: ${cost.toFixed(2)} µs`);
      if (pair > 0) costs[side].push(cost);
    }
  }
  const line = (name: string, side: 'other' | 'all'): Figure => ({
    ...{ group: GROUP, name, unit: 'µs', value: spreadOf(costs[side]) },
    ...{ baseline: spreadOf(costs.none), ratio: ratioByRound(costs[side], costs.none) },
  });
  return [
    {
      ...line(`CPU per event, ${RECEIVER_COUNT} webhooks for others, against none`, 'other'),
      target: { of: 'ratio', atMost: UNMATCHED_RATIO_MAX },
    },
    line('CPU per event, each is noted for a webhook that hangs, against none', 'all'),
  ];
}
