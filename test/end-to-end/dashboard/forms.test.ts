// Goal: no form loses what was typed, sends twice, or replaces unseen what somebody else did; a theme's
// files are what everybody sees (D-17, D-2, M-70).
// Method: a real browser on a service of its own; meanwhile somebody else does things by the API.
import { beforeEach, describe, expect, test } from 'vitest';
import {
  api,
  domain,
  enter,
  formOf,
  inDialog,
  openPart,
  type Rec,
  row,
  saveField,
  send,
  site,
  useSite,
} from './settings-support.ts';
import { EMAIL, PASSWORD } from './support.ts';

useSite();

const button = (name: string | RegExp) => site.page.getByRole('button', { name });
const address = (path: string) => `${site.service.baseUrl}/api/v1/${path}`;
const remove = (path: string) =>
  site.context.request.delete(address(path), { headers: { Origin: site.service.baseUrl } });
const goals = () => api<Rec[]>(`goal?id=${site.shop.id}`);
const makeGoal = async (name: string): Promise<string> => {
  const sent = { domain_id: site.shop.id, name, path_pattern: '/prices' };
  const response = await send('POST', 'goal', sent);
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()).id;
};

describe('what happens elsewhere meanwhile (D-17)', () => {
  test('a record that was changed is not replaced unseen', async () => {
    await site.signIn();
    const id = await makeGoal('Ours');
    await openPart('goals');
    await button('Change: Ours').click();
    await site.page.getByLabel('Name', { exact: true }).fill('Mine');
    const theirs = { id, name: 'Theirs', path_pattern: '/theirs' };
    expect((await send('PUT', 'goal', theirs)).status()).toBe(200);
    await inDialog('Save').click();
    await site.page.getByText('It was changed elsewhere in the meantime.').waitFor();
    expect(await goals()).toMatchObject([{ name: 'Theirs', path_pattern: '/theirs' }]);
    expect(await site.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine');
    // Whoever knows may.
    await inDialog('Save').click();
    await row('Mine').waitFor();
    expect(await goals()).toMatchObject([{ name: 'Mine', path_pattern: '/prices' }]);
    await remove(`goal?id=${id}`);
  });

  test('a record that was removed is said to be, and leaves the list', async () => {
    await site.signIn();
    const id = await makeGoal('Gone soon');
    await openPart('goals');
    await button('Change: Gone soon').click();
    await site.page.getByLabel('Name', { exact: true }).fill('Kept');
    expect((await remove(`goal?id=${id}`)).status()).toBe(200);
    await inDialog('Save').click();
    await site.page.getByText('It is gone: ').waitFor();
    expect(await site.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept');
    expect(await site.barriers()).toEqual([]);
    site.page.once('dialog', (dialog) => void dialog.accept());
    await button('Close').click();
    await site.page.getByText('No goals yet').waitFor();
    await site.openSite();
    await site.page.getByRole('link', { name: 'Add a goal' }).click();
    await site.page.getByText('No goals yet').waitFor();
    expect(new URL(site.page.url()).searchParams.get('settings')).toBe('goals');
  });

  test('a field of the site is not replaced unseen; a site that is gone is said to be', async () => {
    await site.signIn();
    const made = await send('POST', 'domain', { hostname: 'fleeting.example' });
    const { id, subdomain } = await made.json();
    await site.page.goto(`${site.service.baseUrl}/${subdomain}?settings=general`);
    await site.page.getByLabel('Time zone').fill('Europe/Berlin');
    await send('POST', 'domain/timezone', { domain_id: id, timezone: 'Asia/Tokyo' });
    const zone = formOf('Time zone');
    await zone.getByRole('button', { name: 'Save' }).click();
    await zone.getByText('It was changed elsewhere in the meantime.').waitFor();
    expect((await api<Rec>(`domain?id=${id}`))['timezone']).toBe('Asia/Tokyo');
    await zone.getByRole('button', { name: 'Save' }).click();
    await zone.getByText('Saved', { exact: true }).waitFor();
    expect((await api<Rec>(`domain?id=${id}`))['timezone']).toBe('Europe/Berlin');
    expect((await remove(`domain?id=${id}`)).status()).toBe(200);
    await saveField('Time zone', 'UTC');
    await zone.getByText('It is gone: ').waitFor();
    expect(await site.page.getByLabel('Time zone').inputValue()).toBe('UTC');
  });
});

describe('a double click (D-17)', () => {
  /** Two clicks of one moment, before anything could be drawn anew. */
  const CLICKS = `document.querySelectorAll('dialog .form button[type=submit]').forEach((one) => {
    one.click();
    one.click();
  })`;

  test('makes one record', async () => {
    await openPart('links');
    await button(/^Add$/).click();
    await site.page.getByLabel('Description').fill('Once');
    await site.page.evaluate(CLICKS);
    await row('Once').first().waitFor();
    const made = await api<Rec[]>(`domain/link?domain_id=${site.shop.id}`);
    expect(made.map(({ description }) => description)).toEqual(['Once']);
  });

  test('makes one site', async () => {
    await site.signIn('/');
    await button('Add a site').click();
    await site.page.getByLabel('Hostname').fill('one.example');
    await site.page.evaluate(CLICKS);
    await site.page.waitForURL('**/one-example');
    const sites = await api<Rec[]>('domain');
    expect(sites.filter((one) => one['hostname'] === 'one.example')).toHaveLength(1);
  });
});

test('what is typed the moment a field is there stays (D-17)', async () => {
  // Before the browser draws: no person is as quick, a program is.
  await site.page.addInitScript(`
    new MutationObserver(() => {
      const field = document.querySelector('.settings-forms input:not([type])') ??
        document.querySelector('.settings-forms input[type=text]');
      if (field === null || window.typedInto !== undefined) return;
      window.typedInto = field;
      field.value = 'early';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }).observe(document, { childList: true, subtree: true });
  `);
  await openPart('general');
  await expect.poll(() => site.page.evaluate('window.typedInto !== undefined')).toBe(true);
  // Two pictures later, and what comes after them, nothing has taken it back.
  await site.page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 200)));
  })`);
  expect(await site.page.evaluate('window.typedInto.value')).toBe('early');
});

describe('a sign-in that ends while a form is filled (D-17)', () => {
  /** Signs out everywhere but in the page, which is not told. */
  const end = async () => {
    expect((await send('POST', 'logout', {})).status()).toBe(200);
  };
  const signInAgain = async () => {
    const dialog = site.page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('E-mail').fill(EMAIL);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await site.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  };

  test('is asked for over the page, and what was typed is saved then', async () => {
    await openPart('members');
    await button(/^Add$/).click();
    await site.page.getByLabel('E-mail addresses, one per line').fill('late@example.org');
    await end();
    await inDialog('Add').click();
    await site.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(await site.barriers()).toEqual([]);
    await signInAgain();
    await row('late@example.org').waitFor();
    const invited = await api<Rec[]>(`invitation?domain_id=${site.shop.id}`);
    expect(invited.map(({ email }) => email)).toEqual(['late@example.org']);
  });

  test('can be put off: what was typed stays', async () => {
    await openPart('general');
    await site.page.getByLabel('Time zone').fill('Europe/Berlin');
    await end();
    await formOf('Time zone').getByRole('button', { name: 'Save' }).click();
    await site.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await site.page.keyboard.press('Escape');
    await formOf('Time zone').locator('[role=alert]', { hasText: /\w/ }).waitFor();
    expect(await site.page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
    await formOf('Time zone').getByRole('button', { name: 'Save' }).click();
    await signInAgain();
    await expect.poll(async () => (await domain())['timezone']).toBe('Europe/Berlin');
    await send('POST', 'domain/timezone', { domain_id: site.shop.id, timezone: 'UTC' });
  });

  test('on the page of a site leaves its dialog and goes on with live numbers', async () => {
    await site.openSite();
    await button('Saved views').click();
    await site.page.getByLabel('Save this view as').fill('Typed before');
    await end();
    // The stream ends with the sign-in, so that the page asks by itself.
    await signInAgain();
    await button(/^Save$/).click();
    await button('Typed before').first().waitFor();
    await button('Close').click();
    // Live again, not by chance of the next look.
    await site.page.locator('.active:not(.is-still)').waitFor();
    const { views } = await site.ask<{ views: number }>('total');
    await site.hit({ ip: '203.0.113.150' });
    const shown = () => site.tile('Views');
    await expect.poll(shown, { timeout: 30_000 }).toBe(String(views + 1));
  });
});

describe("a theme's files and fonts (M-70)", () => {
  const picture = (colour: string) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="24"><rect width="80" height="24" fill="${colour}"/></svg>`,
    );
  const FILES = [
    ['Logo on light', picture('#aa0000'), [170, 0, 0]],
    ['Logo on dark', picture('#00ff88'), [0, 255, 136]],
    ['Browser tab icon', picture('#0000cc'), [0, 0, 204]],
  ] as const;
  /** The colour in the middle of a picture, as the browser shows it. */
  const colourOf = (selector: string) =>
    site.page.evaluate(`(async () => {
      const shown = document.querySelector(${JSON.stringify(selector)});
      const picture = new Image();
      picture.src = shown.src || shown.href;
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
      const context = canvas.getContext('2d');
      context.drawImage(picture, 0, 0);
      return [...context.getImageData(40, 12, 1, 1).data].slice(0, 3);
    })()`);
  /** Whether narrow and wide letters are as wide as each other in the name of the site. */
  const IS_MONOSPACE = `(() => {
    const [narrow, wide] = ['iiiiii', 'WWWWWW'].map((text) => {
      const one = document.createElement('span');
      one.textContent = text;
      document.querySelector('h1').append(one);
      const { width } = one.getBoundingClientRect();
      one.remove();
      return width;
    });
    return Math.abs(narrow - wide) < 1;
  })()`;

  beforeEach(async () => {
    await site.end();
    await site.begin({ colorScheme: 'light' });
  });

  test('are uploaded, worn in light and dark, also where it is public, and taken off', async () => {
    await openPart('theme');
    const { page } = site;
    for (const [label, buffer] of FILES) {
      await page
        .getByLabel(label)
        .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer });
    }
    await page.getByLabel('Font').fill('monospace');
    await page.locator('.theme-form').getByRole('button', { name: 'Save' }).click();
    await page.locator('.theme-form').getByText('Saved', { exact: true }).waitFor();
    await send('POST', 'domain/public', { domain_id: site.shop.id });
    for (const isOwner of [true, false]) {
      if (isOwner) await site.openSite();
      else {
        await site.context.clearCookies();
        await page.goto(`${site.service.baseUrl}/shop`);
        await site.numbers();
      }
      for (const [scheme, [, , colour]] of [
        ['light', FILES[0]],
        ['dark', FILES[1]],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        const shown = page.locator('.logo:visible');
        expect(await shown.count()).toBe(1);
        expect(await shown.evaluate((one) => one.getBoundingClientRect().width)).toBe(80);
        expect(await colourOf(`.logo.is-for-${scheme}`), scheme).toEqual(colour);
        expect(await site.barriers()).toEqual([]);
      }
      expect(await colourOf('link[rel=icon]')).toEqual(FILES[2][2]);
      expect(await page.evaluate(IS_MONOSPACE)).toBe(true);
    }
    await enter(EMAIL);
    await send('POST', 'domain/public', { domain_id: site.shop.id });
    await openPart('theme');
    await site.page.getByRole('button', { name: 'Remove: Logo on dark' }).click();
    await site.page
      .getByRole('button', { name: 'Remove: Logo on dark' })
      .waitFor({ state: 'detached' });
    await site.page.getByLabel('Font').fill('');
    await site.page.locator('.theme-form').getByRole('button', { name: 'Save' }).click();
    await site.page.locator('.theme-form').getByText('Saved', { exact: true }).waitFor();
    await site.openSite();
    await site.page.emulateMedia({ colorScheme: 'dark' });
    // One for both, where there is one.
    expect(await colourOf('.logo.is-for-dark')).toEqual(FILES[0][2]);
    expect(await site.page.evaluate(IS_MONOSPACE)).toBe(false);
  });
});
