/**
 * The data that questions are measured over: one domain, ten million page views of 90 days, and its
 * goals.
 *
 * Control plane. `BENCH_DATA_DIR` names a directory that `dist/bench/fill.js` made, of any size, which
 * spares the minute of making one; a smoke run makes its own small one.
 */
import { DAY_MS } from '../../src/model/limits.ts';
import { describeFilled, type FilledDirectory, fillDirectory } from './data/filled-directory.ts';
import { GOALS } from './data/questions.ts';
import type { MacroContext } from './macro.ts';
import { type BenchService, temporaryDataDir } from './service.ts';

/** Page views, and the days before today that they are of. */
export const LARGE_SITE = {
  smoke: { views: 3_000, days: 6 },
  full: { views: 10_000_000, days: 90 },
} as const;

/** A directory that a service can be started on, and what is in it. */
export async function largeSite({ isSmoke, seed, tell }: MacroContext) {
  const given = process.env['BENCH_DATA_DIR'];
  if (given !== undefined && !isSmoke) return { dataDir: given, filled: describeFilled(given) };
  const dataDir = temporaryDataDir();
  const size = isSmoke ? LARGE_SITE.smoke : LARGE_SITE.full;
  const lastDay = Math.floor(Date.now() / DAY_MS) - 1;
  const startMs = performance.now();
  const filled = await fillDirectory(dataDir, { ...size, seed, lastDay });
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  tell(
    `  ${size.views.toLocaleString('en-US')} page views put into a data directory: ${seconds} s`,
  );
  return { dataDir, filled };
}

/** Its goals; a directory that was measured before has them. */
export async function makeGoals(
  service: Pick<BenchService, 'ask'>,
  { domainId }: FilledDirectory,
): Promise<void> {
  const existing = (await service.ask(`/goal?id=${domainId}`)) as unknown[];
  for (const goal of existing.length === 0 ? GOALS : []) {
    await service.ask('/goal', { body: JSON.stringify({ domain_id: domainId, ...goal }) });
  }
}
