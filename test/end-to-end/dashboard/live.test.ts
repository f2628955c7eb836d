// Goal: the page follows what happens, by itself, exactly, and for hours (D-14, D-15).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import type { CDPSession } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BROWSER_AGENT } from '../../support/browser.ts';
import { addressAt, PLACES } from '../../support/traffic/place-database.ts';
import { DashboardSite } from './support.ts';

/** The view asks again at most so often (D-14), less what timers are early by. */
const RENEW_MS = 1_998;
const BATCH = '**/api/v1/statistics/batch';
const LIVE = '**/api/v1/statistics/live?*';

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

type Total = Record<'visitors' | 'views' | 'sessions', number>;

/** The tiles say what the API says of the last seven days. */
async function expectTotals(query = ''): Promise<void> {
  const total = await site.ask<Total>('total', query);
  const shown = async () => [
    await site.tile('Visitors'),
    await site.tile('Views'),
    await site.tile('Sessions'),
  ];
  const { visitors, views, sessions } = total;
  await expect.poll(shown, { timeout: 10_000 }).toEqual([visitors, views, sessions].map(String));
}

/** From now on the page keeps the moments at which it asked for the numbers of its view. */
async function watchBatches(): Promise<void> {
  await site.page.evaluate(`
    window.asked = [];
    const { fetch } = window;
    window.fetch = (address, options) => {
      const isBatch = String(address).endsWith('/api/v1/statistics/batch');
      if (isBatch && options.body.includes('"total"')) window.asked.push(performance.now());
      return fetch(address, options);
    };
  `);
}

/** See `watchBatches`: milliseconds by the page's own clock. */
const batchMoments = (): Promise<number[]> => site.page.evaluate('window.asked');

/** How many streams the page has open. */
function watchStreams(): { count: number } {
  const streams = { count: 0 };
  const isStream = (request: { url(): string }) => request.url().includes('/statistics/live?');
  site.page.on('request', (request) => {
    if (isStream(request)) streams.count++;
  });
  const ended = (request: { url(): string }) => {
    if (isStream(request)) streams.count--;
  };
  site.page.on('requestfailed', ended);
  site.page.on('requestfinished', ended);
  return streams;
}

const isLive = () => site.page.locator('.active:not(.is-still)').waitFor();

describe('renewing (D-14)', () => {
  test('comes with hits, at most every two seconds, moves nothing and empties nothing', async () => {
    await site.openSite();
    await isLive();
    await site.page.waitForTimeout(2_500);
    await watchBatches();
    await site.page.evaluate(`
      window.emptied = 0;
      window.moved = 0;
      new MutationObserver(() => {
        const tiles = [...document.querySelectorAll('.tile-value')];
        const isEmpty = tiles.some((tile) => tile.textContent.trim() === '');
        if (isEmpty || document.querySelectorAll('.bars').length < 4) window.emptied++;
      }).observe(document.getElementById('numbers'), { subtree: true, childList: true, characterData: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.moved += entry.value;
      }).observe({ type: 'layout-shift' });
    `);
    for (let hit = 0; hit < 20; hit++) {
      await site.hit({ url: `https://shop.example/${hit % 3}`, ip: `203.0.113.${100 + hit}` });
      await site.page.waitForTimeout(250);
    }
    await expectTotals();
    const moments = await batchMoments();
    expect(moments.length).toBeGreaterThan(1);
    for (const [at, moment] of moments.slice(1).entries()) {
      expect(moment - (moments[at] ?? 0)).toBeGreaterThan(RENEW_MS);
    }
    expect(await site.page.evaluate('window.emptied')).toBe(0);
    // Rows of a panel that change places are all that moves.
    expect(await site.page.evaluate('window.moved')).toBeLessThan(0.005);
  });

  test('asks one question for a hit, the compared range and the places of who is active included', async () => {
    await site.openSite('/shop?compare=previous');
    await isLive();
    // The same visitor on a page that is listed: the rows stay, and are known before they are asked.
    const hit = { url: 'https://shop.example/again', ip: '203.0.113.170' };
    await site.hit(hit);
    await expectTotals();
    const asked: string[] = [];
    site.page.on('request', (request) => {
      if (request.url().endsWith('/statistics/batch')) asked.push(request.postData() ?? '');
    });
    for (let one = 0; one < 3; one++) {
      await site.hit(hit);
      await expectTotals();
    }
    // Those of who has left meanwhile are asked for alone, and so are rows that were not there before.
    const whole = asked.filter((body) => body.includes('"total"') && body.includes('"active"'));
    const alone = asked.filter((body) => !body.includes('"active"'));
    expect([whole.length > 0, alone]).toEqual([true, []]);
  });

  test('drops an answer that comes after that of a later question', async () => {
    await site.openSite();
    let isFirst = true;
    await site.page.route(BATCH, async (route) => {
      const isLate = isFirst && (route.request().postData() ?? '').includes('"total"');
      if (isLate) isFirst = false;
      const response = await route.fetch();
      if (isLate) await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.fulfill({ response }).catch(() => undefined);
    });
    await site.page.getByRole('button', { name: 'Google' }).first().click();
    await site.page.goBack();
    await site.page.waitForTimeout(2_500);
    expect(isFirst).toBe(false);
    expect(await site.page.locator('.chip').count()).toBe(0);
    await expectTotals();
  });

  test('shows all numbers of a view from one answer, and says which state that is of', async () => {
    const answers = new Map<number, Total>();
    site.page.on('response', async (response) => {
      if (!response.url().endsWith('/api/v1/statistics/batch')) return;
      const { position, results } = await response.json().catch(() => ({ results: [] }));
      if (results[0]?.views !== undefined) answers.set(position, results[0]);
    });
    await site.openSite();
    for (let hit = 0; hit < 6; hit++) {
      await site.hit({ url: 'https://shop.example/state', ip: `203.0.113.${150 + hit}` });
      await site.page.waitForTimeout(500);
      const [position, views] = (await site.page.evaluate(`[
        Number(document.querySelector('main').dataset.position),
        Number([...document.querySelectorAll('.tile')].find((tile) =>
          tile.textContent.startsWith('Views')).querySelector('.tile-value').textContent),
      ]`)) as [number, number];
      await expect.poll(() => answers.get(position)?.views).toBe(views);
    }
    expect(answers.size).toBeGreaterThan(1);
  });
});

