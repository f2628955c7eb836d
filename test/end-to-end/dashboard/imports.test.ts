// Goal: the history of a site is brought, watched and taken back in its settings, by whoever may (D-17,
// P-1 to P-4); what goes wrong is said where it does.
// Method: a real browser on a service of its own; what stands on the page is compared with the API.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { zipOf } from '../../support/zip.ts';
import { api, domain, openPart, row, site, useSite } from './settings-support.ts';

const UPLOAD = '**/api/v1/external/upload*';
const WHOLE = { from: '2024-01-01', to: '2024-01-31' };
/** Plausible's archive: what three days had, the second of them without a bounce. */
const PLAUSIBLE = zipOf({
  'imported_visitors_20240101_20240103.csv': [
    '"date","visitors","pageviews","bounces","visits","visit_duration"',
    '"2024-01-01",10,30,2,12,100',
    '"2024-01-02",1,3,0,1,10',
    '"2024-01-03",5,6,1,5,50',
  ].join('\n'),
});
const HITS =
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date';

/** GoatCounter's table: so many visitors of one view each on one day. */
function hitsCsv(visitors: number): Buffer {
  const lines = Array.from({ length: visitors }, (_, visitor) => {
    const at = new Date(Date.UTC(2023, 4, 1, 0, 0, visitor % 80_000)).toISOString().slice(0, 19);
    return `/page,Title,false,,Firefox 120,Linux,s${visitor},0,,,"1920,1080,1",DE,true,${at}Z`;
  });
  return Buffer.from(`${[HITS, ...lines].join('\n')}\n`);
}

useSite();

const total = (span: { from: string; to: string }) => {
  const query = new URLSearchParams({ id: site.shop.id, ...span });
  return api<Record<string, number>>(`statistics/total?${query}`);
};
const jobs = () =>
  api<{ state: string; from: string | null }[]>(`external/import?domain_id=${site.shop.id}`);
const button = (name: string | RegExp) => site.page.getByRole('button', { name, exact: true });
const choose = (name: string, buffer: Buffer, label = 'Upload a file') =>
  site.page
    .getByLabel(label, { exact: true })
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
/** Uploads a file, which is then the one that is chosen. */
async function bring(name: string, buffer: Buffer): Promise<void> {
  await choose(name, buffer);
  await expect.poll(() => site.page.getByRole('radio', { name }).last().isChecked()).toBe(true);
}

describe('a part of the settings (D-17)', () => {
  test('says at first what to do, and starts nothing without a file', async () => {
    await site.signIn('/empty?settings=import');
    const { page } = site;
    await page.getByText('Nothing was imported yet.').waitFor();
    await page.getByText('No keywords yet.').waitFor();
    await page.getByText('Upload a file first').waitFor();
    expect(await button('Start the import').getAttribute('aria-disabled')).toBe('true');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    await button('Start the import').press('Enter');
    expect(sent).not.toContain('POST');
    expect(await site.barriers()).toEqual([]);
  });

  test('tells of every product where its export is found (P-1)', async () => {
    await openPart('import');
    const products = site.page.getByLabel('Where it comes from');
    await products.waitFor();
    const told = new Set<string>();
    const keys = await products
      .locator('option')
      .evaluateAll((list) => list.map((one) => one.value));
    for (const key of keys) {
      await products.selectOption(key);
      const note = site.page.locator('.field', { has: products }).locator('small');
      told.add((await note.textContent()) ?? '');
    }
    expect(keys.length).toBe(10);
    expect(told.size).toBe(keys.length);
  });
});

