// Goal: a client that nobody here wrote works unmodified once its base address is set.
// Method: the npm package pirsch-sdk against the started service, with both kinds of credentials.

import { Pirsch, type PirschBatchHit, type PirschFilter, type PirschHit } from 'pirsch-sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import { checkedSdk } from '../../support/clients/sdk-check.ts';
import { sharedSite, type TestDomain } from '../../support/domains.ts';

type SdkClient = InstanceType<typeof Pirsch>;

const HOSTNAME = 'shop.example';
const DAY_MS = 86_400_000;
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

let domain: TestDomain;
let baseUrl = '';

beforeAll(async () => {
  const site = await sharedSite({ hostname: HOSTNAME });
  domain = await site.next();
  baseUrl = site.service.baseUrl;
});

function oauthClient(): SdkClient {
  return checkedSdk(
    new Pirsch({
      baseUrl,
      hostname: HOSTNAME,
      clientId: domain.clientId,
      clientSecret: domain.clientSecret,
    }),
  );
}

function keyClient(): SdkClient {
  return checkedSdk(
    new Pirsch({
      baseUrl,
      hostname: HOSTNAME,
      accessToken: domain.accessKey,
    }),
  );
}

function hit(ip: string, path: string, more: Partial<PirschHit> = {}): PirschHit {
  return { url: `https://${HOSTNAME}${path}`, ip, user_agent: CHROME, ...more };
}

/** A time of this UTC day's past, so that batches and single hits fall into one range. */
function secondsAgo(seconds: number): string {
  return new Date(Date.now() - seconds * 1_000).toISOString();
}

/** From yesterday to tomorrow, so that a run across midnight sees all of its hits. */
function filter(more: Partial<PirschFilter> = {}): PirschFilter {
  const now = Date.now();
  return {
    id: domain.id,
    from: new Date(now - DAY_MS),
    to: new Date(now + DAY_MS),
    ...more,
  };
}

