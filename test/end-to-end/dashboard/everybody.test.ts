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
  test('the first view is light, and loads nothing from elsewhere (D-2, D-3)', async () => {
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
  });
});
