// Goal: people are invited to a site, find what their role may do, and can take it over (D-17).
// Method: a real browser on a service of its own; each signs in with an own password.
import { describe, expect, test } from 'vitest';
import {
  api,
  domain,
  enter,
  givePassword,
  inDialog,
  join,
  openPart,
  partsShown,
  row,
  SITE_PARTS,
  site,
  useSite,
} from './settings-support.ts';
import { EMAIL, PASSWORD } from './support.ts';

const VIEWER = 'viewer@example.org';
const ADMIN = 'admin@example.org';

useSite();

describe('people (D-17, M-3, M-30)', () => {
  const invite = async (emails: string, role: string) => {
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('E-mail addresses, one per line').fill(emails);
    await page.getByLabel('Role').selectOption(role);
    await inDialog('Add').click();
  };
  test('are invited, get a role and find what it may do, and nothing else', async () => {
    await openPart('members');
    const { page } = site;
    await invite(`${VIEWER}\nnobody`, 'Viewer');
    await page.locator('dialog .fault-text', { hasText: '2: ' }).waitFor();
    await page.getByLabel('E-mail addresses, one per line').fill(VIEWER);
    await inDialog('Add').click();
    await row(VIEWER).waitFor();
    await invite(`${ADMIN}\nlater@example.org`, 'Admin');
    await row(ADMIN).waitFor();
    await page.getByRole('button', { name: 'Remove: later@example.org' }).click();
    await inDialog('Remove').click();
    await row('later@example.org').waitFor({ state: 'detached' });
    expect(await partsShown()).toEqual(SITE_PARTS);

    await join(VIEWER);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await site.page.getByRole('heading', { name: 'Saved views' }).waitFor();
    expect(await partsShown()).toEqual(['views', 'leaving']);

    await join(ADMIN);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await row(VIEWER).waitFor();
    const owners = ['transfer', 'deletion'];
    expect(await partsShown()).toEqual([
      ...SITE_PARTS.filter((part) => !owners.includes(part)),
      'leaving',
    ]);
    await row(VIEWER).getByRole('button', { name: 'Change' }).click();
    await site.page.getByLabel('Role').selectOption('Admin');
    await inDialog('Save').click();
    // From now on an Admin like the other: nobody but the Owner, or they themselves, ends that.
    await row(VIEWER).filter({ hasText: 'Admin' }).waitFor();
    expect(await row(VIEWER).getByRole('button').count()).toBe(0);
    expect(await row(ADMIN).getByRole('button', { name: 'Remove' }).count()).toBe(1);

    await enter(EMAIL);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await row(VIEWER).getByRole('button', { name: 'Remove' }).click();
    await inDialog('Remove').click();
    await row(VIEWER).waitFor({ state: 'detached' });
    const left = await api<{ user: { email: string } }[]>(`member?id=${site.shop.id}`);
    expect(left.map(({ user }) => user.email)).toEqual([ADMIN]);
  });

  test('a site is offered, the offer is taken back, and taken (M-15)', async () => {
    await openPart('transfer');
    const { page } = site;
    await page.getByLabel('E-mail of the new owner').fill('nobody@');
    await page.getByRole('button', { name: 'Offer' }).click();
    await page.locator('.field .fault-text', { hasText: /\w/ }).waitFor();
    const offer = async () => {
      await page.getByLabel('E-mail of the new owner').fill(ADMIN);
      await page.getByRole('button', { name: 'Offer' }).click();
      await page.getByText('Offered to admin@example.org').waitFor();
    };
    await offer();
    await page.getByRole('button', { name: 'Withdraw the offer' }).click();
    await page.getByLabel('E-mail of the new owner').waitFor();
    expect((await domain())['new_owner']).toBe(null);
    await offer();
    await enter(ADMIN);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=transfer`);
    await site.page.getByRole('button', { name: 'Accept this site' }).click();
    await expect.poll(async () => (await domain())['user_role']).toBe('Owner');
  });

  test('who is on no site takes one by the link to their account (M-15)', async () => {
    const stranger = 'stranger@example.org';
    await enter(ADMIN);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=transfer`);
    await site.page.getByLabel('E-mail of the new owner').fill(stranger);
    await site.page.getByRole('button', { name: 'Offer' }).click();
    const link = (await site.page.locator('.snippet code').textContent()) ?? '';
    expect(link).toBe(`${site.service.baseUrl}/account`);
    // Nobody else finds the offer there, and it tells nothing to who has not signed in.
    await site.service.createAccount(stranger);
    await givePassword(stranger);
    await site.end();
    await site.begin();
    await site.page.goto(link);
    await site.page.getByLabel('E-mail').fill(EMAIL);
    await site.page.getByLabel('Password').fill(PASSWORD);
    await site.page.keyboard.press('Enter');
    await site.page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    expect(await api('domain/transfer')).toEqual([]);
    expect(await site.page.getByText('Sites offered to you').count()).toBe(0);
    await enter(stranger);
    expect(await api('domain')).toEqual([]);
    await site.page.goto(link);
    const take = site.page.getByRole('button', { name: 'Accept this site: shop.example' });
    await take.waitFor();
    expect(await site.barriers()).toEqual([]);
    await take.click();
    await site.numbers();
    expect(new URL(site.page.url()).pathname).toBe('/shop');
    expect((await domain())['user_role']).toBe('Owner');
  });
});
