// Goal: the page on a phone, under a finger, in the language that was chosen, and what it is made of.
// Method: a real browser, 320 pixels wide, with a touch screen; fingers are those of Chromium's own
// input, which decides between scrolling and dragging as it does for people.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/settings/package-root.ts';
import { DashboardSite } from './support.ts';

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true } as const;
const DESK = { viewport: { width: 1440, height: 900 } } as const;
/** What a person presses, with its height and its width; what nobody sees is left out. */
const SMALL = `[...document.querySelectorAll('button, select, .input, summary, nav a, footer a')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1)
  .map((one) => [one.getAttribute('aria-label') ?? one.textContent, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => height < 43.5 || width < 23.5)
  .map(([name, { width, height }]) => name + ': ' + width + ' × ' + height)`;

let site: DashboardSite;

beforeAll(async () => {
  site = await DashboardSite.open();
});

afterAll(() => site?.close());

afterEach(() => site.end());

/** Words that do not fit where they stand, and are cut off. */
const CLIPPED = `[...document.querySelectorAll('h1, h2, h3, button, .button, label, legend, summary, th')]
  .filter((one) => one.offsetParent !== null && getComputedStyle(one).overflowX !== 'visible')
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.matches('[dir=auto] *, [dir=auto]'))
  // What is for readers of the screen alone is a pixel wide.
  .filter((one) => one.clientWidth > 2)
  .map((one) => one.textContent.trim().slice(0, 60) + ' ' + one.scrollWidth + '>' + one.clientWidth)`;

test('its longer German words fit a phone of 320 pixels (D-18)', async () => {
  await site.begin({ ...PHONE, viewport: { width: 320, height: 640 }, locale: 'de-DE' });
  await site.signIn('/');
  const parts = [
    'general',
    'theme',
    'snippet',
    'goals',
    'clients',
    'notifications',
    'reports',
    'import',
  ];
  const views = ['/', '/account', '/shop', ...parts.map((part) => `/shop?settings=${part}`)];
  for (const path of views) {
    await site.page.goto(site.service.baseUrl + path);
    await site.page.locator('h1, h2').first().waitFor();
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => site.page.evaluate(wider), { message: path }).toBe(0);
    expect([path, await site.page.evaluate(CLIPPED)]).toEqual([path, []]);
    expect(await site.page.evaluate('document.documentElement.lang')).toBe('de');
  }
});

describe('on a phone (D-18)', () => {
  beforeEach(() => site.begin(PHONE));

  const dialogs = ['pages', 'sources', 'places', 'technology', 'events', 'sessions', 'changed'];
  const parts = [
    'general',
    'theme',
    'snippet',
    'arrivals',
    'goals',
    'funnels',
    'webhooks',
    'import',
    'export',
    'audit',
  ];
  const views = [
    ...['/', '/account', '/?settings=', '/empty', '/nothing-is-here', '/shop'],
    ...[...dialogs, 'credits'].map((open) => `/shop?compare=previous&open=${open}`),
    ...parts.map((part) => `/shop?settings=${part}`),
  ];

  test('no view scrolls sideways, and nothing that is pressed is too small for a finger', async () => {
    await site.signIn('/');
    for (const path of views) {
      await site.page.goto(site.service.baseUrl + path);
      await site.page.locator('h1, h2').first().waitFor();
      if (path.includes('open=')) await site.page.getByRole('dialog').waitFor();
      await expect.poll(() => site.page.evaluate(SMALL), { message: path }).toEqual([]);
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await site.page.evaluate(wider), path).toBe(0);
    }
  });

  test('the header has two rows; its tools are behind one button (WCAG 2.2 AA)', async () => {
    await site.openSite();
    const header = site.page.locator('header.top');
    expect((await header.boundingBox())?.height).toBeLessThan(125);
    const share = site.page.getByRole('button', { name: 'Share', exact: true });
    expect(await share.isVisible()).toBe(false);
    const menu = site.page.getByRole('button', { name: 'Menu', exact: true });
    await menu.click();
    expect(await site.barriers()).toEqual([]);
    await share.click();
    await site.page.getByRole('heading', { name: 'Share this view' }).waitFor();
    expect(await share.isVisible()).toBe(false);
    await site.page.keyboard.press('Escape');
    const focused = () => site.page.evaluate('document.activeElement.className');
    await expect.poll(focused).toContain('more-open');
    await menu.click();
    await site.page.getByRole('button', { name: /^Account:/ }).click();
    await site.page.getByRole('menuitemradio', { name: 'Settings' }).click();
    await site.page.getByRole('heading', { name: /Settings/ }).waitFor();
  });

  test('a finger that goes sideways over the chart selects days (D-11)', async () => {
    await site.openSite();
    const finger = new Finger(await site.context.newCDPSession(site.page));
    const plot = await middleOf('.lines');
    await finger.drag(plot, { x: 90, y: 4 });
    await expect.poll(() => new URL(site.page.url()).searchParams.get('from')).not.toBeNull();
    const { searchParams: given } = new URL(site.page.url());
    expect(String(given.get('from')) <= String(given.get('to'))).toBe(true);
  });

  test('one that goes up over the chart scrolls the page, and selects nothing (D-11)', async () => {
    await site.openSite();
    const finger = new Finger(await site.context.newCDPSession(site.page));
    const before = await site.page.evaluate('scrollY');
    await finger.drag(await middleOf('.lines'), { x: 3, y: -180 });
    await expect.poll(() => site.page.evaluate('scrollY')).toBeGreaterThan(Number(before) + 60);
    expect(new URL(site.page.url()).searchParams.get('from')).toBeNull();
    expect(await site.page.locator('.selected').count()).toBe(0);
  });

  test('the scrubber follows a finger (D-19)', async () => {
    await site.openSite();
    await site.page.getByRole('button', { name: 'Scrub through time' }).click();
    const moment = () => new URL(site.page.url()).searchParams.get('moment') ?? '';
    await expect.poll(moment).not.toBe('');
    const first = moment();
    const thumb = site.page.getByRole('slider', { name: 'Point in time that the page shows' });
    await thumb.scrollIntoViewIfNeeded();
    const box = (await thumb.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const finger = new Finger(await site.context.newCDPSession(site.page));
    await finger.drag({ x: box.x + 8, y: box.y + box.height / 2 }, { x: box.width * 0.85, y: 0 });
    await expect.poll(moment).not.toBe(first);
    expect(moment() > first).toBe(true);
  });
});