describe('live (D-15)', () => {
  test('shows who is active, their pages, places and sources, each hit, and a map of them', async () => {
    await site.openSite('/shop');
    await isLive();
    const japan = PLACES.find(({ country }) => country === 'jp') as (typeof PLACES)[number];
    for (let visitor = 0; visitor < 3; visitor++) {
      await site.hit({
        url: 'https://shop.example/tokyo',
        ip: addressAt(japan, visitor),
        referrer: 'https://news.ycombinator.com/',
      });
    }
    const live = site.page.locator('.live');
    await live.locator('.hits li', { hasText: '/tokyo' }).nth(2).waitFor();
    expect(await live.locator('.hits li').first().textContent()).toContain('Japan');
    await live.locator('path[data-country="JP"].has-visitors').waitFor();
    type Answer = { visitors: number; stats: { path: string; visitors: number }[] };
    const active = await site.ask<Answer>('active');
    const shown = () => live.locator('.live-count b').textContent();
    await expect.poll(shown).toBe(String(active.visitors));
    expect(await site.page.locator('.active b').textContent()).toBe(String(active.visitors));
    const rows = () =>
      live
        .locator('tbody tr')
        .evaluateAll((list) =>
          list.map((row) => [
            row.querySelector('.bar-text')?.textContent,
            row.querySelector('td')?.textContent,
          ]),
        );
    await expect
      .poll(rows)
      .toEqual(active.stats.slice(0, 7).map(({ path, visitors }) => [path, String(visitors)]));
    await live.getByRole('tab', { name: 'Places' }).click();
    await expect.poll(rows).toContainEqual(['Japan', '3']);
    await live.getByRole('tab', { name: 'Sources' }).click();
    const sources = await site.ask<{ referrer_name: string; visitors: number }[]>(
      'referrer',
      '&start=600',
    );
    await expect
      .poll(rows)
      .toEqual(
        sources
          .slice(0, 7)
          .map(({ referrer_name: name, visitors }) => [name || 'Direct', String(visitors)]),
      );
    expect(await site.barriers()).toEqual([]);
  });

  test('obeys the filters of the view', async () => {
    await site.signIn('/shop?path=/wanted');
    await isLive();
    const listed = site.page.locator('.hits li');
    // Again, if need be: on a busy machine the filters' time of a second may be used up (O-50).
    const send = async (): Promise<number> => {
      await site.hit({ url: 'https://shop.example/other', ip: '203.0.113.201' });
      await site.hit({ url: 'https://shop.example/wanted', ip: '203.0.113.202' });
      return listed.count();
    };
    await expect.poll(send, { timeout: 20_000, interval: 2_000 }).toBeGreaterThan(0);
    const texts = await listed.allTextContents();
    expect(texts.filter((text) => !text.includes('/wanted'))).toEqual([]);
    await expect.poll(() => site.page.locator('.live-count b').textContent()).toBe('1');
    await expectTotals('&path=/wanted');
  });

  test('stands still while it is paused, and is right when it goes on', async () => {
    const streams = watchStreams();
    await site.openSite();
    await isLive();
    await site.page.waitForTimeout(2_500);
    await expectTotals();
    await site.page.getByRole('button', { name: 'Pause' }).click();
    await site.page.locator('.live').getByText('Paused').waitFor();
    await watchBatches();
    const before = await site.tile('Views');
    await site.hit({ url: 'https://shop.example/unseen', ip: '203.0.113.203' });
    await site.page.waitForTimeout(3_000);
    const asked = (await batchMoments()).length;
    expect([streams.count, asked, await site.tile('Views')]).toEqual([0, 0, before]);
    await site.page.getByRole('button', { name: 'Resume' }).click();
    await isLive();
    await expectTotals();
    expect(Number(await site.tile('Views'))).toBe(Number(before) + 1);
  });

  test('has no stream while the page is hidden, nor in the back-forward cache', async () => {
    // What may not be stored is in the cache of Safari alone: here as there.
    await site.page.route('**/shop', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'cache-control': 'no-cache' };
      await route.fulfill({ response, headers });
    });
    // Counted in the page: the tools lose sight of what comes back from the cache.
    await site.page.addInitScript(`
      window.streams = 0;
      const { fetch } = window;
      window.fetch = (address, options) => {
        if (String(address).includes('/statistics/live?')) {
          window.streams++;
          options.signal.addEventListener('abort', () => { window.streams--; }, { once: true });
        }
        return fetch(address, options);
      };
      addEventListener('pageshow', (event) => { window.isKept = event.persisted; });
    `);
    const streams = () => site.page.evaluate('window.streams');
    await site.openSite();
    await isLive();
    expect(await streams()).toBe(1);
    const hide = (isHidden: boolean) =>
      site.page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await hide(true);
    expect(await streams()).toBe(0);
    await site.hit({ url: 'https://shop.example/hidden', ip: '203.0.113.204' });
    await hide(false);
    expect(await streams()).toBe(1);
    await expectTotals();

    await site.page.evaluate(`
      addEventListener('pagehide', () => { window.keptStreams = window.streams; });
    `);
    await site.page.goto(`${site.service.baseUrl}/docs`);
    await site.hit({ url: 'https://shop.example/away', ip: '203.0.113.205' });
    await site.page.goBack({ waitUntil: 'commit' });
    await site.page.waitForFunction('window.isKept');
    expect(await streams()).toBe(1);
    expect(await site.page.evaluate('window.keptStreams')).toBe(0);
    await expectTotals();
  });

  test('moves nothing for those who want it so', async () => {
    await site.page.emulateMedia({ reducedMotion: 'reduce' });
    await site.openSite();
    await isLive();
    const hit = { url: 'https://shop.example/calm', ip: addressAt(PLACES[0]!, 9) };
    await site.hit(hit);
    await site.page.locator('.hits li', { hasText: '/calm' }).waitFor();
    const animations = 'document.getAnimations().length';
    expect(await site.page.evaluate(animations)).toBe(0);
    await site.page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await site.page.evaluate(animations)).toBeGreaterThan(0);
  });
});

