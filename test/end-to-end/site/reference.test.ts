// Goal: whoever opens /docs finds every endpoint, and can send a request from there.
// Method: a real browser on the shared service; what the page shows is compared with the document.
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { BROWSER_AGENT, startBrowser } from '../../support/browser.ts';
import { sharedSite } from '../../support/domains.ts';

/** Bytes over the wire, compressed, document included. */
const WEIGHT_MAX = 40_000;

let browser: Browser;
let page: Page;
let baseUrl: string;
let domainId: string;
let token: string;
const faults: string[] = [];

beforeAll(async () => {
  const site = await sharedSite({ hostname: 'docs.example' });
  const domain = await site.next();
  baseUrl = site.service.baseUrl;
  domainId = domain.id;
  const { clientId: client_id, clientSecret: client_secret } = domain;
  const answer = await fetch(`${baseUrl}/api/v1/token`, {
    method: 'POST',
    body: JSON.stringify({ client_id, client_secret }),
  });
  token = ((await answer.json()) as { access_token: string }).access_token;
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
});

beforeEach(async () => {
  const context = await browser.newContext({ userAgent: BROWSER_AGENT });
  page = await context.newPage();
  faults.length = 0;
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${baseUrl}/docs`);
  await page.waitForSelector('#endpoints section');
});

afterEach(async () => {
  expect(faults).toEqual([]);
  await page.context().close();
});

test('every endpoint of the document stands on the page, and nothing comes from elsewhere', async () => {
  const api = (await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const documented = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const shown = await page
    .locator('#endpoints section')
    .evaluateAll((sections) => sections.map((section) => section.getAttribute('aria-label')));
  expect(shown.toSorted()).toEqual(documented.toSorted());
  const hosts = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
  );
  expect(new Set(hosts)).toEqual(new Set([baseUrl]));
});

test('page and document are light', async () => {
  let bytes = 0;
  for (const path of ['/docs', '/api/v1/openapi.json']) {
    bytes += gzipSync(await (await fetch(baseUrl + path)).text()).length;
  }
  expect(bytes).toBeLessThan(WEIGHT_MAX);
});

test('a search leaves what has all its words, also in names of fields', async () => {
  await page.fill('#search', 'post custom_metric_key');
  const left = page.locator('#endpoints section:not([hidden])');
  expect(await left.first().getAttribute('aria-label')).toBe('POST /api/v1/goal');
  expect(await page.textContent('#found')).toBe(`${await left.count()} found`);
  expect(await left.count()).toBeLessThan(5);
});

test('a form sends a request with the token above, and shows what is answered', async () => {
  await page.fill('#token', token);
  const section = page.locator('section[aria-label="GET /api/v1/goal"]');
  await section.scrollIntoViewIfNeeded();
  await section.getByText('Try it').click();
  await section.locator('input[name=id]').fill(domainId);
  await section.getByRole('button', { name: 'Send' }).click();
  await section.locator('.good').waitFor();
  expect(await section.locator('pre').textContent()).toBe('[]');
});

test('a refusal is shown as it is', async () => {
  const section = page.locator('section[aria-label="POST /api/v1/token"]');
  await section.scrollIntoViewIfNeeded();
  await section.getByText('Try it').click();
  await section.getByRole('button', { name: 'Send' }).click();
  await section.locator('.bad', { hasText: '401' }).waitFor();
  expect(await section.locator('pre').textContent()).toContain('do not match a client');
  // What a browser says of any answer that is no good one.
  faults.splice(0);
});
