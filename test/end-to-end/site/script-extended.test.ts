// Goal: the extended script reports by itself what A-44 and D-30 name, and ends no bounce by it.
// Method: a real browser that clicks, submits and scrolls; statistics over HTTP say what counted.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { TaggedSite } from '../../support/tagged-site.ts';

const POLL = { timeout: 15_000 };
const SCRIPT = '/js/footfall-extended.js';

let site: TaggedSite;
beforeAll(async () => {
  site = await TaggedSite.open('extended.example');
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.begin();
  site.tagged = { script: SCRIPT, hostname: 'extended.example' };
});
afterEach(async () => {
  expect(site.methods.filter((method) => method === 'OPTIONS')).toEqual([]);
  // What the browser itself says of pages that are not there, and of pages of other sites.
  expect(site.faults.filter((fault) => !/status of 40[04]/.test(fault))).toEqual([]);
  await site.context.close();
});

const listed = async (event: string) => {
  const rows: { meta: object; count: number }[] = await site.statistic('event/list', { event });
  return rows.map(({ meta, count }) => [meta, count]);
};

test('links that lead away and downloads are events that end no bounce (A-44)', async () => {
  const away = site.url('/there?x=1', 'other.example');
  await site.visit('/a', {
    body:
      `<a id=away href="${away}" onclick="event.stopPropagation()"><b>away</b></a>` +
      `<a id=www href="${site.url('/own', 'www.extended.example')}" onclick="return false">own</a>` +
      '<a id=mail href="mailto:a@b.example">mail</a>' +
      '<a id=file href="/files/Report.PDF?v=2" onclick="return false">file</a>' +
      '<a id=named href="/export" download onclick="return false">named</a>',
  });
  for (const id of ['www', 'mail', 'file', 'named']) await site.page.click(`#${id}`);
  await site.page.click('#away', { button: 'right' });
  await site.page.click('#away b');
  await expect
    .poll(() => site.events(), POLL)
    .toEqual({ 'File Download': 2, 'Outbound Link Click': 1 });
  expect(await listed('Outbound Link Click')).toEqual([[{ url: away }, 1]]);
  expect(await listed('File Download')).toContainEqual([
    { url: site.url('/files/Report.PDF?v=2') },
    1,
  ]);
  expect(await site.statistic('total')).toMatchObject({ views: 1, bounces: 1 });
});

test('the tag says what is not to be noticed', async () => {
  const away = site.url('/there', 'other.example');
  await site.visit('/a', {
    attributes: 'data-disable-outbound data-disable-downloads',
    body:
      `<a id=away href="${away}" onclick="return false">away</a>` +
      '<a id=file href="/a.zip" onclick="return false">file</a>',
  });
  await site.page.click('#away');
  await site.page.click('#file');
  expect(await site.untilQuiet()).toBe('hit');
});

test('a page that is not there says so, by its status or by its tag (A-44)', async () => {
  await site.visit('/gone', { status: 404 }, 2);
  await site.visit('/also-gone', { status: 200, attributes: 'data-404' }, 4);
  await site.visit('/there', { attributes: '' }, 5);
  expect(await site.untilQuiet()).toBe('hit event hit event hit');
  expect(await listed('404 Page Not Found')).toHaveLength(2);
  expect(await listed('404 Page Not Found')).toContainEqual([{ url: site.url('/gone') }, 1]);
  expect(await site.statistic('total')).toMatchObject({ views: 3 });
});

test('elements say which event they are, inside of shadow trees too (D-30)', async () => {
  await site.visit('/a', {
    body:
      '<button data-footfall-event="Buy" data-footfall-meta-plan="pro" ' +
      'data-footfall-meta-paid-by="card"><i>buy</i></button>' +
      '<form data-footfall-event="Sign up" data-footfall-non-interactive onsubmit="return false">' +
      '<input name=a><button id=send>send</button></form><div id=host></div>' +
      '<script>host.attachShadow({ mode: "open" }).innerHTML = ' +
      '"<button data-footfall-event=Shadow>x</button>"</script>',
  });
  await site.page.click('button i');
  await site.page.click('input');
  await site.page.click('#send');
  await site.page.click('#host button');
  await expect.poll(() => site.events(), POLL).toEqual({ Buy: 1, 'Sign up': 1, Shadow: 1 });
  expect(await listed('Buy')).toEqual([[{ plan: 'pro', 'paid by': 'card' }, 1]]);
});

test('each quarter of a page is told once, if the tag asks for it (D-30)', async () => {
  const body = '<div style="height: 2400px"></div>';
  await site.visit('/a', { body, attributes: 'data-scroll' });
  for (const top of [1, 700, 0, 700, 1_300]) {
    await site.page.evaluate(`scrollTo(0, ${top})`);
    await site.page.waitForTimeout(50);
  }
  await expect.poll(() => site.events(), POLL).toEqual({ 'Scroll Depth': 3 });
  expect((await listed('Scroll Depth')).map(([meta]) => meta)).toEqual(
    expect.arrayContaining([{ percent: '25' }, { percent: '50' }, { percent: '75' }]),
  );
  await site.page.evaluate("history.pushState({}, '', '/b')");
  await site.page.evaluate('scrollTo(0, 5000)');
  await expect.poll(() => site.events(), POLL).toEqual({ 'Scroll Depth': 7 });
});