describe('bad days', () => {
  test('a service that is away is told of, and nothing is lost when it is back', async () => {
    await site.openSite();
    await isLive();
    await site.service.kill();
    await site.page.getByText('The service does not answer. The numbers shown are').waitFor();
    await site.page.locator('.active.is-still').waitFor();
    expect(await site.tile('Views')).toMatch(/\d/);
    await site.service.start();
    await site.hit({ url: 'https://shop.example/back', ip: '203.0.113.206' });
    await isLive();
    await site.page.getByText('The service does not answer.').waitFor({ state: 'detached' });
    await expectTotals();
  });

  test('429 and 503 are asked again when the service said so (Retry-After), not before', async () => {
    await site.openSite();
    await isLive();
    await expectTotals();
    const refusals = [429, 503];
    await watchBatches();
    await site.page.route(BATCH, (route) => {
      if (!(route.request().postData() ?? '').includes('"total"')) return route.continue();
      const status = refusals.shift();
      if (status === undefined) return route.continue();
      const headers = { 'Retry-After': '3', 'Content-Type': 'application/json' };
      const body = JSON.stringify({ validation: {}, error: ['busy'] });
      return route.fulfill({ status, headers, body });
    });
    await site.hit({ url: 'https://shop.example/busy', ip: '203.0.113.208' });
    await site.page.getByText('The service is busy. The numbers shown are from').waitFor();
    await site.hit({ url: 'https://shop.example/busy', ip: '203.0.113.209' });
    await site.page.getByText('The service is busy.').waitFor({ state: 'detached' });
    const [first = 0, second = 0, third = 0] = await batchMoments();
    expect(Math.min(second - first, third - second)).toBeGreaterThan(2_900);
    await expectTotals();
  });

  test('a session that ended asks to sign in, and leads back to the same view', async () => {
    await site.openSite('/shop?range=30d&referrer_name=Google');
    await isLive();
    const headers = { Origin: site.service.baseUrl };
    await site.context.request.post(`${site.service.baseUrl}/api/v1/logout`, { headers });
    await site.page.getByLabel('Password').waitFor();
    await site.page.getByLabel('E-mail').fill('owner@example.org');
    await site.page.getByLabel('Password').fill('correct horse battery staple');
    await site.page.keyboard.press('Enter');
    await site.page.locator('.chip', { hasText: 'Google' }).waitFor();
    expect(new URL(site.page.url()).search).toBe('?range=30d&referrer_name=Google');
    await isLive();
  });

  test('a site that was deleted and a link that was ended are no longer shown', async () => {
    const made = { email: 'owner@example.org', hostname: 'gone.example', subdomain: 'gone' };
    const { id } = await site.service.createDomain(made);
    await site.signIn();
    const headers = { Origin: site.service.baseUrl };
    const link = `${site.service.baseUrl}/api/v1/domain/link`;
    const data = { domain_id: id, description: 'for a while' };
    const asked = () => site.context.request.post(link, { headers, data });
    await expect.poll(async () => (await asked()).status()).toBe(200);
    const { id: linkId, code } = await (await asked()).json();
    const visitor = await site.browser.newContext({ userAgent: BROWSER_AGENT, locale: 'en-GB' });
    const guest = await visitor.newPage();
    await guest.goto(`${site.service.baseUrl}/gone?access=${code}`);
    await guest.getByText('Waiting for the first visitor').waitFor();
    await site.page.goto(`${site.service.baseUrl}/gone`);
    await isLive();
    await site.context.request.delete(`${link}?id=${linkId}`, { headers });
    await guest.getByText('This link no longer works.').waitFor();
    await visitor.close();
    const address = `${site.service.baseUrl}/api/v1/domain?id=${id}`;
    expect((await site.context.request.delete(address, { headers })).status()).toBe(200);
    await site.page.getByText('There is no dashboard at this address.').waitFor();
  });
});

