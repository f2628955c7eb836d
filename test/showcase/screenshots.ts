/**
 * `npm run screenshots`: the pictures of README and docs, taken of the demo's data.
 *
 * WebP by the browser's own encoder: a tenth of a PNG, and nothing to install.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { Stage } from './stage.ts';

const FOLDER = process.argv[2] ?? 'src/docs/pictures';
const BYTES_MAX = 150_000;
const QUALITIES = [86, 74, 60, 45];
const DESK = { width: 1_440, height: 1_000 };
const PHONE = { width: 390, height: 844 };
const SETTLED_MS = 1_500;
/** Until the list of hits has filled. */
const HITS = 6;
const HITS_MS_MAX = 20_000;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly scheme: 'light' | 'dark';
  readonly size: { readonly width: number; readonly height: number };
}

const SITE = '/shop-example?range=30d&compare=previous';
const SHOTS: readonly Shot[] = [
  { name: 'site-light', path: SITE, scheme: 'light', size: DESK },
  { name: 'site-dark', path: SITE, scheme: 'dark', size: DESK },
  { name: 'panels-dark', path: SITE, scheme: 'dark', size: { width: 1_440, height: 3_000 } },
  { name: 'site-phone', path: SITE, scheme: 'light', size: PHONE },
  { name: 'site-phone-dark', path: SITE, scheme: 'dark', size: PHONE },
  { name: 'changed', path: `${SITE}&open=changed`, scheme: 'light', size: DESK },
  { name: 'filtered', path: `${SITE}&country=de`, scheme: 'light', size: DESK },
  { name: 'sites', path: '/', scheme: 'light', size: { width: 1_440, height: 320 } },
  { name: 'sites-dark', path: '/', scheme: 'dark', size: { width: 1_440, height: 320 } },
  { name: 'settings', path: '/shop-example?settings=goals', scheme: 'light', size: DESK },
];

async function take(browser: Browser, stage: Stage, shot: Shot): Promise<number> {
  const { size: viewport, scheme: colorScheme } = shot;
  const locale = { locale: 'en-GB', timezoneId: 'Europe/Berlin' };
  const context = await browser.newContext({
    ...{ ...locale, viewport, colorScheme, deviceScaleFactor: viewport.width < 500 ? 2 : 1 },
    ...{ reducedMotion: 'reduce', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' },
  });
  await context.addCookies([{ ...stage.cookie, url: stage.address }]);
  const page = await context.newPage();
  await page.goto(stage.address + shot.path);
  await page.waitForSelector(
    shot.path.startsWith('/shop-example?range') ? 'main[data-position]' : 'h1',
  );
  const isSite = shot.path.startsWith(SITE) && !shot.path.includes('country');
  const lines = page.locator('.hits li');
  const until = Date.now() + HITS_MS_MAX;
  while (isSite && (await lines.count()) < HITS && Date.now() < until)
    await page.waitForTimeout(SETTLED_MS);
  await page.waitForTimeout(SETTLED_MS);
  const session = await context.newCDPSession(page);
  let picture = Buffer.alloc(0);
  for (const quality of QUALITIES) {
    const asked = { format: 'webp', quality } as const;
    const { data } = await session.send('Page.captureScreenshot', asked);
    picture = Buffer.from(data, 'base64');
    if (picture.length <= BYTES_MAX) break;
  }
  await context.close();
  writeFileSync(`${FOLDER}/${shot.name}.webp`, picture);
  return picture.length;
}

mkdirSync(FOLDER, { recursive: true });
const stage = new Stage();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
});
try {
  await stage.open();
  for (const shot of SHOTS) {
    const bytes = await take(browser, stage, shot);
    process.stdout.write(`${FOLDER}/${shot.name}.webp: ${(bytes / 1_000).toFixed(0)} kB\n`);
  }
} finally {
  await browser.close();
  await stage.close();
}
