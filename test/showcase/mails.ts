/**
 * `npm run mails`: every mail as a picture, in both languages, light and dark, wide and narrow, and
 * its text part: to be looked at after a change of `src/delivery/mail`. `-- FOLDER report` takes
 * reports only.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { renderLetter } from '../../src/delivery/mail/letter/render.ts';
import { sampleLetters } from '../support/mail-samples.ts';

const [FOLDER = 'dist/mails', ONLY = ''] = process.argv.slice(2);
const WIDTHS = [600, 360];
const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'de'] as const;

async function take(browser: Browser, html: string, path: string): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      // As mail programs show it: no script runs, nothing is fetched.
      const viewport = { width, height: 400 };
      const context = await browser.newContext({
        ...{ viewport, colorScheme, javaScriptEnabled: false, offline: true },
      });
      const page = await context.newPage();
      await page.setContent(html);
      await page.screenshot({ path: `${path}-${width}-${colorScheme}.png`, fullPage: true });
      await context.close();
    }
  }
}

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  for (const language of LANGUAGES) {
    for (const [name, letter] of Object.entries(sampleLetters(language))) {
      if (!name.startsWith(ONLY)) continue;
      const { html, text, subject } = renderLetter(letter);
      const path = `${FOLDER}/${name}-${language}`;
      writeFileSync(`${path}.txt`, `Subject: ${subject}\n\n${text}`);
      writeFileSync(`${path}.html`, html);
      await take(browser, html, path);
    }
  }
} finally {
  await browser.close();
}
