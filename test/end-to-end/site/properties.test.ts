/**
 * Goal: every statistic of the service agrees with the oracle, for any traffic and any question.
 * Method: random hits over several days (clock changes, midnights, late hits, repeats, bursts up to
 * the page-view cap), random questions (statistics, zones, filters, order, paging); how many, and from
 * which seed, is said in `test/support/runs.ts`.
 */
import { beforeAll, expect, test } from 'vitest';
import { sharedSite, type TestSite } from '../../support/domains.ts';
import { siteBench } from '../../support/judge/bench.ts';
import { findDisagreement } from '../../support/judge/judge.ts';
import { findLiveDisagreement } from '../../support/judge/live.ts';
import { runs, seedOf } from '../../support/runs.ts';
import { asks } from '../../support/traffic/questions.ts';

const FULL = 500;
const LIVE_FULL = 60;
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };
const TIMEOUT_MS = 3_600_000;

let site: TestSite;

beforeAll(async () => {
  site = await sharedSite({ ...SITE, count: runs(FULL + LIVE_FULL) });
});

const open = () => siteBench(site);

test('every statistic of any traffic is what the oracle says (I-30 to I-77, S-1 to S-60, F-1 to F-34)', {
  timeout: TIMEOUT_MS,
}, async () => {
  const seed = seedOf('statistics against the oracle');
  const options = { site: SITE, seed, runs: runs(FULL), asks: asks(), open };
  expect(await findDisagreement(options)).toBe('');
});

test('active visitors and the last hour are what the oracle says (S-80 to S-82, F-6)', {
  timeout: TIMEOUT_MS,
}, async () => {
  const seed = seedOf('the last hour against the oracle');
  expect(await findLiveDisagreement({ site: SITE, seed, runs: runs(LIVE_FULL), open })).toBe('');
});
