/**
 * Goal: pirsch-sdk, unmodified, reads every statistic it knows, and every filter it can send counts.
 * Method: one domain with two visitors of different kinds, each read with filters that leave one of
 * them. Methods and filters are listed from the package itself, so a new one without a call fails.
 */

import { Pirsch, type PirschFilter } from 'pirsch-sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../support/clients/client.ts';
import { checkedSdk } from '../../support/clients/sdk-check.ts';
import { sharedSite } from '../../support/domains.ts';
import { agentNamed } from '../../support/traffic/known.ts';
import { addressAt, PLACES, type Place } from '../../support/traffic/place-database.ts';

type SdkClient = InstanceType<typeof Pirsch>;
type Filter = Partial<PirschFilter>;
/** What a method is asked with, and what it answers. */
type Reading = readonly [filter: Filter, answer: unknown];

const HOSTNAME = 'shop.example';
const BERLIN = 4;
const LONDON = 5;
/** Visitors of the day: everything is divided by them. */
const HALF = { visitors: 1, relative_visitors: 0.5 };

let domainId = '';
let client: SdkClient;

beforeAll(async () => {
  const site = await sharedSite({ hostname: HOSTNAME });
  const domain = await site.next();
  const { clientId, clientSecret } = domain;
  domainId = domain.id;
  const { baseUrl } = site.service;
  client = checkedSdk(new Pirsch({ baseUrl, hostname: HOSTNAME, clientId, clientSecret }));
  await sendVisits(site.writerOf(domain));
});

/** In London: two pages from a newsletter and an order. In Berlin: one page, also a week before. */
async function sendVisits(writer: ApiClient): Promise<void> {
  const url = (path: string): string => `https://${HOSTNAME}${path}`;
  const inLondon = {
    ip: addressAt(PLACES[LONDON] as Place, 1),
    user_agent: agentNamed('chrome').userAgent,
    accept_language: 'en-GB',
    referrer: 'https://blog.dev/post',
    screen_width: 1_920,
  };
  const inBerlin = {
    ip: addressAt(PLACES[BERLIN] as Place, 2),
    user_agent: agentNamed('iphone').userAgent,
    accept_language: 'de',
    screen_width: 390,
  };
  const campaign = 'utm_source=nl&utm_medium=email&utm_campaign=may&utm_content=top&utm_term=shoes';
  await writer.collect('hit/batch', [
    { ...inBerlin, url: url('/'), time: '2024-04-29T10:00:00Z' },
    { ...inBerlin, url: url('/'), time: '2024-05-06T10:00:00Z' },
    {
      ...inLondon,
      url: url(`/?${campaign}`),
      time: '2024-05-06T11:00:00Z',
      tags: { author: 'Kim' },
    },
    { ...inLondon, url: url('/buy'), time: '2024-05-06T11:00:40Z', title: 'Buy' },
  ]);
  const order = { event_name: 'order', event_duration: 12, event_meta: { plan: 'pro', price: 5 } };
  const time = '2024-05-06T11:01:00Z';
  await writer.collect('event/batch', [{ ...inLondon, ...order, url: url('/buy'), time }]);
}

function filterOf(filter: Filter): PirschFilter {
  const day = new Date('2024-05-06T00:00:00Z');
  return { id: domainId, from: day, to: day, ...filter };
}

const EVENT = { name: 'order', count: 1, visitors: 1, views: 2, average_duration_seconds: 12 };

