// Goal: everybody can use the page, and it is light (D-2, D-3).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

/** Everything that the first view loads, compressed (D-3). */
const WEIGHT_MAX = 90_000;

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

describe('for everybody', () => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [320, 768, 1_440]) {
      test(`no barrier that axe finds, ${scheme}, ${width} px (D-3)`, async () => {
        await site.page.emulateMedia({ colorScheme: scheme });
        await site.page.setViewportSize({ width, height: 900 });
        for (const path of [
          '/',
          '/shop?range=30d&compare=previous&path=~p',
          '/shop?settings=goals',
        ]) {
          await site.signIn(path);
          await site.page.waitForSelector('h1');
          await site.page.waitForTimeout(300);
          expect(await site.barriers(), path).toEqual([]);
        }
      });
    }
  }

  test('the first view is light, and loads nothing from elsewhere (D-2, D-3)', async () => {
    let bytes = 0;
    const hosts = new Set<string>();
    site.page.on('response', async (response) => {
      hosts.add(new URL(response.url()).origin);
      const sizes = await response
        .request()
        .sizes()
        .catch(() => null);
      bytes += sizes?.responseBodySize ?? 0;
    });
    await site.signIn();
    await site.numbers();
    await site.page.waitForTimeout(500);
    expect([...hosts]).toEqual([site.service.baseUrl]);
    expect(bytes).toBeLessThan(WEIGHT_MAX);
  });
});
