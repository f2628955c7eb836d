/**
 * Goal: whoever looks at a site sees each hit as it is stored, and who is active (O-50, O-51).
 * Method: streams over HTTP on two edges, hits through any of them; rights that end meanwhile.
 */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { FILTER_PARAMETERS } from '../../../src/query/question/filters.ts';
import { EventClient } from '../../support/clients/event-client.ts';
import { queryString } from '../../support/clients/query-string.ts';
import { sharedSite, type TestDomain, type TestSite } from '../../support/domains.ts';
import { addressIn, agentNamed } from '../../support/traffic/known.ts';
import { until } from '../../support/until.ts';

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
  const told = () =>
    Object.fromEntries(
      Object.entries(named).map(([name, { events }]) => [
        name,
        events.filter((event) => event.name === 'hit').map(({ data }) => data.path),
      ]),
    );
  await expect.poll(told, { timeout: 10_000 }).toEqual({
    language: ['/1', '/blog/1', '/shop', '/3', '/blog/3', '/shop'],
    path: ['/blog/0', '/blog/1', '/blog/2', '/blog/3'],
    entry: ['/0', '/blog/0', '/shop'],
    event: ['/shop'],
    pattern: ['/blog/0', '/blog/1', '/blog/2', '/blog/3'],
    tag: ['/blog/0', '/blog/1', '/blog/2', '/blog/3'],
  });
});

/** What people are told apart by; each has one page view, `/p/` and its number. */
const PEOPLE = [
  { accept_language: 'de', referrer: 'https://www.google.com/', screen_width: 1_920 },
  { accept_language: 'en', user_agent: agentNamed('firefox').userAgent, tags: { author: 'ada' } },
  { user_agent: agentNamed('iphone').userAgent, ip: addressIn('us', 1), screen_width: 390 },
  { query: '?utm_source=news&utm_medium=email&utm_campaign=may&utm_content=top&utm_term=x' },
  { user_agent: agentNamed('pixel').userAgent, accept_language: 'fr', tags: { author: 'bob' } },
] as const;