/** Every reading method, with filters of which each would change the answer if it were not heeded. */
const READINGS: Readonly<Record<string, Reading>> = {
  totalVisitors: [
    { country: 'gb', path: '/buy' },
    { visitors: 1, views: 1, sessions: 1, bounces: 0, bounce_rate: 0, cr: 0.5 },
  ],
  visitors: [
    { city: 'London', scale: 'week', tz: 'Asia/Tokyo' },
    [{ week: '2024-05-06T00:00:00Z', day: null, visitors: 1, views: 2, sessions: 1, cr: 0.5 }],
  ],
  sessionDuration: [{ platform: 'desktop' }, [{ average_time_spent_seconds: 60 }]],
  timeOnPage: [{ path: '/', browser: 'Chrome' }, [{ path: '/', average_time_spent_seconds: 40 }]],
  pages: [
    { pattern: '(?i)^/B', referrer: 'https://blog.dev/post', include_avg_time_on_page: true },
    [{ path: '/buy', visitors: 1, views: 1, sessions: 1, bounces: 0, relative_views: 1 / 3 }],
  ],
  entryPages: [{ os: 'Windows' }, [{ path: '/', visitors: 1, sessions: 1, entries: 1 }]],
  exitPages: [
    { sort: 'path', direction: 'desc', limit: 1 },
    [{ path: '/buy', visitors: 1, sessions: 1, exits: 1, exit_rate: 0.5 }],
  ],
  events: [{ tag: 'plan' }, [{ ...EVENT, meta_keys: ['plan', 'price'] }]],
  eventMetadata: [{ event: 'order', event_meta_key: 'plan' }, [{ ...EVENT, meta_value: 'pro' }]],
  listEvents: [
    { event_meta: { price: 5 } },
    [{ name: 'order', count: 1, visitors: 1, meta: { plan: 'pro', price: '5' } }],
  ],
  eventPages: [{ event: 'order' }, [{ path: '/buy', visitors: 1, views: 2, sessions: 1 }]],
  growth: [
    { entry_path: '/', referrer_name: 'null' },
    { visitors_growth: 0, views_growth: 0, sessions_growth: 0, cr_growth: -0.5 },
  ],
  timeOfDay: [
    { utm_source: 'nl' },
    Array.from({ length: 24 }, (_, hour) => ({ hour, views: hour === 11 ? 2 : 0 })),
  ],
  languages: [{ language: 'de' }, [{ language: 'de', ...HALF }]],
  referrer: [
    { referrer_name: 'blog.dev' },
    [{ referrer: 'https://blog.dev/post', referrer_name: 'blog.dev', ...HALF }],
  ],
  os: [{ search: 'win' }, [{ os: 'Windows', ...HALF }]],
  osVersions: [{ os: 'iOS' }, [{ os: 'iOS', os_version: '18.1', ...HALF }]],
  browser: [{ exit_path: '/buy' }, [{ browser: 'Chrome', ...HALF }]],
  browserVersions: [
    { browser: 'Safari' },
    [{ browser: 'Safari', browser_version: '18.1', ...HALF }],
  ],
  country: [{ offset: 1 }, [{ country: 'gb', country_code: 'gb', ...HALF }]],
  region: [{ region: 'England' }, [{ region: 'England', country: 'gb', ...HALF }]],
  city: [{ city: 'Berlin' }, [{ city: 'Berlin', region: 'Land Berlin', country: 'de', ...HALF }]],
  platform: [{ country: 'de' }, { platform_desktop: 0, platform_mobile: 1, platform_unknown: 0 }],
  screen: [{ screen_class: 'S' }, [{ screen_class: 'S', ...HALF }]],
  tagKeys: [{ tags: { author: 'Kim' } }, [{ key: 'author', ...HALF, views: 1 }]],
  tags: [{ tag: 'author' }, [{ key: 'author', value: 'Kim', ...HALF, views: 1 }]],
  utmSource: [{ utm_medium: 'email' }, [{ utm_source: 'nl', ...HALF }]],
  utmMedium: [{ utm_campaign: 'may' }, [{ utm_medium: 'email', ...HALF }]],
  utmCampaign: [{ utm_content: 'top' }, [{ utm_campaign: 'may', ...HALF }]],
  utmContent: [{ utm_term: 'shoes' }, [{ utm_content: 'top', ...HALF }]],
  utmTerm: [{ utm_source: 'nl' }, [{ utm_term: 'shoes', ...HALF }]],
  // S-66: no search-console integration is connected.
  keywords: [{ path: '/' }, []],
};

/** Called by a test of their own: activeVisitors below, the others in sdk.test.ts. */
const READ_ELSEWHERE = ['domain', 'activeVisitors', 'conversionGoals', 'listFunnel', 'funnel'];

/** Methods that do not read. */
const OTHERS = [
  ...['constructor', 'hit', 'batchHits', 'event', 'batchEvents', 'session', 'batchSessions'],
  ...['performPost', 'performGet', 'performFilteredGet', 'getFilterParams', 'refreshToken'],
  ...['generateUrl', 'accessModeCheck'],
];

