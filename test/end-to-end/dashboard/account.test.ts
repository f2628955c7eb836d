// Goal: a person manages what is its own: name, password, codes of an app, invitations, its look, its
// end (M-80 to M-83).
// Method: a real browser; codes are made from the secret that the page shows.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { totpCode } from '../../../src/control/people/totp.ts';
import { runCommand } from '../../support/service.ts';
import { DashboardSite, EMAIL, PASSWORD } from './support.ts';

const STEP_MS = 30_000;
let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

/** Another person, with a password, signed in here. */
async function person(email: string): Promise<void> {
  await site.service.createAccount(email);
  const asked = ['account', 'password', '--email', email, '--data-dir', site.service.dataDir];
  const { link } = await runCommand<{ link: string }>(asked);
  const { pathname, search } = new URL(link);
  await site.page.goto(site.service.baseUrl + pathname + search);
  await site.page.getByLabel('New password').fill(PASSWORD);
  await site.page.getByRole('button', { name: 'Set password' }).click();
  await site.page.getByRole('heading', { name: 'Sites' }).waitFor();
}
async function signInAs(email: string, password = PASSWORD): Promise<void> {
  await site.page.goto(site.service.baseUrl);
  await site.page.getByLabel('E-mail').fill(email);
  await site.page.getByLabel('Password').fill(password);
  await site.page.getByRole('button', { name: 'Sign in' }).click();
}
/** Who types the code need not look for its field. */
const codeHasFocus = () => site.page.locator('input[autocomplete=one-time-code]:focus').waitFor();
const openAccount = async () => {
  await site.page.goto(`${site.service.baseUrl}/account`);
  await site.page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
};

