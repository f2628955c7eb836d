// Goal: what management has is done in the page too, by whoever may (D-17, D-19).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import type { APIResponse } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/service.ts';
import { BROWSER_AGENT } from '../../support/browser.ts';
import { DashboardSite, EMAIL, PASSWORD } from './support.ts';

const SITE_PARTS = [
  ...['general', 'theme', 'snippet', 'alternatives', 'addresses', 'arrivals', 'members', 'links'],
  ...['clients', 'goals', 'funnels', 'views', 'reports', 'notifications', 'webhooks', 'audit'],
  ...['erasure', 'transfer', 'deletion'],
];
const ACCOUNT_PARTS = ['clients', 'organizations', 'themes', 'usage'];
const VIEWER = 'viewer@example.org';
const ADMIN = 'admin@example.org';
/** The smallest PNG there is. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

type Rec = Readonly<Record<string, unknown>>;

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
beforeEach(() => site.begin());
afterEach(() => site.end());

/** Of the API, as the person who is signed in in the browser. */
async function api<Answer>(path: string): Promise<Answer> {
  return (await site.context.request.get(`${site.service.baseUrl}/api/v1/${path}`)).json();
}

function send(method: 'POST' | 'PUT', path: string, data: unknown): Promise<APIResponse> {
  const headers = { Origin: site.service.baseUrl };
  const url = `${site.service.baseUrl}/api/v1/${path}`;
  return site.context.request.fetch(url, { method, data, headers });
}

const domain = () => api<Rec & { settings: Rec }>(`domain?id=${site.shop.id}`);
const openPart = (part: string) => site.signIn(`/shop?settings=${part}`);
const inDialog = (name: string) =>
  site.page.locator('dialog').getByRole('button', { name, exact: true });
const row = (text: string) => site.page.locator('.records li', { hasText: text });
/** The form of a field that has a button of its own. */
const formOf = (label: string) =>
  site.page.locator('form', { has: site.page.getByLabel(label, { exact: true }) });

async function saveField(label: string, value: string): Promise<void> {
  await site.page.getByLabel(label, { exact: true }).fill(value);
  await formOf(label).getByRole('button', { name: 'Save' }).click();
}

/** What stands beside a field. */
async function faultBeside(label: string, isInDialog = true): Promise<string> {
  const root = isInDialog ? site.page.locator('dialog') : site.page;
  const field = root.locator('.field', { has: site.page.getByLabel(label, { exact: true }) });
  return (await field.locator('.fault-text').first().textContent()) ?? '';
}

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
      ['Visitors to reach', '20'],
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
    bad: ['E-mail addresses, one a line', 'boss@example.org\nnobody'],
    good: [
      ['E-mail addresses, one a line', 'boss@example.org'],
      ['Every so many weeks', '1'],
    ],
    told: 'boss@example.org',
    made: { email: 'boss@example.org', interval: 1 },
    change: ['Every so many weeks', '4'],
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
  test.each(KINDS)('$part are made, changed and removed; faults stand beside their fields', async (kind) => {
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
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
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
  });

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
    await page.waitForFunction(
      ([selector, before]) => document.querySelector(String(selector))?.textContent !== before,
      ['dialog .result .number', typed[0]] as const,
    );
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
    await page.getByLabel('Ends').fill('2020-01-01T10:00');
    await inDialog('Add').click();
    await page.locator('dialog .field .fault-text', { hasText: /\w/ }).waitFor();
    const year = new Date().getFullYear() + 1;
    await page.getByLabel('Ends').fill(`${year}-01-01T10:00`);
    await page.getByLabel('Only what passes these filters: Value').fill('/prices');
    await page.getByLabel('Hosts whose pages may frame it').fill('www.example.org');
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
    expect(await api(`view?domain_id=${site.shop.id}`)).toMatchObject([{ name: 'Front page', path: ['/'] }]);
    await page.getByRole('button', { name: 'Remove: Front page' }).click();
    await inDialog('Remove').click();
    await page.getByText('No saved views yet').waitFor();
  });
});

