// Goal: a part of the page that is loaded when it is shown, and does not come, says so and comes at the
//   next try (D-2); what is seen meanwhile stays.
// Method: a real browser whose requests for such parts fail, or are never answered.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

/** The file that became of a part. */
function fileOf(part: string): string {
  const { outputs } = JSON.parse(readFileSync('dist/dashboard/metafile.json', 'utf8')) as {
    outputs: Record<string, { entryPoint?: string }>;
  };
  const found = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint === `src/dashboard/app/${part}`,
  );
  return `**/assets/${basename(found?.[0] ?? part)}`;
}

const fails = (route: Route) => route.abort();
/** What is asked is never answered. */
const hangs = () => undefined;

/** From here on a file does not come. @returns lets it come from then on. */
async function breaks(file: string, answer: (route: Route) => unknown): Promise<() => void> {
  let isBroken = true;
  await site.page.route(file, (route) => (isBroken ? answer(route) : route.continue()));
  return () => {
    isBroken = false;
  };
}

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

const alert = () => site.page.getByRole('alert').filter({ hasText: 'could not be loaded' });
const retry = () => alert().getByRole('button', { name: 'Try again' }).click();
const credits = () =>
  site.page.getByRole('dialog').getByRole('link', { name: 'preact', exact: true });
const openCredits = () => site.page.getByRole('button', { name: 'Credits' }).click();

describe('a part of the page that does not come (D-2)', () => {
  test.each([
    ['fails', fails],
    ['is never answered', hangs],
  ])('says so where it %s, and is there after another try', async (_how, answer) => {
    await site.openSite();
    const mend = await breaks(fileOf('site/credits.tsx'), answer);
    await openCredits();
    await alert().waitFor();
    expect(await site.barriers()).toEqual([]);
    // What was there before still is, and works.
    expect(await site.tile('Visitors')).not.toBe('');
    mend();
    await retry();
    await credits().waitFor();
    expect(await alert().count()).toBe(0);
    await site.page.keyboard.press('Escape');
    expect(await site.tile('Visitors')).not.toBe('');
  });

  test('does not take the page away while nothing answers, and can be left', async () => {
    await site.openSite();
    await site.page.route(fileOf('site/credits.tsx'), fails);
    await openCredits();
    await alert().waitFor();
    await site.page.evaluate('window.isSame = true');
    const asked = site.page.waitForRequest('**/livez');
    await site.page.route('**/livez', fails);
    await retry();
    await asked;
    await alert().waitFor();
    expect(await site.page.evaluate('window.isSame')).toBe(true);
    await alert().getByRole('button', { name: 'Close' }).click();
    expect(await alert().count()).toBe(0);
    expect(new URL(site.page.url()).search).toBe('');
  });

  test('stands where the part would be: the map, beside numbers that are there', async () => {
    const mend = await breaks(fileOf('site/panels/world-map.tsx'), fails);
    await site.openSite();
    // One among the places, one of who is active.
    await expect.poll(() => alert().count()).toBe(2);
    expect(await site.rows('pages')).not.toEqual([]);
    mend();
    await alert().first().getByRole('button').click();
    await expect.poll(() => site.page.locator('svg.world').count()).toBe(2);
  });

  test('says so, too, where it is a whole page', async () => {
    const mend = await breaks(fileOf('account/account-page.tsx'), fails);
    await site.signIn('/account');
    await alert().waitFor();
    mend();
    await retry();
    await site.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  });
});