/** Own methods of the class that all clients of the package extend. */
function packageMethods(): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(Pirsch.prototype));
}

describe('every reading method of the package', () => {
  test('is called by a test', () => {
    const known = [...Object.keys(READINGS), ...READ_ELSEWHERE, ...OTHERS];
    expect(packageMethods().toSorted()).toEqual(known.toSorted());
  });

  test.each(Object.entries(READINGS))('%s answers under filters', async (method, reading) => {
    const [filter, wanted] = reading;
    const read = Reflect.get(client, method) as (filter: PirschFilter) => Promise<unknown>;
    const answer = await read.call(client, filterOf(filter));
    expect(answer).toMatchObject(wanted as object);
    // What is filtered away is not answered at all: lists are as long as expected.
    expect(Array.isArray(answer) ? answer.length : 1).toBe(
      Array.isArray(wanted) ? wanted.length : 1,
    );
  });

  test('activeVisitors answers under filters', async () => {
    const ip = addressAt(PLACES[BERLIN] as Place, 3);
    const userAgent = agentNamed('iphone').userAgent;
    for (const path of ['/now', '/then']) {
      await client.hit({ url: `https://${HOSTNAME}${path}`, ip, user_agent: userAgent });
    }
    const answer = await client.activeVisitors(filterOf({ start: 60, path: '/now' }));
    expect(answer).toEqual({ visitors: 1, stats: [expect.objectContaining({ path: '/now' })] });
  });
});

/** A value for every filter that keeps the visitor in London and no other. */
const KEEPING_LONDON: Readonly<Record<string, Filter>> = {
  path: { path: '/buy' },
  pattern: { pattern: 'b.y$' },
  entry_path: { entry_path: '/', country: 'gb' },
  exit_path: { exit_path: '/buy' },
  event: { event: 'order' },
  event_meta_key: { event_meta_key: 'plan' },
  meta_plan: { event_meta: { plan: 'pro' } },
  language: { language: 'en' },
  country: { country: 'GB' },
  region: { region: 'England' },
  city: { city: 'London' },
  referrer: { referrer: 'https://blog.dev/post' },
  referrer_name: { referrer_name: 'blog.dev' },
  os: { os: 'Windows' },
  browser: { browser: 'Chrome' },
  platform: { platform: 'desktop' },
  screen_class: { screen_class: 'XXL' },
  utm_source: { utm_source: 'nl' },
  utm_medium: { utm_medium: 'email' },
  utm_campaign: { utm_campaign: 'may' },
  utm_content: { utm_content: 'top' },
  utm_term: { utm_term: 'shoes' },
  tag: { tag: 'author' },
  tag_author: { tags: { author: 'Kim' } },
};

/** Parameters that are no filters: range, metric, order and what is shown. */
const NO_FILTER = [
  ...['id', 'from', 'to', 'start', 'scale', 'tz', 'custom_metric_key', 'custom_metric_type'],
  ...['search', 'offset', 'limit', 'sort', 'direction', 'include_avg_time_on_page'],
];

describe('every filter of the package', () => {
  test('is sent by a test', () => {
    const given: PirschFilter = filterOf({ event_meta: { plan: '' }, tags: { author: '' } });
    const parametersOf = Reflect.get(client, 'getFilterParams') as (filter: unknown) => object;
    const sent = Object.keys(parametersOf.call(client, given));
    const known = [...Object.keys(KEEPING_LONDON), ...NO_FILTER];
    expect(sent.toSorted()).toEqual(known.toSorted());
  });

  test.each(Object.entries(KEEPING_LONDON))('%s leaves one of two visitors', async (_, filter) => {
    const total = await client.totalVisitors(filterOf(filter));
    expect(total).toMatchObject({ visitors: 1, sessions: 1, bounces: 0, cr: 0.5 });
    const cities = await client.city(filterOf(filter));
    expect(cities).toMatchObject([{ city: 'London' }]);
  });

  test('a custom metric is summed over the events (S-8)', async () => {
    const metric = { custom_metric_key: 'price', custom_metric_type: 'integer' } as const;
    const total = await client.totalVisitors(filterOf({ event: 'order', ...metric }));
    expect(total).toMatchObject({ custom_metric_avg: 5, custom_metric_total: 5, views: 2 });
  });
});
