/**
 * Goal: every statistic of the service agrees with the oracle, for any traffic and any question.
 * Method: random hits over several days (clock changes, midnights, late hits, repeats, bursts up to
 * the page-view cap), random questions (statistics, zones, filters, order, paging), fast-check with
 * a printed seed. FOOTFALL_PROPERTY_RUNS raises the number of cases, FOOTFALL_PROPERTY_SEED repeats.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/client.ts';
import { createTestSite, type TestDomain } from '../../support/domains.ts';
import { type Bench, httpBench } from '../../support/judge/bench.ts';
import { announceSeed, findDisagreement, numberSetting } from '../../support/judge/judge.ts';
import { findLiveDisagreement } from '../../support/judge/live.ts';
import { type RunningService, startService } from '../../support/service.ts';
import { asks } from '../../support/traffic/questions.ts';

const RUNS = numberSetting('FOOTFALL_PROPERTY_RUNS', 500);
const RESTART_RUNS = 8;
const LIVE_RUNS = 60;
/** Cases that shrinking may try; each needs a domain of its own. */
const SHRINKS_MAX = 700;
const SITE = { hostname: 'example.org', timezone: 'Europe/Berlin' };
const TIMEOUT_MS = Math.max(600_000, RUNS * 1_000);

let running: RunningService;
let reader: ApiClient;
const unused: TestDomain[] = [];

beforeAll(async () => {
  // Two of each, so that hits of one domain meet threads that do not share memory.
  running = await startService({
    autoStart: false,
    hasCities: true,
    env: { FOOTFALL_EDGES: '2', FOOTFALL_ACTORS: '2', FOOTFALL_SHARDS: '8' },
  });
  const count = RUNS + RESTART_RUNS + LIVE_RUNS + SHRINKS_MAX;
  const made = await createTestSite({ dataDir: running.dataDir, count, ...SITE });
  unused.push(...made.domains);
  await running.start();
  const { client_id: clientId, client_secret: clientSecret } = made.account;
  reader = await ApiClient.withSecret(running.baseUrl, clientId, clientSecret);
});

afterAll(async () => {
  await running?.dispose();
});

async function open(): Promise<Bench> {
  const domain = unused.shift();
  if (domain === undefined) throw new Error(`more than ${SHRINKS_MAX} domains for shrinking`);
  const writer = new ApiClient(running.baseUrl, domain.accessKey);
  const { hostname } = SITE;
  return httpBench({ domainId: domain.id, hostname, writer, reader, missing: new Set() });
}

test(
  'every statistic of any traffic is what the oracle says (I-30 to I-77, S-1 to S-60, F-1 to F-34)',
  async () => {
    const seed = announceSeed('statistics against the oracle', RUNS);
    const found = await findDisagreement({ site: SITE, seed, runs: RUNS, asks: asks(), open });
    expect(found).toBe('');
  },
  TIMEOUT_MS,
);

test('active visitors and the last hour are what the oracle says (S-80 to S-82, F-6)', async () => {
  const seed = announceSeed('the last hour against the oracle', LIVE_RUNS);
  expect(await findLiveDisagreement({ site: SITE, seed, runs: LIVE_RUNS, open })).toBe('');
});

test(
  'statistics do not change when the service is killed and started again between hits (I-78)',
  async () => {
    const seed = announceSeed('statistics across SIGKILL', RESTART_RUNS);
    let count = 0;
    const interrupt = async (): Promise<void> => {
      count++;
      if (count % 4 === 0) await running.restart();
      else {
        await running.kill();
        await running.start();
      }
    };
    const options = { site: SITE, seed, runs: RESTART_RUNS, asks: asks(), open, interrupt };
    expect(await findDisagreement(options)).toBe('');
    expect(count).toBeGreaterThanOrEqual(RESTART_RUNS);
  },
  TIMEOUT_MS,
);
