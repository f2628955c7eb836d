// Goal: a service is restarted as operators do it (SIGTERM) while people look and hits come: the page
// says so, comes back by itself, and no hit that was acknowledged is missing from it (D-14, D-15).
// Method: a person signed in and a guest by a link, each in a window; hits one after the other all the
// time; the page is compared with what was acknowledged, and with the API. SIGKILL: `live.test.ts`.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER_AGENT } from '../../support/browser.ts';
import { pause } from '../../support/until.ts';
import { DashboardSite } from './support.ts';

/** The page waits up to 15 s between its attempts by then, and the machine may be busy. */
const BACK_MS = 60_000;
const PATH = '/during';
const AWAY = /The service (does not answer|is busy)\. The numbers shown are from/;

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());

/** Sends page views, one after the other, until it is told to stop. */
class Visitors {
  acknowledged = 0;
  /** Nobody said what became of them. */
  unanswered = 0;
  #sent = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor() {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const status = await this.#send();
      if (status === 200) this.acknowledged++;
      else if (status === 0) this.unanswered++;
      else expect([429, 503]).toContain(status);
      await pause(status === 200 ? 20 : 200);
    }
  }

  /** @returns the status of the answer; 0: there was none. */
  async #send(): Promise<number> {
    const number = this.#sent++;
    const hit = {
      url: `https://shop.example${PATH}`,
      ip: `198.51.${100 + Math.floor(number / 250)}.${1 + (number % 250)}`,
      user_agent: BROWSER_AGENT,
    };
    const headers = { Authorization: `Bearer ${site.shop.access_key}` };
    const sent = { method: 'POST', headers, body: JSON.stringify(hit) };
    // The answer of a connection that was refused, and of one that broke, is none.
    const answer = await fetch(`${site.service.baseUrl}/api/v1/hit`, sent).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status ?? 0;
  }
}

const isLive = (page: Page) => page.locator('.active:not(.is-still)').waitFor({ timeout: BACK_MS });

/** Visitors and views that a page shows; it must not have been loaded again. */
async function shown(page: Page): Promise<readonly (number | string)[]> {
  const tiles = await page
    .locator('.tile')
    .evaluateAll((list) =>
      list.slice(0, 2).map((tile) => tile.querySelector('.tile-value')?.textContent ?? ''),
    );
  return [...tiles, (await page.evaluate('window.mark')) as string];
}

/** A window of somebody who has no account, by a link. */
async function openGuest(): Promise<{ page: Page; faults: string[]; close(): Promise<void> }> {
  const sent = { domain_id: site.shop.id, description: 'a guest' };
  const { code } = await site.manage<{ code: string }>('POST', 'domain/link', sent);
  const context = await site.browser.newContext({ userAgent: BROWSER_AGENT, locale: 'en-GB' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${site.service.baseUrl}/shop?access=${code}&path=${PATH}`);
  return { page, faults, close: () => context.close() };
}

test('SIGTERM while hits come: said, come back from, and nothing acknowledged is missing (D-14, D-15)', async () => {
  await site.begin();
  await site.signIn(`/shop?path=${PATH}`);
  const guest = await openGuest();
  const pages = [site.page, guest.page];
  for (const page of pages) {
    await isLive(page);
    await page.evaluate(`window.mark = 'the same page'`);
  }
  const visitors = new Visitors();
  for (const page of pages) await page.locator('.hits li', { hasText: PATH }).first().waitFor();

  const said = pages.map((page) => page.getByText(AWAY).waitFor({ timeout: BACK_MS }));
  expect(await site.service.stop()).toBe(0);
  await Promise.all(said);
  for (const page of pages) {
    await page.locator('.active.is-still').waitFor();
    // What was known stays.
    expect((await shown(page))[1]).toMatch(/^\d+$/);
  }
  const before = visitors.acknowledged;
  await site.service.start();
  for (const page of pages) {
    await isLive(page);
    await page.getByText(AWAY).waitFor({ state: 'detached', timeout: BACK_MS });
  }
  await expect.poll(() => visitors.acknowledged, { timeout: BACK_MS }).toBeGreaterThan(before + 5);
  await visitors.stop();

  const { views, visitors: people } = await site.ask<{ views: number; visitors: number }>(
    'total',
    `&path=${PATH}`,
  );
  // Acknowledged is counted, once; of what was not answered nobody knows.
  expect(views).toBeGreaterThanOrEqual(visitors.acknowledged);
  expect(views).toBeLessThanOrEqual(visitors.acknowledged + visitors.unanswered);
  const wanted = [String(people), String(views), 'the same page'];
  for (const page of pages) {
    await expect.poll(() => shown(page), { timeout: BACK_MS }).toEqual(wanted);
    expect(new URL(page.url()).searchParams.get('path')).toBe(PATH);
  }
  expect(guest.faults).toEqual([]);
  await guest.close();
  await site.end();
});
