/**
 * Goal: where texts become `(other)` (I-79) the engine says what the oracle says, by number and by
 * bytes, also when it is saved, sealed and replayed between requests.
 * Method: the bounds are lowered on both sides. Deletions are left out: the oracle keeps their texts.
 */
import { rmSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { engineBench, StoredEngine } from '../support/judge/engine-bench.ts';
import { announceSeed, findDisagreement, numberSetting } from '../support/judge/judge.ts';
import { makeTemporaryDirectory } from '../support/service.ts';
import { asks } from '../support/traffic/questions.ts';

/** So low that random traffic runs into every one of them. */
const LIMITS = vi.hoisted(() => ({
  ...{ values: 4, metaValues: 5, narrowValues: 2 },
  ...{ kindBytes: 24, segmentBytes: 160 },
}));

vi.mock('../../src/model/limits.ts', async (original) => ({
  ...(await original<object>()),
  DISTINCT_VALUES_MAX: LIMITS.values,
  DISTINCT_META_VALUES_MAX: LIMITS.metaValues,
  DISTINCT_NARROW_VALUES_MAX: LIMITS.narrowValues,
  KIND_TEXT_BYTES_MAX: LIMITS.kindBytes,
  SEGMENT_TEXT_BYTES_MAX: LIMITS.segmentBytes,
}));

const RUNS = numberSetting('FOOTFALL_ENGINE_RUNS', 600);
const STORED_RUNS = Math.ceil(RUNS / 5);
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };

test('I-79: the engine bounds distinct texts as the oracle does', async () => {
  const seed = announceSeed('engine with low bounds on texts', RUNS);
  const found = await findDisagreement({
    ...{ site: SITE, seed, runs: RUNS, asks: asks(), textLimits: LIMITS },
    open: async () => engineBench(SITE),
  });
  expect(found).toBe('');
}, 3_600_000);

test('I-79, I-78: the bounds hold through saves and replays', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory);
  try {
    const seed = announceSeed('engine on disk with low bounds on texts', STORED_RUNS);
    const found = await findDisagreement({
      ...{ site: SITE, seed, runs: STORED_RUNS, asks: asks(), textLimits: LIMITS },
      open: async () => engine.open(SITE),
    });
    expect(found).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);
