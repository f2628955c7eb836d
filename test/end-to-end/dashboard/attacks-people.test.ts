// Goal: nothing that people with rights leave behind runs in the page of others or leads them elsewhere,
//   nor does an address that somebody is sent (D-1, D-2, D-10, M-61, M-70).
// Method: hostile names, addresses and files by the interface; a browser that opens and clicks them.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite, EMAIL, PASSWORD } from './support.ts';

const NAMES = [
  '<img src=x onerror="globalThis.ran=1">',
  '"><script>globalThis.ran=2</script>',
  'javascript:globalThis.ran=3',
  '{filters}{count:a|b}',
  '__proto__',
  '\u202eliam',
];
const ADDRESSES = [
  'javascript:globalThis.ran=4',
  '//evil.example/?range=30d',
  'https://evil.example/?path=/a',
  '/\\evil.example',
  '?range=__proto__&tab.__proto__=constructor&tab.constructor=x&open=__proto__&sort=constructor',
  '?open=%3Cimg%20src%3Dx%20onerror%3D%22globalThis.ran%3D5%22%3E&range=30d',
];
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.ran=6"><script>globalThis.ran=7;' +
  "fetch('/api/v1/user').then(() => { globalThis.ran = 8 })</script>" +
  '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:parent.ran=9"/>' +
  '</foreignObject><a href="javascript:globalThis.ran=10"><rect width="99" height="99"/></a></svg>';

let site: DashboardSite;
/** Addresses that the browser went to or asked, of other hosts. */
let foreign: string[] = [];

beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(async () => {
  foreign = [];
  await site.begin();
  await site.context.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(site.service.baseUrl) || url.startsWith('data:')) return route.continue();
    foreign.push(url);
    return route.abort();
  });
});
afterEach(() => site.end());

/** What has run, and who was asked. */
async function harm(page: Page = site.page): Promise<unknown[]> {
  const ran = await page.evaluate('globalThis.ran ?? null');
  return [...(ran === null ? [] : [ran]), ...foreign];
}

describe('saved views of others (M-61)', () => {
  beforeAll(async () => {
    for (const [at, name] of [...NAMES, ...ADDRESSES].entries()) {
      const days = { from: '2026-11-01', to: '2026-11-20' };
      const address = ADDRESSES[at % ADDRESSES.length];
      await site.make('view', { domain_id: site.shop.id, name: `${at} ${name}`, address, ...days });
    }
  });

  test('are texts, and lead to this site alone, whatever their address says', async () => {
    await site.openSite();
    const { origin } = new URL(site.page.url());
    for (const at of [...NAMES, ...ADDRESSES].keys()) {
      await site.page.goto(`${origin}/shop`);
      await site.numbers();
      await site.page.getByRole('button', { name: 'Saved views' }).click();
      await site.page.locator('.saved-views .bar-text', { hasText: new RegExp(`^${at} `) }).click();
      await expect.poll(() => site.page.locator('dialog[open] .saved-views').count()).toBe(0);
      await site.numbers();
      expect([new URL(site.page.url()).origin, new URL(site.page.url()).pathname]).toEqual([
        origin,
        '/shop',
      ]);
      expect(await harm()).toEqual([]);
    }
  });

  test('and those in the settings are links of this site alone (D-17)', async () => {
    await site.signIn('/shop?settings=views');
    const links = site.page.locator('.records a');
    await expect.poll(() => links.count()).toBe(NAMES.length + ADDRESSES.length);
    const addresses = await links.evaluateAll((all) =>
      all.map((one) => new URL((one as unknown as { href: string }).href).origin),
    );
    expect(new Set(addresses)).toEqual(new Set([site.service.baseUrl]));
    expect(await harm()).toEqual([]);
  });
});

test('an address leads nobody elsewhere once they have signed in (D-1)', async () => {
  const asked = ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:ran=1'];
  for (const to of asked) {
    const query = ['next', 'redirect', 'return', 'url', 'continue']
      .map((name) => `${name}=${encodeURIComponent(to)}`)
      .join('&');
    await site.context.clearCookies();
    await site.page.goto(`${site.service.baseUrl}/?${query}#${to}`);
    await site.page.getByLabel('E-mail').fill(EMAIL);
    await site.page.getByLabel('Password').fill(PASSWORD);
    await site.page.keyboard.press('Enter');
    await site.page.getByRole('heading', { name: 'Sites' }).waitFor();
    expect(new URL(site.page.url()).origin).toBe(site.service.baseUrl);
    expect(await harm()).toEqual([]);
  }
});

test.each(['//evil.example', '//evil.example/shop', '/%2Fevil.example', '/%5Cevil.example'])(
  'a path like %s is no way to another host (D-1)',
  async (path) => {
    await site.signIn('/');
    const answer = await site.page.goto(site.service.baseUrl + path);
    expect(answer?.status()).toBe(404);
    expect(new URL(site.page.url()).origin).toBe(site.service.baseUrl);
    await site.page.locator('body').waitFor();
    await site.page.evaluate(`for (const link of document.links) link.click()`);
    // The page may be on its way to where one signs in.
    await site.page.waitForLoadState('networkidle');
    await expect.poll(harm).toEqual([]);
    expect(new URL(site.page.url()).origin).toBe(site.service.baseUrl);
  },
);

test('a logo with scripts runs none, in a page or opened by itself (M-70)', async () => {
  await site.signIn('/');
  const { baseUrl } = site.service;
  const made = await site.context.request.post(`${baseUrl}/api/v1/theme`, {
    headers: { Origin: baseUrl },
    multipart: {
      data: JSON.stringify({ name: 'Hostile' }),
      logo_light: { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(SVG) },
    },
  });
  expect(made.status(), await made.text()).toBe(200);
  const { id, logo_light: logo } = (await made.json()) as { id: string; logo_light: string };
  await site.manage('PUT', 'domain/theme', { domain_id: site.shop.id, theme_id: id });
  await site.openSite();
  await site.page.locator(`img[src*="${logo}"]`).first().waitFor();
  expect(await harm()).toEqual([]);
  await site.page.goto(new URL(logo, baseUrl).href);
  await site.page.mouse.click(50, 50);
  expect(await harm()).toEqual([]);
  // It is of no origin: what the page of this host keeps is not its.
  expect(await site.page.evaluate('self.origin')).toBe('null');
});
