// Goal: an organization is managed in the page; on a site and in an organization each role finds the
// controls that M-3 gives it, and no others (D-17, M-3, M-32, M-71).
// Method: a real browser on a service of its own; eight callers go to the same addresses, and what they
// find is compared with a table written from M-3. What is done in the page is asked of the API.
import { describe, expect, test } from 'vitest';
import {
  api,
  enter,
  faultBeside,
  inDialog,
  join,
  partsShown,
  type Rec,
  row,
  SITE_PARTS,
  send,
  site,
  useSite,
} from './settings-support.ts';
import { EMAIL } from './support.ts';

useSite();

const PEOPLE = {
  admin: 'admin@example.org',
  viewer: 'viewer@example.org',
  organizationAdmin: 'org-admin@example.org',
  organizationViewer: 'org-viewer@example.org',
} as const;
let organizationId = '';
let code = '';
const organizationPart = (part: string) => `/?settings=${part}&organization=${organizationId}`;
const goTo = (path: string) => site.page.goto(site.service.baseUrl + path);
const button = (name: string | RegExp) => site.page.getByRole('button', { name });

test('an organization is made, gets sites, people, a theme and another name (M-32, M-71)', async () => {
  await site.signIn('/?settings=organizations');
  const { page } = site;
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('House');
  await inDialog('Add').click();
  await page.getByRole('link', { name: 'House' }).click();
  await page.getByText('No sites yet').waitFor();
  organizationId = String((await api<Rec[]>('organization'))[0]?.['id']);
  expect(new URL(page.url()).search).toBe(`?settings=sites&organization=${organizationId}`);
  expect(await partsShown()).toEqual([
    ...['sites', 'general', 'themes', 'members', 'audit', 'deletion'],
  ]);
  // A site that is there, and one that is made within.
  await button('Move a site in').click();
  await page.getByLabel('Site', { exact: true }).selectOption({ label: 'shop.example' });
  await inDialog('Move a site in').click();
  await row('shop.example').waitFor();
  await button('Add a site').click();
  await page.getByLabel('Hostname').fill('not a hostname');
  await inDialog('Add a site').click();
  await page.locator('dialog .field .fault-text').waitFor();
  expect(await faultBeside('Hostname')).toMatch(/\w{3}/);
  await page.getByLabel('Hostname').fill('within.example');
  await inDialog('Add a site').click();
  await row('within.example').waitFor();
  const within = async () =>
    (await api<Rec[]>(`organization/domain?id=${organizationId}`)).map((one) => one['hostname']);
  expect(await within()).toEqual(['shop.example', 'within.example']);
  await row('within.example').getByRole('button', { name: 'Take out' }).click();
  await inDialog('Take out').click();
  await row('within.example').waitFor({ state: 'detached' });
  expect(await within()).toEqual(['shop.example']);
  // Its look.
  await page.getByRole('link', { name: 'Themes', exact: true }).click();
  await page.getByText('No themes yet').waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Green');
  await inDialog('Add').click();
  await row('Green').waitFor();
  await page.getByRole('link', { name: 'General' }).click();
  await page.getByLabel('Theme of its sites').selectOption({ label: 'Green' });
  const form = page.locator('form', { has: page.getByLabel('Theme of its sites') });
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved', { exact: true }).waitFor();
  const themes = await api<Rec[]>(`theme?organization_id=${organizationId}`);
  expect(themes).toMatchObject([{ name: 'Green', is_default: true }]);
  await page.getByLabel('Name', { exact: true }).fill('Large house');
  await page
    .locator('form', { has: page.getByLabel('Name', { exact: true }) })
    .getByRole('button', { name: 'Save' })
    .click();
  await page.getByRole('heading', { name: 'Large house' }).waitFor();
  // Who changed all that.
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByText('Large house').nth(1).waitFor();
  const audit = await api<Rec[]>(`audit?organization_id=${organizationId}`);
  expect(await page.locator('.records > li').count()).toBe(audit.length);
});

test('people are invited to it, get another role, and go (M-30, M-31)', async () => {
  await site.signIn(organizationPart('members'));
  const { page } = site;
  const invite = async (emails: string, role: string) => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel('E-mail addresses, one per line').fill(emails);
    await page.getByLabel('Role').selectOption(role);
    await inDialog('Add').click();
    await row(emails).waitFor();
  };
  await invite(PEOPLE.organizationViewer, 'Viewer');
  await invite(PEOPLE.organizationAdmin, 'Viewer');
  await invite('leaves@example.org', 'Viewer');
  await invite('never@example.org', 'Viewer');
  await page.getByRole('button', { name: 'Remove: never@example.org' }).click();
  await inDialog('Remove').click();
  await row('never@example.org').waitFor({ state: 'detached' });
  await join(PEOPLE.organizationViewer);
  await join(PEOPLE.organizationAdmin);
  await join('leaves@example.org');
  await goTo(organizationPart('members'));
  await row('leaves@example.org').getByRole('button', { name: 'Remove' }).click();
  await inDialog('Remove').click();
  await site.page.getByText('You have no such organization.').waitFor();
  await site.signIn(organizationPart('members'));
  await row(PEOPLE.organizationAdmin).getByRole('button', { name: 'Change' }).click();
  await site.page.getByLabel('Role').selectOption('Admin');
  await inDialog('Save').click();
  // By its case: the address has the word, too.
  await row(PEOPLE.organizationAdmin).filter({ hasText: /Admin/ }).waitFor();
  const left = await api<{ role: string; user: Rec }[]>(`member?organization_id=${organizationId}`);
  expect(left.map(({ role, user }) => [user['email'], role])).toEqual([
    [PEOPLE.organizationViewer, 'Viewer'],
    [PEOPLE.organizationAdmin, 'Admin'],
  ]);
});

