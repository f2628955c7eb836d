// Goal: what management has is done in the page too (D-17).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import { DashboardSite } from './support.ts';

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

describe('settings (D-17)', () => {
  test('a goal is made, changed and removed, and faults stand beside their fields', async () => {
    await site.signIn('/shop?settings=goals');
    await site.page.getByRole('button', { name: 'Add' }).click();
    await site.page.getByLabel('Name').fill('Prices');
    await site.page.locator('dialog').getByRole('button', { name: 'Add' }).click();
    await site.page.locator('dialog .fault-text', { hasText: /\w/ }).first().waitFor();
    await site.page.getByLabel('Pattern').fill('/prices');
    await site.page.locator('dialog').getByRole('button', { name: 'Add' }).click();
    await site.page.locator('.records', { hasText: 'Prices' }).waitFor();
    await site.page.getByRole('button', { name: 'Change: Prices' }).click();
    await site.page.getByLabel('Name').fill('Price list');
    await site.page.getByRole('button', { name: 'Save' }).click();
    await site.page.getByRole('button', { name: 'Remove: Price list' }).click();
    await site.page.locator('dialog').getByRole('button', { name: 'Remove' }).click();
    await site.page.getByText('There are none yet').waitFor();
  });
});
