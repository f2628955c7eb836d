// Goal: days that are older than a site wants them go at a start, and the rest stays (P-21).
// Method: a service, hits of several days over HTTP, the wish over HTTP, a start; then the statistics,
//   the domain and its audit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type AccountCredentials,
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 Footfall/test';
const AGO = [400, 40, 12, 11, 10, 9, 1, 0];

let running: RunningService;
let account: AccountCredentials;
let site: DomainCredentials;
let other: DomainCredentials;

const dateOf = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  const env = { FOOTFALL_EDGES: '1', FOOTFALL_ACTORS: '1', FOOTFALL_LOG_LEVEL: 'warn' };
  running = await startService({ env });
  account = await running.createAccount();
  const { email } = account;
  const timezone = 'Pacific/Kiritimati';
  site = await running.createDomain({ email, hostname: 'one.example', timezone });
  other = await running.createDomain({ email, hostname: 'two.example', timezone });
}, 120_000);

afterAll(() => running.dispose());

/** Views by how many days ago; at noon, which is the next day in the zone of the sites. */
async function viewsOf(domain: DomainCredentials): Promise<number[]> {
  const { id, client_id, client_secret } = domain;
  const reader = await ApiClient.whenKnown(running.baseUrl, client_id, client_secret);
  const views: number[] = [];
  for (const ago of AGO) {
    const [from, tz] = [dateOf(ago), 'UTC'];
    const answer = await reader.statistics('total', { id, from, to: from, tz });
    views.push((answer as { views: number }).views);
  }
  return views;
}

test('P-21: older days go at a start, those of another site stay, and the audit has it', {
  timeout: 120_000,
}, async () => {
  for (const domain of [site, other]) {
    const body = AGO.map((ago, index) => ({
      url: `https://${domain.hostname}/`,
      ...{ ip: `10.0.0.${index + 1}`, user_agent: AGENT, time: `${dateOf(ago)}T00:00:01Z` },
    }));
    await ApiClient.whenKnown(running.baseUrl, domain.client_id, domain.client_secret);
    const sender = new ApiClient(running.baseUrl, domain.access_key);
    expect(await sender.request('POST', '/api/v1/hit/batch', { body })).toMatchObject({
      status: 200,
    });
  }
  const all = AGO.map(() => 1);
  expect(await viewsOf(site)).toEqual(all);
  const owner = () =>
    ApiClient.whenKnown(running.baseUrl, account.client_id, account.client_secret);
  const body = { domain_id: site.id, days: 10 };
  const set = await (await owner()).request('POST', '/api/v1/domain/retention', { body });
  expect(set).toMatchObject({ status: 200, body: {} });
  // Not before the next start or night.
  expect(await viewsOf(site)).toEqual(all);
  await running.restart();
  const isOld = AGO.map((ago) => ago > 10);
  let found: number[] = [];
  await until(async () => {
    found = await viewsOf(site);
    return found.every((count, index) => count === 0 || !isOld[index] || AGO[index] === 11);
  }, 60_000);
  // Of the day before the first that is kept a part may be wanted in the zone of the site.
  expect(found.filter((_, index) => !isOld[index])).toEqual([1, 1, 1, 1]);
  expect(await viewsOf(other)).toEqual(all);
  let domain: { retention_days?: number; retained_from?: string } = {};
  await until(async () => {
    const answer = await (await owner()).request('GET', `/api/v1/domain?id=${site.id}`);
    domain = answer.body as typeof domain;
    return domain.retained_from !== undefined;
  }, 60_000);
  expect(domain.retention_days).toBe(10);
  expect([dateOf(12), dateOf(11), dateOf(10)]).toContain(domain.retained_from);
  const audit = await (await owner()).request('GET', `/api/v1/audit?domain_id=${site.id}`);
  expect(JSON.stringify(audit.body)).toContain('retained_from');
});