/** What M-3 asks for; the ranks are those of M-2. */
const RANKS = { Viewer: 0, Admin: 1, Owner: 2 } as const;
type Role = keyof typeof RANKS;
interface Who {
  readonly role: Role;
  /** Users have settings and views of their own; codes and public pages read (M-1). */
  readonly isUser: boolean;
  readonly enter: () => Promise<unknown>;
  readonly path?: () => string;
}

const asPerson = (email: string, role: Role): Who => ({
  ...{ role, isUser: true },
  enter: () => enter(email),
});

const CALLERS: Readonly<Record<string, Who>> = {
  owner: asPerson(EMAIL, 'Owner'),
  admin: asPerson(PEOPLE.admin, 'Admin'),
  viewer: asPerson(PEOPLE.viewer, 'Viewer'),
  'organization admin': asPerson(PEOPLE.organizationAdmin, 'Admin'),
  'organization viewer': asPerson(PEOPLE.organizationViewer, 'Viewer'),
  'access link': {
    ...{ role: 'Viewer', isUser: false },
    enter: async () => undefined,
    path: () => `/shop?access=${code}`,
  },
  'public page': { role: 'Viewer', isUser: false, enter: async () => undefined },
};

/** A control of a site's page: what it does in M-3, the least role, and whether it takes a user. */
const CONTROLS: readonly (readonly [endpoint: string, role: Role, isOfUsers: boolean])[] = [
  ['POST annotation', 'Admin', true],
  ['POST view', 'Viewer', true],
  ['POST domain/link', 'Admin', true],
  ['GET user', 'Viewer', true],
];

/** Which of them are there. */
async function controlsShown(): Promise<string[]> {
  const { page } = site;
  const found: string[] = [];
  await site.numbers();
  if ((await button(/^Note$/).count()) > 0) found.push('POST annotation');
  await button('Saved views').click();
  await page.locator('dialog').waitFor();
  // Empty or not, the list says when it is there.
  await page.locator('dialog :is(.saved-views li, .quiet)').first().waitFor();
  if ((await page.getByLabel('Save this view as').count()) > 0) found.push('POST view');
  await button('Close').click();
  await button('Share').click();
  await page.locator('dialog').getByText('Print').waitFor();
  if ((await button(/^Make a link/).count()) > 0) found.push('POST domain/link');
  await button('Close').click();
  if ((await button(/^Account:/).count()) > 0) found.push('GET user');
  return found;
}

/** The parts of a site's settings by the least role that M-3 lets read them. */
const PARTS_BY_ROLE: Readonly<Record<Role, readonly string[]>> = {
  Viewer: ['views'],
  Admin: SITE_PARTS.filter((part) => !['transfer', 'deletion', 'views'].includes(part)),
  Owner: ['transfer', 'deletion'],
};

