/**
 * What it costs to look for spikes: processor time of a service at rest whose domains all want to
 * know of them, beside the same service whose domains do not (O-40).
 *
 * Control plane. Both run at the same time, so what else the machine does hits both. A tenth of the
 * domains has been visited a moment ago and is below its threshold, which is the dearest kind of look.
 */
import { changed } from '../../src/control/descriptor/draft.ts';
import type { Registry } from '../../src/control/registry/registry.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { visitAddress } from '../../src/load/hits/placeholders.ts';
import { pooledHits } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchService, settle, startService } from '../harness/service.ts';

const SIZE = {
  smoke: { domains: 4, minutes: 1, minuteMs: 1_000, settleMs: 0 },
  full: { domains: 10_000, minutes: 4, minuteMs: 60_000, settleMs: 20_000 },
} as const;
const VISITED_SHARE = 0.1;
const VISITS = 10;
/** More than visit: each domain is looked at, and none is told of. */
const THRESHOLD = 1_000;
/** Changes of one record of the registry. */
const CHANGE_COUNT = 500;
const MINUTE_CPU_MS_MAX = 300;

macro('macro/notices', async ({ seed, isSmoke, tell }) => {
  const { domains, minutes, minuteMs, settleMs } = isSmoke ? SIZE.smoke : SIZE.full;
  const hostnames = Array.from({ length: domains }, (_, index) => `site-${index}.example`);
  const sides: BenchService[] = [];
  for (const isOn of [false, true]) {
    tell(`  creating ${domains} domains, spikes ${isOn ? 'on' : 'off'}`);
    const options = isOn ? { hostnames, prepare: switchOn } : { hostnames };
    sides.push(await startService(options));
  }
  const [off, on] = sides as [BenchService, BenchService];
  const costs = { off: [] as number[], on: [] as number[] };
  for (let minute = 0; minute < minutes; minute++) {
    for (const side of sides) await visit(side, seed);
    await settle(settleMs);
    const before = sides.map(({ pid }) => processCpuMs(pid));
    await settle(minuteMs);
    const [offMs = 0, onMs = 0] = sides.map(({ pid }, index) => processCpuMs(pid) - before[index]!);
    tell(`  a minute: ${offMs} ms with spikes off, ${onMs} ms with them on`);
    costs.off.push(offMs);
    costs.on.push(onMs);
  }
  await off.end();
  await on.end();
  const group = `Spikes of ${domains.toLocaleString('en-US')} domains are looked for`;
  const figures: Figure[] = [
    {
      ...{ group, name: 'CPU in a minute, beside spikes off', unit: 'ms' },
      ...{ value: spreadOf(costs.on), baseline: spreadOf(costs.off) },
    },
    {
      ...{ group, name: 'CPU of the looks in a minute', unit: 'ms' },
      value: spreadOf(costs.on.map((ms, index) => ms - (costs.off[index] ?? 0))),
      target: { of: 'value', atMost: MINUTE_CPU_MS_MAX },
    },
  ];
  return figures;
});

async function switchOn(registry: Registry): Promise<void> {
  const stamp = { nowMs: Date.now(), by: { kind: 'cli', id: '' } } as const;
  const on = { trafficSpike: true, trafficSpikeThreshold: THRESHOLD };
  const all = [...registry.view.all(domain)];
  for (let first = 0; first < all.length; first += CHANGE_COUNT) {
    const some = all.slice(first, first + CHANGE_COUNT);
    await registry.change(stamp, () => some.map((site) => changed(domain, { ...site, ...on })));
  }
}

/** A few visitors on each of some domains, at this moment. */
async function visit({ domains, ask }: BenchService, seed: number): Promise<void> {
  const hits = pooledHits({ seed, visits: VISITS });
  const visited = domains.slice(0, Math.ceil(domains.length * VISITED_SHARE));
  for (const { hostname, accessKey: token } of visited) {
    const items = hits.map((hit, index) => ({
      ...{ ...hit, ip: visitAddress(index), time: new Date().toISOString() },
      url: `https://${hostname}/page-${index}`,
    }));
    await ask('/hit/batch', { token, body: JSON.stringify(items) });
  }
}
