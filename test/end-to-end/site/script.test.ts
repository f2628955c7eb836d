// Goal: one tag counts a page as D-30 to D-32 say, without a word to the page and without preflights.
// Method: a real browser on pages of another site than the service; statistics say what counted.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TaggedSite } from '../../support/tagged-site.ts';

const POLL = { timeout: 15_000 };
/** A window that nobody has seen, until it says that it is shown. */
const HIDDEN =
  'let isHidden = true;' +
  'Object.defineProperty(document, "hidden", { get: () => isHidden });' +
  'window.show = () => { isHidden = false; document.dispatchEvent(new Event("visibilitychange")) }';

let site: TaggedSite;
beforeAll(async () => {
  site = await TaggedSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(async () => {
  // A preflight would be one more method at the network.
  expect(site.methods.filter((method) => method === 'OPTIONS')).toEqual([]);
  await site.context.close();
});

const run = (code: string) => site.page.evaluate(code);

describe('a page view (D-30)', () => {
  test('counts with path, title, referrer and screen', async () => {
    await site.page.goto(site.url('/from', 'other.example'));
    await site.untilAnswered(1);
    await run(`location.href = '${site.url('/a?utm_source=nl#part')}'`);
    await site.untilAnswered(2);
    expect(await site.views()).toEqual({ '/a': 1 });
    expect(await site.statistic('session/list')).toMatchObject([
      { entry_title: 'Title of /a?utm_source=nl', screen_class: 'XXL', utm_source: 'nl' },
    ]);
    // The fragment stays in the page.
    expect(site.parameters('url')[1]).toBe('http://script.example/a?utm_source=nl');
    expect(site.parameters('ref')[1]).toBe(site.url('/', 'other.example'));
  });

  test('of a page in one document counts with each other path, and its title', async () => {
    await site.visit('/a');
    await run("history.pushState({}, '', '/b'); document.title = 'B'; void 0");
    await site.untilAnswered(2);
    await run("history.replaceState({}, '', '/b?page=2')");
    await run("history.replaceState({}, '', '/c')");
    await site.untilAnswered(3);
    await run("history.pushState({}, '', '/d'); history.pushState({}, '', '/e')");
    await site.untilAnswered(5);
    await run('history.go(-2)');
    await site.untilAnswered(6);
    expect(await site.untilQuiet()).toBe('hit hit hit hit hit hit');
    expect(await site.views()).toEqual({ '/a': 1, '/b': 1, '/c': 2, '/d': 1, '/e': 1 });
    expect(site.parameters('t').slice(0, 2)).toEqual(['Title of /a', 'B']);
    // Where the visitor comes from is said once.
    expect(new Set(site.parameters('ref').slice(1))).toEqual(new Set(['']));
    expect(await site.statistic('total')).toMatchObject({ sessions: 1, views: 6 });
  });

  test('counts the path in the fragment with data-hash, joined by one slash', async () => {
    await site.visit('/app/#/list?page=1', { attributes: 'data-hash' });
    await run("location.hash = '#about'");
    await site.untilAnswered(2);
    await run("location.hash = '#/about?page=2'");
    expect(await site.untilQuiet()).toBe('hit hit');
    expect(await site.views()).toEqual({ '/app/list': 1, '/app/about': 1 });
  });

  test('does not follow the history with data-disable-history', async () => {
    await site.visit('/a', { attributes: 'data-disable-history' });
    await run("history.pushState({}, '', '/b')");
    expect(await site.untilQuiet()).toBe('hit');
  });

  test('counts once more when the back-forward cache gives the page back', async () => {
    await site.visit('/a');
    await site.visit('/b', {}, 2);
    await run('window.isSame = 1');
    await site.page.goto(site.url('/c'));
    await site.untilAnswered(3);
    await run('history.back()');
    await site.untilAnswered(4);
    expect(await run('window.isSame')).toBe(1);
    expect(await site.untilQuiet()).toBe('hit hit hit hit');
    expect(await site.views()).toEqual({ '/a': 1, '/b': 2, '/c': 1 });
  });

  test('waits until somebody sees the page: not while prerendered or hidden', async () => {
    const rules = { prerender: [{ source: 'list', urls: ['/next'], eagerness: 'immediate' }] };
    const head = `<script type="speculationrules">${JSON.stringify(rules)}</script>`;
    await site.visit('/a', { head, body: '<a id=next href=/next>next</a>' });
    await site.untilQuiet();
    expect(await site.views()).toEqual({ '/a': 1 });
    await site.page.click('#next');
    await site.untilAnswered(2);
    expect(await site.views()).toEqual({ '/a': 1, '/next': 1 });
  });

  test('of a window that was never in front is none, until it is', async () => {
    await site.page.addInitScript(HIDDEN);
    await site.visit('/a', {}, 0);
    await run("window.told = footfall('too early').then(() => { window.isTold = true }); void 0");
    expect(await site.untilQuiet()).toBe('');
    await run('show()');
    await site.untilAnswered(2);
    expect(await site.views()).toEqual({ '/a': 1 });
  });

  test('of such a window an event that waited goes after the answer to the page view (I-50)', async () => {
    await site.page.addInitScript(HIDDEN);
    let answer = () => undefined as unknown;
    const isHeld = new Promise<void>((resolve) => {
      void site.page.route(/\/hit\?/, (route) => {
        resolve();
        answer = () => route.continue();
      });
    });
    await site.visit('/a', {}, 0);
    await run("footfall('early'); show()");
    await isHeld;
    // It would open the session in place of the page view.
    expect(await site.untilQuiet()).toBe('hit');
    await answer();
    await site.untilAnswered(2);
    expect(site.kinds()).toBe('hit event');
    const [session] = await site.statistic('session/list');
    expect(session).toMatchObject({ entry_path: '/a', page_views: 1 });
  });

  test('counts once with two tags', async () => {
    const src = `${site.service.service.baseUrl}/js/footfall.js`;
    await site.visit('/a', {
      head: `<script defer src="${src}" data-code="${site.code}"></script>`,
    });
    await run("footfall('once')");
    expect(await site.untilQuiet()).toBe('hit event');
  });
});

describe('an attribute (D-31, A-43)', () => {
  test('says which paths count, and keeps events of others back too', async () => {
    const rows = [
      ['data-exclude="^/private, ^/über,"', '/private/a', false],
      ['data-exclude="^/private, ^/über,"', '/%C3%BCber', false],
      ['data-exclude="^/private, ^/über,"', '/public', true],
      ['data-include="/blog/[0-9]+$"', '/blog/17', true],
      ['data-include="/blog/[0-9]+$"', '/blog/a', false],
      ['data-include="^/blog" data-exclude="draft"', '/blog/draft', false],
      ['data-include data-exclude', '/a', true],
      ['data-exclude="("', '/b', false],
    ] as const;
    let count = 0;
    for (const [attributes, path, counts] of rows) {
      site.tagged = { attributes };
      await site.page.goto(site.url(path));
      expect([path, await run("footfall('x')")]).toEqual([path, counts ? true : undefined]);
      if (counts) count += 2;
    }
    await site.untilAnswered(count);
    expect(await site.untilQuiet()).toBe('hit event hit event hit event');
    expect(await site.views()).toEqual({ '/public': 1, '/blog/17': 1, '/a': 1 });
    expect(site.faults).toEqual([]);
  });

  test('says what is not to be sent: query, referrer, resolution', async () => {
    const attributes = 'data-disable-query data-disable-referrer data-disable-resolution';
    await site.page.goto(site.url('/from', 'other.example'));
    await site.untilAnswered(1);
    await site.visit('/a?utm_source=nl', { attributes }, 2);
    expect(site.parameters('url')[1]).toBe('http://script.example/a');
    expect([site.parameters('ref')[1], site.parameters('w')[1]]).toEqual(['', '']);
    expect(await site.statistic('session/list')).toMatchObject([
      { utm_source: '', screen_class: '' },
    ]);
  });

  test('gives tags to page views and events', async () => {
    await site.visit('/a', { attributes: 'data-tag-author="Ann" data-tag-content-type="post"' });
    await run("footfall('read', { tags: { author: 'Bob' }, meta: { depth: 3 } })");
    const tags: { key: string }[] = await site.statistic('tags');
    expect(tags.map(({ key }) => key).toSorted()).toEqual(['author', 'content type']);
    expect(await site.statistic('event/list')).toMatchObject([
      { name: 'read', meta: { author: 'Bob', 'content type': 'post', depth: '3' } },
    ]);
  });

  test('sends to further dashboards, each under its own host (data-domains)', async () => {
    const other = await site.service.next();
    const alternative = { domain_id: other.id, hostname: 'rollup.example' };
    await site.service.reader.create('domain/alternative', alternative);
    const code = await site.codeOf(other);
    await site.visit('/from');
    site.tagged = { attributes: `data-domains="rollup.example:${code}, nowhere.example"` };
    await run(`location.href = '${site.url('/a')}'`);
    await site.untilAnswered(3);
    expect(await site.views()).toEqual({ '/from': 1, '/a': 1 });
    expect(await site.views(other.id)).toEqual({ '/a': 1 });
    expect(site.parameters('url')[2]).toBe('http://rollup.example/a');
    // A page of its own is no referrer there either.
    expect(site.parameters('ref')[2]).toBe('http://rollup.example/from');
  });

  test('sends nothing from localhost, unless it says whose pages they are (data-dev)', async () => {
    await site.visit('/a', { hostname: 'localhost' }, 0);
    expect(await run("footfall('x')")).toBeUndefined();
    expect(await site.untilQuiet()).toBe('');
    await site.visit('/b', { attributes: 'data-dev="script.example"' });
    await run("location.href = '/c'");
    await site.untilAnswered(2);
    expect(site.parameters('url')).toEqual(['http://script.example/b', 'http://script.example/c']);
    expect(site.parameters('ref')[1]).toBe('http://script.example/b');
    expect(await site.views()).toEqual({ '/b': 1, '/c': 1 });
  });

  test('says where to send to (data-endpoint)', async () => {
    await site.visit('/a', { attributes: `data-endpoint="${site.service.service.baseUrl}"` });
    expect(await site.views()).toEqual({ '/a': 1 });
  });
});

describe('the script of a domain (D-31, M-22)', () => {
  const save = (type: string, fields: object) =>
    site.service.reader.request('POST', '/api/v1/domain/snippet', {
      body: { domain_id: site.domain.id, type, ...fields },
    });

  test('has the settings of its records, for page views and for events', async () => {
    await save('page view', { exclude: '^/quiet' });
    await save('event', { include: '/quiet' });
    await site.visit('/a', { script: `/js/${site.code}.js` });
    expect(await run("footfall('x')")).toBeUndefined();
    await site.page.goto(site.url('/quiet'));
    expect(await run("footfall('y')")).toBe(true);
    expect(await site.views()).toEqual({ '/a': 1 });
    expect(await site.events()).toEqual({ y: 1 });
    // What the tag says wins.
    await site.visit('/quiet', { attributes: 'data-exclude="/other"' }, 3);
    expect(site.faults).toEqual([]);
  });
});

describe('an event (D-32)', () => {
  test('has meta, duration, tags; calls before the script was there wait for it', async () => {
    const head =
      '<script>window.footfall=window.footfall||function(){(footfall.q=footfall.q||[]).push(arguments)};' +
      "footfall('early', { meta: { plan: 'pro' }, duration: 7 })</script>";
    await site.visit('/a', { head }, 2);
    expect(await run("footfall('order', { meta: { amount: 9.5 }, non_interactive: true })")).toBe(
      true,
    );
    expect(await run("footfall('plain', null)")).toBe(true);
    expect(await site.events()).toEqual({ early: 1, order: 1, plain: 1 });
    expect(await site.statistic('event/list', { event: 'order' })).toMatchObject([
      { meta: { amount: '9.5' } },
    ]);
    expect(await site.statistic('total')).toMatchObject({ sessions: 1, views: 1 });
    expect(site.faults).toEqual([]);
  });

  test('waits for the page view, which it would double, unless the page is left (I-50)', async () => {
    let answer = () => {};
    await site.context.route(/\/hit\?/, async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue().catch(() => {});
    });
    await site.visit('/a', {}, 0);
    await run("footfall('soon'); void 0");
    expect(await site.untilQuiet()).toBe('hit');
    answer();
    await site.untilAnswered(2);
    expect(await site.views()).toEqual({ '/a': 1 });
    await run("history.pushState({}, '', '/b')");
    await site.untilQuiet();
    await run("footfall('left'); void 0");
    expect(await site.untilQuiet()).toBe('hit event hit');
    await run("location.href = '/c'; void 0");
    await expect.poll(() => site.events(), POLL).toEqual({ soon: 1, left: 1 });
  });

  test('that cannot be sent is no fault of the page', async () => {
    await site.visit('/a');
    expect(await run('const a = {}; a.a = a; footfall("circle", { meta: a })')).toBeUndefined();
    expect(await run(`footfall("long", { meta: { a: "${'x'.repeat(2_001)}" } })`)).toBe(false);
    expect(await site.events()).toEqual({});
    // What the browser itself says of a 400.
    expect(site.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  });

  test('is sent while the page is left', async () => {
    await site.visit('/a');
    await run("footfall('left'); location.href = '/b'");
    await expect.poll(() => site.views(), POLL).toEqual({ '/a': 1, '/b': 1 });
    await expect.poll(() => site.events(), POLL).toEqual({ left: 1 });
    await site.page.waitForLoadState('load');
    await site.untilQuiet();
    await run("history.pushState({}, '', '/c'); location.href = '/d'");
    const all = { '/a': 1, '/b': 1, '/c': 1, '/d': 1 };
    await expect.poll(() => site.views(), POLL).toEqual(all);
    await run("footfall('closed')");
    await site.page.close();
    await expect.poll(() => site.events(), POLL).toEqual({ left: 1, closed: 1 });
  });

  test('goes by a beacon where fetch does not work', async () => {
    await site.visit('/a', { head: '<script>fetch = () => Promise.reject(0)</script>' });
    expect(await run("footfall('x')")).toBe(true);
    await site.untilAnswered(2);
    expect(await site.views()).toEqual({ '/a': 1 });
    expect(await site.events()).toEqual({ x: 1 });
  });
});

describe('a keep-alive (D-32)', () => {
  test('comes each minute while the page is seen and was used within half an hour', async () => {
    await site.page.clock.install();
    await site.visit('/a');
    await site.page.clock.runFor(180_000);
    await site.untilAnswered(4);
    expect(site.kinds()).toBe('hit session session session');
    await site.page.clock.runFor(3_600_000);
    await site.untilAnswered(31);
    await site.page.mouse.click(10, 10);
    await site.page.clock.runFor(60_000);
    await site.untilAnswered(32);
    expect(await site.statistic('session/list')).toMatchObject([{ extended: 31 }]);
  });
});

describe('whoever does not want to be counted (D-32)', () => {
  test('says so by the address, and takes it back', async () => {
    await site.visit('/a?footfall=off', {}, 0);
    await run("footfall('x')");
    await site.visit('/b', {}, 0);
    expect(await site.untilQuiet()).toBe('');
    expect(await run('localStorage.disable_footfall')).toBe('1');
    await site.visit('/c?footfall=on', {}, 1);
    await site.visit('/d', {}, 2);
    expect(await site.views()).toEqual({ '/c': 1, '/d': 1 });
  });

  test('says so by the storage, also on a page that is open', async () => {
    await site.visit('/a');
    await run('localStorage.disable_footfall = 1');
    await run("footfall('x'); history.pushState({}, '', '/b')");
    await site.page.reload();
    expect(await site.untilQuiet()).toBe('hit');
    expect(await run('Object.keys(localStorage).concat(document.cookie)')).toEqual([
      'disable_footfall',
      '',
    ]);
  });
});

describe('the page', () => {
  test('may forbid all but the service (CSP), and storage', async () => {
    const { baseUrl } = site.service.service;
    await site.visit('/a', {
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src ${baseUrl}; connect-src ${baseUrl}`,
      },
    });
    expect(await site.views()).toEqual({ '/a': 1 });
    expect(site.faults).toEqual([]);
    // A frame without an origin has no storage at all.
    const frame = `<iframe sandbox="allow-scripts" src="${site.url('/frame')}"></iframe>`;
    site.tagged = { headers: {}, body: '' };
    await site.page.goto(site.url('/frame'));
    await site.untilAnswered(2);
    await run(`document.body.innerHTML = ${JSON.stringify(frame)}; void 0`);
    await site.untilAnswered(3);
    expect(await site.views()).toEqual({ '/frame': 2, '/a': 1 });
    expect(site.faults).toEqual([]);
  });

  test('hears nothing of a service that is away, and works on', async () => {
    await site.context.route(/\/(hit|event)\?/, (route) => route.abort());
    await site.page.goto(site.url('/a'));
    await site.page.waitForFunction('typeof footfall == "function"');
    await run("footfall('x')");
    await site.untilQuiet();
    expect(site.faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
  });

  test('may freeze its history', async () => {
    await site.visit('/a', { head: '<script>Object.freeze(history)</script>' });
    await run("history.pushState({}, '', '/b')");
    expect(site.faults).toEqual([]);
    // It is noticed with the next use.
    await site.page.mouse.click(10, 10);
    await site.untilAnswered(2);
    expect(await site.views()).toEqual({ '/a': 1, '/b': 1 });
  });
});
