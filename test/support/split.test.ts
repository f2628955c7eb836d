/**
 * Goal: a domain over many holders, with rows that are hidden in some, says what the oracle says.
 * Method: as engine.test.ts, on a bench that splits the domain while it takes hits. Every answer is
 * also that of the same segments rebuilt without the hidden rows, to the byte.
 * FOOTFALL_ENGINE_RUNS raises the number of cases.
 */
import { expect, test, vi } from 'vitest';
import { crowdQuestions, crowdRequests } from './crowd.ts';
import { announceSeed, askBoth, findDisagreement, numberSetting, sendToBoth } from './judge.ts';
import { findLiveDisagreement } from './live.ts';
import { emptyWorld } from './oracle/world.ts';
import { asks } from './questions.ts';
import { type SplitPlan, splitBench } from './split-bench.ts';

const RUNS = Math.ceil(numberSetting('FOOTFALL_ENGINE_RUNS', 1_600) / 8);
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };
const TITLED = { hostname: 'example.org', timezone: 'Australia/Lord_Howe', groupByTitle: true };
/** Lanes from the first hit on: nothing is ever hidden. */
const FROM_THE_START: SplitPlan = { lanes: [3], requests: 1 };
const ONCE: SplitPlan = { lanes: [1, 3], requests: 12 };
/** Split, split anew, and merged, every few requests. */
const OFTEN: SplitPlan = { lanes: [1, 4, 2, 1, 3], requests: 5 };
const CROWD_HITS = 5_000;

test.each([
  { what: 'split from its first hit', site: SITE, plan: FROM_THE_START },
  { what: 'split once', site: SITE, plan: ONCE },
  { what: 'split and merged', site: SITE, plan: OFTEN },
  { what: 'that groups by title (S-46), split and merged', site: TITLED, plan: OFTEN },
])(
  'a domain $what says what the oracle says, every way and to the byte',
  async ({ what, site, plan }) => {
    const seed = announceSeed(`a domain ${what}`, RUNS);
    const open = async () => splitBench(site, plan);
    expect(await findDisagreement({ site, seed, runs: RUNS, asks: asks(), open })).toBe('');
  },
  3_600_000,
);

test.each([
  { what: 'now', nowMs: null },
  { what: 'around midnight (S-80, I-46)', nowMs: Date.parse('2024-05-07T00:20:00Z') },
])(
  'who is active $what is who is active, however the domain was split',
  async ({ what, nowMs }) => {
    const seed = announceSeed(`active on a split domain, ${what}`, RUNS);
    if (nowMs !== null) vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
    const open = async () => splitBench(SITE, OFTEN);
    try {
      expect(await findLiveDisagreement({ site: SITE, seed, runs: RUNS, open })).toBe('');
    } finally {
      vi.useRealTimers();
    }
  },
  3_600_000,
);

test('a busy day that was split and merged is what the oracle says', async () => {
  const bench = splitBench(SITE, { lanes: [1, 4, 1, 2], requests: 13 });
  const world = emptyWorld();
  for (const request of crowdRequests('2024-05-06', CROWD_HITS, 43)) {
    expect(await sendToBoth(bench, world, request, SITE)).toBe('');
  }
  expect(await askBoth(bench, world, crowdQuestions('2024-05-06'), SITE)).toBe('');
}, 3_600_000);
