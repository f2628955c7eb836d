/**
 * The log on JetStream beside the log on this machine: single hits and batches, in the same run.
 *
 * Control plane. One node with one NATS server, which shares the two cores with node and load; the
 * server's processor time is counted with the node's. NATS 2.9 acknowledges from the page cache, so the
 * local log is measured with both durabilities; the ratio is to `sync`, the default.
 */

import {
  BATCH_HITS,
  COLUMNS,
  CONNECTIONS,
  type Kind,
  measureRounds,
  type Rounds,
  ratioByRound,
} from '../harness/load/hit-rounds.ts';
import { POOL_HOSTNAME } from '../harness/load/pool.ts';
import { macro } from '../harness/macro.ts';
import { startNats } from '../harness/nats.ts';
import type { Figure } from '../harness/report/figures.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { startService } from '../harness/service.ts';

const LOCAL = 'local log, sync';
const THROUGHPUT_TARGET = { of: 'ratio', atLeast: 0.6 } as const;

macro('macro/jetstream', async (context) => {
  const server = await startNats();
  const kinds = [
    { name: LOCAL, settings: { FOOTFALL_DURABILITY: 'sync' }, pids: [] },
    { name: 'local log, os', settings: { FOOTFALL_DURABILITY: 'os' }, pids: [] },
    { name: 'JetStream', settings: { FOOTFALL_NATS_SERVERS: server.url }, pids: [server.pid] },
  ];
  const services = [];
  for (const { settings } of kinds) {
    services.push(await startService({ hostnames: [POOL_HOSTNAME], settings }));
  }
  const sides = services.map((service, index) => ({
    name: kinds[index]!.name,
    address: service.address,
    token: service.domains[0]?.accessKey ?? '',
    pids: [service.pid, ...kinds[index]!.pids],
  }));
  const figures: Figure[] = [];
  for (const kind of ['single', 'batch'] as const) {
    figures.push(...report(kind, await measureRounds(kind, sides, context)));
  }
  for (const service of services) await service.end();
  server.end();
  return figures;
});

function report(kind: Kind, measured: Rounds): Figure[] {
  const what = kind === 'single' ? 'Single hits' : `Batches of ${BATCH_HITS}`;
  const baseline = measured.get(LOCAL) ?? [];
  const others = [...measured].filter(([name]) => name !== LOCAL);
  return others.flatMap(([side, rounds]) =>
    COLUMNS.map(({ name, unit, of }) => {
      const figure: Figure = {
        group: `${what}, ${side} (baseline: ${LOCAL}), ${CONNECTIONS} connections`,
        ...{ name, unit },
        value: spreadOf(rounds.map(of)),
        baseline: spreadOf(baseline.map(of)),
        ratio: ratioByRound(rounds.map(of), baseline.map(of)),
      };
      const isJudged = name === 'throughput' && side === 'JetStream';
      return isJudged ? { ...figure, target: THROUGHPUT_TARGET } : figure;
    }),
  );
}
