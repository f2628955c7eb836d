/**
 * Goal: a domain that is split over lanes and merged again at any moment tells what one that never
 * was tells: the oracle, which knows of no lanes.
 * Method: as engine.test.ts on disk, with changes of lanes, saves and losses at random in between.
 */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { announceSeed, findDisagreement, numberSetting } from './judge.ts';
import { asks } from './questions.ts';
import { makeTemporaryDirectory } from './service.ts';
import { SplitEngine } from './split-engine.ts';

const RUNS = Math.ceil(numberSetting('FOOTFALL_ENGINE_RUNS', 1_600) / 16);

test.each([
  { what: 'UTC', site: { hostname: 'example.org', timezone: 'UTC' }, deletes: {} },
  {
    what: 'with deletions between the hits',
    site: { hostname: 'example.org', timezone: 'Europe/Berlin' },
    deletes: { erases: 'at once' as const },
  },
  {
    what: 'Lord Howe, by title',
    deletes: {},
    site: { hostname: 'example.org', timezone: 'Australia/Lord_Howe', groupByTitle: true },
  },
])(
  'a domain that is split and merged while hits come tells the same ($what) (S-31, I-46, I-76, A-81)',
  async ({ what, site, deletes }) => {
    const directory = makeTemporaryDirectory();
    const seed = announceSeed(`engine in lanes, ${what}`, RUNS);
    const engine = new SplitEngine(directory, seed);
    try {
      const found = await findDisagreement({
        ...{ site, seed, runs: RUNS, asks: asks(), ...deletes },
        open: async () => engine.open(site),
      });
      expect(found).toBe('');
    } finally {
      await engine.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
  3_600_000,
);