describe('a site (D-17)', () => {
  test('its fields are saved one by one; a fault stands beside its field and nothing changed', async () => {
    await openPart('general');
    const { page } = site;
    const saved: readonly (readonly [string, string, string, unknown])[] = [
      ['Hostname', 'Store.example', 'hostname', 'store.example'],
      ['Hostname', 'SHOP.example', 'hostname', 'shop.example'],
      ['Time zone', 'Europe/Berlin', 'timezone', 'Europe/Berlin'],
      ['Time zone', 'UTC', 'timezone', 'UTC'],
      ['Seconds for which a visitor counts as active', '90', 'active_visitors_seconds', 90],
      ['Metadata', '{"plan":"big"}', 'metadata', { plan: 'big' }],
      ['Hostname of its own for the dashboard', 'stats.shop.example', 'custom_domain', 'stats.shop.example'],
      ['Hostname of its own for the dashboard', '', 'custom_domain', null],
    ];
    for (const [label, typed, field, kept] of saved) {
      await saveField(label, typed);
      await formOf(label).getByText('Saved', { exact: true }).waitFor();
      expect((await domain())[field], label).toEqual(kept);
    }
    // As it is kept, not as it was typed.
    expect(await page.getByLabel('Hostname', { exact: true }).inputValue()).toBe('shop.example');
    const before = await domain();
    for (const [label, bad] of [
      ['Time zone', 'Europe/Nowhere'],
      ['Seconds for which a visitor counts as active', '9'],
      ['Metadata', '{"plan":'],
      ['Address of the dashboard', 'settings'],
    ] as const) {
      await saveField(label, bad);
      await formOf(label).locator('.field .fault-text').waitFor();
      expect(await faultBeside(label, false), label).toMatch(/\w{3}/);
    }
    expect(await domain()).toEqual(before);
  });

  test('another address of the dashboard takes the page with it', async () => {
    await openPart('general');
    for (const [typed, path] of [
      ['store', '/store'],
      ['shop', '/shop'],
    ] as const) {
      await saveField('Address of the dashboard', typed);
      await site.page.waitForURL(`**${path}?settings=general`);
      await site.page.getByRole('heading', { name: 'General' }).waitFor();
    }
  });

  test('switches show what the service says', async () => {
    await openPart('general');
    const { page } = site;
    for (const [label, field] of [
      ['Anyone may see this dashboard', 'public'],
      ['Pages are told apart by their titles, too', 'group_by_title'],
      ['Hits of scripts on pages are refused', 'disable_scripts'],
    ] as const) {
      for (const isOn of [true, false]) {
        await page.getByLabel(label).click();
        await expect.poll(() => page.getByLabel(label).isChecked()).toBe(isOn);
        expect((await domain())[field]).toBe(isOn);
      }
    }
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByLabel('Tell of a traffic spike').click();
    await expect.poll(() => page.getByLabel('Tell of a traffic spike').isChecked()).toBe(true);
    await saveField('Visitors at the same time from which on it is one', '0');
    await page.locator('.field .fault-text').waitFor();
    await saveField('Visitors at the same time from which on it is one', '500');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await domain()).settings).toMatchObject({
      ...{ traffic_spike: true, traffic_spike_threshold: 500 },
    });
  });

  test('addresses that are excluded are not counted from then on', async () => {
    await openPart('addresses');
    const { page } = site;
    await page.getByLabel('Never count these').fill('198.51.100.0/24\nno address');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.field .fault-text', { hasText: /\w/ }).waitFor();
    await page.getByLabel('Never count these').fill('198.51.100.0/24');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await domain()).settings['filter']).toEqual({ ip_block: ['198.51.100.0/24'], ip_allow: [] });
    const { views } = await site.ask<{ views: number }>('total');
    await site.hit({ ip: '198.51.100.7' });
    expect((await site.ask<{ views: number }>('total')).views).toBe(views);
    // What became of it stands where everything does that was sent (P-31).
    await page.getByRole('link', { name: 'What arrived' }).click();
    await page.getByText('Its address is excluded').waitFor();
    const sums = await page.locator('.sums dd').allTextContents();
    const [received, ...parts] = sums.map((text) => Number(text.replace(/\D/g, '')));
    expect(received).toBe(parts.reduce((sum, part) => sum + part, 0));
    expect(received).toBeGreaterThan(20);
  });

  test('a theme is seen before it is saved; files are shown, refused and removed (M-70)', async () => {
    await openPart('theme');
    const { page } = site;
    await page.getByLabel('Accent, light', { exact: true }).fill('#a01050');
    const button = page.locator('.theme-preview.is-light .theme-preview-button');
    const color = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect.poll(color).toBe('rgb(160, 16, 80)');
    expect((await domain())['theme_settings']).toEqual({});
    const file = { name: 'logo.png', mimeType: 'image/png' };
    await page.getByLabel('Logo on light').setInputFiles({ ...file, buffer: Buffer.from('none') });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.field .fault-text', { hasText: 'PNG' }).waitFor();
    await page.getByLabel('Logo on light').setInputFiles({ ...file, buffer: PNG });
    await page.locator('.theme-preview.is-light img').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await domain())['theme']).toMatchObject({
      accent: '#a01050',
      logo_light: expect.stringContaining('/api/v1/theme/file/'),
    });
    await page.getByRole('button', { name: 'Remove: Logo on light' }).click();
    await page.locator('.theme-preview.is-light img').waitFor({ state: 'detached' });
    const { theme } = await domain();
    expect(theme).toMatchObject({ accent: '#a01050' });
    expect(Object.values(theme as Rec).join()).not.toContain('/theme/file/');
  });

  test('the tag is copied and set; a new code ends the old one (M-12, M-22)', async () => {
    await site.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openPart('snippet');
    const { page } = site;
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const { html } = await api<{ html: string }>(
      `domain/snippet?domain_id=${site.shop.id}&type=page%20view`,
    );
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(html);
    await page.getByText('How the tag behaves').click();
    await page.getByLabel('Not these paths').fill('(');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.field .fault-text', { hasText: /\w/ }).waitFor();
    await page.getByLabel('Not these paths').fill('^/admin');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.snippet', { hasText: 'data-exclude="^/admin"' }).waitFor();
    const code = (await domain())['identification_code'];
    await page.locator('summary', { hasText: 'Make a new code' }).click();
    await page.getByRole('button', { name: 'Make a new code' }).click();
    await expect.poll(async () => (await domain())['identification_code']).not.toBe(code);
    const made = String((await domain())['identification_code']);
    await page.locator('.snippet', { hasText: made }).waitFor();
  });

  test('what was erased is gone; what is typed wrong erases nothing (A-81)', async () => {
    const at = { url: 'https://shop.example/', ip: '203.0.113.200', user_agent: BROWSER_AGENT };
    const headers = { Authorization: `Bearer ${site.shop.access_key}` };
    const time = new Date(Date.now() - 20 * 86_400_000).toISOString();
    await site.post('/api/v1/hit/batch', [{ ...at, time }], headers);
    await openPart('erasure');
    const { page } = site;
    const day = time.slice(0, 10);
    const views = async () =>
      (await api<{ views: number }>(`statistics/total?id=${site.shop.id}&from=${day}&to=${day}`)).views;
    expect(await views()).toBe(1);
    await page.getByLabel('From').fill(day);
    await page.getByLabel('To', { exact: true }).fill(day);
    await page.locator('[name=confirm]').fill('shop.exampl');
    expect(await page.getByRole('button', { name: 'Erase', exact: true }).isDisabled()).toBe(true);
    await page.locator('[name=confirm]').fill('shop.example');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await expect.poll(views).toBe(0);
  });

  test('who changed what is told, without secrets (M-8)', async () => {
    await openPart('general');
    await saveField('Time zone', 'Asia/Tokyo');
    await formOf('Time zone').getByText('Saved', { exact: true }).waitFor();
    await site.page.getByRole('link', { name: 'Changes' }).click();
    const first = site.page.locator('.records li').first();
    await first.waitFor();
    expect(await first.textContent()).toContain('timezone: UTC → Asia/Tokyo');
    await send('POST', 'domain/timezone', { domain_id: site.shop.id, timezone: 'UTC' });
  });
});

