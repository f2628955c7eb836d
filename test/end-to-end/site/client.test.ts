// Goal: a program of five lines sends hits and reads statistics with the package's own client.
// Method: the client, as others import it, on the shared service.
import { beforeAll, expect, expectTypeOf, test } from 'vitest';
import { Footfall, Refusal } from '../../../src/client/client.ts';
import { BROWSER_AGENT } from '../../support/browser.ts';
import { sharedSite, type TestSite } from '../../support/domains.ts';

const HOSTNAME = 'client.example';
const TODAY = new Date().toISOString().slice(0, 10);
const VIEW = {
  ...{ url: `https://${HOSTNAME}/docs`, ip: '203.0.113.7' },
  user_agent: BROWSER_AGENT,
};

let site: TestSite;
let id: string;
let footfall: Footfall;

beforeAll(async () => {
  site = await sharedSite({ hostname: HOSTNAME });
  const domain = await site.next();
  id = domain.id;
  footfall = new Footfall(`${site.service.baseUrl}/`, domain);
});

test('a page view that was sent is counted, once however often it is sent again', async () => {
  for (let time = 0; time < 3; time++) {
    expect(await footfall.post('/api/v1/hit', VIEW, 'view-1')).toEqual({});
  }
  const total = await footfall.get('/api/v1/statistics/total', { id, from: TODAY, to: TODAY });
  expectTypeOf(total.views).toEqualTypeOf<number>();
  expect(total).toMatchObject({ visitors: 1, views: 1 });
});

test('several values of one filter are sent as several', async () => {
  const pages = await footfall.get('/api/v1/statistics/page', {
    ...{ id, from: TODAY, to: TODAY },
    path: ['/docs', '/none'],
  });
  expect(pages.map(({ path }) => path)).toEqual(['/docs']);
});

test('an access key sends without a token', async () => {
  const { accessKey } = await site.next();
  const sender = new Footfall(site.service.baseUrl, { accessKey });
  expect(await sender.post('/api/v1/hit/batch', [])).toEqual({ accepted: 0, rejected: [] });
  await expect(sender.get('/api/v1/domain', {})).rejects.toMatchObject({ status: 403 });
});

test('a refusal says in words what to change', async () => {
  const refused = footfall.post('/api/v1/goal', { domain_id: id, name: '' });
  await expect(refused).rejects.toBeInstanceOf(Refusal);
  await expect(refused).rejects.toMatchObject({
    ...{ status: 400, message: expect.stringContaining('name') },
    validation: { name: expect.any(String) },
  });
});

test('wrong credentials are a refusal, and the next attempt asks again', async () => {
  const wrong = new Footfall(site.service.baseUrl, { clientId: 'a', clientSecret: 'b' });
  for (let time = 0; time < 2; time++) {
    await expect(wrong.get('/api/v1/domain', {})).rejects.toMatchObject({ status: 401 });
  }
});
