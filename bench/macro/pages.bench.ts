/**
 * What a hit costs that a page sends itself, beside the same hit sent by a program, in the same run.
 *
 * Control plane. The service stands behind a proxy, as it does where there is TLS: only so has each
 * visit an address of its own.
 */
import { CONNECTIONS } from '../harness/load/hit-rounds.ts';
import { runRequests } from '../harness/load/load.ts';
import { type Way, waysOf } from '../harness/load/page-requests.ts';
import { POOL_HOSTNAME, type PooledHit, pooledHits } from '../harness/load/pool.ts';
import { type MacroContext, macro } from '../harness/macro.ts';
import { processCpuMs } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { type BenchService, settle, startService } from '../harness/service.ts';

const POOL_VISITS = { smoke: 400, full: 2_000 } as const;
/** Checkpoints come about once a second; their cost belongs to the hits before. */
const SETTLE_MS = 1_200;
const TARGET_RATIO = 1.2;

macro('macro/pages', async (context) => {
  const { seed, isSmoke } = context;
  const settings = { FOOTFALL_TRUSTED_PROXIES: '127.0.0.1' };
  const service = await startService({ hostnames: [POOL_HOSTNAME], settings });
  const [domain] = service.domains;
  const visits = isSmoke ? POOL_VISITS.smoke : POOL_VISITS.full;
  const hits = pooledHits({ seed, visits });
  const figures: Figure[] = [];
  for (const [program, page] of waysOf(domain as NonNullable<typeof domain>)) {
    figures.push(await compare(page, program, { context, service, hits }));
  }
  await service.end();
  return figures;
});

interface Setting {
  readonly context: MacroContext;
  readonly service: BenchService;
  readonly hits: readonly PooledHit[];
}

async function compare(page: Way, program: Way, setting: Setting): Promise<Figure> {
  const { isSmoke, rounds, tell } = setting.context;
  const [own, theirs]: [number[], number[]] = [[], []];
  // The first round warms up.
  for (let round = isSmoke ? 1 : 0; round <= rounds; round++) {
    const ofProgram = await measure(program, setting);
    const ofPage = await measure(page, setting);
    const name = round === 0 ? 'warm-up' : `round ${round}`;
    tell(
      `  ${name}: ${page.name} ${ofPage.toFixed(2)} µs, ${program.name} ${ofProgram.toFixed(2)}`,
    );
    if (round === 0) continue;
    own.push(ofPage);
    theirs.push(ofProgram);
  }
  return {
    group: `${page.name} as a page sends it behind a proxy, beside ${program.name}`,
    ...{ name: 'CPU per hit', unit: 'µs', value: spreadOf(own), baseline: spreadOf(theirs) },
    ratio: spreadOf(own.map((value, round) => value / (theirs[round] as number))),
    target: { of: 'ratio', atMost: TARGET_RATIO },
    requirement: 'page-cpu',
  };
}

/** @returns microseconds of processor time per hit. */
async function measure(way: Way, { context, service, hits }: Setting): Promise<number> {
  const startMs = processCpuMs(service.pid);
  const { requests } = await runRequests({
    url: service.address,
    requests: hits.map(way.requestOf),
    connections: CONNECTIONS,
    seconds: context.seconds,
  });
  await settle(context.isSmoke ? 0 : SETTLE_MS);
  return ((processCpuMs(service.pid) - startMs) * 1_000) / requests;
}
