/**
 * Goal: whoever looks at a site sees each hit as it is stored, and who is active (O-50, O-51).
 * Method: streams over HTTP on two edges, hits through any of them; rights that end meanwhile.
 */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { EventClient } from '../../support/clients/event-client.ts';
import { queryString } from '../../support/clients/query-string.ts';
import { sharedSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { addressIn, agentNamed } from '../../support/traffic/known.ts';

let site: TestSite;
let domain: TestDomain;
const streams: EventClient[] = [];

beforeAll(async () => {
  site = await sharedSite();
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function listen(
  parameters: Record<string, string> = {},
  bearer = site.reader.bearer,
): Promise<EventClient> {
  const query = queryString({ id: domain.id, ...parameters });
  const url = `${site.service.baseUrl}/api/v1/statistics/live${query}`;
  const stream = await EventClient.open(url, bearer);
  streams.push(stream);
  return stream;
}

function hit(person: number, path: string, more: Record<string, unknown> = {}) {
  return {
    url: `https://${domain.hostname}${path}`,
    ip: addressIn('de', person),
    accept_language: person % 2 === 0 ? 'de' : 'en',
    user_agent: agentNamed('chrome').userAgent,
    ...more,
  };
}

test('a stream begins with who is active, and tells each hit at once with what it is (O-50)', async () => {
  domain = await site.next();
  const stream = await listen();
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(stream.headers['cache-control']).toBe('private, no-store');
  expect((await stream.next('active')).data).toEqual({ visitors: 0, stats: [] });
  const writer = site.writerOf(domain);
  await writer.collect('hit', hit(0, '/a', { title: 'A', referrer: 'https://www.google.com/' }));
  const sentMs = performance.now();
  const { data, atMs } = await stream.next('hit');
  expect(data).toEqual({
    ...{ time: expect.stringMatching(/^20\d\d-.*Z$/), path: '/a', title: 'A', event_name: '' },
    ...{
      country_code: expect.any(String),
      referrer_name: 'Google',
      browser: 'Chrome',
      os: expect.any(String),
    },
    ...{ platform: 'desktop', skipped: 0 },
  });
  expect(atMs - sentMs).toBeLessThan(1_000);
  expect((await stream.next('active')).data).toEqual({
    visitors: 1,
    stats: [{ path: '/a', title: '', visitors: 1 }],
  });
  // Its session came from Google, wherever the page is.
  await writer.collect('event', { ...hit(0, '/b'), event_name: 'order' });
  expect((await stream.next('hit')).data).toMatchObject({
    ...{ path: '/b', event_name: 'order', referrer_name: 'Google' },
  });
  // Keep-alives and what is dropped are no hits.
  await writer.collect('session', { ...hit(0, '/b') });
  await writer.collect('hit', { ...hit(0, '/bot'), user_agent: 'Googlebot/2.1' });
  await writer.collect('hit', hit(2, '/last'));
  expect((await stream.next('hit')).data.path).toBe('/last');
});

test('filters let through what statistics would count (O-50)', async () => {
  domain = await site.next();
  const writer = site.writerOf(domain);
  const named = {
    language: await listen({ language: 'en' }),
    path: await listen({ path: '~blog' }),
    entry: await listen({ entry_path: '/0' }),
    event: await listen({ event: 'order', meta_plan: 'team' }),
    pattern: await listen({ pattern: '/blog/\\d+', browser: '!Firefox' }),
    tag: await listen({ tag_author: 'ada' }),
  };
  for (const stream of Object.values(named)) await stream.next('active');
  for (let person = 0; person < 4; person++) {
    await writer.collect('hit', hit(person, `/${person}`));
    await writer.collect('hit', hit(person, `/blog/${person}`, { tags: { author: 'ada' } }));
    const event_meta = { plan: person === 1 ? 'team' : 'one' };
    await writer.collect('event', hit(person, '/shop', { event_name: 'order', event_meta }));
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
  const told = Object.entries(named).map(([name, { events }]) => [
    name,
    events.filter((event) => event.name === 'hit').map(({ data }) => data.path),
  ]);
  expect(Object.fromEntries(told)).toEqual({
    language: ['/1', '/blog/1', '/shop', '/3', '/blog/3', '/shop'],
    path: ['/blog/0', '/blog/1', '/blog/2', '/blog/3'],
    entry: ['/0', '/blog/0', '/shop'],
    event: ['/shop'],
    pattern: ['/blog/0', '/blog/1', '/blog/2', '/blog/3'],
    tag: ['/blog/0', '/blog/1', '/blog/2', '/blog/3'],
  });
});

test('of many hits a stream is told 20 a second, and how many it was not (O-50)', async () => {
  domain = await site.next();
  const writer = site.writerOf(domain);
  const stream = await listen();
  await stream.next('active');
  const hits = Array.from({ length: 300 }, (_, person) => ({
    ...hit(person % 100, `/${person}`),
    time: new Date().toISOString(),
  }));
  await writer.collect('hit/batch', hits);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(stream.events.filter(({ name }) => name === 'hit')).toHaveLength(20);
  await writer.collect('hit', hit(0, '/after'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const last = stream.events.findLast(({ name }) => name === 'hit');
  expect(last?.data).toMatchObject({ path: '/after', skipped: 280 });
});

test('streams end with the right to listen, and unknown callers get none (O-51, M-5)', async () => {
  domain = await site.next();
  const body = { domain_id: domain.id, description: 'press' };
  const link = await site.reader.create('domain/link', body);
  const url = `${site.service.baseUrl}/api/v1/statistics/live?id=${domain.id}`;
  const byCode = await EventClient.open(`${url}&access=${String(link['code'])}`);
  streams.push(byCode);
  const byToken = await listen();
  expect([byCode.status, byToken.status]).toEqual([200, 200]);
  await byCode.next('active');
  await site.reader.request('DELETE', `/api/v1/domain/link?id=${link.id}`);
  await byCode.ended;
  await expect(byToken.next('hit', 500)).rejects.toThrow('no');
  await site.reader.request('DELETE', `/api/v1/domain?id=${domain.id}`);
  await byToken.ended;
  const refused = [
    [`${url}&access=wrong`, '', 401],
    [url, '', 401],
    [url, site.reader.bearer, 404],
    [`${url}&explain=1`, site.reader.bearer, 404],
  ] as const;
  for (const [address, bearer, status] of refused) {
    const stream = await EventClient.open(address, bearer);
    expect([address, stream.status]).toEqual([address, status]);
    stream.close();
  }
});

test('a filter that is none is refused before anything is sent', async () => {
  domain = await site.next();
  const stream = await listen({ pattern: '(' });
  expect(stream.status).toBe(400);
  await stream.ended;
});

test('a stream on which nothing happens stays open beyond the 12 seconds of the engine (O-50)', async () => {
  domain = await site.next();
  const stream = await listen();
  await stream.next('active');
  const isOver = { value: false };
  void stream.ended.then(() => {
    isOver.value = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 19_000));
  // The first one is the begin of the stream.
  expect([isOver.value, stream.comments]).toEqual([false, 2]);
  await site.writerOf(domain).collect('hit', hit(0, '/still-here'));
  expect((await stream.next('hit')).data.path).toBe('/still-here');
});
