// Goal: whoever uses keys is never lost: keys go to what is seen, and the focus stays where something
//   was taken away (D-13, D-18; WCAG 2.4.3).
// Method: a real browser, slowed down; keys are pressed without waiting; what has the focus then.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

/** What has the focus, and what is around it. */
interface Focused {
  readonly tag: string;
  readonly text: string;
  /** The name of the nearest part of the page. */
  readonly within: string;
}

const FOCUSED = `(() => {
  const element = document.activeElement;
  const part = element.closest('section, nav, dialog');
  const title = document.getElementById(part?.getAttribute('aria-labelledby') ?? '');
  return {
    tag: element.tagName,
    text: element.textContent.slice(0, 40),
    within: title?.textContent ?? part?.getAttribute('aria-label') ?? '',
  };
})()`;

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

const focused = () => site.page.evaluate<Focused>(FOCUSED);
const press = (...keys: readonly string[]) =>
  keys.reduce((before, key) => before.then(() => site.page.keyboard.press(key)), Promise.resolve());

describe('keys that are pressed without waiting', () => {
  beforeEach(async () => {
    await site.openSite();
    await site.slow(20);
  });

  test('open a menu and choose in it (D-18)', async () => {
    await site.page.locator('.menu > button:has(.account)').focus();
    await press('Enter', 'Home', 'Enter');
    await site.page.locator('main.settings').waitFor();
  });

  test('end a menu that has just opened, and go back to its button (D-18)', async () => {
    await site.page.locator('.top-range .menu > button').first().focus();
    await press('Enter', 'Escape');
    await expect.poll(() => site.page.locator('[role=menu]').count()).toBe(0);
    expect(await focused()).toMatchObject({ tag: 'BUTTON' });
  });

  test('open a dialog and end it, and nothing behind it hears them (D-18)', async () => {
    await site.page.goto(`${site.service.baseUrl}/shop?path=%2F`);
    await site.numbers();
    await press('?', 'Escape');
    await expect.poll(() => site.page.locator('dialog[open]').count()).toBe(0);
    // Escape behind the dialog would have taken the filter off.
    await expect.poll(() => site.page.locator('.chip').count()).toBe(1);
    expect(new URL(site.page.url()).searchParams.get('path')).toBe('/');
  });
});

describe('what is taken away leaves the focus where it was', () => {
  test('a row that a filter takes away leaves it to its panel (D-13)', async () => {
    await site.openSite();
    const rows = site.page.locator('[aria-labelledby="panel-pages-title"] button.bar-text');
    await rows.nth(1).focus();
    await press('Enter');
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(focused).toMatchObject({ tag: 'SECTION', within: 'Pages' });
    // From there Tab goes on within it.
    await press('Tab');
    expect(await focused()).toMatchObject({ within: 'Pages' });
    expect(await site.barriers()).toEqual([]);
  });

  test('a chip that is taken off leaves it to the filters (D-13)', async () => {
    await site.openSite('/shop?path=%2F');
    await site.page.locator('.chip button').last().focus();
    await press('Enter');
    await expect.poll(() => site.page.locator('.chip').count()).toBe(0);
    await expect.poll(focused).toMatchObject({ tag: 'SECTION', within: 'Filters' });
    await press('Tab');
    expect(await focused()).toMatchObject({ tag: 'BUTTON', within: 'Filters' });
  });

  test('a page that is left leaves it to the name of the next one (D-18)', async () => {
    await site.signIn('/');
    await site.page.locator('.site a[href="/shop"]').focus();
    await press('Enter');
    await site.numbers();
    await expect.poll(focused).toMatchObject({ tag: 'H1', text: 'shop.example' });
  });

  test('what somebody puts down themselves stays put down (D-18)', async () => {
    await site.openSite('/shop?path=%2F');
    await site.page.locator('.chip button').last().focus();
    await site.page.evaluate('document.activeElement.blur()');
    await press('Escape');
    await expect.poll(() => site.page.locator('.chip').count()).toBe(0);
    expect(await focused()).toMatchObject({ tag: 'BODY' });
  });
});
