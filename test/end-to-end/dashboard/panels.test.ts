// Goal: panels and filters of a site's page are true: rows are those of the API, a click asks for what
// it says, and what visitors send stays text (D-12, D-13, D-19).
// Method: a real browser on a service with something in every panel; tables of tabs and filters.
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MANY, MANY_DAY, NEEDLE, SCRIPT, seedMany, seedPanels } from './panel-data.ts';
import { addressOf, type Expected, type Row, rowsIn, TABS } from './panel-tabs.ts';
import { DashboardSite } from './support.ts';

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
  await seedPanels(site);
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

/** Goes to another view of the page without loading it anew. */
async function look(search: string): Promise<void> {
  const address = JSON.stringify(`/shop${search}`);
  await site.page.evaluate(
    `history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** Waits for whatever is asked to be answered. */
async function settled(): Promise<void> {
  const busy = 'main[aria-busy="true"], .panel-body[aria-busy="true"]';
  await expect.poll(() => site.page.locator(busy).count(), { timeout: 15_000 }).toBe(0);
}

async function rowsOf({ statistic, query = '' }: Expected, more = ''): Promise<readonly Row[]> {
  return rowsIn(await site.ask<Row | Row[]>(statistic, `${query}${more}&limit=10`));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Tabs that are shown together: one of each panel. */
const ROUNDS: readonly (readonly Expected[])[] = Array.from({ length: TABS.length }, (_, at) =>
  [...new Set(TABS.map(({ panel }) => panel))].flatMap(
    (panel) => TABS.filter((one) => one.panel === panel)[at] ?? [],
  ),
).filter((round) => round.length > 0);

/** A panel shows the rows that the API answers, and its link answers them. */
async function showsRows(expected: Expected): Promise<void> {
  const answered = await rowsOf(expected);
  const { name, number = 'visitors', isShown = () => true } = expected;
  const rows = answered.filter(isShown);
  expect(rows.length, expected.tab).toBeGreaterThan(0);
  await expect
    .poll(() => site.rows(expected.panel), { message: addressOf(expected) })
    .toEqual(rows.map((row) => [name(row), String(row[number])]));
  const panel = site.page.locator(`[aria-labelledby="panel-${expected.panel}-title"]`);
  const link = (await panel.locator('.api-link').getAttribute('href')) ?? '';
  const linked = await site.context.request.get(site.service.baseUrl + link);
  const answer = (await linked.json()) as readonly Row[];
  if (Array.isArray(answer)) expect(answer.slice(0, 10).map(name)).toEqual(answered.map(name));
}

describe('panels (D-12)', () => {
  test('every tab shows the rows of the API, and links the call (D-12, D-19)', async () => {
    await site.openSite();
    for (const round of ROUNDS) {
      await look(`?${round.map((expected) => addressOf(expected).slice(1)).join('&')}`);
      for (const expected of round) await showsRows(expected);
    }
  });

  test('a click on a row of any tab filters to its visitors (D-13)', async () => {
    await site.openSite();
    const byVisitors = TABS.filter(({ statistic }) => !/^page\/|^event|^tag/.test(statistic));
    for (const expected of byVisitors) {
      await look(addressOf(expected));
      const [first] = (await rowsOf(expected)).filter(expected.isShown ?? (() => true));
      const panel = site.page.locator(`[aria-labelledby="panel-${expected.panel}-title"]`);
      await expect
        .poll(() => site.rows(expected.panel).then((rows) => rows[0]?.[0]))
        .toBe(expected.name(first as Row));
      await panel.locator('tbody .bar-text').first().click();
      await site.page.locator('.chip').first().waitFor();
      await settled();
      // By title a click is on the page, whatever its titles.
      if (expected.picked === undefined)
        expect(await site.tile('Visitors'), addressOf(expected)).toBe(String(first?.['visitors']));
    }
  });

  test('keywords are among the sources of a site that has some (D-12, P-4, S-66)', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const table = [
      'date,query,clicks,impressions,ctr,position',
      `${today},shoes,4,1000,0.4%,3.25`,
      `${today},"boots, red",9,90,10%,1`,
    ].join('\n');
    await site.openSite();
    await site.rows('sources');
    const panel = site.page.locator('[aria-labelledby="panel-sources-title"]');
    expect(await panel.getByRole('tab', { name: 'Keywords' }).count()).toBe(0);
    const address = `${site.service.baseUrl}/api/v1/external/keywords?domain_id=${site.shop.id}`;
    const headers = { Origin: site.service.baseUrl, 'Content-Type': 'text/csv' };
    const sent = await site.context.request.post(address, { headers, data: table });
    expect(sent.status()).toBe(200);
    await site.openSite();
    await panel.getByRole('tab', { name: 'Keywords' }).click();
    const rows = [
      ['boots, red', '9', '1.0'],
      ['shoes', '4', '3.3'],
    ];
    const cells = async () =>
      (await panel.locator('tbody tr').all()).map((row) => row.locator('th, td').allTextContents());
    await expect.poll(async () => Promise.all(await cells())).toEqual(rows);
    expect(await panel.locator('tbody button').count()).toBe(0);
    await look('?tab.sources=keywords&open=sources');
    const all = site.page.getByRole('dialog');
    await all.getByRole('columnheader', { name: 'Impressions' }).getByRole('button').click();
    await expect
      .poll(async () => (await all.locator('tbody tr').allInnerTexts()).map(oneLine))
      .toEqual(['shoes 4 3.3 1,000 0.4%', 'boots, red 9 1.0 90 10%']);
    expect(await all.getByRole('searchbox').count()).toBe(0);
    await look('?tab.sources=keywords&browser=Firefox');
    await panel.getByText('A search console knows of no filters.').waitFor();
    expect((await site.context.request.delete(address, { headers })).status()).toBe(200);
  });

  test('a compared range shows how each row has changed, exactly (D-12, S-70)', async () => {
    await site.openSite('/shop?compare=previous');
    await settled();
    const now = await rowsOf({ ...(TABS[0] as Expected) });
    const days = [13, 7].map((ago) =>
      new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
    );
    const range = `from=${days[0]}&to=${days[1]}`;
    const before = new Map<string, number>();
    for (const { path } of now) {
      const address = `/api/v1/statistics/total?id=${site.shop.id}&${range}&path=${path}`;
      const answer = await site.context.request.get(site.service.baseUrl + address);
      before.set(String(path), ((await answer.json()) as { visitors: number }).visitors);
    }
    const shown = await site.page
      .locator('[aria-labelledby="panel-pages-title"] tbody .is-aside')
      .allTextContents();
    const change = new Intl.NumberFormat('en-GB', {
      ...{ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' },
    });
    expect(shown).toEqual(
      now.map(({ path, visitors }) => {
        const was = before.get(String(path)) ?? 0;
        return was === 0 ? 'new' : change.format((Number(visitors) - was) / was);
      }),
    );
    expect(new Set(shown).size).toBeGreaterThan(1);
  });

  test('goals, funnels, hours and sessions say what the API says (D-12, X-9)', async () => {
    await site.openSite();
    await site.page.locator('.goals li').first().waitFor();
    const goals = await site.ask<{ page_goal: { name: string }; stats: Row }[]>('goals');
    expect(await site.page.locator('.goals .bar-text').allTextContents()).toEqual(
      goals.map(({ page_goal: goal }) => goal.name),
    );
    expect(await site.page.locator('.goals .number').allTextContents()).toEqual(
      goals.map(({ stats }) => expect.stringMatching(new RegExp(`^${stats['visitors']} `))),
    );
    await look('?tab.goals=funnels&tab.sessions=hours');
    await site.page.locator('.funnel li').first().waitFor();
    const funnel = new URL(site.page.url()).searchParams.get('tab.funnel');
    const { data } = await site.ask<{ data: Row[] }>('funnel', `&funnel_id=${funnel}`);
    const steps = await site.page.locator('.funnel-step .number').allTextContents();
    expect(steps.map((text) => text.split(' ')[0])).toEqual(
      data.map(({ visitors }) => String(visitors)),
    );
    const losses = await site.page.locator('.funnel-loss').allTextContents();
    expect(losses.map((text) => /\d+/.exec(text)?.[0])).toEqual(
      data.slice(1).map(({ dropped }) => String(dropped)),
    );
    const cells = await site.page.locator('.hours tbody td').allTextContents();
    const hours = await site.ask<Row[]>('hours/week');
    expect(cells).toEqual(hours.map(({ visitors }) => String(visitors)));
    expect(cells.some((text) => text !== '0')).toBe(true);
  });

  test('a session is told step by step, and is the same after a reload (D-12, D-13)', async () => {
    await site.openSite('/shop?open=sessions&event=Signup');
    await site.page.locator('.all-rows tbody .bar-text').first().click();
    await site.page.locator('.course li').first().waitFor();
    const [, visitor, session] = (new URL(site.page.url()).searchParams.get('open') ?? '').split(
      ':',
    );
    const ids = `&visitor_id=${visitor}&session_id=${session}`;
    const steps = await site.ask<{ page_view: Row | null; event: Row | null }[]>(
      'session/details',
      ids,
    );
    const names = steps.map(({ page_view: page, event }) => page?.['path'] ?? event?.['name']);
    expect(names).toContain('Signup');
    expect(await site.page.locator('.course b').allTextContents()).toEqual(names);
    await site.page.reload();
    await expect.poll(() => site.page.locator('.course b').allTextContents()).toEqual(names);
    await site.page.keyboard.press('Escape');
    await expect.poll(() => new URL(site.page.url()).searchParams.has('open')).toBe(false);
  });
});

/** Of each kind, with each operator somewhere. */
const FILTERS: readonly string[] = [
  ...['path=/checkout', 'path=!/checkout', 'path=~products', 'path=^products'],
  ...['entry_path=/', 'exit_path=/checkout', 'pattern=^/p', 'hostname=shop.example'],
  ...['referrer=https://www.google.com', 'referrer_name=!Google', 'referrer_name=null'],
  ...['channel=~search', 'utm_source=mail', 'utm_medium=email', 'utm_campaign=~aut'],
  ...['utm_content=!null', 'utm_term=shoes', 'country=de', 'country=!null', 'region=~a'],
  ...['city=null', 'language=de', 'browser=Chrome', 'browser_version=~14', 'os=^Win'],
  ...['os_version=!null', 'platform=mobile', 'platform=!mobile', 'screen_class=XL'],
  ...['device=~i', 'event=Signup', 'event=!Signup', 'event_meta_key=plan', 'meta_plan=pro'],
  ...['tag=author', 'tag_author=Ada', 'country=de&country=us&path=~p', 'path=/%26%3D%2B%3F'],
  ...['path=/&path=/checkout&path=!/prices'],
];

describe('filters (D-13)', () => {
  test('every kind stands in the address, as chips, and in what is asked (D-13, X-10)', async () => {
    await site.openSite();
    for (const filters of FILTERS) {
      await look(`?${filters}`);
      const total = await site.ask<Row>('total', `&${filters}`);
      const given = [...new URLSearchParams(filters)];
      await expect
        .poll(() => site.page.locator('.chip').count(), { message: filters })
        .toBe(given.length);
      await settled();
      await expect
        .poll(() => site.tile('Visitors'), { message: filters })
        .toBe(String(total['visitors']));
      // The page writes the same address anew as soon as anything changes.
      await site.page.keyboard.press('t');
      const after = [...new URL(site.page.url()).searchParams].filter(([name]) => name !== 'range');
      expect(after).toEqual(given);
    }
  });

  test('a chip is inverted, widened and removed; several values of one kind stand side by side', async () => {
    await site.openSite('/shop?path=/checkout');
    const choose = async (name: string) => {
      await site.page.locator('.chip-operator > .button').first().click();
      await site.page.getByRole('menuitemradio', { name, exact: true }).click();
    };
    await choose('contains');
    await expect.poll(() => new URL(site.page.url()).search).toBe('?path=%7E%2Fcheckout');
    await choose('is not');
    await expect.poll(() => new URL(site.page.url()).search).toBe('?path=%21%2Fcheckout');
    const others = await site.ask<Row>('total', '&path=!/checkout');
    await expect.poll(() => site.tile('Views')).toBe(String(others['views']));
    await look('?path=/checkout&path=/prices');
    await site.page.getByText('or', { exact: true }).waitFor();
    const both = await site.ask<Row>('total', '&path=/checkout&path=/prices');
    await expect.poll(() => site.tile('Views')).toBe(String(both['views']));
    await site.page.getByRole('button', { name: 'Remove: Page /checkout' }).click();
    await expect.poll(() => new URL(site.page.url()).search).toBe('?path=%2Fprices');
    await site.page.goBack();
    await expect.poll(() => site.page.locator('.chip').count()).toBe(2);
    await site.page.goForward();
    await expect.poll(() => site.page.locator('.chip').count()).toBe(1);
  });

  test('Alt excludes, by mouse and by keyboard', async () => {
    await site.openSite();
    const google = site.page.getByRole('button', { name: 'Google', exact: true });
    await google.focus();
    await site.page.keyboard.press('Alt+Enter');
    await expect.poll(() => new URL(site.page.url()).search).toBe('?referrer_name=%21Google');
    await look('');
    await google.click({ modifiers: ['Alt'] });
    await expect.poll(() => new URL(site.page.url()).search).toBe('?referrer_name=%21Google');
  });

  test('a filter is added by name, with the values that there are', async () => {
    await site.openSite();
    await site.page.getByRole('button', { name: 'Filter', exact: true }).click();
    const selects = site.page.locator('dialog select');
    await selects.nth(0).selectOption('event');
    await selects.nth(1).selectOption('');
    await site.page.locator('dialog input').fill('Sign');
    await site.page
      .locator('#filter-options option[value="Signup"]')
      .waitFor({ state: 'attached' });
    await site.page.locator('dialog input').fill('Signup');
    await site.page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => new URL(site.page.url()).search).toBe('?event=Signup');
  });
});

test('what changed ranks rows of all dimensions, of two ranges or two filters (D-19)', async () => {
  await site.openSite(
    '/shop?open=changed&tab.changed-days=same&path=/checkout&tab.changed-filters=none',
  );
  await site.page.locator('.changes tbody tr').first().waitFor();
  const [here, there] = await Promise.all([
    site.ask<Row>('total', '&path=/checkout'),
    site.ask<Row>('total'),
  ]);
  expect(await site.page.locator('.side-number b').allTextContents()).toEqual(
    [here, there].map((total) => String(total['visitors'])),
  );
  const shown = await site.page.locator('.changes tbody tr').evaluateAll((rows) =>
    rows.map((row) => ({
      dimension: row.querySelector('.dimension')?.textContent ?? '',
      name: row.querySelector('.bar-text')?.textContent ?? '',
      numbers: [...row.querySelectorAll('td')].map(({ textContent }) => textContent ?? ''),
    })),
  );
  const sizes = shown.map(({ numbers }) => Math.abs(Number(numbers[0]?.replace('−', '-'))));
  expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
  const [now, before] = await Promise.all([
    site.ask<Row[]>('browser', '&path=/checkout'),
    site.ask<Row[]>('browser'),
  ]);
  for (const { browser, visitors } of before) {
    const was = Number(visitors);
    const is = Number(now.find((row) => row['browser'] === browser)?.['visitors'] ?? 0);
    const row = shown.find((one) => one.dimension === 'Browser' && one.name === browser);
    expect(row?.numbers.slice(1, 3)).toEqual([String(is), String(was)]);
  }
  expect(new Set(shown.map(({ dimension }) => dimension)).size).toBeGreaterThan(8);
  expect(await site.barriers()).toEqual([]);
});

test('scripts in whatever visitors send are shown as text (D-12)', async () => {
  const encoded = encodeURIComponent(SCRIPT);
  const page = {
    url: `https://shop.example/${encoded}?utm_campaign=${encoded}&utm_source=${encoded}`,
    ...{ title: SCRIPT, referrer: `https://evil.example/${encoded}`, tags: { [SCRIPT]: SCRIPT } },
    user_agent: `${SCRIPT} Mozilla/5.0 (Linux; Android 15; ${SCRIPT}) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36`,
    ip: '203.0.113.240',
  };
  await site.hit(page);
  const headers = { Authorization: `Bearer ${site.shop.access_key}` };
  const { title, url, user_agent, ip } = page;
  const event = { event_name: SCRIPT, event_meta: { [SCRIPT]: SCRIPT } };
  await site.post('/api/v1/event', { title, url, user_agent, ip, ...event }, headers);
  await site.openSite();
  const key = `&tab.event=${encoded}&tab.event-key=${encoded}&tab.tag=${encoded}`;
  for (const search of [
    '?tab.pages-by=title',
    '?tab.sources=url&tab.events=list&tab.technology=device&tab.campaigns=source',
    `?tab.events=values&tab.tags=values${key}`,
    `?path=~${encoded.slice(0, 30)}&meta_${encoded}=${encoded}&tag_${encoded}=${encoded}`,
    '?open=pages',
    '?open=changed',
    '?open=sessions',
  ]) {
    await look(search);
    await settled();
    await site.page.getByText('<img src=x onerror').first().waitFor();
    expect(await site.page.locator('img').count()).toBe(0);
    expect(await site.page.evaluate('globalThis.ran')).toBe(undefined);
  }
});

