/**
 * Goal: sessionizer and query together agree with the oracle, for any traffic and any question.
 * Method: as in `site/properties.test.ts`, in this process and therefore many more cases: more than
 * 8,000 in the long run (`test/support/runs.ts`). A case is a scenario with up to twelve questions. Sums
 * of days at rest are of two and four days and kept whatever they save.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { BLOCK_ROWS } from '../../src/segment/memory/table.ts';
import {
  BERLIN,
  type EngineCase,
  engineDisagreement,
  withEngine,
} from '../support/judge/engine-cases.ts';
import { askBoth, sendToBoth } from '../support/judge/judge.ts';
import { emptyWorld } from '../support/oracle/world.ts';
import { crowdQuestions, crowdRequests } from '../support/traffic/crowd.ts';

vi.mock('../../src/model/limits.ts', async (original) => ({
  ...(await original<object>()),
  ...{ SUM_DAY_COUNTS: [4, 2, 1], SUM_VIEWS_PER_ROW_MIN: 0 },
}));

const CROWD_HITS = 5_000;
const TIMEOUT_MS = 3_600_000;
/** Pages told apart by title (S-46), and clocks that change by half an hour. */
const TITLED = { hostname: 'example.org', timezone: 'Australia/Lord_Howe', groupByTitle: true };

const CASES: readonly (EngineCase & { now?: string })[] = [
  {
    title: 'the engine alone says of a domain what the oracle says',
    ...{ place: 'memory', full: 1_600 },
  },
  {
    title: 'the engine alone says of a domain that groups by title what the oracle says (S-46)',
    ...{ place: 'memory', full: 320, site: TITLED },
  },
  {
    title: 'the engine alone says what the oracle says of the last hour (S-80 to S-82, F-6)',
    ...{ place: 'memory', full: 1_600, isLive: true },
  },
  {
    title:
      'the engine alone says what the oracle says of the last hour around midnight (S-80, I-46)',
    ...{ place: 'memory', full: 1_600, isLive: true, now: '2024-05-07T00:20:00Z' },
  },
  {
    title: 'saving, sealing and replaying between questions change nothing about the last hour',
    ...{ place: 'disk', full: 320, isLive: true },
  },
  {
    title: 'saving, sealing and replaying between requests change nothing (I-78)',
    ...{ place: 'disk', full: 320 },
  },
  {
    title: 'what is deleted between hits is gone, and all else is what the oracle says (A-81)',
    ...{ place: 'memory', full: 1_600, hasErasures: true },
  },
  {
    title: 'deletions outlive saving, sealing and replaying at any point (A-81, I-78)',
    ...{ place: 'disk', full: 320, hasErasures: true },
  },
  {
    title:
      'days that leave memory between the hits of a batch, and a death there, change nothing (I-78)',
    ...{ place: 'disk without room', full: 320, hasErasures: true },
  },
  {
    title: 'the last hour is told right although its days leave memory all the time (S-80)',
    ...{ place: 'disk without room', full: 320, isLive: true },
  },
];

afterEach(() => vi.useRealTimers());

const TITLED_CASES = CASES.map((asked) => [asked.title, asked] as const);

test.each(TITLED_CASES)('%s', { timeout: TIMEOUT_MS }, async (_title, { now, ...asked }) => {
  if (now !== undefined) vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  expect(await engineDisagreement(asked)).toBe('');
});

test('a day with more rows than a block holds is what the oracle says', {
  timeout: TIMEOUT_MS,
}, async () => {
  await withEngine('disk', async (open) => {
    const bench = await open(BERLIN);
    const world = emptyWorld();
    for (const request of crowdRequests('2024-05-06', CROWD_HITS, 42)) {
      expect(await sendToBoth(bench, world, request, BERLIN)).toBe('');
    }
    expect(world.pageViews.length).toBeGreaterThan(2 * BLOCK_ROWS);
    expect(world.sessions.length).toBeGreaterThan(BLOCK_ROWS);
    expect(await askBoth(bench, world, crowdQuestions('2024-05-06'), BERLIN)).toBe('');
  });
});