describe('for hours (D-14, D-15)', () => {
  /** Connections one after the other, each when the one before was read: their hits come at once. */
  test('nothing grows with 5,000 hits', async () => {
    const hit = (number: number) => ({
      ...{ time: new Date().toISOString(), path: `/page/${number}`, title: 'Page', event_name: '' },
      ...{ country_code: 'de', referrer_name: 'Google', browser: 'Chrome', os: 'Linux' },
      ...{ platform: 'desktop', skipped: 0 },
    });
    let from = 0;
    let to = 1_000;
    await site.page.route(LIVE, (route) => {
      // Read already: the page connects again until there is more.
      if (from === to) return route.abort();
      const hits = Array.from({ length: to - from }, (_, index) => hit(from + index));
      from = to;
      const events = hits.map((one) => `event: hit\ndata: ${JSON.stringify(one)}\n\n`);
      const active = `event: active\ndata: ${JSON.stringify({ visitors: to, stats: [] })}\n\n`;
      return route.fulfill({ contentType: 'text/event-stream', body: active + events.join('') });
    });
    await site.openSite();
    const session = await site.context.newCDPSession(site.page);
    const shown = (number: number) =>
      site.page.locator('.hits li', { hasText: `/page/${number}` }).waitFor({ timeout: 30_000 });
    await shown(999);
    const before = await weigh(session);
    to = 5_000;
    await shown(4_999);
    const after = await weigh(session);
    const listed = await site.page.locator('.hits li').count();
    expect(listed).toBeLessThanOrEqual(12);
    // What grew with 4,000 hits would grow by thousands; a row that was being drawn has a few.
    expect(after.nodes - before.nodes).toBeLessThan(60);
    expect(after.listeners - before.listeners).toBeLessThan(60);
    expect(after.heapBytes - before.heapBytes).toBeLessThan(1_000_000);
  });
});

/** What the page holds, after everything that can go has gone. */
async function weigh(
  session: CDPSession,
): Promise<Record<'nodes' | 'listeners' | 'heapBytes', number>> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { documents: _, ...counters } = await session.send('Memory.getDOMCounters');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { nodes: counters.nodes, listeners: counters.jsEventListeners, heapBytes: usedSize };
}