describe('the account (M-83)', () => {
  test('its name and password are changed, and the new one lets in (M-80)', async () => {
    await person('changes@example.org');
    await openAccount();
    await site.page.getByLabel('Name').fill('Ada');
    await site.page.getByLabel('Language of e-mails').selectOption({ label: 'Deutsch' });
    await site.page.getByRole('button', { name: 'Save' }).click();
    await site.page.getByRole('button', { name: 'Ada' }).waitFor();
    const told = await site.page.evaluate(`fetch('/api/v1/user').then((answer) => answer.json())`);
    expect(told).toMatchObject({ full_name: 'Ada', language: 'de' });
    const another = `${PASSWORD}, another`;
    await site.page.getByLabel('Current password').fill('not this one at all');
    await site.page.getByLabel('New password').fill(another);
    await site.page.getByRole('button', { name: 'Set password' }).click();
    await site.page.getByText('is not the password of this account').waitFor();
    await site.page.getByLabel('Current password').fill(PASSWORD);
    await site.page.getByRole('button', { name: 'Set password' }).click();
    await site.page.getByText('Your password is set.').waitFor();
    await site.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await site.page.getByLabel('E-mail').waitFor();
    await signInAs('changes@example.org', another);
    await site.page.getByText('Account: Ada').waitFor();
  });

  test('codes of an app are turned on by a QR code, asked for, and turned off (M-80)', async () => {
    await person('codes@example.org');
    await openAccount();
    await site.page.getByRole('button', { name: 'Turn on' }).click();
    await site.page.getByRole('img', { name: /QR code/ }).waitFor();
    await codeHasFocus();
    const secret = (await site.page.locator('.opt-out code').textContent()) ?? '';
    const code = (ahead = 0) => totpCode(secret, Math.floor(Date.now() / STEP_MS) + ahead);
    await site.page.getByRole('textbox', { name: /^Code/ }).fill('000000');
    await site.page.getByRole('button', { name: 'Confirm' }).click();
    await site.page.getByText('is not the code').waitFor();
    await site.page.getByRole('textbox', { name: /^Code/ }).fill(code());
    await site.page.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(() => site.page.locator('.recovery code').count()).toBe(10);
    await site.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await site.page.getByRole('button', { name: 'Copy Recovery codes' }).click();
    await site.page.getByText('Copied').waitFor();
    const shown = await site.page.locator('.recovery code').allTextContents();
    expect(await site.page.evaluate('navigator.clipboard.readText()')).toBe(shown.join('\n'));
    const recovery = (await site.page.locator('.recovery code').first().textContent()) ?? '';
    expect(await site.barriers()).toEqual([]);
    await site.context.clearCookies();
    await signInAs('codes@example.org');
    await codeHasFocus();
    await site.page.getByRole('textbox', { name: /^Code/ }).fill(recovery);
    await site.page.getByRole('button', { name: 'Sign in' }).click();
    await site.page.getByRole('heading', { name: 'Sites' }).waitFor();
    await openAccount();
    await site.page.getByRole('textbox', { name: /^Code/ }).fill(code(1));
    await site.page.getByRole('button', { name: 'Turn off' }).click();
    await site.page.getByRole('button', { name: 'Turn on' }).waitFor();
  });

  test('an invitation is accepted, and the site is in the list (M-31)', async () => {
    await site.signIn('/');
    const response = await site.context.request.post(`${site.service.baseUrl}/api/v1/member`, {
      headers: { Origin: site.service.baseUrl },
      data: { id: site.shop.id, emails: ['invited@example.org'] },
    });
    expect(response.status(), await response.text()).toBe(200);
    await site.context.clearCookies();
    const asked = ['account', 'password', '--email', 'invited@example.org'];
    const { link } = await runCommand<{ link: string }>([
      ...asked,
      '--data-dir',
      site.service.dataDir,
    ]);
    const { pathname, search } = new URL(link);
    await site.page.goto(site.service.baseUrl + pathname + search);
    await site.page.getByLabel('New password').fill(PASSWORD);
    await site.page.getByRole('button', { name: 'Set password' }).click();
    await site.page
      .getByText('You have no sites yet')
      .or(site.page.locator('.first'))
      .first()
      .waitFor();
    await openAccount();
    await site.page.getByRole('button', { name: 'Accept: shop.example' }).click();
    await site.page
      .getByRole('button', { name: 'Accept: shop.example' })
      .waitFor({ state: 'detached' });
    await site.page.goto(site.service.baseUrl);
    await site.page.getByRole('link', { name: /shop\.example/ }).waitFor();
  });

  test('is deleted with its address typed, and only without sites (M-83)', async () => {
    await site.signIn('/account');
    await site.page.getByLabel(/To confirm, type/).fill(EMAIL);
    await site.page.getByRole('button', { name: 'Delete my account' }).click();
    await site.page.getByText('shop.example').waitFor();
    await site.context.clearCookies();
    await person('leaves@example.org');
    await openAccount();
    const button = site.page.getByRole('button', { name: 'Delete my account' });
    expect(await button.isDisabled()).toBe(true);
    await site.page.getByLabel(/To confirm, type/).fill('leaves@example.org');
    await button.click();
    await site.page.getByLabel('E-mail').waitFor();
    await signInAs('leaves@example.org');
    await site.page.getByText('E-mail or password is wrong.').waitFor();
  });

  test('its look is chosen for this browser, and stays (D-18)', async () => {
    await site.page.emulateMedia({ colorScheme: 'light' });
    await site.signIn('/account');
    const ground = () => site.page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await site.page.getByLabel('Dark').check();
    expect(await ground()).not.toBe(light);
    await site.page.reload();
    await site.page.getByRole('heading', { name: 'Appearance and language' }).waitFor();
    expect(await ground()).not.toBe(light);
    expect(await site.barriers()).toEqual([]);
    await site.page.getByRole('group', { name: 'Appearance' }).getByLabel('System').check();
    expect(await ground()).toBe(light);
    expect(await site.barriers()).toEqual([]);
  });

  test('its tastes hold on every dashboard: active visitors in the title, full width (M-14)', async () => {
    await site.hit({ ip: '203.0.113.99' });
    await site.page.setViewportSize({ width: 2560, height: 900 });
    const width = () => site.page.evaluate(`document.querySelector('main').clientWidth`);
    await site.openSite();
    await expect.poll(() => site.page.locator('.active b').textContent()).toMatch(/^\d/);
    expect(await site.page.title()).toMatch(/^shop\.example/);
    expect(await width()).toBeLessThan(2300);
    await site.page.goto(`${site.service.baseUrl}/account`);
    for (const label of [/in the page title/, /full width/]) {
      await site.page.getByLabel(label).click();
      await expect.poll(() => site.page.getByLabel(label).isChecked()).toBe(true);
    }
    await site.page.goto(`${site.service.baseUrl}/shop`);
    await expect.poll(() => site.page.title()).toMatch(/^\(\d+\) shop\.example/);
    const { visitors } = await site.ask<{ visitors: number }>('active');
    expect(await site.page.title()).toContain(`(${visitors})`);
    expect(await width()).toBeGreaterThan(2400);
    expect(await site.barriers()).toEqual([]);
  });

  test('a link and its QR code keep a person from being counted (D-19)', async () => {
    await site.signIn('/shop?settings=snippet');
    const link = site.page.getByRole('link', { name: 'https://shop.example/?footfall=off' });
    expect(await link.getAttribute('href')).toBe('https://shop.example/?footfall=off');
    await site.page.getByRole('img', { name: /footfall=off/ }).waitFor();
  });

  test('the theme of a site is worn, where it can be read (M-70)', async () => {
    await site.signIn('/account');
    const wear = async (settings: Record<string, string>) => {
      const response = await site.context.request.post(
        `${site.service.baseUrl}/api/v1/domain/theme`,
        {
          headers: { Origin: site.service.baseUrl },
          multipart: { data: JSON.stringify({ domain_id: site.shop.id, settings }) },
        },
      );
      expect(response.status(), await response.text()).toBe(200);
      await site.page.goto(`${site.service.baseUrl}/shop`);
      await site.page.waitForSelector('.tile');
    };
    const token = (name: string) =>
      site.page.evaluate(`document.documentElement.style.getPropertyValue('${name}')`);
    await wear({ accent: '#7a1fa2', background: '#faf5ff', font: 'Georgia, serif' });
    expect(await token('--accent')).toBe('rgb(122 31 162)');
    expect(await token('--paper')).toBe('rgb(250 245 255)');
    expect(await token('--face')).toContain('Georgia');
    expect(await site.barriers()).toEqual([]);
    // Yellow on white, a black ground and a face that would load something.
    await wear({ accent: '#ffee00', background: '#000000', font: 'x; background: url(//evil)' });
    expect(await token('--paper')).toBe('');
    expect(await token('--face')).toBe('');
    expect(await site.barriers()).toEqual([]);
    await wear({});
    expect(await token('--accent')).toBe('');
  });
});