describe('an import (P-2, P-3)', () => {
  test('of daily sums is uploaded, bounded by days, done, and taken back', async () => {
    await openPart('import');
    await bring('größe.zip', PLAUSIBLE);
    await site.page.getByLabel('To', { exact: true }).fill('2024-01-02');
    await button('Start the import').click();
    const done = row('größe.zip').getByText('2 rows imported, 1 left out');
    await done.waitFor();
    expect(await row('größe.zip').textContent()).toMatch(/Plausible · all days until 2 Jan 2024/);
    expect(await total(WHOLE)).toMatchObject({ visitors: 11, views: 33, sessions: 13 });
    await site.page.getByText('Some days are daily sums').waitFor();
    expect(await site.barriers()).toEqual([]);
    await button('Take back: größe.zip').click();
    expect(await site.barriers()).toEqual([]);
    await site.page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await row('größe.zip').getByText('Taken back: nothing of it is left.').waitFor();
    await expect.poll(async () => (await total(WHOLE))['views']).toBe(0);
    await expect.poll(async () => (await domain())['imported_statistics']).toBe(false);
    await site.page.getByText('Some days are daily sums').waitFor({ state: 'detached' });
    expect(await button(/^Take back/).count()).toBe(0);
  });

  test('is offered to be erased alone, once there is something of it (P-3, D-17)', async () => {
    await openPart('erasure');
    const what = site.page.getByRole('combobox', { name: 'What' });
    await expect.poll(() => what.locator('option').count()).toBe(2);
    await openPart('import');
    await bring('again.zip', PLAUSIBLE);
    await button('Start the import').click();
    await row('again.zip').getByText('3 rows imported').waitFor();
    await openPart('erasure');
    await site.page.getByLabel('From').fill(WHOLE.from);
    await site.page.getByLabel('To', { exact: true }).fill(WHOLE.to);
    await what.selectOption('Imported statistics only');
    await site.page.locator('[name=confirm]').fill('shop.example');
    await button('Erase').click();
    await site.page.getByText('Saved', { exact: true }).waitFor();
    await expect.poll(async () => (await total(WHOLE))['views']).toBe(0);
    await expect.poll(async () => (await domain())['imported_statistics']).toBe(false);
  });

  test('of single hits is cancelled while it runs, and leaves nothing', async () => {
    await openPart('import');
    await bring('many.csv', hitsCsv(150_000));
    await button('Start the import').click();
    await button('Cancel: many.csv').click();
    await row('many.csv').getByText('Taken back: nothing of it is left.').waitFor();
    expect((await jobs())[0]).toMatchObject({ state: 'cancelled' });
    const day = { from: '2023-05-01', to: '2023-05-02' };
    await expect.poll(async () => (await total(day))['views']).toBe(0);
  });

  test('of a wrong file says file, line and what was expected; the one before can be taken back', async () => {
    await openPart('import');
    await bring('good.zip', PLAUSIBLE);
    await button('Start the import').click();
    await row('good.zip').getByText('3 rows imported').waitFor();
    await bring('notes.txt', Buffer.from('hello'));
    await button('Start the import').click();
    const failed = row('notes.txt').first();
    await failed.getByText('Nothing was imported:').waitFor();
    expect(await failed.textContent()).toContain(
      'notes.txt, line 1: expected an export of Plausible',
    );
    expect(await site.barriers()).toEqual([]);
    await button('Take back: good.zip').click();
    await site.page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await row('good.zip').getByText('Taken back: nothing of it is left.').waitFor();
    await expect.poll(async () => (await total(WHOLE))['views']).toBe(0);
  });

  test('of sums is told on the chart, and all of a site begins with it (S-98)', async () => {
    await openPart('import');
    await bring('chart.zip', PLAUSIBLE);
    await button('Start the import').click();
    await row('chart.zip').getByText('3 rows imported').waitFor();
    const open = async (query: string) => {
      await site.page.goto(`${site.service.baseUrl}/shop?${query}`);
      await site.numbers();
    };
    const note = site.page.locator('.chart .imported');
    await open('from=2024-01-02&to=2024-01-31');
    expect(await note.textContent()).toMatch(/^Imported: 2.+3 Jan 2024\. Daily sums/);
    expect(await site.tile('Visitors')).toBe('6');
    expect(await site.barriers()).toEqual([]);
    await open('range=all');
    expect(await note.textContent()).toMatch(/^Imported: 1.+3 Jan 2024/);
    await open('range=7d');
    expect(await note.count()).toBe(0);
    await site.manage('DELETE', `external/import/job?domain_id=${site.shop.id}`);
    await expect.poll(async () => (await domain())['imported_from']).toBeUndefined();
  });

  test('of days in a wrong order is refused beside the field', async () => {
    await openPart('import');
    await bring('order.zip', PLAUSIBLE);
    const before = (await jobs()).length;
    await site.page.getByLabel('From', { exact: true }).fill('2024-02-01');
    await site.page.getByLabel('To', { exact: true }).fill('2024-01-01');
    await button('Start the import').click();
    await site.page.locator('.field .fault-text', { hasText: 'must not be before from' }).waitFor();
    expect(await site.page.getByLabel('To', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    );
    expect((await jobs()).length).toBe(before);
  });
});

describe('an upload (P-2)', () => {
  const said = (text: string) => site.page.getByRole('alert').filter({ hasText: text });

  test('that is too large, empty or several is refused before anything is sent', async () => {
    await openPart('import');
    await site.page.getByText('Up to 2 GiB').waitFor();
    const sent: string[] = [];
    site.page.on('request', (request) => sent.push(request.url()));
    await choose('none.csv', Buffer.alloc(0));
    await said('This file is empty.').waitFor();
    const folder = mkdtempSync(join(tmpdir(), 'footfall-large-'));
    try {
      const path = join(folder, 'large.csv');
      writeFileSync(path, '');
      // Nothing of it is on the disk.
      truncateSync(path, 2 * 1_024 ** 3 + 1);
      await site.page.getByLabel('Upload a file').setInputFiles(path);
      await said('more than 2 GiB').waitFor();
    } finally {
      rmSync(folder, { recursive: true });
    }
    await drop(['a.csv', 'b.csv']);
    await said('One file at a time').waitFor();
    expect(sent.filter((url) => url.includes('/external/upload'))).toEqual([]);
  });

  test('is dropped on the page as well', async () => {
    await openPart('import');
    await site.page.getByLabel('Upload a file').waitFor();
    await drop(['dropped.csv']);
    await site.page.getByRole('radio', { name: 'dropped.csv' }).waitFor();
  });

  test('shows how far it is, is asked for before the page is left, and can be cancelled', async () => {
    await openPart('import');
    await site.page.getByLabel('Upload a file').waitFor();
    // It never ends by itself.
    await site.page.route(UPLOAD, () => undefined);
    await choose('slow.csv', Buffer.from('a'));
    await site.page.getByRole('progressbar', { name: 'Uploading slow.csv' }).waitFor();
    expect(await site.barriers()).toEqual([]);
    const asked = new Promise<string>((resolve) => {
      site.page.once('dialog', async (dialog) => {
        await dialog.dismiss();
        resolve(dialog.message());
      });
    });
    await site.page.getByRole('link', { name: 'Notifications' }).click();
    expect(await asked).toMatch(/unsaved/);
    await button('Cancel').click();
    await site.page.getByRole('progressbar').waitFor({ state: 'detached' });
    expect(await site.page.getByRole('radio', { name: 'slow.csv' }).count()).toBe(0);
    expect(await site.page.getByLabel('Upload a file').isEnabled()).toBe(true);
  });

  test('that the service refuses, or does not answer, says so, and can be tried again', async () => {
    await openPart('import');
    await site.page.getByLabel('Upload a file').waitFor();
    const body = JSON.stringify({ error: ['the disk of the service is full'] });
    await site.page.route(UPLOAD, (route) => route.fulfill({ status: 503, body }), { times: 1 });
    await choose('again.csv', Buffer.from('a'));
    await said('the disk of the service is full').waitFor();
    await site.page.route(UPLOAD, (route) => route.abort(), { times: 1 });
    await choose('again.csv', Buffer.from('a'));
    await said('The service does not answer.').waitFor();
    await bring('again.csv', Buffer.from('a'));
  });

  /** Files as they are dragged onto the page. */
  async function drop(names: string[]): Promise<void> {
    const transfer = await site.page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      for (const name of ${JSON.stringify(names)}) data.items.add(new File(['a'], name));
      return data;
    })()`);
    await site.page.locator('.file-drop').first().dispatchEvent('drop', { dataTransfer: transfer });
  }
});

describe('keywords (P-4)', () => {
  const TABLE = [
    'date,query,clicks,impressions,ctr,position',
    '2024-03-01,red shoes,5,50,10%,2.5',
    '2024-03-02,blue shoes,1,40,2.5%,7',
  ];
  const found = () =>
    api<{ keyword: string }[]>(
      `statistics/keywords?id=${site.shop.id}&from=2024-03-01&to=2024-03-02`,
    );

  test('come from a table, whose damaged line is named, and go again', async () => {
    await openPart('import');
    const { page } = site;
    const label = 'Import a CSV file';
    await page.getByText('No keywords yet.').waitFor();
    await choose('bad.csv', Buffer.from([...TABLE, '2024-03-03,x,many,1,1%,1'].join('\n')), label);
    await page.getByRole('alert').filter({ hasText: 'line 4' }).waitFor();
    expect(await found()).toEqual([]);
    await choose('good.csv', Buffer.from(TABLE.join('\n')), label);
    await page.getByText('2 rows imported').waitFor();
    await page.getByText(/2 rows, 1.+2 Mar 2024/).waitFor();
    expect(await found()).toHaveLength(2);
    await button('Remove all keywords').click();
    expect(await site.barriers()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No keywords yet.').waitFor();
    expect(await found()).toEqual([]);
  });
});