describe('the language (D-18)', () => {
  const lang = () => site.page.evaluate('document.documentElement.lang');

  test('is chosen beside the looks, is kept, and that of the browser comes back', async () => {
    await site.begin(DESK);
    await site.openSite();
    expect(await lang()).toBe('en');
    await site.page.getByRole('button', { name: /^Appearance and language/ }).click();
    expect(await site.barriers()).toEqual([]);
    await site.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await site.page.locator('.tile', { hasText: 'Besucher' }).waitFor();
    expect(await lang()).toBe('de');
    await site.page.goto(`${site.service.baseUrl}/account`);
    const languages = site.page.getByRole('group', { name: 'Sprache' });
    expect(await languages.getByLabel('Deutsch').isChecked()).toBe(true);
    expect(await site.barriers()).toEqual([]);
    await languages.getByLabel('System').click();
    await site.page.getByRole('group', { name: 'Language' }).waitFor();
    expect(await lang()).toBe('en');
  });

  test('of a browser in German is German, unless English is chosen: dates stay German then', async () => {
    await site.begin({ ...DESK, locale: 'de-DE' });
    await site.openSite();
    expect(await lang()).toBe('de');
    await site.page.getByRole('button', { name: /^Aussehen und Sprache/ }).click();
    await site.page.getByRole('menuitemradio', { name: 'English' }).click();
    await site.page.locator('.tile', { hasText: 'Visitors' }).waitFor();
    expect(await lang()).toBe('en');
  });
});

describe('around the site (D-10)', () => {
  beforeEach(() => site.begin(DESK));

  test('another site is one click and a few letters away', async () => {
    await site.openSite();
    await site.page.getByRole('button', { name: 'Other sites' }).click();
    const empty = site.page.getByRole('link', { name: 'empty.example' });
    await empty.waitFor();
    expect(await site.barriers()).toEqual([]);
    expect(await site.page.getByRole('link', { name: 'shop.example' }).count()).toBe(0);
    await site.page.keyboard.type('emp');
    await site.page.keyboard.press('Enter');
    await site.page.getByRole('heading', { name: 'empty.example' }).waitFor();
    expect(new URL(site.page.url()).pathname).toBe('/empty');
  });

  test('every package of the bundle is credited, with its licence and its text (D-2)', async () => {
    const file = join(packageRoot(), 'dist/dashboard/metafile.json');
    const { inputs } = JSON.parse(readFileSync(file, 'utf8')) as { inputs: object };
    const folder = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
    const bundled = Object.keys(inputs).flatMap((path) => folder.exec(path)?.[1] ?? []);
    // The map is made of it at build.
    const names = [...new Set([...bundled, 'world-atlas'])].sort();
    expect(names).toContain('preact');
    const { packages } = (await (await fetch(`${site.service.baseUrl}/credits`)).json()) as {
      packages: readonly { name: string; version: string; licence: string; text: string }[];
    };
    expect(packages.map(({ name }) => name)).toEqual(names);
    for (const { name, licence, text } of packages) {
      expect(licence, name).toMatch(/^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0)$/);
      expect(text, name).toMatch(/copyright/i);
    }
    await site.openSite();
    await site.page.getByRole('button', { name: 'Credits' }).click();
    await site.page.getByRole('link', { name: 'preact', exact: true }).waitFor();
    const texts = site.page.getByRole('dialog').locator('details');
    expect(await texts.count()).toBe(names.length);
    await texts.first().locator('summary').click();
    expect(await site.barriers()).toEqual([]);
  });
});

interface Place {
  readonly x: number;
  readonly y: number;
}

async function middleOf(selector: string): Promise<Place> {
  const one = site.page.locator(selector).first();
  await one.scrollIntoViewIfNeeded();
  const box = (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: box.x + box.width / 2 - 40, y: box.y + box.height / 2 };
}

/** One finger on the screen. */
class Finger {
  readonly #session: CDPSession;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  async drag(from: Place, by: Place): Promise<void> {
    const steps = 12;
    await this.#send('touchStart', [from]);
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      await this.#send('touchMove', [{ x: from.x + by.x * part, y: from.y + by.y * part }]);
    }
    await this.#send('touchEnd', []);
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', points: Place[]): Promise<void> {
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  }
}
