/**
 * The same hits into what one would write oneself: a server that inserts into SQLite, or appends to
 * DuckDB, and answers when that is on disk (`harness/load/store-server.ts`). All get the same bytes, of
 * the mix of a real site; Footfall also finds visitors and sessions and keeps its sums meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startServer } from '../harness/children.ts';
import {
  BATCH_HITS,
  COLUMNS,
  CONNECTIONS,
  measureRounds,
  type Rounds,
  type Side,
} from '../harness/load/hit-rounds.ts';
import { POOL_HOSTNAME } from '../harness/load/pool.ts';
import { type MacroContext, macro } from '../harness/macro.ts';
import type { Figure } from '../harness/report/figures.ts';
import { ROOT } from '../harness/report/machine.ts';
import { spreadOf } from '../harness/report/samples.ts';
import { startBaseline, startService, temporaryDataDir } from '../harness/service.ts';

const ROUNDS_MAX = 3;
const STORES = [
  { name: 'SQLite', kind: 'sqlite', package: 'libsql' },
  { name: 'DuckDB', kind: 'duckdb', package: '@duckdb/node-api' },
] as const;

macro('macro/peers', async (given) => {
  // The picture has one bar each: three rounds are enough.
  const context = { ...given, rounds: Math.min(given.rounds, ROUNDS_MAX) };
  const baseline = await startBaseline();
  const service = await startService({ hostnames: [POOL_HOSTNAME] });
  const token = service.domains[0]?.accessKey ?? '';
  const sides: Side[] = [
    { name: 'bare server', address: baseline.address, token: 'none', pids: [baseline.pid] },
    { name: 'Footfall', address: service.address, token, pids: [service.pid] },
  ];
  const stores = [];
  for (const store of STORES.filter((each) => isInstalled(each.package, context))) {
    const script = join(ROOT, 'dist/bench/harness/load/store-server.js');
    const path = join(temporaryDataDir(), store.kind);
    const server = await startServer([script, store.kind, path], {});
    stores.push(server);
    sides.push({ name: store.name, address: server.address, token: 'none', pids: [server.pid] });
  }
  const figures: Figure[] = [];
  for (const kind of ['single', 'batch'] as const) {
    figures.push(...report(kind, await measureRounds(kind, sides, context, 'site')));
  }
  for (const server of [baseline, ...stores]) await server.stop();
  await service.end();
  return figures;
});

function isInstalled(name: string, { isFull, tell }: MacroContext): boolean {
  const require = createRequire(join(ROOT, 'bench/package.json'));
  for (const isRetried of [false, true]) {
    try {
      require.resolve(name);
      return true;
    } catch {
      if (isRetried || !isFull) break;
      execFileSync('npm', ['ci', '--prefix', join(ROOT, 'bench'), '--ignore-scripts'], {
        stdio: 'ignore',
      });
    }
  }
  tell(`  ${name} is not installed, so it is left out: npm ci --prefix bench`);
  return false;
}

function report(kind: 'single' | 'batch', measured: Rounds): Figure[] {
  const what = kind === 'single' ? 'Single hits' : `Batches of ${BATCH_HITS}`;
  const group = `${what} of a site, on disk when answered, ${CONNECTIONS} connections`;
  return [...measured].flatMap(([name, rounds]) =>
    COLUMNS.map((column) => ({
      ...{ group, name: `${name}: ${column.name}`, unit: column.unit },
      value: spreadOf(rounds.map(column.of)),
    })),
  );
}
