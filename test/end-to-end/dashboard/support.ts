/**
 * The dashboard in a real browser: a service with two sites, one of them with visits, and a person who
 * has a password.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { BROWSER_AGENT, startBrowser } from '../../support/browser.ts';
import {
  type DomainCredentials,
  type RunningService,
  runCommand,
  startService,
} from '../../support/service.ts';

export const EMAIL = 'owner@example.org';
export const PASSWORD = 'correct horse battery staple';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DAY_MS = 86_400_000;

/** What axe finds, and whether the page is wider than its window. */
const CHECK = `(async () => {
  const { violations } = await axe.run();
  const { scrollWidth, clientWidth } = document.documentElement;
  return [
    ...violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 160)),
    ...(scrollWidth > clientWidth ? ['the page scrolls sideways'] : []),
  ];
})()`;

export class DashboardSite {
  readonly service: RunningService;
  /** `shop.example` at `/shop`, which has visits. */
  readonly shop: DomainCredentials;
  readonly browser: Browser;
  context!: BrowserContext;
  page!: Page;
  /** What was thrown in the page. */
  faults: string[] = [];

  static async open(env: Record<string, string> = {}): Promise<DashboardSite> {
    const service = await startService({
      hasCities: true,
      env: { FOOTFALL_RATE_LIMITS: 'off', ...env },
    });
    await service.createAccount(EMAIL);
    const made = { email: EMAIL, hostname: 'shop.example', subdomain: 'shop' };
    const shop = await service.createDomain(made);
    await service.createDomain({ email: EMAIL, hostname: 'empty.example', subdomain: 'empty' });
    const asked = ['account', 'password', '--email', EMAIL, '--data-dir', service.dataDir];
    const { link } = await runCommand<{ link: string }>(asked);
    const site = new DashboardSite(service, shop, await startBrowser());
    const token = new URL(link).searchParams.get('token');
    await site.post('/api/v1/password/reset', { token, password: PASSWORD });
    await site.#sendVisits();
    return site;
  }

  private constructor(service: RunningService, shop: DomainCredentials, browser: Browser) {
    this.service = service;
    this.shop = shop;
    this.browser = browser;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.dispose();
  }

  /** A window that nobody has used. */
  async begin(options: BrowserContextOptions = {}): Promise<void> {
    const shared = { userAgent: BROWSER_AGENT, locale: 'en-GB', timezoneId: 'UTC' };
    this.context = await this.browser.newContext({ ...shared, ...options });
    this.page = await this.context.newPage();
    this.faults = [];
    this.page.on('pageerror', (error) => this.faults.push(String(error)));
  }

  /** Closes the window. The page must not have thrown. */
  async end(): Promise<void> {
    await this.context.close();
    expect(this.faults).toEqual([]);
  }

  async signIn(path = '/shop'): Promise<void> {
    const headers = { Origin: this.service.baseUrl };
    const data = { email: EMAIL, password: PASSWORD };
    const url = `${this.service.baseUrl}/api/v1/login`;
    const response = await this.context.request.post(url, { data, headers });
    expect(response.status()).toBe(200);
    await this.page.goto(this.service.baseUrl + path);
  }

  /** Signs in and waits until the page of the site has numbers. */
  async openSite(path = '/shop'): Promise<void> {
    await this.signIn(path);
    await this.numbers();
  }

  /** Waits for the first numbers of a site; some lists have rows before. */
  async numbers(): Promise<void> {
    await this.page.waitForSelector('main[data-position]');
  }

  /** Of the API, without the browser; the answer must be 200. */
  async post<Answer>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(this.service.baseUrl + path, sent);
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as Answer;
  }

  hit(hit: Record<string, unknown>): Promise<unknown> {
    const [url, ip] = ['https://shop.example/', '203.0.113.77'];
    const headers = { Authorization: `Bearer ${this.shop.access_key}` };
    return this.post('/api/v1/hit', { url, ip, user_agent: BROWSER_AGENT, ...hit }, headers);
  }

  /** Makes a record as the signed-in person. */
  async make(kind: string, data: Record<string, unknown>): Promise<void> {
    const headers = { Origin: this.service.baseUrl };
    const url = `${this.service.baseUrl}/api/v1/${kind}`;
    const response = await this.context.request.post(url, { data, headers });
    expect(response.status(), await response.text()).toBe(200);
  }

  /** What the API says of the last seven days, asked as the signed-in person. */
  async ask<Answer>(statistic: string, query = ''): Promise<Answer> {
    const range = `from=${day(6)}&to=${day(0)}`;
    const address = `/api/v1/statistics/${statistic}?id=${this.shop.id}&${range}${query}`;
    return (await this.context.request.get(this.service.baseUrl + address)).json();
  }

  /** The number of a tile, as it is shown. */
  async tile(name: string): Promise<string> {
    const value = this.page.locator('.tile', { hasText: name }).locator('.tile-value');
    return (await value.textContent()) ?? '';
  }

  /** Name and number of the rows of a panel, as they are shown. */
  rows(panel: string): Promise<[string, string][]> {
    const rows = this.page.locator(`section[aria-labelledby="panel-${panel}-title"] tbody tr`);
    return rows.evaluateAll((list) =>
      list.map((row): [string, string] => [
        row.querySelector('.bar-text')?.textContent ?? '',
        row.querySelector('td')?.firstChild?.textContent ?? '',
      ]),
    );
  }

  /** What is wrong with the page for people who cannot see, or point (axe-core), or have a narrow window. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(AXE);
    return this.page.evaluate(CHECK);
  }

  /** Ten visitors over three days; the first five come from Google, two of them to the price list. */
  async #sendVisits(): Promise<void> {
    const hits = [2, 1, 0].flatMap((daysAgo) =>
      Array.from({ length: 10 - daysAgo * 3 }, (_, visitor) => ({
        url: `https://shop.example/${visitor % 5 === 0 ? 'prices' : ''}`,
        ip: `203.0.113.${visitor + 1}`,
        user_agent: BROWSER_AGENT,
        title: visitor % 5 === 0 ? '<img src=x onerror=alert(1)>' : 'Home',
        referrer: visitor < 5 ? 'https://www.google.com/' : '',
        time: new Date(Date.now() - daysAgo * DAY_MS - 60_000 * (visitor + 1)).toISOString(),
      })),
    );
    const headers = { Authorization: `Bearer ${this.shop.access_key}` };
    await this.post('/api/v1/hit/batch', hits, headers);
  }
}

function day(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
}
