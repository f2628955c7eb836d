/**
 * Goal: what is sent at the same moment, or through one client for several domains, counts right.
 * Method: many connections at once against two edges and two actors; all hits at one fixed time.
 */
import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { sharedSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { addressIn, agentNamed } from '../../support/traffic/known.ts';

const DAY = { from: '2024-05-06', to: '2024-05-06' };
const AT_ONCE = 40;

let site: TestSite;
let account: ApiClient;

beforeAll(async () => {
  // The last two have the hostname of the two before them.
  const hostname = (index: number) => `site-${index < 10 ? index : index - 2}.test`;
  site = await sharedSite({ hostname, count: 12 });
  account = site.reader;
});

function domainAt(index: number): TestDomain {
  return site.domains[index] as TestDomain;
}

function viewOf(domain: TestDomain, person: number, path = '/'): Record<string, unknown> {
  return {
    url: `https://${domain.hostname}${path}`,
    ip: addressIn('de', person),
    user_agent: agentNamed('chrome').userAgent,
    time: '2024-05-06T10:00:00Z',
  };
}

function keepAliveOf(domain: TestDomain, person: number): Record<string, unknown> {
  return { ...viewOf(domain, person), time: '2024-05-06T10:05:00Z' };
}

async function totalOf(domain: TestDomain): Promise<unknown> {
  return account.statistics('total', { id: domain.id, ...DAY });
}

function atOnce<Answer>(work: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index)));
}

test('simultaneous first hits of a visitor make one session (I-58)', async () => {
  const domain = domainAt(0);
  const writer = site.writerOf(domain);
  await atOnce((index) => writer.collect('hit/batch', [viewOf(domain, 0, `/${index % 3}`)]));
  expect(await totalOf(domain)).toMatchObject({ visitors: 1, sessions: 1, views: AT_ONCE });
});

test('simultaneous requests with one Idempotency-Key count once, on any endpoint (I-76)', async () => {
  const domain = domainAt(1);
  const writer = site.writerOf(domain);
  const item = { ...viewOf(domain, 0), event_name: 'order' };
  const answers = await atOnce((index) =>
    writer.collect(index % 2 === 0 ? 'hit/batch' : 'event/batch', [item], 'the-key'),
  );
  expect(answers).toEqual(answers.map(() => ({ accepted: 1, rejected: [] })));
  expect(await totalOf(domain)).toMatchObject({ visitors: 1, sessions: 1, views: 1 });
});

test('every hit is in the statistics as soon as it was answered (A-64)', async () => {
  const domain = domainAt(2);
  const writer = site.writerOf(domain);
  for (let views = 1; views <= AT_ONCE; views++) {
    await writer.collect('hit/batch', [viewOf(domain, views)]);
    expect(await totalOf(domain)).toMatchObject({ visitors: views, views });
  }
});

test("an account's client finds the domain by hostname, the oldest of several (I-9)", async () => {
  const [older, younger] = [domainAt(8), domainAt(10)];
  expect(younger.hostname).toBe(older.hostname);
  await account.collect('hit/batch', [viewOf(older, 0), viewOf(domainAt(3), 0)]);
  expect(await totalOf(older)).toMatchObject({ views: 1 });
  expect(await totalOf(younger)).toMatchObject({ views: 0 });
  expect(await totalOf(domainAt(3))).toMatchObject({ views: 1 });
  const unknown = { ...viewOf(older, 0), url: 'https://unknown.test/' };
  expect(await account.collect('hit/batch', [unknown])).toEqual({
    accepted: 0,
    rejected: [{ index: 0, error: expect.any(String) }],
  });
});

test('a repeated request over several domains is checked per domain (I-77)', async () => {
  const [first, second, third] = [domainAt(4), domainAt(5), domainAt(6)];
  await account.collect('hit/batch', [viewOf(first, 0), viewOf(second, 0)], 'k');
  // The key is used up on the first two domains and new to the third.
  await account.collect('hit/batch', [viewOf(first, 1), viewOf(third, 1)], 'k');
  expect(await totalOf(first)).toMatchObject({ visitors: 1, views: 1 });
  expect(await totalOf(second)).toMatchObject({ visitors: 1, views: 1 });
  expect(await totalOf(third)).toMatchObject({ visitors: 1, views: 1 });
});

test("an account's client needs url in a keep-alive, only to find the domain (I-9)", async () => {
  const domain = domainAt(7);
  await account.collect('hit/batch', [viewOf(domain, 0), { ...viewOf(domain, 0, '/a') }]);
  await account.collect('session/batch', [keepAliveOf(domain, 0)]);
  const { url: _, ...withoutUrl } = keepAliveOf(domain, 0);
  const refused = await account.request('POST', '/api/v1/session/batch', { body: [withoutUrl] });
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ validation: { '0.url': expect.any(String) } });
  const writer = site.writerOf(domain);
  expect(await writer.collect('session/batch', [withoutUrl])).toEqual({
    accepted: 1,
    rejected: [],
  });
});

test('a refused request does not use up its key (I-77)', async () => {
  const domain = domainAt(9);
  const writer = site.writerOf(domain);
  const incomplete = { ...viewOf(domain, 0), url: undefined };
  const headers = { 'Idempotency-Key': 'once' };
  const refused = await writer.request('POST', '/api/v1/hit/batch', {
    body: [incomplete],
    headers,
  });
  expect(refused.status).toBe(400);
  // Accepted, although nothing of it is stored: now the key is used up.
  const bot = { ...viewOf(domain, 0), user_agent: 'curl/8.5.0' };
  await writer.collect('hit/batch', [bot], 'once');
  await writer.collect('hit/batch', [viewOf(domain, 0)], 'once');
  expect(await totalOf(domain)).toMatchObject({ views: 0 });
  await writer.collect('hit/batch', [viewOf(domain, 0)], 'twice');
  expect(await totalOf(domain)).toMatchObject({ views: 1 });
});
