// Goal: the numbers of a site are the first thing that its page asks for, in few and small files; what
// was asked before the page was there shows nothing that the page would not show (D-3, D-13, D-14).
// Method: a real browser; what it asks for is listed, and answers are held back, spoilt or given to a
// page that looks at something else meanwhile.
import type { Request, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

const BATCH = '/api/v1/statistics/batch';
/** Everything that the first view loads, compressed: 90 kB are allowed (D-3), so much is reached. */
const WEIGHT_MAX = 65_000;
/** That of every page, that of a site, and the map once the numbers are there. */
const SCRIPTS_MAX = 3;

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

/** What the page asks for from now on, in order: paths. */
function asked(): string[] {
  const paths: string[] = [];
  site.page.on('request', (request: Request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

const ofInterface = (path: string) => path.startsWith('/api/');
const tiles = () => site.page.locator('.tile-value').allTextContents();

describe('the first view (D-3)', () => {
  test('is light, in three scripts, and loads nothing from elsewhere (D-2)', async () => {
    const loaded: [path: string, bytes: number][] = [];
    const hosts = new Set<string>();
    site.page.on('response', async (response) => {
      const { origin, pathname } = new URL(response.url());
      hosts.add(origin);
      const sizes = await response
        .request()
        .sizes()
        .catch(() => null);
      loaded.push([pathname, sizes?.responseBodySize ?? 0]);
    });
    await site.signIn();
    await site.numbers();
    // The map and the stream are the last to come.
    await site.page.locator('path[data-country]').first().waitFor();
    await site.page.locator('.active:not(.is-still)').waitFor();
    expect([...hosts]).toEqual([site.service.baseUrl]);
    const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
    expect(bytes, loaded.join(' ')).toBeLessThan(WEIGHT_MAX);
    const scripts = loaded.filter(([path]) => path.endsWith('.js'));
    expect(scripts.length, scripts.join(' ')).toBeLessThanOrEqual(SCRIPTS_MAX);
  });

  test('asks for its numbers first, once, and not who is there', async () => {
    const paths = asked();
    await site.openSite('/shop?range=30d&compare=previous');
    await expect.poll(() => paths).toContain('/api/v1/statistics/live');
    expect(paths.filter(ofInterface)[0]).toBe(BATCH);
    const before = paths.slice(0, paths.indexOf('/api/v1/statistics/live'));
    expect(before.filter((path) => path === BATCH)).toHaveLength(1);
    expect(paths.filter((path) => /\/(user|domain|access)$/.test(path))).toEqual([]);
    const { visitors } = await site.ask<{ visitors: number }>('total');
    expect((await tiles())[0]).toBe(String(visitors));
  });

  test('asks for its numbers before the script of a site is there', async () => {
    const page = await (await fetch(`${site.service.baseUrl}/shop`)).text();
    const [, script = ''] = /rel="modulepreload" href="([^"]+)"/.exec(page) ?? [];
    const held = new Promise<Route>((resolve) => void site.page.route(`**${script}`, resolve));
    const batch = site.page.waitForRequest(`**${BATCH}`);
    await site.signIn('/shop?range=today');
    await batch;
    await (await held).continue();
    await site.numbers();
  });

  test('of a public site asks as a visitor, by the token that came with the page (M-82)', async () => {
    await site.manage('POST', 'domain/public', { domain_id: site.shop.id });
    const requests: Request[] = [];
    site.page.on('request', (request) => requests.push(request));
    await site.page.goto(`${site.service.baseUrl}/shop`);
    await site.numbers();
    const [first] = requests.filter((request) => ofInterface(new URL(request.url()).pathname));
    expect(new URL(first?.url() ?? '').pathname).toBe(BATCH);
    expect(await first?.headerValue('authorization')).toMatch(/^Bearer ./);
    expect(await site.context.cookies()).toEqual([]);
    await site.manage('POST', 'domain/public', { domain_id: site.shop.id });
  });

  test('speaks the reader’s language from the first on (D-18)', async () => {
    await site.end();
    await site.begin({ locale: 'de-DE' });
    const paths = asked();
    await site.openSite();
    expect(paths.filter(ofInterface)[0]).toBe(BATCH);
    expect(await site.page.locator('.tile-name').first().textContent()).toBe('Besucher');
  });

  test('in settings asks for no numbers (D-17)', async () => {
    const paths = asked();
    await site.signIn('/shop?settings=goals');
    await site.page.locator('.settings-part h2').first().waitFor();
    expect(paths).not.toContain(BATCH);
  });

  test('of a session that has ended asks to sign in, and goes on from there (M-80)', async () => {
    await site.signIn('/docs');
    await site.manage('POST', 'logout');
    const paths = asked();
    await site.page.goto(`${site.service.baseUrl}/shop`);
    await site.page.getByLabel('E-mail').waitFor();
    expect(paths).not.toContain(BATCH);
    await site.signIn();
    await site.numbers();
  });
});

/** Holds the next batch back. @returns resolves with it once it is asked. */
function heldBatch(): Promise<Route> {
  return new Promise((resolve) => {
    void site.page.route(`**${BATCH}`, resolve, { times: 1 });
  });
}

describe('what was asked early', () => {
  test('and comes late is dropped where something else is looked at (D-13)', async () => {
    const held = heldBatch();
    await site.signIn('/shop?range=30d');
    const early = await held;
    await site.page.locator('main[aria-busy]').waitFor();
    await site.page.keyboard.press('y');
    await site.numbers();
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const { visitors } = await site.manage<{ visitors: number }>(
      'GET',
      `statistics/total?id=${site.shop.id}&from=${day}&to=${day}`,
    );
    expect(visitors).toBeGreaterThan(0);
    expect((await tiles())[0]).toBe(String(visitors));
    // Nobody waits for it any more.
    await early.continue().catch(() => undefined);
    await site.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    expect((await tiles())[0]).toBe(String(visitors));
    expect(new URL(site.page.url()).searchParams.get('range')).toBe('yesterday');
  });

  test('and fails is told, and asked again (D-2, D-15)', async () => {
    const held = heldBatch();
    await site.signIn();
    await (await held).abort();
    await site.numbers();
    const { visitors } = await site.ask<{ visitors: number }>('total');
    expect((await tiles())[0]).toBe(String(visitors));
  });

  test('and is refused since the session has ended meanwhile leads to signing in (M-80)', async () => {
    const held = heldBatch();
    await site.signIn();
    const early = await held;
    await site.manage('POST', 'logout');
    await early.continue();
    await site.page.getByLabel('E-mail').waitFor();
  });
});
