// Goal: what is set on a domain holds on every thread from the answer on: alternatives, links, webhooks.
// Method: the shared service with its two edges; every request on a connection of its own.
import { beforeAll, expect, test } from 'vitest';
import { Footfall } from '../../../src/client/client.ts';
import { BROWSER_AGENT } from '../../support/browser.ts';
import { sharedSite, type TestDomain, type TestSite } from '../../support/domains.ts';

const TODAY = new Date().toISOString().slice(0, 10);
/** Connections are dealt to the edges by turns. */
const CONNECTIONS = 6;

let site: TestSite;
let domain: TestDomain;
let footfall: Footfall;

beforeAll(async () => {
  site = await sharedSite({ hostname: 'children.example' });
  domain = await site.next();
  footfall = new Footfall(`${site.service.baseUrl}/`, domain);
});

/** Statuses of the same request, once per connection. */
async function statuses(path: string, init: { method?: string; body?: string; bearer?: string }) {
  const { bearer, ...rest } = init;
  const found: number[] = [];
  for (let turn = 0; turn < CONNECTIONS; turn++) {
    const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const headers = { connection: 'close', ...authorization };
    const reply = await fetch(`${site.service.baseUrl}/api/v1/${path}`, { ...rest, headers });
    await reply.arrayBuffer();
    found.push(reply.status);
  }
  return [...new Set(found)];
}

const hits = (url: string, ip: string, referrer = '') =>
  statuses('hit', {
    ...{ method: 'POST', bearer: domain.accessKey },
    body: JSON.stringify({ url, ip, referrer, user_agent: BROWSER_AGENT }),
  });

test('hits of an alternative domain count everywhere, until it goes (M-21, I-5, I-93)', async () => {
  const shop = 'https://eu.shop.example/';
  expect(await hits(shop, '203.0.113.1')).toEqual([400]);
  const { id } = await footfall.post('/api/v1/domain/alternative', {
    ...{ domain_id: domain.id, hostname: '*.shop.example' },
  });
  expect(await hits(shop, '203.0.113.2', 'https://us.shop.example/a')).toEqual([200]);
  const range = { id: domain.id, from: TODAY, to: TODAY };
  expect(await footfall.get('/api/v1/statistics/total', range)).toMatchObject({ visitors: 1 });
  // Its own pages are no referrers.
  const referrers = await footfall.get('/api/v1/statistics/referrer', range);
  expect(referrers.filter(({ referrer_name: name }) => name !== '')).toEqual([]);
  await footfall.delete('/api/v1/domain/alternative', { id });
  expect(await hits(shop, '203.0.113.3')).toEqual([400]);
});

test('an access link is good everywhere, until it goes (M-20)', async () => {
  const { id, code } = await footfall.post('/api/v1/domain/link', { domain_id: domain.id });
  const path = `statistics/total?id=${domain.id}&from=${TODAY}&to=${TODAY}&access=${code}`;
  expect(await statuses(path, {})).toEqual([200]);
  await footfall.delete('/api/v1/domain/link', { id });
  expect(await statuses(path, {})).toEqual([401]);
});

test('the tag of a snippet names the service and the domain (M-22)', async () => {
  const { html } = await footfall.get('/api/v1/domain/snippet', {
    ...{ domain_id: domain.id, type: 'page view' },
  });
  expect(html).toContain(`src="${site.service.baseUrl}/js/footfall.js" data-code="`);
});

test('webhooks lead into no private network unless the settings say so (M-51)', async () => {
  const made = footfall.post('/api/v1/webhook', {
    ...{ domain_id: domain.id, event: 'Order', endpoint: 'http://127.0.0.1:1/' },
  });
  await expect(made).rejects.toMatchObject({
    status: 400,
    validation: { endpoint: expect.stringContaining('private') },
  });
});
