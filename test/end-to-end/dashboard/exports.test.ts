// Goal: everything stored of a site is exported in its settings, and its files are fetched there (D-17,
// P-10).
// Method: a real browser on a service of its own; files that are downloaded are compared with what the
// API says of them, states that cannot be waited for are answered in place of the service.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { api, openPart, row, site, useSite } from './settings-support.ts';

const LIST = '**/api/v1/export?id=*';

interface Export {
  readonly id: string;
  readonly what: string;
  readonly format: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: string;
  readonly rows: number;
  readonly files: readonly { name: string; bytes: number; sha256: string }[];
}

useSite();

const exports = () => api<Export[]>(`export?id=${site.shop.id}`);
const button = (name: string) => site.page.getByRole('button', { name, exact: true });

test('everything is written, its files are those that were promised, and they are removed', async () => {
  await openPart('export');
  const { page } = site;
  await page.getByText('No exports yet.').waitFor();
  expect(await site.barriers()).toEqual([]);
  await button('Start the export').click();
  await row('Everything · CSV').getByText('offered until').waitFor();
  const [made] = await exports();
  expect(made).toMatchObject({ what: 'all', format: 'csv', state: 'done', from: null, to: null });
  expect(made?.rows).toBeGreaterThan(0);
  await row('Everything · CSV').getByText(`${made?.rows} rows`).waitFor();
  expect(await site.barriers()).toEqual([]);
  const names = made?.files.map(({ name }) => name) ?? [];
  expect(names).toContain('manifest.json');
  expect(await row('Everything · CSV').getByRole('link').allTextContents()).toEqual(names);
  for (const { name, sha256 } of made?.files ?? []) {
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name, exact: true }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(name);
    const bytes = readFileSync(await download.path());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
  await button('Remove: Everything · CSV').click();
  expect(await site.barriers()).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No exports yet.').waitFor();
  expect(await exports()).toEqual([]);
});

test('what, as what and which days is chosen', async () => {
  await openPart('export');
  await site.page.getByLabel('What to export').selectOption('sessions');
  await site.page.getByLabel('Format').selectOption('parquet');
  await site.page.getByLabel('From', { exact: true }).fill('2026-01-02');
  await site.page.getByLabel('To', { exact: true }).fill('2026-01-31');
  await button('Start the export').click();
  await row('Sessions · Parquet').getByText('Done').waitFor();
  expect((await exports()).at(-1)).toMatchObject({
    ...{ what: 'sessions', format: 'parquet', from: '2026-01-02', to: '2026-01-31' },
  });
});

test('what the service refuses is said, and so is that it does not answer', async () => {
  await openPart('export');
  await button('Start the export').waitFor();
  const said = (text: string) => site.page.getByRole('alert').filter({ hasText: text });
  const fault = 'has 3 exports that are not done yet, which is the limit';
  const body = JSON.stringify({ validation: { domain_id: fault }, error: [] });
  const only = { times: 1 };
  await site.page.route('**/api/v1/export', (one) => one.fulfill({ status: 400, body }), only);
  await button('Start the export').click();
  await said(fault).waitFor();
  await site.page.route('**/api/v1/export', (one) => one.abort(), only);
  await button('Start the export').click();
  await said('The service does not answer.').waitFor();
});

test('every state is told, and a list that does not come can be asked for again', async () => {
  const job = (state: string, more: Record<string, unknown>) => ({
    ...{ id: state, domain_id: site.shop.id, what: 'all', format: 'ndjson', from: null, to: null },
    ...{ state, rows: 0, files: [], created: '2026-11-20T10:00:00Z', expires: null, error: null },
    ...more,
  });
  const jobs = [
    job('failed', { what: 'views', error: 'the disk is full' }),
    job('cancelled', { what: 'events' }),
    job('running', { what: 'sessions', rows: 12_345 }),
    job('waiting', {}),
  ];
  await site.page.route(LIST, (one) => one.abort(), { times: 1 });
  await openPart('export');
  await site.page.getByRole('button', { name: 'Try again' }).waitFor();
  await site.page.route(LIST, (one) => one.fulfill({ json: jobs }));
  await button('Try again').click();
  await row('Everything · NDJSON').getByText('Waiting for its turn').waitFor();
  await row('Sessions · NDJSON').getByText('Being written · 12,345 rows').waitFor();
  await row('Events · NDJSON').getByText('Cancelled').waitFor();
  expect(await row('Page views · NDJSON').textContent()).toContain('Failed: the disk is full');
  const ended: string[] = [];
  await site.page.route('**/api/v1/export?id=running', (one) => {
    ended.push(one.request().method());
    return one.fulfill({ json: {} });
  });
  await button('Cancel: Sessions · NDJSON').click();
  await expect.poll(() => ended).toEqual(['DELETE']);
  expect(await site.barriers()).toEqual([]);
});
