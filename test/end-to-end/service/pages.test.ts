// Goal: what pages send to a started service counts as its statistics say, for the
// visitor whose request it was (A-40 to, D-33, M-5).
// Method: requests with the headers of browsers and of a proxy; everything is read back over HTTP. The
// service has two edges and listens on IPv6, so that addresses come in both spellings.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../../support/clients/client.ts';
import {
  type DomainCredentials,
  type RunningService,
  startService,
} from '../../support/service.ts';

const OWNER = 'owner@example.org';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const DAY_MS = 86_400_000;

let running: RunningService;
let owner: ApiClient;
let count = 0;

interface Site {
  readonly id: string;
  readonly code: string;
  readonly hostname: string;
  readonly accessKey: string;
}

beforeAll(async () => {
  running = await startService({
    env: {
      ...{ FOOTFALL_HOST: '::', FOOTFALL_EDGES: '2' },
      FOOTFALL_TRUSTED_PROXIES: '127.0.0.0/8,::1',
    },
  });
  const port = new URL(running.baseUrl).port;
  running.baseUrl = `http://127.0.0.1:${port}`;
  const { client_id, client_secret } = await running.createAccount(OWNER);
  owner = await ApiClient.whenKnown(running.baseUrl, client_id, client_secret);
});
afterAll(() => running.dispose());

async function newSite(): Promise<Site> {
  const hostname = `site-${++count}.test`;
  // Not waited for: a code that a thread does not know makes it look once more.
  const made: DomainCredentials = await running.createDomain({ email: OWNER, hostname });
  const { id, identification_code: code, access_key: accessKey } = made;
  return { id, code, hostname, accessKey };
}

interface Sent {
  readonly from?: string;
  readonly agent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly base?: string;
}

