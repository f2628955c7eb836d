// Goal: two people who look at the demo see what the API says, at every moment (D-14, D-15).
// Method: `footfall demo` runs by itself; two browsers and the API are sampled side by side. Totals are
// compared by the position of the state that they are from: where it is the same, so are they. Active
// visitors are compared with what the API said within the time that the stream may take (O-50).
import { type ChildProcess, spawn } from 'node:child_process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_AGENT, startBrowser } from '../../support/browser.ts';
import { cleanEnvironment, ENTRY_POINT } from '../../support/service.ts';
import { pause, until } from '../../support/until.ts';

const EMAIL = 'demo@footfall.example';
const PASSWORD = 'correct horse battery staple';
const SAMPLE_MS = 100;
const SECONDS = 12;
/** From a change to its word on the page: a second of the stream, and what a busy machine takes. */
const ACTIVE_LATE_MS = 15_000;

interface Total {
  readonly visitors: number;
  readonly views: number;
  readonly sessions: number;
}

/** What stands on a page at one moment. */
interface Shown extends Total {
  readonly position: number;
  readonly active: number;
}

/** What the API says at one moment. */
interface Said {
  readonly atMs: number;
  readonly position: number;
  readonly total: Total;
  readonly active: number;
}

const READ = `(() => {
  const number = (text) => Number((text ?? '').replaceAll(',', ''));
  const tile = (name) => number([...document.querySelectorAll('.tile')].find((one) =>
    one.querySelector('.tile-name').textContent === name).querySelector('.tile-value').textContent);
  return {
    position: Number(document.querySelector('main').dataset.position),
    visitors: tile('Visitors'), views: tile('Views'), sessions: tile('Sessions'),
    active: number(document.querySelector('.live-count b').textContent),
  };
})()`;

let demo: ChildProcess;
let browsers: Browser[] = [];
let address = '';
let ask: () => Promise<Said>;

beforeAll(async () => {
  const flags = ['--seconds', '600', '--rate', '15', '--days', '2', '--visits', '200'];
  demo = spawn(process.execPath, [ENTRY_POINT, 'demo', ...flags], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  demo.stdout?.on('data', (chunk: Buffer) => {
    if (said.length < 10_000) said += chunk.toString();
  });
  const words = /listens on (http:\S+)[\s\S]*footfall\.example: (\S+)[\s\S]*hits in batches/;
  await until(() => words.test(said), 50_000);
  const [, at = '', link = ''] = words.exec(said) ?? [];
  address = at;
  const token = new URL(link).searchParams.get('token');
  const body = JSON.stringify({ token, password: PASSWORD });
  const reset = `${address}/api/v1/password/reset`;
  expect((await fetch(reset, { method: 'POST', body })).status).toBe(200);
  browsers = await Promise.all([startBrowser(), startBrowser()]);
});

afterAll(async () => {
  for (const browser of browsers) await browser.close();
  const ended = new Promise((resolve) => demo.once('exit', resolve));
  demo.kill('SIGTERM');
  await ended;
});

/** A person who has signed in, and the address of the site with most visitors. */
interface Person {
  readonly context: BrowserContext;
  readonly site: string;
}

async function signIn(browser: Browser): Promise<Person> {
  const context = await browser.newContext({ userAgent: BROWSER_AGENT, locale: 'en-GB' });
  const request = { data: { email: EMAIL, password: PASSWORD }, headers: { Origin: address } };
  const login = await context.request.post(`${address}/api/v1/login`, request);
  expect(login.status()).toBe(200);
  const domains = await (await context.request.get(`${address}/api/v1/domain`)).json();
  const { id, subdomain, timezone } = domains[0];
  const days = spanOf(timezone);
  ask = async () => {
    const queries = [{ name: 'total' }, { name: 'active' }];
    const sent = { data: { id, ...days, queries }, headers: { Origin: address } };
    const answer = await context.request.post(`${address}/api/v1/statistics/batch`, sent);
    const { position, results } = await answer.json();
    return { atMs: Date.now(), position, total: results[0], active: results[1].visitors };
  };
  return { context, site: `${address}/${subdomain}` };
}

async function open({ context, site }: Person): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site);
  await page.locator('.active:not(.is-still)').waitFor();
  await page.locator('main[data-position]').waitFor();
  return page;
}

/** The seven days that the page shows at first. */
function spanOf(timeZone: string): { from: string; to: string } {
  const day = (daysAgo: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now() - daysAgo * 86_400_000);
  return { from: day(6), to: day(0) };
}

const totalOf = ({ visitors, views, sessions }: Total) => ({ visitors, views, sessions });

describe('two browsers and the API while the demo runs (D-14, D-15)', () => {
  test('agree on totals and active visitors at every moment', async () => {
    const people = await Promise.all(browsers.map(signIn));
    // The API begins first and ends last: what a page shows was true in between.
    const said = [await ask()];
    const shown: { atMs: number; of: number; shown: Shown }[] = [];
    let isEnded = false;
    const asking = (async () => {
      while (!isEnded) {
        said.push(await ask());
        await pause(SAMPLE_MS);
      }
      said.push(await ask());
    })();
    const pages = await Promise.all(people.map(open));
    const endMs = Date.now() + SECONDS * 1_000;
    while (Date.now() < endMs) {
      const read = await Promise.all(pages.map((page) => page.evaluate(READ) as Promise<Shown>));
      for (const [of, one] of read.entries()) shown.push({ atMs: Date.now(), of, shown: one });
      await pause(SAMPLE_MS);
    }
    isEnded = true;
    await asking;

    const stateAt = new Map<number, Total>();
    const agree = (position: number, total: Total): boolean => {
      const before = stateAt.get(position);
      if (before === undefined) stateAt.set(position, totalOf(total));
      else expect(totalOf(total), `position ${position}`).toEqual(before);
      return before !== undefined;
    };
    for (const { position, total } of said) agree(position, total);
    const compared = shown.filter(({ shown: one }) => agree(one.position, one));
    expect(compared.length).toBeGreaterThan(shown.length / 4);
    for (const { atMs, shown: one } of shown) {
      expect(Object.values(one).every(Number.isFinite)).toBe(true);
      // A state between two of the API's is between their numbers.
      const below = said.findLast(({ position }) => position <= one.position);
      const above = said.find(({ position }) => position >= one.position);
      if (below !== undefined) expect(one.views).toBeGreaterThanOrEqual(below.total.views);
      if (above !== undefined) expect(one.views).toBeLessThanOrEqual(above.total.views);
      const lately = said.filter((other) => Math.abs(atMs - other.atMs) < ACTIVE_LATE_MS);
      const active = lately.map((other) => other.active);
      expect(one.active).toBeGreaterThanOrEqual(Math.min(...active));
      expect(one.active).toBeLessThanOrEqual(Math.max(...active));
    }
    const renewed = (of: number) =>
      new Set(shown.filter((one) => one.of === of).map(({ shown: one }) => one.position)).size;
    expect(Math.min(renewed(0), renewed(1))).toBeGreaterThan(3);
  });
});
