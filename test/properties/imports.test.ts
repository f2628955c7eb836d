/**
 * Goal: what other products counted is added to every statistic as S-98 says, whatever else happens:
 * own hits that come late, deletions, several imports of the same days, some of them taken back, and
 * the engine's saving, sealing and replaying at any point.
 * Method: as in `engine.test.ts`; every batch of sums comes twice, as from a job that was killed (S-98).
 */
import { expect, test } from 'vitest';
import { type EngineCase, engineDisagreement } from '../support/judge/engine-cases.ts';

const TIMEOUT_MS = 3_600_000;

const CASES: readonly EngineCase[] = [
  {
    title: 'imported sums stand beside own rows until the first own day (S-98)',
    ...{ place: 'disk', full: 240, hasImports: true },
  },
  {
    title: 'deletions take what is imported, own rows or both, by their kind (S-98, A-81)',
    ...{ place: 'disk', full: 240, hasImports: true, hasErasures: true },
  },
  {
    title: 'without room for days and with deaths in between, sums are added all the same (S-98)',
    ...{ place: 'disk without room', full: 160, hasImports: true, hasErasures: true },
  },
  {
    title: 'in another zone and by title, sums are of the days of the calendar (S-98, S-46)',
    ...{ place: 'disk', full: 120, hasImports: true, hasErasures: true },
    site: { hostname: 'example.org', timezone: 'Australia/Lord_Howe', groupByTitle: true },
  },
];

const TITLED = CASES.map((asked) => [asked.title, asked] as const);

test.each(TITLED)('%s', { timeout: TIMEOUT_MS }, async (_title, asked) => {
  expect(await engineDisagreement(asked)).toBe('');
});