async function ask(method: string, path: string, sent: Sent = {}, body?: string): Promise<number> {
  const { from = '81.2.69.142', agent = CHROME, headers = {}, base = running.baseUrl } = sent;
  const response = await fetch(base + path, {
    method,
    headers: { 'User-Agent': agent, 'X-Forwarded-For': from, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

const view = ({ code, hostname }: Site, path: string, sent?: Sent, more = '') => {
  const url = encodeURIComponent(`https://${hostname}${path}`);
  return ask('GET', `/hit?nc=1&code=${code}&url=${url}${more}`, sent);
};
const event = ({ code: identification_code, hostname }: Site, event_name: string, sent?: Sent) => {
  const body = {
    identification_code,
    event_name,
    url: `https://${hostname}/`,
    event_meta: { a: 1 },
  };
  return ask('POST', '/event', sent, JSON.stringify(body));
};

async function read<Answer>(name: string, { id }: Site, more = {}): Promise<Answer> {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const [from, to] = [day(Date.now() - DAY_MS), day(Date.now() + DAY_MS)];
  return (await owner.statistics(name, { id, from, to, ...more })) as Answer;
}

test('a visit of two pages, an event and a keep-alive is one session with all that is known of it', async () => {
  const site = await newSite();
  const sent: Sent = {
    headers: {
      ...{ 'Accept-Language': 'de-AT,de;q=0.9', 'Sec-CH-UA-Mobile': '?0' },
      ...{ 'Sec-CH-UA': '"Chromium";v="140", "Google Chrome";v="140", "Not=A?Brand";v="24"' },
      ...{ 'Sec-CH-UA-Platform': '"Windows"', 'Sec-CH-UA-Platform-Version': '"15.0.0"' },
    },
  };
  const more = `&t=Home+page&ref=${encodeURIComponent('https://www.google.com/')}&w=1920&h=1080`;
  expect(await view(site, '/?utm_source=nl', sent, `${more}&tag_logged-in=yes`)).toBe(200);
  expect(await view(site, '/b', sent, '&t=B')).toBe(200);
  expect(await event(site, 'order', sent)).toBe(200);
  expect(await ask('POST', `/session?code=${site.code}`, sent)).toBe(200);
  const total = { visitors: 1, views: 2, sessions: 1, bounces: 0 };
  expect(await read('total', site)).toMatchObject(total);
  expect(await read('session/list', site)).toMatchObject([
    {
      ...{ page_views: 2, extended: 1, entry_path: '/', exit_path: '/', entry_title: 'Home page' },
      ...{ language: 'de', country_code: 'gb', os: 'Windows', os_version: '11' },
      ...{ browser: 'Chrome', browser_version: '140', screen_class: 'XXL', desktop: true },
      ...{ referrer_name: 'Google', utm_source: 'nl' },
    },
  ]);
  expect(await read('events', site)).toMatchObject([{ name: 'order', count: 1, meta_keys: ['a'] }]);
  expect(await read('tags', site)).toMatchObject([{ key: 'logged in', views: 1 }]);
  // And still after it was stopped.
  await running.restart();
  running.baseUrl = `http://127.0.0.1:${new URL(running.baseUrl).port}`;
  expect(await read('total', site)).toMatchObject(total);
});

describe('a visitor is whose request it was (A-42)', () => {
  test('whichever way its address is spelled, and whoever tells it', async () => {
    const site = await newSite();
    const base = running.baseUrl.replace('127.0.0.1', '[::1]');
    const first = [
      '2a02:db9::1',
      '2A02:0DB9:0:0::0001',
      '[2a02:db9::1]:443',
      '8.8.8.8, 2a02:db9::1',
    ];
    const second = ['81.2.69.142', '::ffff:81.2.69.142', '81.2.69.142:8080'];
    for (const from of [...first, ...second]) {
      expect(await view(site, '/', { from })).toBe(200);
      expect(await view(site, '/', { from, base })).toBe(200);
    }
    const forwarded = { Forwarded: 'for=9.9.9.9, for="[2a02:db9::1]"' };
    expect(await view(site, '/', { from: '10.0.0.1', headers: forwarded })).toBe(200);
    // The same person, told by a program.
    await new ApiClient(running.baseUrl, site.accessKey).collect('hit', {
      ...{ url: `https://${site.hostname}/`, ip: '81.2.69.142', user_agent: CHROME },
    });
    expect(await read('total', site)).toMatchObject({ visitors: 2, views: 16 });
    // Another one: only what stands last in the list is not the visitor's own word.
    expect(await view(site, '/', { from: '81.2.69.142, 8.8.8.8' })).toBe(200);
    expect(await view(site, '/', { agent: FIREFOX })).toBe(200);
    expect(await read('total', site)).toMatchObject({ visitors: 4 });
  });

  test('is nobody where it is of a program, of a browser that only prepares, or of no page', async () => {
    const site = await newSite();
    expect(await view(site, '/')).toBe(200);
    expect(
      await view(site, '/', { agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }),
    ).toBe(200);
    expect(await view(site, '/', { agent: '' })).toBe(200);
    expect(await view(site, '/', { headers: { Purpose: 'prefetch' } })).toBe(200);
    const fetched = { 'Sec-Fetch-Site': 'none', Referer: `https://${site.hostname}/` };
    expect(await view(site, '/', { headers: fetched })).toBe(200);
    expect(await ask('HEAD', `/hit?code=${site.code}&url=https://${site.hostname}/`)).toBe(200);
    const foreign = { ...site, hostname: 'elsewhere.test' };
    expect(await view(foreign, '/')).toBe(400);
    expect(await read('total', site)).toMatchObject({ visitors: 1, views: 1 });
  });
});

test('an image counts, and so does a beacon, each once', async () => {
  const site = await newSite();
  const query = `code=${site.code}&url=https://${site.hostname}/mail`;
  expect(await ask('GET', `/hit.gif?${query}`, { headers: { Accept: 'image/*' } })).toBe(200);
  expect(await ask('POST', `/hit?${query}`, {}, 'a body that says nothing')).toBe(200);
  const headers = { 'Idempotency-Key': 'order-1' };
  for (let time = 0; time < 2; time++) expect(await event(site, 'order', { headers })).toBe(200);
  expect(await read('page', site)).toMatchObject([{ path: '/mail', views: 2 }]);
  expect(await read('events', site)).toMatchObject([{ name: 'order', count: 1 }]);
});

test('a switch and a new code act at once, on every edge (A-7, A-45, M-5)', async () => {
  const site = await newSite();
  const change = async (method: string, path: string, body: object) => {
    const answer = await owner.request(method, `/api/v1/${path}`, { body });
    expect(answer.status).toBe(200);
    return answer.body as { identification_code: string };
  };
  /** As often as it takes to meet both edges. */
  const statuses = async (asked: Site) =>
    new Set(
      await Promise.all(
        Array.from({ length: 12 }, () => view(asked, '/', { headers: { Connection: 'close' } })),
      ),
    );
  expect(await statuses(site)).toEqual(new Set([200]));
  await change('POST', 'domain/scripts', { domain_id: site.id });
  expect(await statuses(site)).toEqual(new Set([403]));
  expect(await event(site, 'order')).toBe(403);
  await change('POST', 'domain/scripts', { domain_id: site.id });
  expect(await statuses(site)).toEqual(new Set([200]));
  const { identification_code: code } = await change('PUT', 'domain', { id: site.id });
  expect(await statuses(site)).toEqual(new Set([400]));
  expect(await statuses({ ...site, code })).toEqual(new Set([200]));
  expect(await read('total', site)).toMatchObject({ visitors: 1, views: 36 });
  await owner.request('DELETE', `/api/v1/domain?id=${site.id}`);
  expect(await statuses({ ...site, code })).toEqual(new Set([400]));
});
