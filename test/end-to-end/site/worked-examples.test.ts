/**
 * Goal: every worked example of the semantics that this service can show, over HTTP.
 * Method: the examples of test/support/worked-examples/ (the oracle runs them too) through the
 * batch endpoints, each on a domain of its own; those about raw inputs are written out here.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { sharedSite, type TestSite } from '../../support/domains.ts';
import { siteBench } from '../../support/judge/bench.ts';
import { addressIn, agentNamed } from '../../support/traffic/known.ts';
import {
  RULE_EXAMPLES,
  WORKED_EXAMPLES,
  WORKED_EXAMPLES_OF_CITIES,
} from '../../support/worked-examples/all.ts';

const DOMAIN_COUNT = 90;
const DAY = { from: '2024-05-06', to: '2024-05-06' };
const CHROME = agentNamed('chrome').userAgent;

let site: TestSite;
let account: ApiClient;

beforeAll(async () => {
  site = await sharedSite({ count: DOMAIN_COUNT });
  account = site.reader;
});

async function openDomain(): Promise<{ id: string; writer: ApiClient }> {
  const domain = await site.next();
  return { id: domain.id, writer: site.writerOf(domain) };
}

const openBench = () => siteBench(site);

/** A page view at 10:00 of 05-06 with fields of its own. */
function view(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    url: 'https://example.org/',
    ip: addressIn('de', 0),
    user_agent: CHROME,
    time: '2024-05-06T10:00:00Z',
    ...fields,
  };
}

test.each([...RULE_EXAMPLES, ...WORKED_EXAMPLES, ...WORKED_EXAMPLES_OF_CITIES])(
  '$id: $title',
  async ({ run }) => {
    await run(openBench);
  },
);

describe('W-39: a referrer becomes a URL and a name', () => {
  test.each([
    {
      sent: 'https://with.multiple.subdomains.com/and/a/path?x=1#y',
      url: 'https://with.multiple.subdomains.com/and/a/path',
      name: 'with.multiple.subdomains.com',
    },
    {
      sent: 'http://boring.old/domain/',
      url: 'http://boring.old/domain/',
      name: 'boring.old',
    },
    { sent: 'https://Example.com/', url: 'https://example.com', name: 'example.com' },
    { sent: 'https://www.google.bf', url: 'https://www.google.bf', name: 'Google' },
    { sent: 'https://t.co/asdf', url: 'https://t.co/asdf', name: 'Twitter' },
    { sent: 'Blog.dev', url: 'https://blog.dev', name: 'blog.dev' },
    { sent: 'ReferrerName', url: '', name: 'ReferrerName' },
    { sent: 'sub.example.com/with/path/', url: '', name: 'sub.example.com/with/path/' },
    { sent: '168.119.249.160:8080/signup', url: '', name: '' },
    { sent: 'http://49.12.18.161/', url: '', name: '' },
    {
      sent: 'https://other.com',
      page: '/?ref=google.com',
      url: 'https://google.com',
      name: 'Google',
    },
    {
      sent: 'https://other.com',
      page: '/?utm_source=google.com',
      url: 'https://other.com',
      name: 'other.com',
    },
    {
      sent: 'https://sub.example.org/a',
      url: 'https://sub.example.org/a',
      name: 'sub.example.org',
    },
    { sent: 'https://example.org/a', url: '', name: '' },
  ])('$sent on $page is ($url, $name)', async ({ sent, page = '/', url, name }) => {
    const { id, writer } = await openDomain();
    const hit = view({ url: `https://example.org${page}`, referrer: sent });
    await writer.collect('hit/batch', [hit]);
    expect(await account.statistics('referrer', { id, ...DAY })).toEqual([
      {
        ...{ referrer: url, referrer_name: name, referrer_icon: '' },
        ...{ visitors: 1, sessions: 1, relative_visitors: 1, bounces: 1, bounce_rate: 1 },
      },
    ]);
  });
});

test('I-98: a session keeps the channel of the hit that opened it, for lists, filters and options', async () => {
  const { id, writer } = await openDomain();
  const ways = [
    { referrer: 'https://www.google.com/' },
    { referrer: 'https://www.google.com/', url: 'https://example.org/?gclid=1' },
    { url: 'https://example.org/?utm_source=chatgpt.com' },
    { url: 'https://example.org/?utm_source=nl&utm_medium=E-Mail' },
    { referrer: 'android-app://com.twitter.android/' },
    { referrer: 'https://example.org/before' },
    {},
  ];
  const opened = ways.map((way, index) => view({ ip: addressIn('de', index), ...way }));
  await writer.collect('hit/batch', [
    ...opened,
    view({ time: '2024-05-06T10:05:00Z', url: 'https://example.org/next' }),
  ]);
  const list = (await account.statistics('channel', { id, ...DAY })) as Record<string, unknown>[];
  expect(list.map((row) => [row.channel, row.visitors])).toEqual([
    ['Direct', 2],
    ['AI', 1],
    ['Email', 1],
    ['Organic Search', 1],
    ['Organic Social', 1],
    ['Paid Search', 1],
  ]);
  const filter = { id, ...DAY, channel: 'Organic Search' };
  expect(await account.statistics('total', filter)).toMatchObject({ sessions: 1, views: 2 });
  const names = ['AI', 'Direct', 'Email', 'Organic Search', 'Organic Social', 'Paid Search'];
  expect(await account.statistics('options/channel', { id, ...DAY })).toEqual(names);
});

