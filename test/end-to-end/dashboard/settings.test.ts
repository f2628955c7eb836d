// Goal: what management has is done in the page too, by whoever may (D-17, D-19).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { describe, expect, test } from 'vitest';
import { BROWSER_AGENT } from '../../support/browser.ts';
import {
  api,
  faultBeside,
  formOf,
  inDialog,
  openPart,
  type Rec,
  row,
  SITE_PARTS,
  send,
  site,
  useSite,
} from './settings-support.ts';

const ACCOUNT_PARTS = ['clients', 'organizations', 'themes', 'usage'];

useSite();

/** A kind of record: what is typed, what is wrong at first, what it is changed to. */
interface Kind {
  readonly part: string;
  readonly list: (id: string) => string;
  /** Typed at first, and refused: the label that the fault stands beside. */
  readonly bad: readonly [label: string, value: string];
  readonly good: readonly (readonly [label: string, value: string])[];
  /** What the row and the record say then. */
  readonly told: string;
  readonly made: Rec;
  readonly change: readonly [label: string, value: string] | null;
  readonly toldThen: string;
  readonly changed: Rec;
}

const KINDS: readonly Kind[] = [
  {
    part: 'goals',
    list: (id) => `goal?id=${id}`,
    bad: ['Pattern', '^('],
    good: [
      ['Name', 'Prices'],
      ['Pattern', '/prices'],
      ['Target number of visitors', '20'],
    ],
    told: 'Prices',
    made: { name: 'Prices', path_pattern: '/prices', visitor_goal: 20 },
    change: ['Name', 'Price list'],
    toldThen: 'Price list',
    changed: { name: 'Price list', path_pattern: '/prices', visitor_goal: 20 },
  },
  {
    part: 'links',
    list: (id) => `domain/link?domain_id=${id}`,
    bad: ['Description', 'x'.repeat(501)],
    good: [['Description', 'For the board']],
    told: 'For the board',
    made: { description: 'For the board' },
    change: ['Description', 'For the press'],
    toldThen: 'For the press',
    changed: { description: 'For the press' },
  },
  {
    part: 'alternatives',
    list: (id) => `domain/alternative?domain_id=${id}`,
    bad: ['Hostname', 'shop.example'],
    good: [['Hostname', '*.shop.example']],
    told: '*.shop.example',
    made: { hostname: '*.shop.example' },
    change: ['Hostname', 'm.shop.example'],
    toldThen: 'm.shop.example',
    changed: { hostname: 'm.shop.example' },
  },
  {
    part: 'webhooks',
    list: (id) => `webhook?domain_id=${id}`,
    bad: ['Address', 'http://127.0.0.1/hook'],
    good: [
      ['Event', 'order'],
      ['Address', 'https://hooks.example.org/order'],
    ],
    told: 'https://hooks.example.org/order',
    made: { event: 'order', endpoint: 'https://hooks.example.org/order' },
    change: ['Event', 'order paid'],
    toldThen: 'order paid',
    changed: { event: 'order paid', endpoint: 'https://hooks.example.org/order' },
  },
  {
    part: 'reports',
    list: (id) => `report?id=${id}`,
    bad: ['E-mail addresses, one per line', 'boss@example.org\nnobody'],
    good: [
      ['E-mail addresses, one per line', 'boss@example.org'],
      ['Weeks between two reports', '1'],
    ],
    told: 'boss@example.org',
    made: { email: 'boss@example.org', interval: 1 },
    change: ['Weeks between two reports', '4'],
    toldThen: 'Every 4 weeks',
    changed: { email: 'boss@example.org', interval: 4 },
  },
  {
    part: 'clients',
    list: (id) => `client?id=${id}`,
    bad: ['Description', 'x'.repeat(501)],
    good: [['Description', 'Reader']],
    told: 'Reader',
    made: { description: 'Reader', scope_statistics: 'r', scope_domains: '' },
    change: ['Description', 'Writer'],
    toldThen: 'Writer',
    changed: { description: 'Writer', scope_statistics: 'r' },
  },
];