describe('the set-up check (D-19)', () => {
  test('sends a page view and shows it counted, with the milliseconds', async () => {
    await openPart('snippet');
    const before = await site.ask<{ views: number }>('total');
    await site.page.getByRole('button', { name: 'Send a page view' }).click();
    const said = site.page.locator('.setup-outcome strong');
    await said.waitFor();
    expect(await said.textContent()).toMatch(/Counted after \d+ ms/);
    const after = await site.ask<{ views: number }>('total');
    expect(after.views).toBe(before.views + 1);
  });

  test('says why one is dropped, or refused', async () => {
    await openPart('snippet');
    const block = (ip_block: string[]) =>
      send('POST', 'domain/filter', { domain_id: site.shop.id, ip_block, ip_allow: [] });
    await block(['127.0.0.1', '::1']);
    const said = site.page.locator('.setup-outcome strong');
    const press = () => site.page.getByRole('button', { name: 'Send a page view' }).click();
    await press();
    await said.filter({ hasText: 'Its address is excluded' }).waitFor();
    await block([]);
    await send('POST', 'domain/scripts', { domain_id: site.shop.id });
    await press();
    await said.filter({ hasText: /Not counted: .*script/i }).waitFor();
    await send('POST', 'domain/scripts', { domain_id: site.shop.id });
  });

  test('shows by itself what pages send', async () => {
    await site.signIn('/empty?settings=snippet');
    await site.page.getByText('Nothing came today').waitFor();
    await site.page.goto(`${site.service.baseUrl}/shop?settings=snippet`);
    const line = site.page.getByText(/received, \d+ stored/);
    const count = async () => Number(/(\d+) received/.exec((await line.textContent()) ?? '')?.[1]);
    await line.waitFor();
    const before = await count();
    await site.hit({ url: 'https://shop.example/later' });
    await expect.poll(count, { timeout: 8_000 }).toBe(before + 1);
  });
});

