/**
 * Webhooks: what a delivery costs beside a bare client, what they add to collection, and what waits for
 * a receiver that hangs (O-2).
 *
 * Control plane. The processor time is that of the whole service; sides are domains of one service that
 * take turns, so that what else the machine does hits all of them.
 */
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import {
  OUTBOX_ENTRY_COUNT_MAX,
  WEBHOOK_EVENT_COUNT_MAX,
} from '../../src/model/outgoing-limits.ts';
import { outboxHeads } from '../../src/shard/outbox/outbox-store.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { type ServerProcess, startServer } from '../harness/children.ts';
import { ratioByRound } from '../harness/load/hit-rounds.ts';
import { NewVisitors } from '../harness/load/new-visitors.ts';
import { macro } from '../harness/macro.ts';
import { anonymousBytes, processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { ROOT } from '../harness/report/machine.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchDomain, type BenchService, settle, startService } from '../harness/service.ts';

const WAITING = {
  ...{ webhooks: WEBHOOK_EVENT_COUNT_MAX, firstWaiting: 100_000 },
  ...{ waiting: OUTBOX_ENTRY_COUNT_MAX, over: 50_000 },
} as const;
const SIZE = {
  smoke: {
    rounds: 1,
    told: 100,
    events: 200,
    webhooks: 4,
    waiting: 800,
    over: 0,
    firstWaiting: 400,
  },
  normal: { rounds: 3, told: 1_500, events: 20_000, ...WAITING },
  full: { rounds: 5, told: 5_000, events: 40_000, ...WAITING },
} as const;
const GROUP = 'Webhooks';
const BATCH = 100;
/** Of these each round's events go to all: a webhook has four requests under way. */
const RECEIVER_COUNT = 4;
const SETTINGS = { FOOTFALL_OUTBOUND_PRIVATE: 'on', FOOTFALL_RATE_LIMITS: 'off' };
/** Checkpoints, and notes, are over by then. */
const SETTLE_MS = 2_000;
const TOLD_MS_MAX = 300_000;
const PER_SECOND_MIN = 1_000;
const UNMATCHED_RATIO_MAX = 1.05;
const WAITING_MB_MAX = 64;

type Size = (typeof SIZE)[keyof typeof SIZE];

macro('macro/deliver', async ({ seed, isSmoke, isFull, tell }) => {
  const size: Size = SIZE[isSmoke ? 'smoke' : isFull ? 'full' : 'normal'];
  const receiver = await startServer(
    [join(ROOT, 'dist/bench/harness/load/receiver-server.js')],
    {},
  );
  const hostnames = ['none.example', 'other.example', 'all.example', 'told.example'];
  const service = await startService({ hostnames, settings: SETTINGS });
  const events = new Events(service, seed);
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
  figures.push(...(await waitingFigures({ receiver, size, seed, tell })));
  await receiver.stop();
  return figures;
});

/** Events of ever new visitors, in batches. */
class Events {
  readonly service: BenchService;
  readonly #visitors: NewVisitors;
  #sent = 0;

  constructor(service: BenchService, seed: number) {
    this.service = service;
    this.#visitors = new NewVisitors(seed);
  }

  /** @returns processor time of the service, what follows the events within two seconds included. */
  async send({ hostname, accessKey: token }: BenchDomain, count: number): Promise<number> {
    const beforeMs = processCpuMs(this.service.pid);
    for (let done = 0; done < count; done += BATCH) {
      const body = Array.from({ length: Math.min(BATCH, count - done) }, () =>
        this.#next(hostname),
      );
      await this.service.ask('/event/batch', { token, body: JSON.stringify(body) });
    }
    await settle(SETTLE_MS);
    return processCpuMs(this.service.pid) - beforeMs;
  }

  #next(hostname: string) {
    return {
      ...this.#visitors.next(hostname, (at) => `/page-${at % 500}`),
      ...{ time: new Date().toISOString(), event_name: 'sold' },
      event_meta: { order: String(this.#sent++), currency: 'EUR' },
    };
  }
}

interface Deliveries {
  events: Events;
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

/** Events of a domain without webhooks, with webhooks for other events, and with one for each. */
async function collectionFigures({
  events,
  sides,
  size,
  tell,
}: {
  events: Events;
  sides: { none: BenchDomain; other: BenchDomain; all: BenchDomain };
  size: Size;
  tell: (text: string) => void;
}): Promise<Figure[]> {
  const costs = { none: [] as number[], other: [] as number[], all: [] as number[] };
  for (let round = 0; round <= size.rounds; round++) {
    for (const side of ['none', 'other', 'all'] as const) {
      const cost = ((await events.send(sides[side], size.events)) * 1_000) / size.events;
      tell(`  events, ${side} told, ${round}: ${cost.toFixed(2)} µs`);
      if (round > 0) costs[side].push(cost);
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

/** Many webhooks that hang, so that few events leave many entries: rows of events take memory, too. */
async function waitingFigures(of: {
  receiver: ServerProcess;
  size: Size;
  seed: number;
  tell: (text: string) => void;
}): Promise<Figure[]> {
  const { webhooks, waiting, over, firstWaiting } = of.size;
  const service = await startService({ hostnames: ['full.example'], settings: SETTINGS });
  const [domain] = service.domains as [BenchDomain];
  const events = new Events(service, of.seed);
  for (let number = 0; number < webhooks; number++) {
    await makeWebhook(service, domain, 'sold', `${of.receiver.address}/hang/${number}`);
  }
  await settle(1_500);
  await events.send(domain, firstWaiting / webhooks);
  await allApplied(service, domain);
  const beforeBytes = anonymousBytes(service.pid);
  const startCpuMs = processCpuMs(service.pid);
  await events.send(domain, (waiting + over - firstWaiting) / webhooks);
  await allApplied(service, domain);
  const cpuMs = processCpuMs(service.pid) - startCpuMs;
  await settle(over === 0 ? 0 : 10_000);
  const grownMb = (anonymousBytes(service.pid) - beforeBytes) / 1e6;
  await service.stop();
  const left = entriesIn(join(service.dataDir, 'state'));
  of.tell(`  ${left} entries wait, memory has grown by ${grownMb.toFixed(1)} MB`);
  if (left > waiting || left < waiting * 0.99) throw new Error(`${left} entries wait: ${waiting}?`);
  await service.end();
  const many = waiting.toLocaleString('en-US');
  return [
    {
      ...{ group: GROUP, name: `memory for ${many} entries that wait, beside that for a tenth` },
      ...{
        unit: 'MB',
        value: spreadOf([grownMb]),
        target: { of: 'value', atMost: WAITING_MB_MAX },
      },
    },
    {
      ...{ group: GROUP, name: `CPU per entry that is noted, ${webhooks} webhooks`, unit: 'µs' },
      value: spreadOf([(cpuMs * 1_000) / (waiting + over - firstWaiting)]),
    },
  ];
}

/** An answer has all that was acknowledged, and a checkpoint follows within a second. */
async function allApplied(service: BenchService, { id }: BenchDomain): Promise<void> {
  const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10);
  const path = `/statistics/total?id=${id}&from=${day(-86_400_000)}&to=${day(86_400_000)}`;
  const startMs = performance.now();
  for (;;) {
    try {
      await service.ask(path);
      break;
    } catch (error) {
      // The actor is behind: it is asked again.
      if (performance.now() - startMs > TOLD_MS_MAX) throw error;
      await settle(1_000);
    }
  }
  await settle(SETTLE_MS);
}

/** Of a service that has ended. */
function entriesIn(state: string): number {
  let entries = 0;
  for (const name of readdirSync(state).filter((one) => one.startsWith('shard'))) {
    const environment = new StateEnvironment(join(state, name));
    for (const head of outboxHeads(environment)) entries += head.entries;
    void environment.close();
  }
  return entries;
}

async function makeWebhook(
  service: BenchService,
  { id }: BenchDomain,
  event: string,
  endpoint: string,
): Promise<void> {
  const wanted = { domain_id: id, description: '', event, endpoint };
  await service.ask('/webhook', { body: JSON.stringify(wanted) });
}
