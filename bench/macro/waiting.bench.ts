/**
 * What waits for receivers that hang: memory of the service with none, a tenth, half and all of the
 * entries that may wait, and after a start with all of them (O-2).
 *
 * Control plane. Five hundred webhooks of one event, so that few events leave many entries: rows of
 * events take memory, too, and as many have come to another domain before the first look.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DOMAIN_CHILD_COUNT_MAX } from '../../src/model/limits.ts';
import { OUTBOX_ENTRY_COUNT_MAX } from '../../src/model/outgoing-limits.ts';
import { outboxHeads } from '../../src/shard/outbox/outbox-store.ts';
import { StateEnvironment } from '../../src/store/state-environment.ts';
import { startServer } from '../harness/children.ts';
import { EventLoad, makeWebhook } from '../harness/load/event-load.ts';
import { macro } from '../harness/macro.ts';
import { anonymousBytes, processCpuMs, residentBytes } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { ROOT } from '../harness/report/machine.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchDomain, type BenchService, settle, startService } from '../harness/service.ts';

const SIZE = {
  smoke: { webhooks: 4, waiting: 800, over: 0, restMs: 0 },
  full: {
    ...{ webhooks: DOMAIN_CHILD_COUNT_MAX, waiting: OUTBOX_ENTRY_COUNT_MAX },
    ...{ over: 50_000, restMs: 10_000 },
  },
} as const;
const GROUP = 'Entries that wait for receivers that hang';
const SETTINGS = { FOOTFALL_OUTBOUND_PRIVATE: 'on', FOOTFALL_RATE_LIMITS: 'off' };
/** Of all: before the first, a tenth, half. */
const SHARES = [0, 0.1, 0.5, 1];
const GROWN_MB_MAX = 64;

macro('macro/waiting', async ({ seed, isSmoke, tell }) => {
  const size = isSmoke ? SIZE.smoke : SIZE.full;
  const receiver = await startServer(
    [join(ROOT, 'dist/bench/harness/load/receiver-server.js')],
    {},
  );
  const service = await startService({
    hostnames: ['full.example', 'warm.example'],
    settings: SETTINGS,
  });
  const [domain, warm] = service.domains as [BenchDomain, BenchDomain];
  const events = new EventLoad(service, seed);
  for (let number = 0; number < size.webhooks; number++) {
    await makeWebhook(service, domain, 'sold', `${receiver.address}/hang/${number}`);
  }
  // Every edge knows them within a second.
  await settle(1_500);
  await events.send([warm], size.waiting / size.webhooks);
  await events.applied(warm);
  const memory: number[] = [];
  const note = ({ pid }: Pick<BenchService, 'pid'>, what: string) => {
    const own = anonymousBytes(pid) / 1e6;
    const resident = residentBytes(pid) / 1e6;
    tell(`  ${what}: ${own.toFixed(0)} MB of its own, ${resident.toFixed(0)} MB resident`);
    memory.push(own);
  };
  const startCpuMs = processCpuMs(service.pid);
  for (const [index, share] of SHARES.entries()) {
    const before = SHARES[index - 1] ?? 0;
    const over = share === 1 ? size.over : 0;
    const entries = (share - before) * size.waiting + over;
    await events.send([domain], Math.round(entries / size.webhooks));
    await events.applied(domain);
    await settle(size.restMs);
    note(service, `${(share * size.waiting).toLocaleString('en-US')} entries`);
  }
  const cpuMs = processCpuMs(service.pid) - startCpuMs;
  const { again } = await service.crash();
  await settle(size.restMs);
  note(again, 'after a start');
  await again.stop();
  const state = join(service.dataDir, 'state');
  const { entries: left, bytes } = entriesIn(state);
  tell(`  ${left} entries, ${(bytes / 1e6).toFixed(0)} MB on disk`);
  if (left > size.waiting || left < size.waiting * 0.99) {
    throw new Error(`${left} entries wait: ${size.waiting}?`);
  }
  await again.end();
  await receiver.stop();
  return figuresOf(size, { memory, cpuMs, bytes, left });
});

function figuresOf(
  { webhooks, waiting, over }: (typeof SIZE)[keyof typeof SIZE],
  found: { memory: number[]; cpuMs: number; bytes: number; left: number },
): Figure[] {
  const { memory, cpuMs, bytes, left } = found;
  const [none = 0, ...later] = memory;
  const names = SHARES.slice(1).map((share) => (share * waiting).toLocaleString('en-US'));
  const grown = later.map((value, index): Figure => {
    const name = index < names.length ? `memory of ${names[index]}, beside none` : 'after a start';
    const figure = { group: GROUP, name, unit: 'MB', value: spreadOf([value - none]) };
    return { ...figure, target: { of: 'value', atMost: GROWN_MB_MAX } };
  });
  return [
    { group: GROUP, name: 'memory of the service with none', unit: 'MB', value: spreadOf([none]) },
    ...grown,
    {
      ...{ group: GROUP, name: `CPU per entry, ${webhooks} webhooks, one core`, unit: 'µs' },
      value: spreadOf([(cpuMs * 1_000) / (waiting + over)]),
    },
    { group: GROUP, name: 'disk per entry', unit: 'bytes', value: spreadOf([bytes / left]) },
  ];
}

/** Of a service that has ended: what waits, and what its files take. */
function entriesIn(state: string): { entries: number; bytes: number } {
  let [entries, bytes] = [0, 0];
  for (const name of readdirSync(state).filter((one) => one.startsWith('shard'))) {
    const path = join(state, name);
    const environment = new StateEnvironment(path);
    for (const head of outboxHeads(environment)) entries += head.entries;
    void environment.close();
    bytes += bytesOf(path);
  }
  return { entries, bytes };
}

/** What a file or a folder has on disk, holes left out. */
function bytesOf(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.blocks * 512;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
