/**
 * The path of a hit: single hits and batches, against the baseline server, in the same run.
 */

import { VISIT_VIEWS } from '../../src/load/hits/narrow.ts';
import type { Mix } from '../../src/load/wish.ts';
import {
  BATCH_HITS,
  COLUMNS,
  CONNECTIONS,
  type Kind,
  measureRounds,
  type Rounds,
  ratioByRound,
  type Side,
} from '../harness/load/hit-rounds.ts';
import { POOL_HOSTNAME } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import { residentBytes } from '../harness/process-cpu.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { startBaseline, startService } from '../harness/service.ts';

const DURABILITIES = ['sync', 'os'] as const;
const TARGET_RATIO = { single: 1.9, batch: 3.5 } as const;
const TARGET_RATE = 200_000;
const SITE_ROUNDS_MAX = 3;

macro('macro/ingest', async (context) => {
  const baseline = await startBaseline();
  const durabilities = context.isSmoke ? DURABILITIES.slice(0, 1) : DURABILITIES;
  const services = [];
  for (const durability of durabilities) {
    const settings = { FOOTFALL_DURABILITY: durability };
    services.push(await startService({ hostnames: [POOL_HOSTNAME], settings }));
  }
  const sides: Side[] = [
    { name: 'baseline', address: baseline.address, token: 'none', pids: [baseline.pid] },
    ...services.map((service, index) => ({
      name: durabilities[index] as string,
      address: service.address,
      token: service.domains[0]?.accessKey ?? '',
      pids: [service.pid],
    })),
  ];
  const figures: Figure[] = [];
  for (const kind of ['single', 'batch'] as const) {
    figures.push(...report(kind, 'narrow', await measureRounds(kind, sides, context)));
  }
  // Beside the narrow mix, what real sites send: fewer rounds, the durable side alone.
  const few = { ...context, rounds: Math.min(context.rounds, SITE_ROUNDS_MAX) };
  for (const kind of ['single', 'batch'] as const) {
    const measured = await measureRounds(kind, sides.slice(0, 2), few, 'site');
    figures.push(...report(kind, 'site', measured));
  }
  for (const [index, service] of services.entries()) {
    figures.push({
      group: 'Memory after the load',
      name: `resident, durability ${durabilities[index]}`,
      unit: 'MB',
      value: spreadOf([residentBytes(service.pid) / 1e6]),
    });
    await service.end();
  }
  await baseline.stop();
  return figures;
});

const MIX_TEXT = { narrow: `${VISIT_VIEWS} views a visit`, site: 'the mix of a real site' };

function report(kind: Kind, mix: Mix, measured: Rounds): Figure[] {
  const [[, baseline = []] = [], ...services] = [...measured];
  const what = kind === 'single' ? 'Single hits' : `Batches of ${BATCH_HITS}`;
  return services.flatMap(([durability, service]) =>
    COLUMNS.map(({ name, unit, of }) => {
      const figure: Figure = {
        group: `${what}, durability ${durability}, ${CONNECTIONS} connections, ${MIX_TEXT[mix]}`,
        name,
        unit,
        value: spreadOf(service.map(of)),
        baseline: spreadOf(baseline.map(of)),
        ratio: ratioByRound(service.map(of), baseline.map(of)),
      };
      return durability === 'sync' && mix === 'narrow' ? judged(figure, kind) : figure;
    }),
  );
}

/** What the issue demands of this figure, if anything. */
function judged(figure: Figure, kind: Kind): Figure {
  if (figure.name === 'CPU per hit') {
    const target = { of: 'ratio', atMost: TARGET_RATIO[kind] } as const;
    return { ...figure, target, requirement: `${kind}-cpu` };
  }
  if (figure.name !== 'throughput' || kind === 'single') return figure;
  return { ...figure, target: { of: 'value', atLeast: TARGET_RATE }, requirement: 'batch-rate' };
}
