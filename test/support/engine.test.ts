/**
 * Goal: sessionizer and query together agree with the oracle, for any traffic and any question.
 * Method: as in test/end-to-end/properties.test.ts, in this process and therefore many more cases.
 * A case is a scenario with up to twelve questions. CI runs more than 2,000 of them here, in memory
 * and on disk, and 500 over HTTP; FOOTFALL_ENGINE_RUNS raises the number.
 */
import { rmSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { BLOCK_ROWS } from '../../src/segment/memory/table.ts';
import { crowdQuestions, crowdRequests } from './crowd.ts';
import { engineBench, StoredEngine } from './engine-bench.ts';
import { announceSeed, askBoth, findDisagreement, numberSetting, sendToBoth } from './judge.ts';
import { findLiveDisagreement } from './live.ts';
import { emptyWorld } from './oracle/world.ts';
import { asks } from './questions.ts';
import { makeTemporaryDirectory } from './service.ts';

const RUNS = numberSetting('FOOTFALL_ENGINE_RUNS', 1_600);
const STORED_RUNS = Math.ceil(RUNS / 5);
const CROWD_HITS = 5_000;
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };
/** Pages told apart by title (S-46), and clocks that change by half an hour. */
const TITLED = { hostname: 'example.org', timezone: 'Australia/Lord_Howe', groupByTitle: true };

test.each([
  { what: 'a domain', site: SITE, runs: RUNS },
  { what: 'a domain that groups by title (S-46)', site: TITLED, runs: Math.ceil(RUNS / 5) },
])(
  'the engine alone says of $what what the oracle says',
  async ({ what, site, runs }) => {
    const seed = announceSeed(`engine against the oracle, ${what}`, runs);
    const open = async () => engineBench(site);
    expect(await findDisagreement({ site, seed, runs, asks: asks(), open })).toBe('');
  },
  3_600_000,
);

test('the engine alone says what the oracle says of the last hour (S-80 to S-82, F-6)', async () => {
  const seed = announceSeed('engine on the last hour', RUNS);
  const open = async () => engineBench(SITE);
  expect(await findLiveDisagreement({ site: SITE, seed, runs: RUNS, open })).toBe('');
}, 3_600_000);

test('the engine alone says what the oracle says of the last hour around midnight (S-80, I-46)', async () => {
  const seed = announceSeed('engine on the last hour around midnight', RUNS);
  const open = async () => engineBench(SITE);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2024-05-07T00:20:00Z') });
  try {
    expect(await findLiveDisagreement({ site: SITE, seed, runs: RUNS, open })).toBe('');
  } finally {
    vi.useRealTimers();
  }
}, 3_600_000);

test('saving, sealing and replaying between questions change nothing about the last hour', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory);
  try {
    const seed = announceSeed('engine on disk, the last hour', STORED_RUNS);
    const open = async () => engine.open(SITE);
    expect(await findLiveDisagreement({ site: SITE, seed, runs: STORED_RUNS, open })).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);

test('saving, sealing and replaying between requests change nothing (I-78)', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory);
  try {
    const seed = announceSeed('engine on disk', STORED_RUNS);
    const found = await findDisagreement({
      ...{ site: SITE, seed, runs: STORED_RUNS, asks: asks() },
      open: async () => engine.open(SITE),
    });
    expect(found).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);

test('what is deleted between hits is gone, and all else is what the oracle says (A-81)', async () => {
  const seed = announceSeed('engine with deletions', RUNS);
  const found = await findDisagreement({
    ...{ site: SITE, seed, runs: RUNS, erases: 'at once' },
    asks: asks(),
    open: async () => engineBench(SITE),
  });
  expect(found).toBe('');
}, 3_600_000);

test('deletions outlive saving, sealing and replaying at any point (A-81, I-78)', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory);
  try {
    const seed = announceSeed('engine on disk with deletions', STORED_RUNS);
    const found = await findDisagreement({
      ...{ site: SITE, seed, runs: STORED_RUNS, asks: asks(), erases: 'at once' },
      open: async () => engine.open(SITE),
    });
    expect(found).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);

test('days that leave memory between the hits of a batch, and a death there, change nothing (I-78)', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory, true);
  try {
    const seed = announceSeed('engine without room', STORED_RUNS);
    const found = await findDisagreement({
      ...{ site: SITE, seed, runs: STORED_RUNS, asks: asks(), erases: 'at once' },
      open: async () => engine.open(SITE),
    });
    expect(found).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);

test('the last hour is told right although its days leave memory all the time (S-80)', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory, true);
  try {
    const seed = announceSeed('engine without room, the last hour', STORED_RUNS);
    const open = async () => engine.open(SITE);
    expect(await findLiveDisagreement({ site: SITE, seed, runs: STORED_RUNS, open })).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);

test('a day with more rows than a block holds is what the oracle says', async () => {
  const directory = makeTemporaryDirectory();
  const engine = new StoredEngine(directory);
  try {
    const bench = engine.open(SITE);
    const world = emptyWorld();
    for (const request of crowdRequests('2024-05-06', CROWD_HITS, 42)) {
      expect(await sendToBoth(bench, world, request, SITE)).toBe('');
    }
    expect(world.pageViews.length).toBeGreaterThan(2 * BLOCK_ROWS);
    expect(world.sessions.length).toBeGreaterThan(BLOCK_ROWS);
    expect(await askBoth(bench, world, crowdQuestions('2024-05-06'), SITE)).toBe('');
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 3_600_000);
