// Goal: people are invited to a site, find what their role may do, and can take it over (D-17).
// Method: a real browser on a service of its own; each signs in with an own password.
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../support/service.ts';
import {
  api,
  domain,
  inDialog,
  openPart,
  row,
  SITE_PARTS,
  send,
  site,
  useSite,
} from './settings-support.ts';
import { EMAIL, PASSWORD } from './support.ts';

const VIEWER = 'viewer@example.org';
const ADMIN = 'admin@example.org';

useSite();

describe('people (D-17, M-3, M-30)', () => {
  /** Somebody with a password, who has accepted an invitation. */
  async function join(email: string, role: string): Promise<void> {
    const asked = ['account', 'password', '--email', email, '--data-dir', site.service.dataDir];
    const { link } = await runCommand<{ link: string }>(asked);
    const token = new URL(link).searchParams.get('token');
    await site.post('/api/v1/password/reset', { token, password: PASSWORD });
    await enter(email);
    const [invitation] = await api<{ id: string }[]>('invitation');
    expect((await send('POST', 'invitation', { id: invitation?.id })).status(), role).toBe(200);
  }

  async function enter(email: string): Promise<void> {
    await site.end();
    await site.begin();
    const headers = { Origin: site.service.baseUrl };
    const data = { email, password: PASSWORD };
    await site.context.request.post(`${site.service.baseUrl}/api/v1/login`, { data, headers });
  }

  const invite = async (emails: string, role: string) => {
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('E-mail addresses, one a line').fill(emails);
    await page.getByLabel('Role').selectOption(role);
    await inDialog('Add').click();
  };
  const parts = async () => {
    const links = await site.page.locator('.settings nav a').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    return addresses.map((address) => String(address).split('settings=')[1]);
  };

  test('are invited, get a role and find what it may do, and nothing else', async () => {
    await openPart('members');
    const { page } = site;
    await invite(`${VIEWER}\nnobody`, 'Viewer');
    await page.locator('dialog .fault-text', { hasText: '2: ' }).waitFor();
    await page.getByLabel('E-mail addresses, one a line').fill(VIEWER);
    await inDialog('Add').click();
    await row(VIEWER).waitFor();
    await invite(`${ADMIN}\nlater@example.org`, 'Admin');
    await row(ADMIN).waitFor();
    await page.getByRole('button', { name: 'Remove: later@example.org' }).click();
    await inDialog('Remove').click();
    await row('later@example.org').waitFor({ state: 'detached' });
    expect(await parts()).toEqual(SITE_PARTS);

    await join(VIEWER, 'Viewer');
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await site.page.getByRole('heading', { name: 'Saved views' }).waitFor();
    expect(await parts()).toEqual(['views']);

    await join(ADMIN, 'Admin');
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await row(VIEWER).waitFor();
    const owners = ['transfer', 'deletion'];
    expect(await parts()).toEqual(SITE_PARTS.filter((part) => !owners.includes(part)));
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
      await page.getByText('It is offered to admin@example.org').waitFor();
    };
    await offer();
    await page.getByRole('button', { name: 'Take the offer back' }).click();
    await page.getByLabel('E-mail of the new owner').waitFor();
    expect((await domain())['new_owner']).toBe(null);
    await offer();
    await enter(ADMIN);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=transfer`);
    await site.page.getByRole('button', { name: 'Take this site' }).click();
    await expect.poll(async () => (await domain())['user_role']).toBe('Owner');
  });
});
