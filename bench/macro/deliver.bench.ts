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
  smoke: { rounds: 1, told: 100, turns: 1, events: 200 },
  normal: { rounds: 3, told: 1_500, turns: 8, events: 20_000 },
  full: { rounds: 5, told: 5_000, turns: 16, events: 20_000 },
} as const;
const GROUP = 'Webhooks';
/** Domains of a side: what an actor or a shard has to do beside must not tell the sides apart. */
const SIDE_COUNT = 8;
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
  const hostnames = ['told.example', 'all.example'];
  for (let index = 0; index < 2 * SIDE_COUNT; index++) hostnames.push(`side-${index}.example`);
  const service = await startService({ hostnames, settings: SETTINGS });
  const events = new EventLoad(service, seed);
  const [told, all, ...rest] = service.domains as [BenchDomain, BenchDomain, ...BenchDomain[]];
  const sides = { none: rest.slice(0, SIDE_COUNT), other: rest.slice(SIDE_COUNT), all: [all] };
  for (let number = 0; number < RECEIVER_COUNT; number++) {
    for (const domain of sides.other) {
      await makeWebhook(service, domain, 'never', `${receiver.address}/hang`);
    }
    await makeWebhook(service, told, 'sold', `${receiver.address}/${number}`);
  }
  await makeWebhook(service, all, 'sold', `${receiver.address}/hang`);
  // Every edge knows them within a second.
  await settle(1_500);
  const figures = await deliveryFigures({ events, receiver, told, none: sides.none, size, tell });
  figures.push(...(await collectionFigures({ events, sides, size, tell })));
  await service.end();
  await receiver.stop();
  return figures;
});

interface Deliveries {
  events: EventLoad;
  receiver: ServerProcess;
  told: BenchDomain;
  none: readonly BenchDomain[];
  size: Size;
  tell: (text: string) => void;
}

/** The events themselves cost the same on both sides: the difference is theirs who are told. */
async function deliveryFigures({ events, receiver, told, none, size, tell }: Deliveries) {
  const costs = { told: [] as number[], bare: [] as number[] };
  const rates: number[] = [];
  const entries = size.told * RECEIVER_COUNT;
  for (let round = 0; round <= size.rounds; round++) {
    const aloneMs = await events.send(none, size.told);
    const before = await countOf(receiver);
    const { pid } = events.service;
    const [beforeMs, startMs] = [processCpuMs(pid), performance.now()];
    await events.send([told], size.told);
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

/** Who is first in a stretch pays for what was left over: so each side is so as often as the other. */
const TURN = ['none', 'other', 'other', 'none'] as const;

/**
 * Events of domains without webhooks, with webhooks for other events, and with one for each.
 *
 * What a stretch costs differs by a fifth, by what is collected, compiled and saved when: so there are
 * many short ones, and the median of the ratios counts.
 */
async function collectionFigures({
  events,
  sides,
  size,
  tell,
}: {
  events: EventLoad;
  sides: Record<'none' | 'other' | 'all', readonly BenchDomain[]>;
  size: Size;
  tell: (text: string) => void;
}): Promise<Figure[]> {
  const costOf = async (side: keyof typeof sides) =>
    ((await events.send(sides[side], size.events)) * 1_000) / size.events;
  const pairs = { none: [] as number[], other: [] as number[] };
  for (let turn = 0; turn <= size.turns; turn++) {
    const sums = { none: 0, other: 0 };
    for (const side of TURN) sums[side] += (await costOf(side)) / 2;
    tell(
      `  events, turn ${turn}: ${sums.none.toFixed(2)} µs, others told ${sums.other.toFixed(2)}`,
    );
    if (turn === 0) continue;
    pairs.none.push(sums.none);
    pairs.other.push(sums.other);
  }
  // What waits for a receiver that hangs stays: so it comes last.
  const noted = { none: [] as number[], all: [] as number[] };
  for (let round = 0; round < size.rounds; round++) {
    noted.none.push(await costOf('none'));
    noted.all.push(await costOf('all'));
    tell(`  events, each is noted: ${noted.all.at(-1)?.toFixed(2)} µs`);
  }
  const line = (name: string, costs: readonly number[], none: readonly number[]): Figure => ({
    ...{ group: GROUP, name, unit: 'µs', value: spreadOf(costs) },
    ...{ baseline: spreadOf(none), ratio: ratioByRound(costs, none) },
  });
  const unmatched = `CPU per event, ${RECEIVER_COUNT} webhooks for others, against none`;
  return [
    {
      ...line(unmatched, pairs.other, pairs.none),
      target: { of: 'ratio', atMost: UNMATCHED_RATIO_MAX },
    },
    line('CPU per event, noted for a webhook that hangs, against none', noted.all, noted.none),
  ];
}