describe('what a role may not do is not offered (M-3, D-17)', () => {
  test('everybody who is to look is there', async () => {
    await site.signIn('/shop');
    for (const [email, role] of [
      [PEOPLE.admin, 'Admin'],
      [PEOPLE.viewer, 'Viewer'],
    ]) {
      const sent = { id: site.shop.id, emails: [email], role };
      expect((await send('POST', 'member', sent)).status()).toBe(200);
    }
    code = (await (await send('POST', 'domain/link', { domain_id: site.shop.id })).json()).code;
    await join(PEOPLE.admin);
    await join(PEOPLE.viewer);
    await enter(EMAIL);
    expect((await send('POST', 'domain/public', { domain_id: site.shop.id })).status()).toBe(200);
  });

  test.each(Object.entries(CALLERS))('on a site: %s', async (_, who) => {
    await who.enter();
    await goTo(who.path?.() ?? '/shop');
    const mayUse = ([, role, isOfUsers]: (typeof CONTROLS)[number]) =>
      RANKS[who.role] >= RANKS[role] && (who.isUser || !isOfUsers);
    expect(await controlsShown()).toEqual(CONTROLS.filter(mayUse).map(([endpoint]) => endpoint));
    const path = who.path?.() ?? '/shop';
    await goTo(`${path}${path.includes('?') ? '&' : '?'}settings=general`);
    if (!who.isUser) {
      // There are none: it is the page of the site.
      await site.numbers();
      expect(await site.page.locator('.settings').count()).toBe(0);
      return;
    }
    await site.page.locator('.settings nav a').first().waitFor();
    const roles = (Object.keys(RANKS) as Role[]).filter((role) => RANKS[who.role] >= RANKS[role]);
    expect((await partsShown()).toSorted()).toEqual(
      [
        ...roles.flatMap((role) => PARTS_BY_ROLE[role]),
        ...(who.role === 'Owner' ? [] : ['leaving']),
      ].toSorted(),
    );
  });

  test.each([
    ['owner', EMAIL, 'Owner'],
    ['admin', PEOPLE.organizationAdmin, 'Admin'],
    ['viewer', PEOPLE.organizationViewer, 'Viewer'],
  ] as const)('in an organization: its %s', async (_, email, role) => {
    await enter(email);
    await goTo('/?settings=organizations');
    await row('Large house').waitFor();
    const isOwner = role === 'Owner';
    const count = (name: string | RegExp) => button(name).count();
    expect(await count('Change: Large house')).toBe(isOwner ? 1 : 0);
    await site.page.getByRole('link', { name: 'Large house' }).click();
    await row('shop.example').waitFor();
    const own = ['general', 'themes', 'audit', 'deletion'];
    const all = ['sites', 'general', 'themes', 'members', 'audit', 'deletion'];
    expect(await partsShown()).toEqual(isOwner ? all : all.filter((part) => !own.includes(part)));
    expect(await count('Move a site in')).toBe(role === 'Viewer' ? 0 : 1);
    expect(await count(/^Take out/)).toBe(isOwner ? 1 : 0);
    await site.page.getByRole('link', { name: 'Members' }).click();
    await row(PEOPLE.organizationAdmin).waitFor();
    expect(await count(/^Add$/)).toBe(isOwner ? 1 : 0);
    expect(await count(/^Change: /)).toBe(isOwner ? 2 : 0);
    // Whoever is a member may go.
    expect(await count(/^Remove: /)).toBe(isOwner ? 2 : 1);
    await goTo(organizationPart('deletion'));
    await site.page.locator('.settings-part h2').first().waitFor();
    expect(await count('Delete this organization')).toBe(isOwner ? 1 : 0);
  });
});

test('a Viewer leaves a site; whoever is there by an organization is told so (M-31)', async () => {
  await enter(PEOPLE.viewer);
  await goTo('/shop?settings=leaving');
  await button('Leave this site').click();
  await site.page.getByRole('heading', { name: 'Sites' }).waitFor();
  expect(await api('domain')).toEqual([]);
  await enter(PEOPLE.organizationViewer);
  await goTo('/shop?settings=leaving');
  await button('Leave this site').click();
  await site.page.getByText('You have access through an organization.').waitFor();
});

test.each([
  ['light', 1440],
  ['dark', 320],
] as const)(
  'has no barrier, %s, %i pixels wide (D-3)',
  { timeout: 60_000 },
  async (colorScheme, width) => {
    await site.end();
    await site.begin({ colorScheme, viewport: { width, height: 900 } });
    await site.signIn(organizationPart('sites'));
    const found: string[] = [];
    for (const part of ['sites', 'general', 'themes', 'members', 'audit', 'deletion']) {
      await goTo(organizationPart(part));
      await site.page.locator('.settings-part h2').first().waitFor();
      found.push(...(await site.barriers()).map((barrier) => `${part}: ${barrier}`));
    }
    await goTo(organizationPart('sites'));
    await button('Move a site in').click();
    await site.page.locator('dialog .form').waitFor();
    found.push(...(await site.barriers()).map((barrier) => `dialog: ${barrier}`));
    expect(found).toEqual([]);
  },
);

test('goes once its name is typed, its sites only if that is asked for (D-17, M-32)', async () => {
  await site.signIn('/shop');
  const made = await send('POST', 'domain', {
    ...{ hostname: 'goes.example', subdomain: 'goes', organization_id: organizationId },
  });
  expect(made.status(), await made.text()).toBe(200);
  await goTo(organizationPart('deletion'));
  const remove = button('Delete this organization');
  await site.page.locator('[name=confirm]').fill('Large');
  expect(await remove.isDisabled()).toBe(true);
  await site.page.locator('[name=confirm]').fill('Large house');
  await remove.click();
  await site.page.getByText('No organization yet').waitFor();
  expect(await api('organization')).toEqual([]);
  const left = (await api<Rec[]>('domain')).map((one) => one['hostname']);
  expect(left).toContain('goes.example');
  const { id } = await (await send('POST', 'organization', { name: 'Short' })).json();
  const shop = (await api<Rec[]>('domain')).find((one) => one['hostname'] === 'goes.example');
  await send('POST', 'organization/domain', { id, domain_id: shop?.['id'] });
  await goTo(`/?settings=deletion&organization=${id}`);
  await site.page.locator('[name=confirm]').fill('Short');
  await site.page.getByLabel('Also delete its sites').check();
  await remove.click();
  await site.page.getByText('No organization yet').waitFor();
  const then = (await api<Rec[]>('domain')).map((one) => one['hostname']);
  expect(then).toEqual(left.filter((hostname) => hostname !== 'goes.example'));
});
