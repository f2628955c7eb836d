// Goal: whoever opens the dashboard sees true numbers, gets about in it by mouse, keys and address, and
//   is told what goes wrong (D-1, D-2, D-10, D-11, D-12, D-13, D-14, D-15, D-16, D-17, D-18).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BROWSER_AGENT, startBrowser } from '../../support/browser.ts';
import {
  type DomainCredentials,
  type RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';

const PASSWORD = 'correct horse battery staple';
const EMAIL = 'owner@example.org';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Everything that the first view loads, compressed (D-3). */
const WEIGHT_MAX = 90_000;

let service: RunningService;
let site: DomainCredentials;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  service = await startService({ hasCities: true, env: { FOOTFALL_RATE_LIMITS: 'off' } });
  await service.createAccount(EMAIL);
  site = await service.createDomain({ email: EMAIL, hostname: 'shop.example', subdomain: 'shop' });
  await service.createDomain({ email: EMAIL, hostname: 'empty.example', subdomain: 'empty' });
  const asked = ['account', 'password', '--email', EMAIL, '--data-dir', service.dataDir];
  const { link } = await runCommand<{ link: string }>(asked);
  const token = new URL(link).searchParams.get('token');
  await post('/api/v1/password/reset', { token, password: PASSWORD });
  await sendVisits();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});

beforeEach(async () => {
  context = await browser.newContext({ userAgent: BROWSER_AGENT, locale: 'en-GB' });
  page = await context.newPage();
  faults.length = 0;
  page.on('pageerror', (error) => faults.push(String(error)));
});

afterEach(async () => {
  expect(faults).toEqual([]);
  await context.close();
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(service.baseUrl + path, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

/** Ten visitors over three days; the first five come from Google, two of them to the price list. */
async function sendVisits(): Promise<void> {
  const hits = [2, 1, 0].flatMap((daysAgo) =>
    Array.from({ length: 10 - daysAgo * 3 }, (_, visitor) => ({
      url: `https://shop.example/${visitor % 5 === 0 ? 'prices' : ''}`,
      ip: `203.0.113.${visitor + 1}`,
      user_agent: BROWSER_AGENT,
      title: visitor % 5 === 0 ? '<img src=x onerror=alert(1)>' : 'Home',
      referrer: visitor < 5 ? 'https://www.google.com/' : '',
      time: new Date(Date.now() - daysAgo * 86_400_000 - 60_000 * (visitor + 1)).toISOString(),
    })),
  );
  await post('/api/v1/hit/batch', hits, { Authorization: `Bearer ${site.access_key}` });
}

async function signIn(path = '/shop'): Promise<void> {
  const headers = { Origin: service.baseUrl };
  const data = { email: EMAIL, password: PASSWORD };
  const response = await context.request.post(`${service.baseUrl}/api/v1/login`, { data, headers });
  expect(response.status()).toBe(200);
  await page.goto(service.baseUrl + path);
}

/** What the API says, asked as the signed-in person. */
async function ask<Answer>(statistic: string, query = ''): Promise<Answer> {
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const range = `from=${day(6)}&to=${day(0)}`;
  const address = `/api/v1/statistics/${statistic}?id=${site.id}&${range}${query}`;
  return (await context.request.get(service.baseUrl + address)).json() as Promise<Answer>;
}

async function tile(name: string): Promise<string> {
  const value = page.locator('.tile', { hasText: name }).locator('.tile-value');
  return (await value.textContent()) ?? '';
}

async function rows(panel: string): Promise<[string, string][]> {
  const cells = page.locator(`section[aria-labelledby="panel-${panel}-title"] tbody tr`);
  return cells.evaluateAll((list) =>
    list.map((row): [string, string] => [
      row.querySelector('.bar-text')?.textContent ?? '',
      row.querySelector('td')?.firstChild?.textContent ?? '',
    ]),
  );
}

async function violations(): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
    interface Finding {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }
    const { violations: found } = await axe.run();
    return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
  });
}

