/**
 * Random cases against the engine in this process: in memory, on disk, or on a disk without room.
 *
 * On disk it is saved, sealed and replayed between the requests; without room its days leave memory
 * between the hits of a batch as well, and it dies there.
 */
import { rmSync } from 'node:fs';
import type { TextLimits } from '../oracle/collect/texts.ts';
import { runs, seedOf } from '../runs.ts';
import { makeTemporaryDirectory } from '../service.ts';
import { asksBefore } from '../traffic/imports.ts';
import { asks } from '../traffic/questions.ts';
import type { Bench } from './bench.ts';
import { engineBench, StoredEngine } from './engine-bench.ts';
import { findDisagreement, type Site } from './judge.ts';
import { findLiveDisagreement } from './live.ts';

/** What engines are told apart by. */
export type Place = 'memory' | 'disk' | 'disk without room';

/** The site of most cases: its days change by an hour twice a year. */
export const BERLIN: Site = { hostname: 'example.org', timezone: 'Europe/Berlin' };

/** One property: who is asked, for how many cases. */
export interface EngineCase {
  /** The test's title, and what its cases are drawn by. */
  title: string;
  place: Place;
  /** Cases of the long run. */
  full: number;
  site?: Site;
  /** Traffic and questions of the last hour instead of finished days. */
  isLive?: boolean;
  /** Statistics are deleted between the requests. */
  hasErasures?: boolean;
  /** Sums of other products come between the requests. */
  hasImports?: boolean;
  /** The bounds of I-79 if the engine has others than the rule. */
  textLimits?: TextLimits;
}

/** Judges the engine by the oracle. @returns '' or the smallest case in which they differ. */
export function engineDisagreement(asked: EngineCase): Promise<string> {
  const { title, place, full, site = BERLIN, isLive, hasErasures, hasImports, textLimits } = asked;
  return withEngine(place, (openSite) => {
    const options = { site, seed: seedOf(title), runs: runs(full), open: () => openSite(site) };
    if (isLive === true) return findLiveDisagreement(options);
    return findDisagreement({
      ...{ ...options, asks: asks() },
      ...(hasErasures === true ? { erases: 'at once' } : {}),
      ...(hasImports === true ? { imports: true, asks: asksBefore() } : {}),
      ...(textLimits === undefined ? {} : { textLimits }),
    });
  });
}

/** Opens benches on one engine, and closes it. */
export async function withEngine<Result>(
  place: Place,
  use: (open: (site: Site) => Promise<Bench>) => Promise<Result>,
): Promise<Result> {
  if (place === 'memory') return use(async (site) => engineBench(site));
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory, place === 'disk without room');
  try {
    return await use(async (site) => engine.open(site));
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
