// Goal: who opens the service signs in and finds the sites; strangers are told nothing (D-1).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/service.ts';
import { DashboardSite, EMAIL, PASSWORD } from './support.ts';

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

describe('signing in (D-1)', () => {
  test('leads from the address of the service to the list of sites, and from there to a site', async () => {
    await site.page.goto(site.service.baseUrl);
    await site.page.getByLabel('E-mail').fill(EMAIL);
    await site.page.getByLabel('Password').fill('not this one at all');
    await site.page.keyboard.press('Enter');
    await site.page.getByText('E-mail or password is wrong.').waitFor();
    await site.page.getByLabel('Password').fill(PASSWORD);
    await site.page.keyboard.press('Enter');
    await site.page.getByRole('link', { name: /shop\.example/ }).click();
    await site.page.waitForSelector('.tile');
    expect(new URL(site.page.url()).pathname).toBe('/shop');
    await site.page.goBack();
    await site.page.getByRole('heading', { name: 'Sites' }).waitFor();
  });

  test('is asked for on the page of a private site, and a stranger is told nothing of it', async () => {
    await site.page.goto(`${site.service.baseUrl}/shop`);
    await site.page.getByLabel('E-mail').waitFor();
    await site.page.goto(`${site.service.baseUrl}/there-is-none`);
    await site.page.getByLabel('E-mail').waitFor();
    await site.signIn('/there-is-none');
    await site.page.getByText('There is no dashboard at this address.').waitFor();
  });
});

describe('nobody is asked to be refused (D-1)', () => {
  /** Answers from here on that are refusals. */
  function refusals(): string[] {
    const seen: string[] = [];
    site.page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (response.status() >= 400) seen.push(`${response.status()} ${pathname}`);
    });
    return seen;
  }

  test('before signing in, and on a public page', async () => {
    const seen = refusals();
    await site.page.goto(site.service.baseUrl);
    await site.page.getByLabel('E-mail').waitFor();
    await site.manage('POST', 'domain/public', { domain_id: site.shop.id });
    await site.page.goto(`${site.service.baseUrl}/shop`);
    await site.numbers();
    await site.manage('POST', 'domain/public', { domain_id: site.shop.id });
    expect(seen).toEqual([]);
  });

  test('after signing out, and the focus is at what the page is called', async () => {
    await site.openSite('/shop?range=today');
    const seen = refusals();
    await site.page.locator('.menu > button:has(.account)').click();
    await site.page.getByRole('menuitemradio', { name: 'Sign out' }).click();
    await site.page.getByLabel('E-mail').waitFor();
    expect(new URL(site.page.url()).pathname).toBe('/');
    expect(await site.page.title()).toBe('Sign in · Footfall');
    await expect.poll(() => site.page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(seen).toEqual([]);
    // The sign-in has ended.
    await site.page.reload();
    await site.page.getByLabel('E-mail').waitFor();
  });
});

describe('the first minutes (D-1, M-81)', () => {
  test('a link sets the password, and one click later there are live numbers', async () => {
    const asked = ['account', 'password', '--email', EMAIL, '--data-dir', site.service.dataDir];
    const { link } = await runCommand<{ link: string }>(asked);
    const { pathname, search } = new URL(link);
    await site.page.goto(site.service.baseUrl + pathname + search);
    await site.page.getByLabel('New password').fill(PASSWORD);
    await site.page.getByRole('button', { name: 'Set password' }).click();
    await site.page.getByRole('link', { name: /shop\.example/ }).click();
    await site.numbers();
    const [cookie] = await site.context.cookies();
    expect(cookie).toMatchObject({ name: 'footfall_session', httpOnly: true, sameSite: 'Lax' });
  });

  test('a forgotten password is answered the same, whoever asks', async () => {
    await site.page.goto(site.service.baseUrl);
    await site.page.getByRole('button', { name: 'Forgot your password?' }).click();
    expect(await site.barriers()).toEqual([]);
    for (const email of [EMAIL, 'nobody@example.org']) {
      await site.page.getByLabel('E-mail').fill(email);
      await site.page.getByRole('button', { name: 'Send a link' }).click();
      await site.page.getByText('If an account has this address').waitFor();
    }
    await site.page.getByRole('button', { name: 'Back' }).click();
    await site.page.getByLabel('Password').waitFor();
    await site.page.emulateMedia({ colorScheme: 'dark' });
    expect(await site.barriers()).toEqual([]);
  });
});

describe('by keyboard alone (D-18)', () => {
  /** Tab until something is reached, as a person does who sees the focus. */
  async function tabTo(selector: string): Promise<void> {
    for (let presses = 0; presses < 90; presses++) {
      await site.page.keyboard.press('Tab');
      const isThere = await site.page.evaluate(
        `document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`,
      );
      if (isThere === true) return;
    }
    throw new Error(`Tab does not lead to ${selector}`);
  }

  test('sign-in, filter, range, drill-down and settings', async () => {
    await site.page.goto(site.service.baseUrl);
    await site.page.getByLabel('E-mail').waitFor();
    await tabTo('input[type=email]');
    await site.page.keyboard.type(EMAIL);
    await tabTo('input[type=password]');
    await site.page.keyboard.type(PASSWORD);
    await site.page.keyboard.press('Enter');
    await site.page.getByRole('link', { name: /shop\.example/ }).waitFor();
    await tabTo('.site a[href="/shop"]');
    // The focus can be seen.
    expect(await site.page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe(
      'solid',
    );
    await site.page.keyboard.press('Enter');
    await site.numbers();
    // A range, from its menu.
    await tabTo('.top-range .menu > button');
    await site.page.keyboard.press('Enter');
    await site.page.locator('[role=menu]').first().waitFor();
    await site.page.keyboard.press('Home');
    await site.page.locator('[role=menu] :focus').waitFor();
    await site.page.keyboard.press('Enter');
    await expect.poll(() => new URL(site.page.url()).search).toContain('range=');
    // A row filters everything, its chip is taken off again. Rows of the live lists come and go.
    const pageRow = '[aria-labelledby="panel-pages-title"] button.bar-text';
    await site.page.waitForSelector(pageRow);
    await tabTo(pageRow);
    await site.page.keyboard.press('Enter');
    await site.page.locator('.chip').waitFor();
    expect(new URL(site.page.url()).search).toMatch(/path|title/);
    await site.page.keyboard.press('Escape');
    await expect.poll(() => site.page.locator('.chip').count()).toBe(0);
    // Settings, by the menu of the account, and a part of them.
    await site.page.evaluate('document.activeElement.blur()');
    await tabTo('.menu > button:has(.account)');
    await site.page.keyboard.press('Enter');
    await site.page.getByRole('menuitemradio', { name: 'Settings' }).waitFor();
    await site.page.keyboard.press('Home');
    await site.page.locator('[role=menuitemradio]:focus', { hasText: 'Settings' }).waitFor();
    await site.page.keyboard.press('Enter');
    await site.page.locator('.settings').waitFor();
    await tabTo('.settings nav a[href*="goals"]');
    await site.page.keyboard.press('Enter');
    await site.page.getByRole('heading', { name: 'Goals' }).waitFor();
  });
});