describe('people (D-17, M-3, M-30)', () => {
  /** Somebody with a password, who has accepted an invitation. */
  async function join(email: string, role: string): Promise<void> {
    const asked = ['account', 'password', '--email', email, '--data-dir', site.service.dataDir];
    const { link } = await runCommand<{ link: string }>(asked);
    const token = new URL(link).searchParams.get('token');
    await site.post('/api/v1/password/reset', { token, password: PASSWORD });
    await enter(email);
    const [invitation] = await api<{ id: string }[]>('invitation');
    expect((await send('POST', 'invitation', { id: invitation?.id })).status(), role).toBe(200);
  }

  async function enter(email: string): Promise<void> {
    await site.end();
    await site.begin();
    const headers = { Origin: site.service.baseUrl };
    const data = { email, password: PASSWORD };
    await site.context.request.post(`${site.service.baseUrl}/api/v1/login`, { data, headers });
  }

  const invite = async (emails: string, role: string) => {
    const { page } = site;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('E-mail addresses, one a line').fill(emails);
    await page.getByLabel('Role').selectOption(role);
    await inDialog('Add').click();
  };
  const parts = () =>
    site.page.locator('.settings nav a').evaluateAll((links) =>
      links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('settings')),
    );

  test('are invited, get a role and find what it may do, and nothing else', async () => {
    await openPart('members');
    const { page } = site;
    await invite(`${VIEWER}\nnobody`, 'Viewer');
    await page.locator('dialog .fault-text', { hasText: '2: ' }).waitFor();
    await page.getByLabel('E-mail addresses, one a line').fill(VIEWER);
    await inDialog('Add').click();
    await row(VIEWER).waitFor();
    await invite(`${ADMIN}\nlater@example.org`, 'Admin');
    await row(ADMIN).waitFor();
    await page.getByRole('button', { name: 'Remove: later@example.org' }).click();
    await inDialog('Remove').click();
    await row('later@example.org').waitFor({ state: 'detached' });
    expect(await parts()).toEqual(SITE_PARTS);

    await join(VIEWER, 'Viewer');
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await site.page.getByRole('heading', { name: 'Saved views' }).waitFor();
    expect(await parts()).toEqual(['views']);

    await join(ADMIN, 'Admin');
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await row(VIEWER).waitFor();
    const owners = ['transfer', 'deletion'];
    expect(await parts()).toEqual(SITE_PARTS.filter((part) => !owners.includes(part)));
    await row(VIEWER).getByRole('button', { name: 'Change' }).click();
    await site.page.getByLabel('Role').selectOption('Admin');
    await inDialog('Save').click();
    // From now on an Admin like the other: nobody but the Owner, or they themselves, ends that.
    await row(VIEWER).filter({ hasText: 'Admin' }).waitFor();
    expect(await row(VIEWER).getByRole('button').count()).toBe(0);
    expect(await row(ADMIN).getByRole('button', { name: 'Remove' }).count()).toBe(1);

    await enter(EMAIL);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=members`);
    await row(VIEWER).getByRole('button', { name: 'Remove' }).click();
    await inDialog('Remove').click();
    await row(VIEWER).waitFor({ state: 'detached' });
    const left = await api<{ user: { email: string } }[]>(`member?id=${site.shop.id}`);
    expect(left.map(({ user }) => user.email)).toEqual([ADMIN]);
  });

  test('a site is offered, the offer is taken back, and taken (M-15)', async () => {
    await openPart('transfer');
    const { page } = site;
    await page.getByLabel('E-mail of the new owner').fill('nobody@');
    await page.getByRole('button', { name: 'Offer' }).click();
    await page.locator('.field .fault-text', { hasText: /\w/ }).waitFor();
    const offer = async () => {
      await page.getByLabel('E-mail of the new owner').fill(ADMIN);
      await page.getByRole('button', { name: 'Offer' }).click();
      await page.getByText('It is offered to admin@example.org').waitFor();
    };
    await offer();
    await page.getByRole('button', { name: 'Take the offer back' }).click();
    await page.getByLabel('E-mail of the new owner').waitFor();
    expect((await domain())['new_owner']).toBe(null);
    await offer();
    await enter(ADMIN);
    await site.page.goto(`${site.service.baseUrl}/shop?settings=transfer`);
    await site.page.getByRole('button', { name: 'Take this site' }).click();
    await expect.poll(async () => (await domain())['user_role']).toBe('Owner');
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
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Tab');
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
    await page.getByRole('button', { name: 'Remove: Two shops' }).click();
    await inDialog('Remove').click();
    await page.getByText('No organization yet').waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    const usage = await api<{ domain: Rec; page_views: number }[]>('billing');
    const shown = await page.locator('.plain tbody tr').allTextContents();
    expect(shown).toEqual(usage.map((one) => `${one.domain['hostname']}${one.page_views}`));
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
    await page.getByLabel('Built on').selectOption({ label: 'House' });
    await formOf('Built on').getByRole('button', { name: 'Save' }).click();
    await formOf('Built on').getByText('Saved', { exact: true }).waitFor();
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
  ] as const)('has no barrier, %s, %i pixels wide', { timeout: 60_000 }, async (colorScheme, width) => {
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
  });
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