describe('with an oauth client', () => {
  test('it reads its domain', async () => {
    const found = await oauthClient().domain();
    expect(found).toMatchObject({ id: domain.id, hostname: HOSTNAME, timezone: 'UTC' });
  });

  test('it sends a hit, an event and a keep-alive, and reads them back at once', async () => {
    const client = oauthClient();
    const [ip, page] = ['81.2.69.142', '/sdk/single'];
    await client.hit(hit(ip, page, { title: 'Single', referrer: 'https://news.example/a?b=c' }));
    await client.event('Sign up', hit(ip, page), 12, { plan: 'pro', seats: 3, trial: true });
    await client.session({ ip, user_agent: CHROME });

    const total = await client.totalVisitors(filter({ path: page }));
    expect(total).toMatchObject({ visitors: 1, views: 1, sessions: 1, bounces: 0, bounce_rate: 0 });
    const pages = await client.pages(filter({ path: page }));
    expect(pages).toMatchObject([{ path: page, visitors: 1, views: 1, sessions: 1 }]);
    const events = await client.events(filter());
    expect(events).toMatchObject([
      { name: 'Sign up', visitors: 1, views: 1, average_duration_seconds: 12 },
    ]);
    const referrers = await client.referrer(filter({ path: page }));
    expect(referrers).toMatchObject([{ referrer_name: 'news.example', visitors: 1, sessions: 1 }]);
    const active = await client.activeVisitors(filter());
    expect(active).toMatchObject({ visitors: 1, stats: [{ path: page, visitors: 1 }] });
  });

  test('it sends batches of hits, events and keep-alives, and every item counts once', async () => {
    const client = oauthClient();
    const [ip, page] = ['81.2.69.143', '/sdk/batch'];
    const hits: PirschBatchHit[] = [
      { ...hit(ip, page), time: secondsAgo(9) },
      { ...hit(ip, `${page}/2`, { tags: { author: 'Kim' } }), time: secondsAgo(7) },
      { ...hit('81.2.69.144', page), time: secondsAgo(5) },
    ];
    await client.batchHits(hits);
    const event = { name: 'Buy', hit: hit(ip, page), meta: { price: 9.5 } };
    // The package's own type of a batched event is narrower than what its method takes.
    await client.batchEvents([
      { ...event, time: secondsAgo(4) },
      { ...event, time: secondsAgo(3) },
    ] as unknown as Parameters<SdkClient['batchEvents']>[0]);
    await client.batchSessions([{ ip, user_agent: CHROME, time: secondsAgo(2) }]);

    const total = await client.totalVisitors(filter({ entry_path: page }));
    expect(total).toMatchObject({ visitors: 2, views: 3, sessions: 2, bounces: 1 });
    const events = await client.events(filter({ event: 'Buy' }));
    expect(events).toMatchObject([{ name: 'Buy', count: 2, visitors: 1, meta_keys: ['price'] }]);
  });

  test('it reads visitors by day, week, month and year', async () => {
    const client = oauthClient();
    await client.hit(hit('81.2.69.150', '/sdk/series'));
    for (const scale of ['day', 'week', 'month', 'year'] as const) {
      const rows = await client.visitors(filter({ path: '/sdk/series', scale }));
      if (!Array.isArray(rows)) throw rows;
      expect(rows.reduce((sum, row) => sum + row.views, 0)).toBe(1);
      expect(rows.every((row) => typeof row[scale] === 'string')).toBe(true);
    }
  });

  test.each([
    'entryPages',
    'exitPages',
    'country',
    'browser',
    'os',
    'languages',
    'screen',
  ] as const)('it reads %s', async (method) => {
    const client = oauthClient();
    await client.hit(
      hit('81.2.69.151', '/sdk/lists', { accept_language: 'de', screen_width: 1920 }),
    );
    const rows = (await client[method](filter({ entry_path: '/sdk/lists' }))) as unknown[];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ visitors: 1 });
  });

  test('it reads the platforms', async () => {
    const client = oauthClient();
    await client.hit(hit('81.2.69.152', '/sdk/platform'));
    const platform = await client.platform(filter({ entry_path: '/sdk/platform' }));
    expect(platform).toMatchObject({ platform_desktop: 1, platform_mobile: 0 });
  });

  test('it reads goals, funnels and keywords, which it asks for at places of its own', async () => {
    const client = oauthClient();
    const api = await ApiClient.withSecret(baseUrl, domain.clientId, domain.clientSecret);
    const page = '/sdk/goal';
    const made = { domain_id: domain.id, name: 'Goal' };
    const goal = await api.create('goal', { ...made, path_pattern: '/sdk/go*' });
    const steps = [page, '/sdk/nowhere'].map((path) => ({ name: path, filter: { path } }));
    const funnel = await api.create('funnel', { ...made, steps });
    await client.hit(hit('81.2.69.157', page));

    const goals = await client.conversionGoals(filter({ entry_path: page }));
    expect(goals).toMatchObject([{ page_goal: goal, stats: { visitors: 1, views: 1 } }]);
    expect(await client.listFunnel(filter())).toEqual([funnel]);
    const data = [
      { step: 1, visitors: 1, dropped: 0 },
      { step: 2, visitors: 0, dropped: 1, drop_off: 1 },
    ];
    const asked = filter({ entry_path: page, funnel_id: funnel.id });
    expect(await client.funnel(asked)).toMatchObject({ definition: funnel, data });
    expect(await client.keywords(filter())).toEqual([]);
  });

  test('a token that no longer works is replaced by the client without being noticed', async () => {
    const client = oauthClient();
    await client.domain();
    Reflect.set(client, 'accessToken', 'expired');
    await client.hit(hit('81.2.69.153', '/sdk/expired'));
    Reflect.set(client, 'accessToken', 'expired');
    const total = await client.totalVisitors(filter({ path: '/sdk/expired' }));
    expect(total).toMatchObject({ views: 1 });
  });

  test('a refused hit comes back as an error that names the field', async () => {
    const refused = oauthClient().hit(badHit());
    await expect(refused).rejects.toMatchObject({
      name: 'PirschApiError',
      code: 400,
      data: { validation: { url: expect.stringMatching(/./) } },
    });
  });
});

describe('with an access key', () => {
  test('it writes hits, events, keep-alives and batches', async () => {
    const client = keyClient();
    const [ip, page] = ['81.2.69.160', '/sdk/key'];
    await client.hit(hit(ip, page));
    await client.batchHits([{ ...hit(ip, page), time: secondsAgo(1) }]);
    await client.event('Key', hit(ip, page));
    await client.session({ ip, user_agent: CHROME });
    await client.batchSessions([{ ip, user_agent: CHROME, time: secondsAgo(0) }]);

    const total = await oauthClient().totalVisitors(filter({ path: page }));
    expect(total).toMatchObject({ visitors: 1, views: 2, sessions: 1 });
    const events = await oauthClient().events(filter({ event: 'Key' }));
    expect(events).toMatchObject([{ name: 'Key', count: 1 }]);
  });

  test('the package itself does not read with it', async () => {
    await expect(keyClient().totalVisitors(filter())).rejects.toMatchObject({ code: 401 });
  });

  test('the service refuses to let it read (A-17)', async () => {
    const key = new ApiClient(baseUrl, domain.accessKey);
    for (const path of [
      `statistics/total?id=${domain.id}&from=2026-01-01&to=2026-01-02`,
      `statistics/active?id=${domain.id}`,
      'domain',
    ]) {
      const answer = await key.request('GET', `/api/v1/${path}`);
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ validation: {}, error: [expect.any(String)] });
    }
  });
});

function badHit(): PirschHit {
  return { ...hit('81.2.69.154', '/'), url: 'not an address' };
}
