// Goal: who opens the service signs in and finds the sites; strangers are told nothing (D-1).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
