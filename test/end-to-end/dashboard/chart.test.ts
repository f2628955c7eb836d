// Goal: ranges, totals, chart, notes, views, sharing, looks and paper (D-10, D-11, D-18, D-19).
// Method: a real browser in a far time zone on a service of its own; numbers are compared with the API.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardSite } from './support.ts';

type Totals = Readonly<Record<'visitors' | 'views' | 'sessions', number>>;
type HourRow = Totals & { readonly hour: number };

let site: DashboardSite;
beforeAll(async () => {
  site = await DashboardSite.open();
});
afterAll(() => site.close());
// Where the browser is must not matter: it is another day there, whatever time it is here.
const ELSEWHERE = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
beforeEach(() => site.begin({ timezoneId: ELSEWHERE }));
afterEach(() => site.end());

const day = (ago = 0): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const search = (): URLSearchParams => new URL(site.page.url()).searchParams;
const button = (name: string | RegExp) => site.page.getByRole('button', { name });

async function choose(menu: RegExp, item: string): Promise<void> {
  await button(menu).click();
  await site.page.getByRole('menuitemradio', { name: item, exact: true }).click();
}

/** As it is asked by a program. */
async function ask<Answer>(statistic: string, query: string): Promise<Answer> {
  const address = `/api/v1/statistics/${statistic}?id=${site.shop.id}&${query}`;
  return (await site.context.request.get(site.service.baseUrl + address)).json();
}

/** Label and value of the points, as the table behind the chart has them. */
async function points(): Promise<[string, string][]> {
  const table = button('Table');
  if ((await table.getAttribute('aria-pressed')) === 'false') await table.click();
  const rows = site.page.locator('.chart tbody tr');
  return rows.evaluateAll((list) =>
    list.map((row): [string, string] => [
      row.querySelector('th')?.textContent ?? '',
      row.querySelector('td')?.textContent ?? '',
    ]),
  );
}

const values = async (): Promise<string[]> => (await points()).map(([, value]) => value);

