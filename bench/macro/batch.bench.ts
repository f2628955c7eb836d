/**
 * A page's thirty panels over HTTP, as one batch and as thirty requests: processor time of the whole
 * service, and what the asking client waits.
 *
 * Control plane. A million page views over 30 days of one domain, one query thread, nothing written
 * meanwhile. Requests are sent one after the other, which changes nothing of their processor time.
 */
import { DAY_MS } from '../../src/model/limits.ts';
import { fillDirectory } from '../harness/data/filled-directory.ts';
import { macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { percentile, spreadOf } from '../harness/report/samples.ts';
import { type BenchService, serve, temporaryDataDir } from '../harness/service.ts';

const SIZE = { smoke: { views: 3_000, days: 3 }, full: { views: 1_000_000, days: 30 } } as const;
const PAGES = { smoke: 2, full: 100 } as const;
const PANELS = [
  ...['total', 'visitor', 'growth', 'page', 'page/entry', 'page/exit', 'referrer', 'channel'],
  ...['utm/source', 'utm/medium', 'utm/campaign', 'utm/content', 'utm/term', 'country', 'region'],
  ...['city', 'language', 'browser', 'browser/version', 'os', 'os/version', 'platform', 'screen'],
  ...['events', 'goals', 'tags', 'hours', 'active', 'duration/session', 'hostname'],
];

interface Way {
  readonly name: string;
  readonly ask: () => Promise<unknown>;
}

macro('macro/batch', async ({ seed, isSmoke, rounds, tell }) => {
  const size = isSmoke ? 'smoke' : 'full';
  const dataDir = temporaryDataDir();
  const lastDay = Math.floor(Date.now() / DAY_MS) - 1;
  const filled = await fillDirectory(dataDir, { ...SIZE[size], seed, lastDay });
  const service = await serve(dataDir, filled, { FOOTFALL_QUERY_THREADS: '1' });
  const group = `A page of ${PANELS.length} panels, ${SIZE[size].views.toLocaleString('en-US')} page views`;
  const figures: Figure[] = [];
  for (const filter of [{}, { country: 'de' }]) {
    const shared = { id: filled.domainId, from: filled.from, to: filled.to, ...filter };
    const ways = waysOf(service, shared);
    const cpu = ways.map((): number[] => []);
    const waits = ways.map((): number[] => []);
    for (const { ask } of ways) await ask();
    for (let round = 0; round < rounds; round++) {
      for (const [at, { name, ask }] of ways.entries()) {
        const before = processCpuMs(service.pid);
        for (let page = 0; page < PAGES[size]; page++) {
          const startMs = performance.now();
          await ask();
          waits[at]?.push(performance.now() - startMs);
        }
        cpu[at]?.push((processCpuMs(service.pid) - before) / PAGES[size]);
        tell(`  ${name}: ${cpu[at]?.at(-1)?.toFixed(2)} ms of processor time a page`);
      }
    }
    const said = Object.keys(filter).length === 0 ? '' : ', one country';
    for (const [at, { name }] of ways.entries()) {
      const [spent = [], waited = []] = [cpu[at], waits[at]];
      figures.push({ group, name: `${name}${said}: CPU`, unit: 'ms', value: spreadOf(spent) });
      const wait = { value: spreadOf(waited), p99: percentile(waited, 0.99) };
      figures.push({ group, name: `${name}${said}: wait`, unit: 'ms', ...wait });
    }
  }
  await service.end();
  return figures;
});

function waysOf(
  service: Pick<BenchService, 'ask'>,
  shared: Readonly<Record<string, string>>,
): readonly Way[] {
  const queries = PANELS.map((name) => ({ name }));
  const body = JSON.stringify({ ...shared, queries });
  const query = new URLSearchParams(shared);
  return [
    {
      name: `${PANELS.length} requests`,
      ask: async () => {
        for (const name of PANELS) await service.ask(`/statistics/${name}?${query}`);
      },
    },
    { name: 'one batch', ask: () => service.ask('/statistics/batch', { body }) },
  ];
}