describe('signing in (D-1)', () => {
  test('leads from the address of the service to the list of sites, and from there to a site', async () => {
    await page.goto(service.baseUrl);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('not this one at all');
    await page.keyboard.press('Enter');
    await page.getByText('E-mail or password is wrong.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /shop\.example/ }).click();
    await page.waitForSelector('.tile');
    expect(new URL(page.url()).pathname).toBe('/shop');
    await page.goBack();
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
  });

  test('is asked for on the page of a private site, and a stranger is told nothing of it', async () => {
    await page.goto(`${service.baseUrl}/shop`);
    await page.getByLabel('E-mail').waitFor();
    await page.goto(`${service.baseUrl}/there-is-none`);
    await page.getByLabel('E-mail').waitFor();
    await signIn('/there-is-none');
    await page.getByText('There is no dashboard at this address.').waitFor();
  });
});

describe('the page of a site', () => {
  test('shows the numbers of the API (D-11, D-12, D-14)', async () => {
    await signIn();
    await page.waitForSelector('.bars');
    const total = await ask<Record<string, number>>('total');
    expect(await tile('Visitors')).toBe(String(total['visitors']));
    expect(await tile('Views')).toBe(String(total['views']));
    expect(await tile('Bounce rate')).toBe(`${(total['bounce_rate'] ?? 0) * 100}%`);
    const pages = await ask<{ path: string; visitors: number }[]>('page');
    expect(await rows('pages')).toEqual(
      pages.map(({ path, visitors }) => [path, String(visitors)]),
    );
    const sources = await ask<{ referrer_name: string; visitors: number }[]>('referrer');
    expect(await rows('sources')).toEqual(
      sources.map(({ referrer_name: name, visitors }) => [name || 'Direct', String(visitors)]),
    );
    const policy = (await context.request.get(`${service.baseUrl}/shop`)).headers();
    expect(policy['content-security-policy']).toContain("default-src 'self'");
  });

  test('a click filters all of it, the address says so, back takes it away (D-13)', async () => {
    await signIn();
    await page.getByRole('button', { name: 'Google' }).click();
    await page.locator('.chip', { hasText: 'Google' }).waitFor();
    expect(new URL(page.url()).search).toBe('?referrer_name=Google');
    const total = await ask<Record<string, number>>('total', '&referrer_name=Google');
    await expect.poll(() => tile('Visitors')).toBe(String(total['visitors']));
    await page.reload();
    await expect.poll(() => tile('Visitors')).toBe(String(total['visitors']));
    await page.goBack();
    await expect.poll(() => page.locator('.chip').count()).toBe(0);
    await page.getByRole('button', { name: 'Google' }).click({ modifiers: ['Alt'] });
    const others = await ask<Record<string, number>>('total', '&referrer_name=!Google');
    await expect.poll(() => tile('Visitors')).toBe(String(others['visitors']));
  });

  test('keys choose ranges, and can be switched off (D-18)', async () => {
    await signIn();
    await page.waitForSelector('.bars');
    await page.keyboard.press('t');
    await expect.poll(() => new URL(page.url()).search).toBe('?range=today');
    await page.keyboard.press('?');
    await page.getByLabel('Single keys are on').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('w');
    expect(new URL(page.url()).search).toBe('?range=today');
  });

  test('renews itself when a hit comes (D-14, D-15, O-51)', async () => {
    await signIn('/shop?range=today');
    await page.waitForSelector('.bars');
    const before = Number(await tile('Views'));
    await post(
      '/api/v1/hit',
      { url: 'https://shop.example/new', ip: '203.0.113.77', user_agent: BROWSER_AGENT },
      { Authorization: `Bearer ${site.access_key}` },
    );
    await page.locator('.hits', { hasText: '/new' }).waitFor({ timeout: 5_000 });
    await expect.poll(() => tile('Views'), { timeout: 8_000 }).toBe(String(before + 1));
  });

  test('texts of visitors are shown as texts', async () => {
    await signIn();
    await post('/api/v1/domain/title', { domain_id: site.id }, await ownerHeaders());
    await page.reload();
    await page.waitForSelector('.bars');
    expect(await page.locator('img').count()).toBe(0);
    await post('/api/v1/domain/title', { domain_id: site.id }, await ownerHeaders());
  });

  test('says what to do before the first visit (D-18)', async () => {
    await signIn('/empty');
    await page.getByText('Waiting for the first visitor').waitFor();
    await page.getByText('/js/footfall.js').waitFor();
  });

  test('says that the service is away, and goes on when it is back', async () => {
    await signIn();
    await page.waitForSelector('.bars');
    await context.setOffline(true);
    await page.keyboard.press('t');
    await page.getByText('The service does not answer.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The service does not answer.').waitFor({ state: 'detached' });
  });
});

describe('settings (D-17)', () => {
  test('a goal is made, changed and removed, and faults stand beside their fields', async () => {
    await signIn('/shop?settings=goals');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Name').fill('Prices');
    await page.locator('dialog').getByRole('button', { name: 'Add' }).click();
    await page.locator('dialog .fault-text', { hasText: /\w/ }).first().waitFor();
    await page.getByLabel('Pattern').fill('/prices');
    await page.locator('dialog').getByRole('button', { name: 'Add' }).click();
    await page.locator('.records', { hasText: 'Prices' }).waitFor();
    await page.getByRole('button', { name: 'Change: Prices' }).click();
    await page.getByLabel('Name').fill('Price list');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove: Price list' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There are none yet').waitFor();
  });
});

describe('for everybody', () => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [320, 768, 1_440]) {
      test(`no barrier that axe finds, ${scheme}, ${width} px (D-3)`, async () => {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        for (const path of ['/', '/shop?range=30d&compare=previous&path=~p', '/shop?settings=goals']) {
          await signIn(path);
          await page.waitForSelector('h1');
          await page.waitForTimeout(300);
          expect(await violations(), path).toEqual([]);
          const wider = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(wider, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
        }
      });
    }
  }

  test('the first view is light, and loads nothing from elsewhere (D-2, D-3)', async () => {
    let bytes = 0;
    const hosts = new Set<string>();
    page.on('response', async (response) => {
      hosts.add(new URL(response.url()).origin);
      const sizes = await response.request().sizes().catch(() => null);
      bytes += sizes?.responseBodySize ?? 0;
    });
    await signIn();
    await page.waitForSelector('.bars');
    await page.waitForTimeout(500);
    expect([...hosts]).toEqual([service.baseUrl]);
    expect(bytes).toBeLessThan(WEIGHT_MAX);
  });
});

/** Of an account client, for what the page does not do itself. */
async function ownerHeaders(): Promise<Record<string, string>> {
  const { client_id, client_secret } = site;
  const { access_token } = await post('/api/v1/token', { client_id, client_secret });
  return { Authorization: `Bearer ${access_token}` };
}
