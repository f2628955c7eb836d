/**
 * The dashboard in a real browser: a service with two sites, one of them with visits, and a person who
 * has a password.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createAccount, createDomain, passwordLink } from '../../../src/control/accounts.ts';
import { Registry } from '../../../src/control/registry/registry.ts';
import { BROWSER_AGENT, startBrowser } from '../../support/browser.ts';
import { SLOWED } from '../../support/runs.ts';
import { type RunningService, startService } from '../../support/service.ts';

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

/** A site's id, and what hits are sent to it with. */
interface Site {
  readonly id: string;
  readonly access_key: string;
}

/** What is there before the service begins. */
interface Made {
  readonly shop: Site;
  /** Sets the password of the owner. */
  readonly token: string;
}

export class DashboardSite {
  readonly service: RunningService;
  /** `shop.example` at `/shop`, which has visits. */
  readonly shop: Site;
  readonly browser: Browser;
  context!: BrowserContext;
  page!: Page;
  /** What was thrown in the page. */
  faults: string[] = [];
  #cookie = '';

  /** @param timezone of both sites. */
  static async open(env: Record<string, string> = {}, timezone = 'UTC'): Promise<DashboardSite> {
    const settings = { FOOTFALL_RATE_LIMITS: 'off', ...env };
    const service = await startService({ hasCities: true, env: settings, autoStart: false });
    const { shop, token } = await makeSites(service.dataDir, timezone);
    const [browser] = await Promise.all([startBrowser(), service.start()]);
    const site = new DashboardSite(service, shop, browser);
    await site.post('/api/v1/password/reset', { token, password: PASSWORD });
    await site.#sendVisits();
    return site;
  }

  private constructor(service: RunningService, shop: Site, browser: Browser) {
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
    if (SLOWED > 1) await this.slow(SLOWED);
    this.faults = [];
    this.page.on('pageerror', (error) => this.faults.push(String(error)));
  }

  /** From here on the page has that much less of the processor. */
  async slow(rate: number): Promise<void> {
    const session = await this.context.newCDPSession(this.page);
    await session.send('Emulation.setCPUThrottlingRate', { rate });
  }

  /** Closes the window. The page must not have thrown. */
  async end(): Promise<void> {
    await this.context.close();
    expect(this.faults).toEqual([]);
  }

  /** As the owner, by a session that goes on from test to test until one ends it. */
  async signIn(path = '/shop'): Promise<void> {
    const { baseUrl } = this.service;
    const [name = '', value = ''] = (await this.#ownerCookie()).split('=');
    await this.context.addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' }]);
    await this.page.goto(baseUrl + path);
  }

  /** What the owner asks of the interface, without the browser; the answer must be 200. */
  async manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { baseUrl } = this.service;
    const headers = { Origin: baseUrl, Cookie: await this.#ownerCookie() };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}/api/v1/${path}`, { method, headers, ...sent });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as Answer;
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

  /** Makes a record as the owner. */
  async make(kind: string, data: Record<string, unknown>): Promise<void> {
    await this.manage('POST', kind, data);
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

  async #ownerCookie(): Promise<string> {
    const { baseUrl } = this.service;
    const known = await fetch(`${baseUrl}/api/v1/user`, { headers: { Cookie: this.#cookie } });
    if (known.status === 200) return this.#cookie;
    const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
    const sent = { method: 'POST', headers: { Origin: baseUrl }, body };
    const response = await fetch(`${baseUrl}/api/v1/login`, sent);
    expect(response.status).toBe(200);
    this.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return this.#cookie;
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

/** Before there is a service: it knows them from its first moment. */
async function makeSites(dataDir: string, timezone: string): Promise<Made> {
  const nowMs = Date.now();
  const registry = Registry.open(dataDir, nowMs);
  try {
    await createAccount(registry, { email: EMAIL, name: 'Owner' }, nowMs);
    const make = (subdomain: string) => {
      const wish = { email: EMAIL, hostname: `${subdomain}.example`, subdomain, timezone };
      return createDomain(registry, wish, nowMs);
    };
    const { domain, accessKey } = await make('shop');
    await make('empty');
    const { token } = await passwordLink(registry, { email: EMAIL, endsFactor: false }, nowMs);
    return { shop: { id: domain.id, access_key: accessKey }, token };
  } finally {
    await registry.close();
  }
}