describe('records (D-17)', () => {
  test.each(KINDS)(
    '$part are made, changed and removed; faults stand beside their fields',
    async (kind) => {
      await openPart(kind.part);
      const list = async () => api<Rec[]>(kind.list(site.shop.id));
      const before = await list();
      const { page } = site;
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const dialog = page.locator('dialog');
      const type = async ([label, value]: readonly [string, string]) =>
        dialog.getByLabel(label, { exact: true }).fill(value);
      for (const entry of kind.good) await type(entry);
      if (kind.part === 'clients') await dialog.getByLabel('Statistics').selectOption('r');
      await type(kind.bad);
      await inDialog('Add').click();
      await dialog.locator('.field .fault-text', { hasText: /\w/ }).waitFor();
      expect(await faultBeside(kind.bad[0])).toMatch(/\w{3}/);
      // Whoever does not see it is led to it.
      expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe(
        'true',
      );
      expect(await list()).toEqual(before);
      for (const entry of kind.good) await type(entry);
      await inDialog('Add').click();
      await row(kind.told).waitFor();
      expect((await list()).at(-1)).toMatchObject(kind.made);
      if (kind.change !== null) {
        await row(kind.told).getByRole('button', { name: 'Change' }).last().click();
        await type(kind.change);
        await inDialog('Save').click();
        await row(kind.toldThen).waitFor();
        expect((await list()).at(-1)).toMatchObject(kind.changed);
      }
      await row(kind.toldThen).getByRole('button', { name: 'Remove' }).click();
      await inDialog('Remove').click();
      await row(kind.toldThen).waitFor({ state: 'detached' });
      expect(await list()).toEqual(before);
    },
  );

  test('a secret is shown once: it signs in, and is gone after a reload (M-40)', async () => {
    await openPart('clients');
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Kind').selectOption('token');
    // An access key only sends: no other scope is offered.
    expect(await page.locator('dialog').getByLabel('Statistics').count()).toBe(0);
    await page.locator('dialog').getByLabel('Page views').selectOption('w');
    await inDialog('Add').click();
    const secret = await page.locator('.secrets dd code').last().textContent();
    await page.getByText('Copy it now').waitFor();
    const hit = { url: 'https://shop.example/', ip: '203.0.113.9', user_agent: BROWSER_AGENT };
    const headers = { Authorization: `Bearer ${secret}` };
    expect(await site.post('/api/v1/hit', hit, headers)).toEqual({});
    await page.reload();
    await page.locator('.records li').first().waitFor();
    expect(await page.content()).not.toContain(String(secret));
  });

  test('a funnel is typed with its steps, and shows what it would have counted (D-19)', async () => {
    await openPart('funnels');
    const { page } = site;
    await page.getByText('No funnels yet').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('To the prices');
    await page.getByLabel('Step 1: Value').fill('/');
    await page.getByLabel('Step 2: Value').fill('/prices');
    const result = page.locator('dialog .result .funnel li');
    await result.nth(1).waitFor();
    const typed = await result.locator('.number').allTextContents();
    await page.getByRole('button', { name: 'Move step 2 up' }).click();
    const first = page.locator('dialog .result .number').first();
    await expect.poll(() => first.textContent()).not.toBe(typed[0]);
    await page.getByRole('button', { name: 'Move step 2 up' }).click();
    await inDialog('Add').click();
    await row('To the prices').waitFor();
    const [made] = await api<(Rec & { id: string })[]>(`funnel?id=${site.shop.id}`);
    expect(made).toMatchObject({
      name: 'To the prices',
      steps: [{ filter: { path: '/' } }, { filter: { path: '/prices' } }],
    });
    const { data } = await site.ask<{ data: { visitors: number }[] }>(
      'funnel',
      `&funnel_id=${made?.id}`,
    );
    expect(typed.map((text) => Number.parseInt(text, 10))).toEqual(
      data.map(({ visitors }) => visitors),
    );
    await row('To the prices').getByRole('button', { name: 'Remove' }).click();
    await inDialog('Remove').click();
    await page.getByText('No funnels yet').waitFor();
  });

  test('a goal tries a path and shows its result while it is typed, as the API counts it (D-19)', async () => {
    await openPart('goals');
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Pattern').fill('/pri*');
    await page.getByLabel('Try a path').fill('/prices/old');
    await page.getByText('/prices/old does not reach it.').waitFor();
    await page.getByLabel('Try a path').fill('/PRICES');
    await page.getByText('/PRICES reaches it.').waitFor();
    const { visitors } = await site.ask<{ visitors: number }>('total', '&pattern=(?i)%5E/pri');
    expect(visitors).toBeGreaterThan(0);
    expect(await page.locator('.result').textContent()).toContain(`${visitors} visitors`);
    await page.getByLabel('Pattern').fill('^(');
    await page.locator('.result .fault-text', { hasText: /\w/ }).waitFor();
  });

  test('a link has an end, filters and hosts that may frame it, as the API has them (D-19)', async () => {
    await openPart('links');
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Description').fill('Bounded');
    await page.getByLabel('Expires').fill('2020-01-01T10:00');
    await inDialog('Add').click();
    await page.locator('dialog .field .fault-text', { hasText: /\w/ }).waitFor();
    const year = new Date().getFullYear() + 1;
    await page.getByLabel('Expires').fill(`${year}-01-01T10:00`);
    await page.getByLabel('Only what matches these filters: Value').fill('/prices');
    await page.getByLabel('Hosts whose pages may embed it').fill('www.example.org');
    await inDialog('Add').click();
    await row('Bounded').waitFor();
    const [made] = await api<Rec[]>(`domain/link?domain_id=${site.shop.id}`);
    expect(made).toMatchObject({
      ...{ expires: `${year}-01-01T10:00:00.000Z`, frame: ['www.example.org'] },
      filter: { path: ['/prices'] },
    });
    // Another name lifts no bound.
    await row('Bounded').getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Description').fill('Board');
    await inDialog('Save').click();
    await row('Board').waitFor();
    const [changed] = await api<Rec[]>(`domain/link?domain_id=${site.shop.id}`);
    expect(changed).toMatchObject({ filter: made?.['filter'], expires: made?.['expires'] });
    await row('Board').getByRole('button', { name: 'Remove' }).click();
    await inDialog('Remove').click();
    await page.getByText('No links yet').waitFor();
  });

  test('a saved view leads to its numbers, gets another name and goes', async () => {
    await openPart('general');
    const view = { domain_id: site.shop.id, name: 'Home', from: '2026-01-01', to: '2026-01-31' };
    expect((await send('POST', 'view', { ...view, path: ['/'] })).status()).toBe(200);
    const { page } = site;
    await page.getByRole('link', { name: 'Saved views' }).click();
    await page.getByRole('button', { name: 'Change: Home' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Front page');
    await inDialog('Save').click();
    const link = page.getByRole('link', { name: 'Front page' });
    expect(await link.getAttribute('href')).toBe('/shop?from=2026-01-01&to=2026-01-31&path=%2F');
    expect(await api(`view?domain_id=${site.shop.id}`)).toMatchObject([
      { name: 'Front page', path: ['/'] },
    ]);
    await page.getByRole('button', { name: 'Remove: Front page' }).click();
    await inDialog('Remove').click();
    await page.getByText('No saved views yet').waitFor();
  });
});

describe('whatever is typed (D-17)', () => {
  test('is not lost by a click, by Escape or by going back', async () => {
    await site.signIn('/empty?settings=general');
    const { page } = site;
    await page.getByRole('link', { name: 'Goals' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Typed');
    const asked: string[] = [];
    let mayGo = false;
    page.on('dialog', async (dialog) => {
      asked.push(dialog.message());
      await (mayGo ? dialog.accept() : dialog.dismiss());
    });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.evaluate('history.back()');
    await expect.poll(() => asked.length).toBe(3);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed');
    expect(page.url()).toContain('settings=goals');
    mayGo = true;
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Funnels' }).click();
    await page.getByText('No funnels yet').waitFor();
    expect(asked.length).toBe(4);
  });

  test('stays when the service does not answer, which is said with a way to try again', async () => {
    await site.signIn('/empty?settings=goals');
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Later');
    await page.getByLabel('Pattern').fill('/later');
    await page.route('**/api/v1/goal', (route) => route.abort());
    await inDialog('Add').click();
    await page.locator('dialog [role=alert]', { hasText: 'does not answer' }).waitFor();
    await page.unroute('**/api/v1/goal');
    await inDialog('Add').click();
    await row('Later').waitFor();
    await page.route('**/api/v1/funnel?*', (route) => route.abort());
    await page.getByRole('link', { name: 'Funnels' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/api/v1/funnel?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No funnels yet').waitFor();
  });

  test('a goal is made and removed by keyboard alone', async () => {
    await site.signIn('/empty?settings=goals');
    const { page } = site;
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses++) {
        const at = await page.evaluate(
          '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
        );
        if (at === name) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`no key leads to ${name}`);
    };
    await page.getByRole('heading', { name: 'Goals' }).waitFor();
    await tabTo('Add');
    await page.keyboard.press('Enter');
    // A dialog begins in its first field.
    await page.locator('dialog input:focus').waitFor();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('/keys');
    await page.keyboard.press('Enter');
    await row('By keys').waitFor();
    await tabTo('Remove: By keys');
    await page.keyboard.press('Enter');
    await tabTo('Remove');
    await page.keyboard.press('Enter');
    await row('By keys').waitFor({ state: 'detached' });
  });
});

describe('the account (D-17)', () => {
  test('its clients and organizations are made and removed; usage is as billing says', async () => {
    await site.signIn('/?settings=organizations');
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Two shops');
    await inDialog('Add').click();
    await row('Two shops').waitFor();
    expect(await api('organization')).toMatchObject([{ name: 'Two shops' }]);
    await page.getByRole('link', { name: 'Two shops' }).click();
    await page.getByRole('link', { name: 'Deletion' }).click();
    await page.locator('[name=confirm]').fill('Two shops');
    await page.getByRole('button', { name: 'Delete this organization' }).click();
    await page.getByText('No organization yet').waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    const usage = await api<{ domain: Rec; page_views: number }[]>('billing');
    const shown = () => page.locator('.plain tbody tr').allTextContents();
    await expect
      .poll(shown)
      .toEqual(usage.map((one) => `${one.domain['hostname']}${one.page_views}`));
  });

  test('its themes are made, changed, copied, removed and chosen by a site (M-71)', async () => {
    await site.signIn('/?settings=themes');
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('House');
    await inDialog('Add').click();
    await page.getByRole('button', { name: 'Change: House' }).click();
    await page.getByLabel('Accent, dark', { exact: true }).fill('#ffcc00');
    await page.locator('.theme-form').getByRole('button', { name: 'Save' }).click();
    await page.locator('.theme-form').getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Copy: House' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Second');
    await inDialog('Add').click();
    await row('Second').waitFor();
    const settings = { accent_dark: '#ffcc00' };
    expect(await api('theme')).toMatchObject([
      { name: 'House', settings },
      { name: 'Second', settings },
    ]);
    await page.goto(`${site.service.baseUrl}/empty?settings=theme`);
    await page.getByLabel('Based on').selectOption({ label: 'House' });
    await formOf('Based on').getByRole('button', { name: 'Save' }).click();
    await formOf('Based on').getByText('Saved', { exact: true }).waitFor();
    const shown = await api<Rec>('domain?subdomain=empty');
    expect(shown['theme']).toMatchObject(settings);
    await page.goto(`${site.service.baseUrl}/?settings=themes`);
    await page.getByRole('button', { name: 'Remove: Second' }).click();
    await inDialog('Remove').click();
    await row('Second').waitFor({ state: 'detached' });
  });
});

describe('every page of the settings (D-3, D-17)', () => {
  test.each([
    ['light', 1440],
    ['dark', 320],
  ] as const)(
    'has no barrier, %s, %i pixels wide',
    { timeout: 60_000 },
    async (colorScheme, width) => {
      await site.end();
      await site.begin({ colorScheme, viewport: { width, height: 900 } });
      await site.signIn('/empty?settings=general');
      const { page } = site;
      const found: string[] = [];
      const pages = [
        ...SITE_PARTS.map((part) => `/empty?settings=${part}`),
        ...ACCOUNT_PARTS.map((part) => `/?settings=${part}`),
      ];
      for (const path of pages) {
        // Within a page by its links, which is faster; each address is one to open, too.
        const link = page.locator(`.settings nav a[href="${path}"]`);
        if ((await link.count()) === 1) await link.click();
        else await page.goto(site.service.baseUrl + path);
        await page.locator(`.settings nav a[href="${path}"][aria-current]`).waitFor();
        await page.locator('.settings-part h2').first().waitFor();
        expect(page.url()).toBe(site.service.baseUrl + path);
        found.push(...(await site.barriers()).map((barrier) => `${path}: ${barrier}`));
      }
      for (const part of ['goals', 'funnels', 'links', 'clients']) {
        await page.goto(`${site.service.baseUrl}/empty?settings=${part}`);
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        await page.locator('dialog .form').waitFor();
        found.push(...(await site.barriers()).map((barrier) => `${part} dialog: ${barrier}`));
      }
      expect(found).toEqual([]);
    },
  );
});

test('a site goes once its name is typed, and its page with it (D-17, M-11)', async () => {
  await site.signIn('/empty?settings=deletion');
  const { page } = site;
  const button = page.getByRole('button', { name: 'Delete this site' });
  await page.locator('[name=confirm]').fill('shop.example');
  expect(await button.isDisabled()).toBe(true);
  await page.locator('[name=confirm]').fill('empty.example');
  await button.click();
  await page.waitForURL(`${site.service.baseUrl}/`);
  const left = await api<{ hostname: string }[]>('domain');
  expect(left.map(({ hostname }) => hostname)).toEqual(['shop.example']);
});
