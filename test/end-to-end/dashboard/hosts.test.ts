// Goal: a dashboard is at its path, its own host and a custom hostname; links show what they may, as
// long as they may, where they may (D-1, D-19).
// Method: a real browser, whose names below .localhost are this machine; what it shows is compared with
// the API.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

let site: DashboardSite;
const at = (host: string, path = '/') =>
  `http://${host}:${new URL(site.service.baseUrl).port}${path}`;

beforeAll(async () => {
  site = await DashboardSite.open({
    FOOTFALL_DASHBOARD_HOST: 'stats.localhost',
    FOOTFALL_BASE_URL: 'http://main.localhost',
  });
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

const makeLink = (fields: Record<string, unknown> = {}) =>
  site.manage<{ id: string; code: string }>('POST', 'domain/link', {
    domain_id: site.shop.id,
    ...fields,
  });
const seesNumbers = () => site.page.locator('.tile').first().waitFor();

describe('where a dashboard is (D-1, M-13)', () => {
  test('at a host of its own, at a custom hostname, and nowhere else', async () => {
    const { code } = await makeLink();
    await site.manage('POST', 'domain/custom', {
      domain_id: site.shop.id,
      hostname: 'numbers.localhost',
    });
    for (const host of ['shop.stats.localhost', 'numbers.localhost']) {
      await site.page.goto(at(host));
      await site.page.getByLabel('E-mail').waitFor();
      await site.page.goto(at(host, `/?access=${code}`));
      await seesNumbers();
      expect(await site.page.locator('h1').first().textContent()).toBe('numbers.localhost');
      await site.page.goto(at(host, '/shop'));
      await site.page.getByText('There is no dashboard at this address.').waitFor();
    }
    await site.page.goto(at('nobody.stats.localhost'));
    await site.page.getByLabel('E-mail').waitFor();
    await site.page.goto(at('elsewhere.localhost', `/shop?access=${code}`));
    await site.page.getByText('There is no dashboard at this address.').waitFor();
    await site.page.goto(at('elsewhere.localhost'));
    await site.page.getByText('There is no dashboard at this hostname.').waitFor();
    expect(await site.barriers()).toEqual([]);
    for (const host of ['main.localhost', 'stats.localhost', '127.0.0.1']) {
      await site.page.goto(at(host, `/shop?access=${code}`));
      await seesNumbers();
    }
    await site.manage('POST', 'domain/custom', { domain_id: site.shop.id, hostname: '' });
  });

  test('an address that nothing is at is told by a page, to programs in JSON (D-2)', async () => {
    const gone = await site.page.goto(at('127.0.0.1', '/no/such/page'));
    expect(gone?.status()).toBe(404);
    await site.page.getByText('There is no dashboard at this address.').waitFor();
    // From there one comes to where one can sign in.
    await site.page.getByRole('link', { name: 'Sites' }).click();
    await site.page.getByLabel('E-mail').waitFor();
    const program = await fetch(`${site.service.baseUrl}/no/such/page`);
    expect([program.status, program.headers.get('content-type')]).toEqual([
      404,
      'application/json',
    ]);
  });

  test('a public one needs no sign-in and sets no cookie (D-1, D-2)', async () => {
    await site.manage('POST', 'domain/public', { domain_id: site.shop.id });
    await site.page.goto(at('shop.stats.localhost'));
    await seesNumbers();
    expect(await site.page.getByRole('button', { name: /Account/ }).count()).toBe(0);
    expect(await site.context.cookies()).toEqual([]);
    // A call of the interface would be refused to whoever opens it: a page has a token of its own.
    await site.numbers();
    expect(await site.page.locator('.api-link').count()).toBe(0);
    await site.manage('POST', 'domain/public', { domain_id: site.shop.id });
    await site.page.reload();
    await site.page.getByLabel('E-mail').waitFor();
  });
});

describe('access links (D-19)', () => {
  test('that are unknown, ended or removed say so in words', async () => {
    const { id: endedId, code } = await makeLink();
    await site.page.goto(`${site.service.baseUrl}/shop?access=${code}`);
    await seesNumbers();
    const expires = new Date(Date.now() + 500).toISOString();
    await site.manage('PUT', 'domain/link', { id: endedId, description: '', expires });
    await expect.poll(() => Date.now(), { timeout: 5_000 }).toBeGreaterThan(Date.parse(expires));
    const gone = site.page.getByText('This link no longer works.');
    // Whoever goes on looking is told as well.
    await site.page.keyboard.press('t');
    await gone.waitFor();
    await site.page.reload();
    await gone.waitFor();
    expect(await site.barriers()).toEqual([]);
    await site.page.goto(`${site.service.baseUrl}/shop?access=${'x'.repeat(24)}`);
    await gone.waitFor();
    const { id, code: other } = await makeLink();
    await site.manage('DELETE', `domain/link?id=${id}`);
    await site.page.goto(`${site.service.baseUrl}/shop?access=${other}`);
    await gone.waitFor();
  });

  test('with pinned filters show that part, and say so', async () => {
    const { code } = await makeLink({ filter: { referrer_name: 'Google' } });
    await site.page.goto(`${site.service.baseUrl}/shop?access=${code}`);
    await seesNumbers();
    await site.page.getByText('This link shows only: Source Google').waitFor();
    await site.numbers();
    // What stands behind a panel answers whoever has the link.
    const address = await site.page.locator('.api-link').first().getAttribute('href');
    expect((await fetch(new URL(address ?? '', site.service.baseUrl))).status).toBe(200);
    const shown = await site.tile('Visitors');
    await site.signIn();
    const part = await site.ask<{ visitors: number }>('total', '&referrer_name=Google');
    const whole = await site.ask<{ visitors: number }>('total');
    expect(part.visitors).toBeLessThan(whole.visitors);
    expect(shown).toBe(String(part.visitors));
  });

  test('are framed by the hosts that they name, and by no other', async () => {
    const pages = createServer((request, response) => {
      const given = (request.url ?? '').slice(1);
      const address = `${site.service.baseUrl}/shop?access=${given}`;
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><iframe src="${address}" width="900" height="900"></iframe>`);
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const { port } = pages.address() as AddressInfo;
    const { code } = await makeLink({ frame: [`http://friend.localhost:${port}`] });
    const plain = await makeLink();
    const tileOn = async (host: string, given: string) => {
      await site.page.goto(`http://${host}:${port}/${given}`);
      return site.page.frameLocator('iframe').locator('.tile').first();
    };
    await (await tileOn('friend.localhost', code)).waitFor();
    for (const [host, given] of [
      ['stranger.localhost', code],
      ['friend.localhost', plain.code],
    ] as const) {
      const tile = await tileOn(host, given);
      // The frame shows that something is refused, which says when to look.
      await expect.poll(() => site.page.frames()[1]?.url()).toMatch(/^chrome-error:/);
      expect(await tile.count(), host).toBe(0);
    }
    pages.close();
    pages.closeAllConnections();
  });
});
