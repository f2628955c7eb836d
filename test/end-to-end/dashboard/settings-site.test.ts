// Goal: a site is set as management has it, and whether its data arrives is shown (D-17, D-19).
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { describe, expect, test } from 'vitest';
import { BROWSER_AGENT } from '../../support/browser.ts';
import {
  api,
  domain,
  faultBeside,
  formOf,
  openPart,
  type Rec,
  saveField,
  send,
  site,
  useSite,
} from './settings-support.ts';

/** The smallest PNG there is. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

useSite();

describe('a site (D-17)', () => {
  test('its fields are saved one by one; a fault stands beside its field and nothing changed', async () => {
    await openPart('general');
    const { page } = site;
    const saved: readonly (readonly [string, string, string, unknown])[] = [
      ['Hostname', 'Store.example', 'hostname', 'store.example'],
      ['Hostname', 'SHOP.example', 'hostname', 'shop.example'],
      ['Time zone', 'Europe/Berlin', 'timezone', 'Europe/Berlin'],
      ['Time zone', 'UTC', 'timezone', 'UTC'],
      ['Seconds a visitor stays active', '90', 'active_visitors_seconds', 90],
      ['Days of statistics to keep', '400', 'retention_days', 400],
      ['Days of statistics to keep', '0', 'retention_days', undefined],
      ['Metadata', '{"plan":"big"}', 'metadata', { plan: 'big' }],
      [
        'Custom hostname for the dashboard',
        'stats.shop.example',
        'custom_domain',
        'stats.shop.example',
      ],
      ['Custom hostname for the dashboard', '', 'custom_domain', null],
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
      ['Seconds a visitor stays active', '9'],
      ['Days of statistics to keep', '-1'],
      ['Days of statistics to keep', '1.5'],
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
    const label = 'Address of the dashboard';
    const { page } = site;
    await openPart('general');
    // The page is slow to come at its new address: until it is there nothing is said to be saved.
    await page.route('**/api/v1/domain?subdomain=*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    try {
      for (const typed of ['store', 'shop']) {
        await saveField(label, typed);
        await formOf(label).getByText('Saved', { exact: true }).waitFor();
        expect(new URL(page.url()).pathname).toBe(`/${typed}`);
        expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(typed);
        expect((await domain())['subdomain']).toBe(typed);
      }
    } finally {
      await send('POST', 'domain/subdomain', { domain_id: site.shop.id, subdomain: 'shop' });
    }
  });

  test('switches show what the service says', async () => {
    await openPart('general');
    const { page } = site;
    for (const [label, field] of [
      ['Anyone can see this dashboard', 'public'],
      ['Also tell pages apart by their titles', 'group_by_title'],
      ['Refuse hits sent by scripts on pages', 'disable_scripts'],
    ] as const) {
      for (const isOn of [true, false]) {
        await page.getByLabel(label).click();
        await expect.poll(() => page.getByLabel(label).isChecked()).toBe(isOn);
        expect((await domain())[field]).toBe(isOn);
      }
    }
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByLabel('Notify about traffic spikes').click();
    await expect.poll(() => page.getByLabel('Notify about traffic spikes').isChecked()).toBe(true);
    await saveField('Visitors at the same time that count as a spike', '0');
    await page.locator('.field .fault-text').waitFor();
    await saveField('Visitors at the same time that count as a spike', '500');
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
    expect((await domain()).settings['filter']).toEqual({
      ip_block: ['198.51.100.0/24'],
      ip_allow: [],
    });
    const { views } = await site.ask<{ views: number }>('total');
    await site.hit({ ip: '198.51.100.7' });
    expect((await site.ask<{ views: number }>('total')).views).toBe(views);
    // What became of it stands where everything does that was sent (P-31).
    await page.getByRole('link', { name: 'What arrived' }).click();
    await page.getByText('Address excluded').waitFor();
    const sums = await page.locator('.sums dd').allTextContents();
    const [received, ...parts] = sums.map((text) => Number(text.replace(/\D/g, '')));
    expect(received).toBe(parts.reduce((sum, part) => sum + part, 0));
    expect(received).toBeGreaterThan(20);
  });

  test('a theme is seen before it is saved; files are shown, refused and removed (M-70)', async () => {
    await openPart('theme');
    const { page } = site;
    await page.getByLabel('Accent, light', { exact: true }).fill('#a01050');
    const shown = '.theme-preview.is-light .theme-preview-button';
    const color = () =>
      page.evaluate(`getComputedStyle(document.querySelector('${shown}')).backgroundColor`);
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
      (await api<{ views: number }>(`statistics/total?id=${site.shop.id}&from=${day}&to=${day}`))
        .views;
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
    expect(await first.textContent()).toContain('Time zone: UTC → Asia/Tokyo');
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
    await said.filter({ hasText: 'Address excluded' }).waitFor();
    await block([]);
    await send('POST', 'domain/scripts', { domain_id: site.shop.id });
    await press();
    await said.filter({ hasText: /Not counted: .*script/i }).waitFor();
    await send('POST', 'domain/scripts', { domain_id: site.shop.id });
  });

  test('shows by itself what pages send', async () => {
    await site.signIn('/empty?settings=snippet');
    await site.page.getByText('Nothing has arrived today').waitFor();
    await site.page.goto(`${site.service.baseUrl}/shop?settings=snippet`);
    const line = site.page.getByText(/received, \d+ stored/);
    const count = async () => Number(/(\d+) received/.exec((await line.textContent()) ?? '')?.[1]);
    await line.waitFor();
    const before = await count();
    await site.hit({ url: 'https://shop.example/later' });
    await expect.poll(count, { timeout: 8_000 }).toBe(before + 1);
  });
});