describe(`${MANY} rows (D-12)`, () => {
  const DAY = `from=${MANY_DAY}&to=${MANY_DAY}`;
  beforeAll(() => seedMany(site));

  test('are searched, ordered and turned page by page, and break nothing', async () => {
    await site.openSite(`/shop?${DAY}&open=pages&tab.pages-by=title`);
    const rows = site.page.locator('.all-rows tbody tr');
    await rows.nth(99).waitFor();
    expect(await rows.count()).toBe(100);
    expect(await site.barriers()).toEqual([]);
    await site.page.getByRole('button', { name: 'Next' }).click();
    await site.page.getByText('101–200').waitFor();
    await look(`?${DAY}&open=pages&at=99`);
    await site.page.getByText('9,901–10,000').waitFor();
    const next = site.page.getByRole('button', { name: 'Next' });
    await expect.poll(() => next.isDisabled()).toBe(true);
    await look(`?${DAY}&open=pages`);
    await site.page.getByRole('button', { name: 'Page', exact: true }).click();
    await expect.poll(() => new URL(site.page.url()).searchParams.get('sort')).toBe('path');
    await expect.poll(() => rows.first().locator('.bar-text').textContent()).toBe('/m/0');
    await site.page.getByRole('searchbox').fill(NEEDLE);
    await expect.poll(() => rows.count()).toBe(1);
    expect(new URL(site.page.url()).searchParams.get('search')).toBe(NEEDLE);
  });

  test('are in the file, each of them, as they are ordered', async () => {
    await site.openSite(`/shop?${DAY}&open=pages&sort=-path`);
    const waiting = site.page.waitForEvent('download');
    await site.page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile(await (await waiting).path(), 'utf8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('\uFEFFPage,Visitors,Time on page,Views,Sessions,Bounce rate,Share');
    expect(lines.length).toBe(MANY + 1);
    expect(lines[1]).toMatch(/^\/m\/9999,1,/);
    expect(new Set(lines).size).toBe(MANY + 1);
  });

  test.each([320, 1_440])('at %i px no panel is wider than the page', async (width) => {
    await site.page.setViewportSize({ width, height: 800 });
    await site.openSite(`/shop?${DAY}&tab.pages-by=title&tab.sessions=hours`);
    await settled();
    expect(await site.barriers()).toEqual([]);
  });
});