test('W-42: the width decides on the screen class', async () => {
  const widths = [1_920, 1_439, 1_024, 800, 600, 599, 390, undefined];
  const { id, writer } = await openDomain();
  await writer.collect(
    'hit/batch',
    widths.map((width, index) => view({ ip: addressIn('de', index), screen_width: width })),
  );
  const list = (await account.statistics('screen', { id, ...DAY })) as Record<string, unknown>[];
  expect(list.map((row) => [row.screen_class, row.visitors])).toEqual([
    ['S', 2],
    ['XL', 2],
    ['', 1],
    ['L', 1],
    ['M', 1],
    ['XXL', 1],
  ]);
});

test('W-42: fr-CH is French, and Firefox on Linux is a desktop', async () => {
  const { id, writer } = await openDomain();
  const userAgent = agentNamed('firefox').userAgent;
  await writer.collect('hit/batch', [
    view({ user_agent: userAgent, accept_language: 'fr-CH, fr;q=0.9' }),
  ]);
  const ask = (name: string): Promise<unknown> => account.statistics(name, { id, ...DAY });
  const share = { visitors: 1, relative_visitors: 1 };
  expect(await ask('language')).toEqual([{ language: 'fr', ...share }]);
  expect(await ask('os')).toEqual([{ os: 'Linux', ...share }]);
  expect(await ask('browser')).toEqual([{ browser: 'Firefox', ...share }]);
  expect(await ask('platform')).toMatchObject({ platform_desktop: 1, platform_mobile: 0 });
});

describe('W-42: a bot is dropped in silence unless the bot filter is off', () => {
  test.each([
    { userAgent: 'curl/8.5.0' },
    { userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' },
    { userAgent: CHROME.replace(/Chrome\/[\d.]+/, 'Chrome/61.0.3163.100') },
    { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/149.0' },
  ])('$userAgent', async ({ userAgent }) => {
    const { id, writer } = await openDomain();
    const bot = view({ user_agent: userAgent });
    expect(await writer.collect('hit/batch', [bot])).toEqual({ accepted: 1, rejected: [] });
    expect(await account.statistics('total', { id, ...DAY })).toMatchObject({ views: 0 });
    await writer.collect('hit/batch', [{ ...bot, disable_bot_filter: true }]);
    expect(await account.statistics('total', { id, ...DAY })).toMatchObject({ views: 1 });
  });
});

test('W-37: growth from nothing is 1', async () => {
  const { id, writer } = await openDomain();
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const url = 'https://example.org/x';
  await writer.collect('hit/batch', [
    view({ time: at(2) }),
    view({ time: at(1), url }),
    view({ time: at(1), ip: addressIn('de', 1) }),
  ]);
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const names = ['visitors', 'views', 'sessions', 'bounces', 'time_spent', 'cr'];
  const growths = Object.fromEntries(names.map((name) => [`${name}_growth`, 1]));
  const range = { from: day(6), to: day(0) };
  expect(await account.statistics('growth', { id, ...range })).toMatchObject(growths);
  expect(await account.statistics('overview', { id })).toMatchObject({
    ...{ visitors: 2, views: 3, visitors_growth: 1, visitor_growth: 1, views_growth: 1, member: 1 },
  });
});

test('W-36: the last minutes are compared with the same ones a day earlier', async () => {
  const { id, writer } = await openDomain();
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const dayBefore = 24 * 60;
  // Three against two; the others lie just outside of the windows.
  const minutes = [5, 6, 7, 15, dayBefore - 5, dayBefore + 5, dayBefore + 6, dayBefore + 15];
  await writer.collect(
    'hit/batch',
    [...minutes, 2 * dayBefore + 5].map((minutesAgo) => view({ time: at(minutesAgo) })),
  );
  const growth = await account.statistics('growth', { id, start: 600 });
  expect(growth).toMatchObject({ views_growth: 0.5 });
});

test('W-51: a batch with an item without url is refused whole and names it', async () => {
  const { id, writer } = await openDomain();
  const foreign = view({ url: 'https://other.test/' });
  const incomplete = view({ user_agent: 'curl/8.5.0', url: undefined });
  const body = [view({}), foreign, incomplete];
  const answer = await writer.request('POST', '/api/v1/hit/batch', { body });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ validation: { '2.url': expect.any(String) } });
  expect(await account.statistics('total', { id, ...DAY })).toMatchObject({ views: 0 });
});

test('I-1: headers of the call do not describe the visitor, and dnt is ignored', async () => {
  const { id, writer } = await openDomain();
  await writer.collect('hit/batch', [view({})]);
  const headers = { 'user-agent': 'curl/8.5.0', 'accept-language': 'de', dnt: '1' };
  const forwarded = { 'x-forwarded-for': addressIn('gb', 1), referer: 'https://www.google.com/' };
  const answer = await writer.request('POST', '/api/v1/hit/batch', {
    body: [view({ dnt: '1' })],
    headers: { ...headers, ...forwarded },
  });
  expect(answer.body).toEqual({ accepted: 1, rejected: [] });
  // One visitor who reloads: the same address, user agent, language and source.
  const total = await account.statistics('total', { id, ...DAY });
  expect(total).toMatchObject({ visitors: 1, sessions: 1, views: 2, bounces: 1 });
  const languages = await account.statistics('language', { id, ...DAY });
  expect(languages).toEqual([{ language: '', visitors: 1, relative_visitors: 1 }]);
});

test('W-52: single page views repeated with their Idempotency-Key count once', async () => {
  const { id, writer } = await openDomain();
  const { time: _, ...single } = view({});
  for (const key of ['k1', 'k1', 'k1', 'k2', '', '']) {
    expect(await writer.collect('hit', single, key)).toEqual({});
  }
  // The single endpoints take the time of receipt.
  expect(await account.statistics('total', { id, start: 3_600 })).toMatchObject({ views: 4 });
});