describe('ranges (D-10)', () => {
  test('are days of the site, whatever time zone the browser is in', async () => {
    await site.openSite('/shop?range=today');
    const total = await ask<Totals>('total', `from=${day()}&to=${day()}`);
    await expect.poll(() => site.tile('Visitors')).toBe(String(total.visitors));
    const hours = await ask<HourRow[]>('hours', `from=${day()}&to=${day()}`);
    const hour = new Date().getUTCHours();
    // What has not begun has no value yet.
    const wanted = hours.map((row) => (row.hour > hour ? '–' : String(row.visitors)));
    expect(await values()).toEqual(wanted);
  });

  test('of two dates, and of one day with hours, are asked for in a dialog', async () => {
    await site.openSite();
    await choose(/^Range:/, 'Custom range');
    await site.page.getByLabel('From', { exact: true }).fill(day(2));
    await site.page.getByLabel('To', { exact: true }).fill(day(1));
    await button('Apply').click();
    await expect.poll(() => search().get('from')).toBe(day(2));
    const two = await ask<Totals>('total', `from=${day(2)}&to=${day(1)}`);
    await expect.poll(() => site.tile('Views')).toBe(String(two.views));
    await choose(/^Range:/, 'Custom range');
    await site.page.getByLabel('From', { exact: true }).fill(day(1));
    const before = new Date(Date.now() - 3_600_000).toISOString().slice(11, 13);
    await site.page.getByLabel('From time').fill(`${before}:00`);
    await site.page.getByLabel('To time').fill(`${before}:59`);
    await button('Apply').click();
    const range = `from=${day(1)}&to=${day(1)}&from_time=${before}:00&to_time=${before}:59`;
    const part = await ask<Totals>('total', range);
    await expect.poll(() => site.tile('Views')).toBe(String(part.views));
    // An hour is drawn by the minute.
    const minutes = await ask<Totals[]>('minutes', range);
    await expect.poll(values).toEqual(minutes.map(({ visitors }) => String(visitors)));
  });

  test('move by keys, and a range of a name is chosen by one key (D-18)', async () => {
    await site.openSite('/shop?from_time=10:00&range=today');
    await site.page.keyboard.press('y');
    await expect.poll(() => search().toString()).toBe('range=yesterday');
    await site.page.keyboard.press('ArrowLeft');
    await expect.poll(() => [search().get('from'), search().get('to')]).toEqual([day(2), day(2)]);
    await site.page.keyboard.press('ArrowRight');
    await expect.poll(() => search().get('from')).toBe(day(1));
    await site.page.keyboard.press('/');
    await site.page.getByRole('dialog', { name: 'Add a filter' }).waitFor();
    await site.page.keyboard.press('Escape');
    await site.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('are compared with the period before, and with a year before on the same weekday', async () => {
    await site.openSite(`/shop?from=${day(1)}&to=${day()}`);
    await choose(/^Compare/, 'Previous period');
    await expect.poll(() => search().get('compare')).toBe('previous');
    await expect.poll(async () => (await points()).length).toBe(2);
    const before = await ask<Totals[]>('visitor', `from=${day(3)}&to=${day(2)}&scale=day`);
    const cells = site.page.locator('.chart tbody td:last-child');
    const wanted = before.map(({ visitors }) => String(visitors));
    await expect.poll(() => cells.allTextContents()).toEqual(wanted);
    const now = await ask<Totals>('total', `from=${day(1)}&to=${day()}`);
    const then = await ask<Totals>('total', `from=${day(3)}&to=${day(2)}`);
    const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
    const growth = percent.format((now.visitors - then.visitors) / then.visitors);
    const mark = site.page.locator('.tile', { hasText: 'Visitors' }).locator('.growth');
    await expect.poll(() => mark.getAttribute('title')).toContain(growth);
    await choose(/^Compare/, 'Previous year');
    await expect.poll(() => site.page.locator('.chart tbody td:nth-child(3)').count()).toBe(2);
    const weekdays = async () => {
      const row = site.page.locator('.chart tbody tr').first();
      const [first, other] = [row.locator('th'), row.locator('td').nth(1)];
      return [(await first.textContent())?.slice(0, 3), (await other.textContent())?.slice(0, 3)];
    };
    await expect.poll(async () => new Set(await weekdays()).size).toBe(1);
  });
});

describe('the chart (D-11)', () => {
  test('draws the total that is chosen, as lines or bars, with the numbers of the API', async () => {
    await site.openSite();
    const rows = await ask<Totals[]>('visitor', `from=${day(6)}&to=${day()}&scale=day`);
    expect(await values()).toEqual(rows.map(({ visitors }) => String(visitors)));
    await site.hit({ url: 'https://shop.example/', ip: '203.0.113.1' });
    await site.page.locator('.tile', { hasText: 'Views' }).click();
    const more = await ask<Totals[]>('visitor', `from=${day(6)}&to=${day()}&scale=day`);
    const wanted = more.map(({ views }) => String(views));
    expect(wanted).not.toEqual(rows.map(({ visitors }) => String(visitors)));
    await expect.poll(values, { timeout: 8_000 }).toEqual(wanted);
    await button('Table').click();
    await button('Bars').click();
    expect([search().get('metric'), search().get('chart')]).toEqual(['views', 'bars']);
    await site.page.locator('.lines .column').first().waitFor();
  });

  test('by the hour over several days asks each of them', async () => {
    await site.openSite(`/shop?from=${day(1)}&to=${day()}`);
    await choose(/^Scale/, 'Hour');
    const days = await Promise.all(
      [1, 0].map((ago) => ask<HourRow[]>('hours', `from=${day(ago)}&to=${day(ago)}`)),
    );
    const hour = new Date().getUTCHours();
    const wanted = days.flatMap((rows, index) =>
      rows.map((row) => (index === 1 && row.hour > hour ? '–' : String(row.visitors))),
    );
    await expect.poll(values).toEqual(wanted);
  });

  test('is read by arrow keys and by hovering, and looked at closer by keys', async () => {
    await site.openSite();
    const chart = site.page.getByRole('slider');
    await chart.focus();
    await site.page.keyboard.press('End');
    const visitors = await site.ask<Totals[]>('visitor', '&scale=day');
    const last = String(visitors.at(-1)?.visitors);
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(new RegExp(`: ${last}$`));
    await site.page.keyboard.press('Shift+ArrowLeft');
    await site.page.keyboard.press('Enter');
    await expect.poll(() => [search().get('from'), search().get('to')]).toEqual([day(1), day()]);
    const box = await site.page.locator('.strokes').boundingBox();
    if (box === null) throw new Error('there is no plot');
    await site.page.mouse.move(box.x + 3, box.y + 60);
    const yesterday = await ask<Totals>('total', `from=${day(1)}&to=${day(1)}`);
    await expect
      .poll(() => site.page.locator('.reading b').first().textContent())
      .toBe(String(yesterday.visitors));
  });

  test('dragging over days selects them, over hours the part of a day', async () => {
    await site.openSite();
    const drag = async (from: number, to: number) => {
      const box = await site.page.locator('.strokes').boundingBox();
      if (box === null) throw new Error('there is no plot');
      const at = (part: number) => box.x + 1 + part * (box.width - 2);
      await site.page.mouse.move(at(from), box.y + 80);
      await site.page.mouse.down();
      await site.page.mouse.move(at((from + to) / 2), box.y + 80);
      await site.page.mouse.move(at(to), box.y + 80);
      await site.page.mouse.up();
    };
    await drag(4 / 6, 5 / 6);
    await expect.poll(() => [search().get('from'), search().get('to')]).toEqual([day(2), day(1)]);
    await site.page.goto(`${site.service.baseUrl}/shop?range=yesterday`);
    await site.numbers();
    await drag(9 / 23, 12 / 23);
    await expect.poll(() => search().get('from_time')).toBe('09:00');
    expect([search().get('to_time'), search().get('from')]).toEqual(['12:59', day(1)]);
  });

  test('lets go of what is being dragged over when Escape is pressed', async () => {
    await site.openSite();
    const box = await site.page.locator('.strokes').boundingBox();
    if (box === null) throw new Error('there is no plot');
    await site.page.mouse.move(box.x + 40, box.y + 80);
    await site.page.mouse.down();
    await site.page.mouse.move(box.x + box.width / 2, box.y + 80);
    await site.page.locator('.selected').waitFor();
    expect(await site.page.evaluate('String(getSelection())')).toBe('');
    await site.page.keyboard.press('Escape');
    await site.page.locator('.selected').waitFor({ state: 'detached' });
    await site.page.mouse.up();
    expect(search().get('from')).toBeNull();
  });

  test('counts conversions of a goal, and draws them', async () => {
    await site.signIn();
    const goal = { domain_id: site.shop.id, name: 'Prices seen', path_pattern: '/prices' };
    const headers = { Origin: site.service.baseUrl };
    const url = `${site.service.baseUrl}/api/v1/goal`;
    expect((await site.context.request.post(url, { data: goal, headers })).status()).toBe(200);
    await site.page.goto(`${site.service.baseUrl}/shop?metric=conversion`);
    const range = `from=${day(6)}&to=${day()}`;
    const [{ stats }] = await ask<[{ stats: { cr: number } }]>('goals', range);
    const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
    await expect.poll(() => site.tile('Conversion')).toBe(percent.format(stats.cr));
    const query = `${range}&scale=day&pattern=${encodeURIComponent('(?i)^/prices$')}`;
    const rows = await ask<{ cr: number }[]>('visitor', query);
    expect(rows.some(({ cr }) => cr > 0 && cr < 1)).toBe(true);
    await expect.poll(values).toEqual(rows.map(({ cr }) => percent.format(cr)));
  });
});

describe('notes on the chart (D-19)', () => {
  test('are added, read by keyboard, changed and removed', async () => {
    await site.openSite();
    await button('Note').click();
    await site.page.getByLabel('What happened').fill('Newsletter <b>sent</b>');
    await site.page.getByLabel('Day', { exact: true }).fill(day(1));
    await site.page.getByLabel(/^Time in/).fill('23:30');
    await button(/^Save$/).click();
    const mark = button(/Newsletter <b>sent<\/b>/);
    await mark.waitFor();
    const address = `${site.service.baseUrl}/api/v1/annotation?domain_id=${site.shop.id}`;
    const list = async () => (await site.context.request.get(address)).json();
    // The clock is that of the site, not of the browser.
    expect(await list()).toMatchObject([{ time: `${day(1)}T23:30:00.000Z` }]);
    await mark.focus();
    await site.page.keyboard.press('Enter');
    await button(/^Change$/).click();
    await site.page.getByLabel('What happened').fill('Sent twice');
    await button(/^Save$/).click();
    await button(/Sent twice/).waitFor();
    expect(await site.barriers()).toEqual([]);
    await button(/Sent twice/).click();
    await button(/^Change$/).click();
    await site.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await button(/Sent twice/).waitFor({ state: 'detached' });
    expect(await list()).toEqual([]);
  });
});

describe('the scrubber (D-19)', () => {
  test('shows the numbers of the point it stands on; the chart stays', async () => {
    await site.openSite();
    await button('Scrub through time').click();
    const hand = site.page.getByRole('slider', { name: /Point in time/ });
    await hand.focus();
    // A young site has nothing to be seen before its first visit.
    await expect.poll(() => search().get('moment')).toBe(day(2));
    await site.page.keyboard.press('ArrowRight');
    await expect.poll(() => search().get('moment')).toBe(day(1));
    const total = await ask<Totals>('total', `from=${day(1)}&to=${day(1)}`);
    await expect.poll(() => site.tile('Visitors')).toBe(String(total.visitors));
    const pages = await ask<{ path: string; visitors: number }[]>(
      'page',
      `from=${day(1)}&to=${day(1)}`,
    );
    await expect
      .poll(() => site.rows('pages'))
      .toEqual(pages.map(({ path, visitors }) => [path, String(visitors)]));
    expect(await site.barriers()).toEqual([]);
    expect(await values()).toHaveLength(7);
    await site.page.keyboard.press('Escape');
    await expect.poll(() => search().get('moment')).toBeNull();
    const whole = await site.ask<Totals>('total');
    await expect.poll(() => site.tile('Visitors')).toBe(String(whole.visitors));
  });
});

describe('views and sharing (D-10)', () => {
  test('what is shown is saved under a name, comes back, is renamed and removed (M-61)', async () => {
    await site.openSite(
      '/shop?range=30d&compare=previous&chart=bars&channel=%21Email&path=/prices',
    );
    await button('Saved views').click();
    await site.page.getByLabel('Save this view as').fill('Prices');
    await site.page.keyboard.press('Enter');
    await button('Rename: Prices').click();
    await site.page.getByLabel('Name', { exact: true }).fill('Price list');
    await site.page.keyboard.press('Enter');
    await button('Price list').last().waitFor();
    expect(await site.barriers()).toEqual([]);
    const address = `${site.service.baseUrl}/api/v1/view?domain_id=${site.shop.id}`;
    const [saved] = await (await site.context.request.get(address)).json();
    expect(saved).toMatchObject({ name: 'Price list', path: ['/prices'], from: day(29) });
    await site.page.goto(`${site.service.baseUrl}/shop?metric=views`);
    await site.numbers();
    await button('Saved views').click();
    await site.page.getByRole('button', { name: 'Price list', exact: true }).click();
    await expect
      .poll(() => Object.fromEntries(search()))
      .toEqual({
        range: '30d',
        compare: 'previous',
        chart: 'bars',
        channel: '!Email',
        path: '/prices',
      });
    await button('Saved views').click();
    await button('Remove: Price list').click();
    await site.page.getByText('There are none yet').waitFor();
  });

  test('a link shows the same view to who has no account, and offers nothing to change', async () => {
    await site.openSite('/shop?range=30d&metric=views');
    await button('Share').click();
    expect(await site.page.getByLabel('Address').inputValue()).toBe(site.page.url());
    await site.page.getByLabel('Who is the link for?').fill('The board');
    await button(/^Make a link/).click();
    const link = await site.page.getByLabel('Link for people').inputValue();
    expect(new URL(link).searchParams.get('metric')).toBe('views');
    await site.context.clearCookies();
    await site.page.goto(link);
    await site.numbers();
    const pressed = site.page.locator('.tile[aria-pressed=true] .tile-name');
    expect(await pressed.textContent()).toBe('Views');
    expect(await button('Note').count()).toBe(0);
    await button('Saved views').click();
    await site.page.getByRole('dialog').waitFor();
    expect(await site.page.getByLabel('Save this view as').count()).toBe(0);
  });
});

describe('looks (D-18)', () => {
  const paper = () => site.page.evaluate('getComputedStyle(document.body).backgroundColor');

  test('light and dark are chosen, and kept; on paper all is light, without controls', async () => {
    await site.page.emulateMedia({ colorScheme: 'light' });
    await site.openSite();
    const light = await paper();
    await choose(/^Appearance/, 'Dark');
    const dark = await paper();
    expect(dark).not.toBe(light);
    await site.page.reload();
    await site.numbers();
    expect(await paper()).toBe(dark);
    await site.page.emulateMedia({ media: 'print' });
    expect(await paper()).toBe('rgb(255, 255, 255)');
    expect(await button('Share').count()).toBe(0);
    // What the words of the menu would not say on paper.
    const range = site.page.locator('.on-paper');
    expect(await range.isVisible()).toBe(true);
    expect(await range.textContent()).toContain(String(new Date().getUTCFullYear()));
    expect(await site.page.locator('.tile').first().isVisible()).toBe(true);
    await site.page.emulateMedia({ media: 'screen' });
    await button(/^Appearance/).click();
    const looks = site.page.getByRole('group', { name: 'Appearance' });
    await looks.getByRole('menuitemradio', { name: 'System' }).click();
    expect(await paper()).toBe(light);
  });
});
