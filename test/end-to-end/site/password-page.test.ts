// Goal: whoever opens the link of M-81 sets a password there, once, and is told what is wrong with one.
// Method: a real browser on the shared service; the link comes from the command line.
import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { BROWSER_AGENT, startBrowser } from '../../support/browser.ts';

const PASSWORD = 'a horse that reads statistics';
const { baseUrl, dataDir } = inject('sharedService');
let browser: Browser;
let page: Page;
let number = 0;
let email = '';
let link = '';

/** What a command prints. */
function footfall(...words: string[]): Record<string, string> {
  const argv = ['dist/src/main.js', ...words, '--data-dir', dataDir, '--json'];
  return JSON.parse(execFileSync('node', argv, { encoding: 'utf8' }));
}

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
});

beforeEach(async () => {
  email = `reader-${++number}@example.net`;
  footfall('account', 'create', '--email', email);
  const { pathname, search } = new URL(
    footfall('account', 'password', '--email', email).link ?? '',
  );
  link = `${baseUrl}${pathname}${search}`;
  page = await (await browser.newContext({ userAgent: BROWSER_AGENT })).newPage();
  await page.goto(link);
});

async function submit(password: string): Promise<void> {
  await page.fill('#password', password);
  const answered = page.waitForResponse((response) => response.url().endsWith('/password/reset'));
  await page.click('form button');
  await answered;
}
const outcome = (text: string) => page.locator('#outcome', { hasText: text }).waitFor();
/** Who has set the password is on the dashboard (D-1). */
const isSignedIn = () => page.waitForURL(`${baseUrl}/`);
const signIn = (password: string) =>
  fetch(`${baseUrl}/api/v1/login`, {
    method: 'POST',
    headers: { origin: baseUrl },
    body: JSON.stringify({ email, password }),
  });

test('the link sets the first password, and its token is in no history (M-81)', async () => {
  expect(page.url()).toBe(`${baseUrl}${new URL(link).pathname}`);
  await submit(PASSWORD);
  await isSignedIn();
  expect((await signIn(PASSWORD)).status).toBe(200);
});

test('a password that is too short or common is refused in words, and the next one is taken', async () => {
  await submit('short');
  await outcome('The password must');
  await submit('password123');
  await outcome('The password');
  await submit(PASSWORD);
  await isSignedIn();
});

test('a link that was used is told to be (M-81)', async () => {
  await submit(PASSWORD);
  await isSignedIn();
  await page.goto(link);
  await submit(`${PASSWORD}, twice`);
  await outcome('This link was used already');
  expect((await signIn(PASSWORD)).status).toBe(200);
});

test('an address without a token says so', async () => {
  await page.goto(`${baseUrl}/reset`);
  await outcome('not whole');
});

test('a browser that speaks German is spoken to in German, refusals included (O-21, D-18)', async () => {
  const german = await browser.newContext({ userAgent: BROWSER_AGENT, locale: 'de-AT' });
  page = await german.newPage();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Passwort festlegen' }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  await page.getByLabel('Neues Passwort, mindestens 10 Zeichen').fill('short');
  await page.getByRole('button', { name: 'Passwort festlegen' }).click();
  await outcome('Das Passwort muss 10 bis 200 Zeichen haben.');
  await submit('password123');
  await outcome('Das Passwort gehört zu den häufigsten; wähle ein anderes.');
  await submit(PASSWORD);
  await isSignedIn();
  // Who came for the first time has mails in that language from now on.
  const told = await page.evaluate(`fetch('/api/v1/user').then((answer) => answer.json())`);
  expect(told).toMatchObject({ email, language: 'de' });
  await german.close();
});