/** By parameter: values, each a stream. Of events there is a test below. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  ...{ language: ['de', '!de', '~de,fr'], country: ['us', '!us'], region: ['null', '!null'] },
  ...{ city: ['null'], channel: ['Organic Search', '!Direct'], os: ['Windows', '~lin'] },
  ...{ browser_version: ['!126.0', '~1'], os_version: ['null', '~1'] },
  ...{ browser: ['!Chrome', 'Firefox'], device: ['null', '!null'], screen_class: ['!null'] },
  ...{ utm_source: ['news', '!news'], utm_medium: ['email'], utm_campaign: ['~MA'] },
  ...{ utm_content: ['top'], utm_term: ['x'], hostname: ['example.org', '!example.org'] },
  ...{
    referrer: ['~google'],
    referrer_name: ['Google', '!Google'],
    platform: ['mobile', '!mobile'],
  },
  ...{ path: ['/p/1', '~P/', '!/p/2', '^p/3'], pattern: ['/p/[12]'], tag: ['author', '!author'] },
  ...{ tag_author: ['ada', '!ada'], entry_path: ['/p/1', '~p'], exit_path: ['!/p/1', '/p/2'] },
};
const OF_EVENTS = ['event', 'event_meta_key'];

test('each filter lets through the rows that statistics count under it (O-50, F-10 to F-31)', async () => {
  domain = await site.next();
  const writer = site.writerOf(domain);
  await writer.collect('hit', hit(0, '/first'));
  const date = new Date().toISOString().slice(0, 10);
  const asked = { id: domain.id, from: date, to: date, tz: 'UTC' };
  const [session] = (await site.reader.statistics('session/list', asked)) as [
    { visitor_id: string; session_id: number },
  ];
  const filters = Object.entries({
    ...FILTERS,
    ...{ visitor_id: [session.visitor_id], session_id: [String(session.session_id)] },
  }).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  const covered = new Set([...filters.flatMap(Object.keys), ...OF_EVENTS]);
  expect([...FILTER_PARAMETERS].filter((name) => !covered.has(name))).toEqual([]);
  const opened = await Promise.all(filters.map((filter) => listen(filter)));
  for (const stream of opened) await stream.next('active');
  for (const [person, { query = '', ...fields }] of PEOPLE.entries() as Iterable<
    [number, { query?: string }]
  >) {
    await writer.collect('hit', hit(person, `/p/${person}${query}`, fields));
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  const wrong: unknown[] = [];
  let toldCount = 0;
  for (const [at, filter] of filters.entries()) {
    const rows = (await site.reader.statistics('page', { ...asked, ...filter })) as {
      path: string;
    }[];
    const counted = rows.map(({ path }) => path).filter((path) => path.startsWith('/p/'));
    const hits = (opened[at] as EventClient).events.filter(({ name }) => name === 'hit');
    const told = hits.map(({ data }) => data.path);
    toldCount += told.length;
    if (told.toSorted().join() !== counted.toSorted().join()) wrong.push({ filter, told, counted });
  }
  expect(wrong).toEqual([]);
  // They do let through, and do hold back.
  expect(toldCount).toBeGreaterThan(filters.length);
  expect(toldCount).toBeLessThan(filters.length * PEOPLE.length * 0.8);
});

test('what visitors write arrives as it is and breaks no line of the stream (O-50)', async () => {
  domain = await site.next();
  const stream = await listen();
  await stream.next('active');
  const texts = [
    'a\n\nevent: hit\ndata: {"path":"/forged"}\n\n',
    'b\r\rdata: x\r\n\r\n: ',
    'c \u2028 \u2029 \u0085 \u0000 \ud83d\ude00 \ud800',
    '</script><img src=x onerror=alert(1)>" \\ \\',
    'retry: 1\nid: 7',
  ];
  const writer = site.writerOf(domain);
  const told: string[] = [];
  for (const [at, text] of texts.entries()) {
    await writer.collect('event', { ...hit(at, `/${at}`), title: text, event_name: text });
    // A session that begins with an event has a page view for it.
    const rows = [await stream.next('hit'), await stream.next('hit')].map(({ data }) => data);
    expect(rows.map(({ path, skipped }) => [path, skipped])).toEqual(Array(2).fill([`/${at}`, 0]));
    expect(rows[0].event_name).toBe('');
    told.push(rows[1].event_name, rows[1].title);
  }
  const date = new Date().toISOString().slice(0, 10);
  const asked = { id: domain.id, from: date, to: date, tz: 'UTC' };
  const rows = (await site.reader.statistics('events', asked)) as { name: string }[];
  // As they are stored, whatever that made of them.
  const names = told.filter((_, at) => at % 2 === 0);
  expect(names.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  expect(stream.events.map(({ name }) => name).filter((name) => name !== 'active')).toEqual(
    texts.flatMap(() => ['hit', 'hit']),
  );
  expect(stream.strayLines).toEqual([]);
});

test('of ten thousand hits at once each is told or counted, and the stream goes on (O-50)', async () => {
  domain = await site.next();
  const writer = site.writerOf(domain);
  const [stream, filtered] = [await listen(), await listen({ path: '~/x' })];
  await stream.next('active');
  const batches = Array.from({ length: 100 }, (_, batch) =>
    Array.from({ length: 100 }, (_, at) => ({
      ...hit(at, batch % 10 === 0 ? `/x/${batch}` : `/${batch}`),
      time: new Date().toISOString(),
    })),
  );
  await Promise.all(batches.map((batch) => writer.collect('hit/batch', batch)));
  // One that comes while the others are still told is skipped like them.
  let lastCount = 0;
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await writer.collect('hit', hit(0, '/x/last'));
    lastCount++;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return isLast(stream);
  }, 60_000);
  await filtered.next('hit');
  const told = stream.events.filter(({ name }) => name === 'hit').map(({ data }) => data);
  const skipped = told.reduce((sum, { skipped: some }) => sum + some, 0);
  expect(told.length + skipped).toBe(10_000 + lastCount);
  expect(told.length).toBeLessThanOrEqual(200);
});

const isLast = ({ events }: EventClient): boolean =>
  events.findLast(({ name }) => name === 'hit')?.data.path === '/x/last';

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
  const told = () => stream.events.filter(({ name }) => name === 'hit');
  await expect.poll(() => told().length).toBe(20);
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(told()).toHaveLength(20);
  await writer.collect('hit', hit(0, '/after'));
  await expect.poll(() => told().length).toBe(21);
  expect(told().at(-1)?.data).toMatchObject({ path: '/after', skipped: 280 });
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

test('a link with pinned filters hears of nothing else, and ends when these change or it ends (D-19)', async () => {
  domain = await site.next();
  const manage = async (method: string, body: unknown) => {
    const { baseUrl } = site.service;
    const headers = { Authorization: `Bearer ${site.reader.bearer}` };
    const sent = { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}/api/v1/domain/link`, sent);
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as { id: string; code: string };
  };
  const filter = { path: '/shown' };
  const { id, code } = await manage('POST', { domain_id: domain.id, filter });
  const listenBy = async (parameters: Record<string, string> = {}) => {
    const query = queryString({ id: domain.id, access: code, ...parameters });
    const stream = await EventClient.open(
      `${site.service.baseUrl}/api/v1/statistics/live${query}`,
      '',
    );
    streams.push(stream);
    await stream.next('active');
    return stream;
  };
  const open = [await listenBy(), await listenBy({ path: '' }), await listenBy({ path: '~' })];
  const writer = site.writerOf(domain);
  await writer.collect('hit', hit(0, '/hidden'));
  await writer.collect('hit', hit(2, '/shown'));
  for (const stream of open) {
    expect((await stream.next('hit')).data).toMatchObject({ path: '/shown', skipped: 0 });
  }
  await manage('PUT', { id, description: '', filter: { path: '/else' } });
  for (const stream of open) await stream.ended;
  const last = await listenBy();
  await manage('PUT', { id, description: '', expires: new Date(Date.now() + 1_500).toISOString() });
  await last.ended;
});
