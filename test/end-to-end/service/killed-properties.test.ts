/**
 * Goal: statistics do not change when the service is killed and started again between hits (I-78).
 * Method: as `site/properties.test.ts`, with a SIGKILL or a restart somewhere in each case.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type TestSite } from '../../support/domains.ts';
import { siteBench } from '../../support/judge/bench.ts';
import { findDisagreement } from '../../support/judge/judge.ts';
import { IS_LONG, seedOf } from '../../support/runs.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { asks } from '../../support/traffic/questions.ts';

const RUNS = IS_LONG ? 8 : 2;
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };

let running: RunningService;
let site: TestSite;

beforeAll(async () => {
  running = await startService({
    hasCities: true,
    env: { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_SHARDS: '8' },
  });
  site = await openSite(running, { ...SITE, count: RUNS });
});

afterAll(() => running?.dispose());

test('statistics do not change when the service is killed and started again between hits (I-78)', {
  timeout: 3_600_000,
}, async () => {
  let count = 0;
  const interrupt = async (): Promise<void> => {
    count++;
    if (count % 4 === 0) await running.restart();
    else {
      await running.kill();
      await running.start();
    }
  };
  const seed = seedOf('statistics across SIGKILL');
  const open = () => siteBench(site);
  const options = { site: SITE, seed, runs: RUNS, asks: asks(), open, interrupt };
  expect(await findDisagreement(options)).toBe('');
  expect(count).toBeGreaterThanOrEqual(RUNS);
});
