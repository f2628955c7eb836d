// Goal: the list of sites is quick, says what goes on, and stands in the order that was chosen (D-16,
// D-19).
// Method: a real browser; ten thousand sites are answered by the test in the place of the service.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

const MANY = 10_000;
/** The list is scrolled through in so many jumps, each of which shows rows that nobody saw before. */
const STEPS = 60;
/** Each may cost so much of a processor: some frames, where all rows would take a second. */
const STEP_MS = 50;
let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

const names = () =>
  site.page
    .locator('.site b')
    .allTextContents()
    .then((texts) => texts.map((text) => text.trim()));

describe('the list of sites (D-16)', () => {
  test('says visitors of today, who is active, and the week as the API does', async () => {
    await site.signIn('/');
    await site.hit({ url: 'https://shop.example/now', ip: '203.0.113.99' });
    await site.page.reload();
    const today = new Date().toISOString().slice(0, 10);
    const asked = `/api/v1/statistics/total?id=${site.shop.id}&from=${today}&to=${today}`;
    const { visitors } = await (
      await site.context.request.get(site.service.baseUrl + asked)
    ).json();
    const week = await site.ask<{ visitors: number }>('total');
    const row = site.page.locator('.site', { hasText: 'shop.example' });
    await row.getByText('now').waitFor();
    expect(await row.locator('.number').nth(1).textContent()).toContain(`${visitors} `);
    expect(await row.locator('.site-week').textContent()).toContain(`${week.visitors} `);
    expect(await row.locator('polyline').count()).toBe(1);
  });

  test('is searched, ordered by traffic and change, in the address; tastes come first', async () => {
    await site.signIn('/');
    await expect.poll(names).toEqual(['empty.example', 'shop.example']);
    await site.page.getByLabel('Order').selectOption('By traffic');
    await expect.poll(names).toEqual(['shop.example', 'empty.example']);
    expect(new URL(site.page.url()).search).toBe('?order=traffic');
    await site.page.getByRole('button', { name: 'Pin to the top: empty.example' }).click();
    await expect.poll(names).toEqual(['empty.example', 'shop.example']);
    await site.page.reload();
    await expect.poll(names).toEqual(['empty.example', 'shop.example']);
    await site.page.getByRole('button', { name: 'Pin to the top: empty.example' }).click();
    await expect.poll(names).toEqual(['shop.example', 'empty.example']);
    await site.page.getByLabel('Order').selectOption('By weekly change');
    await expect.poll(names).toEqual(['shop.example', 'empty.example']);
    await site.page.getByRole('searchbox').fill('EMP');
    await expect.poll(names).toEqual(['empty.example']);
    await site.page.getByRole('searchbox').fill('nothing like it');
    await site.page.getByText('No site matches.').waitFor();
  });

  test(`of ${MANY} scrolls without delay, and asks for what is in sight alone`, async () => {
    await site.signIn('/account');
    const own = await (
      await site.context.request.get(`${site.service.baseUrl}/api/v1/domain?subdomain=shop`)
    ).json();
    const all = Array.from({ length: MANY }, (_, index) => {
      const hostname = `site-${String(index).padStart(5, '0')}.example`;
      const id = String(index).padStart(20, '0');
      return { ...own, id, hostname, display_name: hostname, subdomain: `s${index}`, settings: {} };
    });
    await site.context.route('**/api/v1/domain', (route) => route.fulfill({ json: all }));
    let asked = 0;
    let open = 0;
    let openMost = 0;
    await site.context.route('**/statistics/batch', async (route) => {
      asked++;
      openMost = Math.max(openMost, ++open);
      await new Promise((resolve) => setTimeout(resolve, 10));
      open--;
      await route.fulfill({ json: { position: 0, results: [] } }).catch(() => undefined);
    });
    await site.page.goto(site.service.baseUrl);
    await site.page.locator('.site').first().waitFor();
    // Processor time of the page's thread, and what is built, while the whole list passes by.
    const session = await site.context.newCDPSession(site.page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spentMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    };
    const beforeMs = await spentMs();
    const mostRows = await site.page.evaluate<number>(`new Promise((resolve) => {
      let step = 0, most = 0;
      const next = () => {
        most = Math.max(most, document.querySelectorAll('.site').length);
        if (++step > ${STEPS}) return resolve(most);
        scrollTo(0, document.documentElement.scrollHeight / ${STEPS} * step);
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    })`);
    await expect.poll(names).toContain('site-09999.example');
    expect((await spentMs()) - beforeMs).toBeLessThan(STEPS * STEP_MS);
    expect(mostRows).toBeLessThan(60);
    expect(await site.page.locator('.site').count()).toBeLessThan(60);
    await expect.poll(() => open).toBe(0);
    expect(openMost).toBeLessThanOrEqual(4);
    expect(asked).toBeLessThan(400);
    await site.page.getByRole('searchbox').fill('04711');
    await expect.poll(names).toEqual(['site-04711.example']);
  });
});
