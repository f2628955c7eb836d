/**
 * Goal: sessionizer and query together agree with the oracle, for any traffic and any question.
 * Method: as in test/end-to-end/properties.test.ts, in this process and therefore many more cases.
 */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { engineBench, StoredEngine } from './engine-bench.ts';
import { announceSeed, findDisagreement, numberSetting } from './judge.ts';
import { findLiveDisagreement } from './live.ts';
import { asks, LATER_FILTER } from './questions.ts';
import { makeTemporaryDirectory } from './service.ts';

const RUNS = numberSetting('FOOTFALL_ENGINE_RUNS', 1_000);
const STORED_RUNS = Math.ceil(RUNS / 5);
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };

test('the engine alone says what the oracle says', async () => {
  const seed = announceSeed('engine against the oracle', RUNS);
  const found = await findDisagreement({
    ...{ site: SITE, seed, runs: RUNS },
    asks: asks(LATER_FILTER),
    open: async () => engineBench(SITE),
  });
  expect(found).toBe('');
}, 3_600_000);

test('the engine alone says what the oracle says of the last hour (S-80 to S-82, F-6)', async () => {
  const seed = announceSeed('engine on the last hour', RUNS);
  const open = async () => engineBench(SITE);
  expect(await findLiveDisagreement({ site: SITE, seed, runs: RUNS, open })).toBe('');
}, 3_600_000);

test('saving, sealing and replaying between requests change nothing (I-78)', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory);
  try {
    const seed = announceSeed('engine on disk', STORED_RUNS);
    const found = await findDisagreement({
      ...{ site: SITE, seed, runs: STORED_RUNS, asks: asks(LATER_FILTER) },
      open: async () => engine.open(SITE),
    });
    expect(found).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);
