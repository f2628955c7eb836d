// Goal: the page of a site shows the numbers of the API, and follows clicks, keys and the address
// (D-10 to D-18).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

describe('the page of a site', () => {
  test('shows the numbers of the API (D-11, D-12, D-14)', async () => {
    await site.signIn();
    await site.numbers();
    const total = await site.ask<Record<string, number>>('total');
    expect(await site.tile('Visitors')).toBe(String(total['visitors']));
    expect(await site.tile('Views')).toBe(String(total['views']));
    expect(await site.tile('Bounce rate')).toBe(`${(total['bounce_rate'] ?? 0) * 100}%`);
    const pages = await site.ask<{ path: string; visitors: number }[]>('page');
    expect(await site.rows('pages')).toEqual(
      pages.map(({ path, visitors }) => [path, String(visitors)]),
    );
    const sources = await site.ask<{ referrer_name: string; visitors: number }[]>('referrer');
    expect(await site.rows('sources')).toEqual(
      sources.map(({ referrer_name: name, visitors }) => [name || 'Direct', String(visitors)]),
    );
    const policy = (await site.context.request.get(`${site.service.baseUrl}/shop`)).headers();
    expect(policy['content-security-policy']).toContain("default-src 'self'");
  });

  test('a click filters all of it, the address says so, back takes it away (D-13)', async () => {
    await site.signIn();
    await site.page.getByRole('button', { name: 'Google' }).click();
    await site.page.locator('.chip', { hasText: 'Google' }).waitFor();
    expect(new URL(site.page.url()).search).toBe('?referrer_name=Google');
    const total = await site.ask<Record<string, number>>('total', '&referrer_name=Google');
    await expect.poll(() => site.tile('Visitors')).toBe(String(total['visitors']));
    await site.page.reload();
    await expect.poll(() => site.tile('Visitors')).toBe(String(total['visitors']));
    await site.page.goBack();
    await expect.poll(() => site.page.locator('.chip').count()).toBe(0);
    await site.page.getByRole('button', { name: 'Google' }).click({ modifiers: ['Alt'] });
    const others = await site.ask<Record<string, number>>('total', '&referrer_name=!Google');
    await expect.poll(() => site.tile('Visitors')).toBe(String(others['visitors']));
  });

  test('keys choose ranges, and can be switched off (D-10, D-18)', async () => {
    await site.signIn();
    await site.numbers();
    await site.page.keyboard.press('t');
    await expect.poll(() => new URL(site.page.url()).search).toBe('?range=today');
    await site.page.keyboard.press('?');
    await site.page.getByLabel('Single-key shortcuts').uncheck();
    await site.page.keyboard.press('Escape');
    await site.page.keyboard.press('w');
    expect(new URL(site.page.url()).search).toBe('?range=today');
  });

  test('renews itself when a hit comes (D-14, D-15, O-51)', async () => {
    await site.signIn('/shop?range=today');
    await site.numbers();
    const before = Number(await site.tile('Views'));
    await site.hit({ url: 'https://shop.example/new' });
    await site.page.locator('.hits', { hasText: '/new' }).waitFor({ timeout: 5_000 });
    await expect.poll(() => site.tile('Views'), { timeout: 8_000 }).toBe(String(before + 1));
  });

  test('looks by itself every half minute, without word of a hit, but not while it is paused (D-14, D-15)', async () => {
    await site.page.clock.install();
    await site.openSite('/shop?range=today');
    await site.page.locator('.active:not(.is-still)').waitFor();
    let asked = 0;
    site.page.on('request', (request) => {
      if (request.postData()?.includes('"total"') === true) asked++;
    });
    await expect
      .poll(async () => {
        await site.page.clock.runFor(31_000);
        return asked;
      })
      .toBeGreaterThan(0);
    await site.page.getByRole('button', { name: 'Pause' }).click();
    await site.page.locator('.active.is-still').waitFor();
    await expect.poll(() => site.page.locator('main[aria-busy="true"]').count()).toBe(0);
    asked = 0;
    for (let minute = 0; minute < 3; minute++) await site.page.clock.runFor(61_000);
    expect(asked).toBe(0);
    // What a person asks for is answered.
    await site.page.keyboard.press('y');
    await expect.poll(() => asked).toBe(1);
  });

  test('texts of visitors are shown as texts', async () => {
    await site.openSite('/shop?path=~p');
    await site.page.getByRole('button', { name: 'By title' }).click();
    await site.page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    expect(await site.page.locator('img').count()).toBe(0);
  });

  test('says what to do before the first visit (D-18)', async () => {
    await site.signIn('/empty');
    await site.page.getByText('Waiting for the first visitor').waitFor();
    await site.page.getByText('/js/footfall.js').waitFor();
  });

  test('says that the service is away, and goes on when it is back', async () => {
    await site.signIn();
    await site.numbers();
    await site.context.setOffline(true);
    await site.page.keyboard.press('t');
    await site.page.getByText('The service does not answer.').waitFor();
    await site.context.setOffline(false);
    await site.page.getByText('The service does not answer.').waitFor({ state: 'detached' });
  });
});
