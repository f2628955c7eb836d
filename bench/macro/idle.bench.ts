/**
 * The service at rest: memory and processor time with a thousand domains that have been visited.
 *
 * Control plane.
 */

import { visitAddress } from '../../src/load/hits/placeholders.ts';
import { pooledHits } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import { processCpuMs, residentBytes } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { settle, startService } from '../harness/service.ts';

const SIZE = {
  smoke: { domains: 2, restMs: 300, watchMs: 500 },
  // Domains that nobody needs leave memory after two minutes, and are saved before: rest is after that.
  full: { domains: 1_000, restMs: 200_000, watchMs: 15_000 },
} as const;
const HITS_PER_DOMAIN = 99;
const RESIDENT_MB_MAX = 250;
const CPU_PERCENT_MAX = 0.5;

macro('macro/idle', async ({ seed, isSmoke, tell }) => {
  const size = isSmoke ? SIZE.smoke : SIZE.full;
  tell(`  creating ${size.domains} domains`);
  const hostnames = Array.from({ length: size.domains }, (_, index) => `site-${index}.example`);
  const service = await startService({ hostnames });
  const hits = pooledHits({ seed, visits: HITS_PER_DOMAIN / 3 });
  for (const { hostname, accessKey } of service.domains) {
    const items = hits.map((hit, index) => ({
      ...hit,
      ip: visitAddress(Math.floor(index / 3)),
      url: String(hit['url']).replace('bench.example', hostname),
      time: new Date().toISOString(),
    }));
    await service.ask('/hit/batch', { token: accessKey, body: JSON.stringify(items) });
  }
  await settle(size.restMs);
  const startMs = processCpuMs(service.pid);
  await settle(size.watchMs);
  const cpuPercent = ((processCpuMs(service.pid) - startMs) / size.watchMs) * 100;
  const group = `At rest with ${size.domains} domains`;
  const figures: Figure[] = [
    {
      group,
      name: 'resident memory',
      unit: 'MB',
      value: spreadOf([residentBytes(service.pid) / 1e6]),
      target: { of: 'value', atMost: RESIDENT_MB_MAX },
      requirement: 'idle-memory',
    },
    {
      ...{ group, name: 'CPU', unit: '%', value: spreadOf([cpuPercent]) },
      ...{ target: { of: 'value', atMost: CPU_PERCENT_MAX }, requirement: 'idle-cpu' },
    },
  ];
  await service.end();
  return figures;
});
