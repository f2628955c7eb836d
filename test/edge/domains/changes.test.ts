// Goal: each change of a domain does what its rule says, to whom may do it, and leaves no trace else.
// Method: real HTTP to an edge over a real registry; the record is looked at through GET.
import { beforeEach, describe, expect, test } from 'vitest';
import { user } from '../../../src/control/resources/user.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { join, newPerson, type Person } from './people.ts';

const edge = useRegistryEdge();
let admin: Person;
let viewer: Person;
let stranger: Person;

beforeEach(async () => {
  admin = await newPerson(edge, 'admin@example.org');
  viewer = await newPerson(edge, 'viewer@example.org');
  stranger = await newPerson(edge, 'stranger@example.org');
  await join(edge, admin, edge.own.id, 'Admin');
  await join(edge, viewer, edge.own.id, 'Viewer');
});

const post = (name: string, body: Record<string, unknown> = {}, bearer?: string) =>
  edge.send('POST', `domain/${name}`, { domain_id: edge.own.id, ...body }, bearer);
const get = async (bearer?: string) =>
  (await edge.send('GET', `domain?id=${edge.own.id}`, undefined, bearer)).json;
const sequence = () => {
  edge.registry.refresh();
  return edge.registry.sequence;
};

/** Every action, with a body that it takes, and what is different then. */
const CHANGES: [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    'hostname',
    { hostname: 'https://www.Other.test/x' },
    { hostname: 'other.test', display_name: 'other.test' },
  ],
  ['subdomain', { subdomain: ' Other-1 ' }, { subdomain: 'other-1' }],
  ['public', {}, { public: true }],
  ['scripts', {}, { disable_scripts: true }],
  ['title', {}, { group_by_title: true }],
  ['active', { time: 3_600 }, { active_visitors_seconds: 3_600 }],
  ['timezone', { timezone: 'europe/kyiv' }, { timezone: 'Europe/Kyiv' }],
  ['metadata', { metadata: { a: [1, { b: null }] } }, { metadata: { a: [1, { b: null }] } }],
  [
    'custom',
    { hostname: 'Stats.Example.org' },
    { custom_domain: 'stats.example.org', display_name: 'stats.example.org' },
  ],
];

describe('a change (M-12, M-13)', () => {
  test.each(CHANGES)('by domain/%s', async (name, body, difference) => {
    const before = await get();
    edge.nowMs += 5_000;
    const { status, json } = await post(name, body);
    expect([status, json]).toEqual([200, {}]);
    expect(await get()).toEqual({ ...before, ...difference, mod_time: '2026-11-20T12:00:05.000Z' });
  });

  test.each(CHANGES)(
    'by domain/%s is for Admins; others see nothing or are told (M-3, M-4)',
    async (name, body) => {
      const before = sequence();
      expect((await post(name, body, viewer.bearer)).status).toBe(403);
      const unseen = await post(name, body, stranger.bearer);
      expect(unseen.status).toBe(404);
      expect(unseen.json.error).toEqual([`no domain has the id '${edge.own.id}'`]);
      expect((await post(name, { ...body, domain_id: edge.foreign.id })).status).toBe(404);
      expect((await post(name, body, edge.bearers.viewer)).status).toBe(403);
      expect((await post(name, body, edge.bearers.key)).status).toBe(403);
      expect(sequence()).toBe(before);
      expect((await post(name, body, admin.bearer)).status).toBe(200);
    },
  );

  test.each(['public', 'scripts', 'title'])(
    'domain/%s is taken back the next time',
    async (name) => {
      const before = await get();
      await post(name);
      await post(name);
      expect({ ...(await get()), mod_time: '' }).toEqual({ ...before, mod_time: '' });
    },
  );

  test('that changes nothing is answered like one and writes no record (M-7)', async () => {
    const { hostname, subdomain, timezone } = await get();
    const [before, { mod_time }] = [sequence(), await get()];
    edge.nowMs += 5_000;
    for (const [name, body] of [
      ...([
        ['hostname', { hostname }],
        ['subdomain', { subdomain }],
      ] as const),
      ...([
        ['timezone', { timezone }],
        ['active', { time: 600 }],
      ] as const),
      ...([
        ['metadata', { metadata: {} }],
        ['custom', { hostname: '' }],
      ] as const),
      ...([
        ['filter', { ip_block: [] }],
        ['transfer', { email: '' }],
      ] as const),
    ]) {
      expect([name, (await post(name, body, edge.bearers.account)).status]).toEqual([name, 200]);
    }
    expect(sequence()).toBe(before);
    expect((await get()).mod_time).toBe(mod_time);
  });

  test('of the identification code makes another one, and shows it alone (M-12)', async () => {
    const { identification_code } = await get();
    const { status, json } = await edge.send('PUT', 'domain', { id: edge.own.id });
    expect(status).toBe(200);
    expect(json).toEqual({ identification_code: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
    expect(json.identification_code).not.toBe(identification_code);
    expect((await get()).identification_code).toBe(json.identification_code);
    expect((await edge.send('PUT', 'domain', { id: edge.foreign.id })).status).toBe(404);
    expect((await edge.send('PUT', 'domain', {})).json.validation).toEqual({ id: 'is required' });
  });

  test('of the time zone holds for statistics of all times (M-12)', async () => {
    await post('timezone', { timezone: 'Asia/Tokyo' });
    await edge.send('GET', `statistics/total?id=${edge.own.id}&from=2020-01-01&to=2020-01-01`);
    expect(edge.queries.at(-1)).toMatchObject({ range: { startMs: Date.UTC(2019, 11, 31, 15) } });
  });

  test('of a hostname makes hits under the old one foreign (M-12)', async () => {
    const hit = (url: string) =>
      edge.send(
        'POST',
        'hit',
        { url, ip: '81.2.69.142', user_agent: 'Mozilla/5.0 (X11) Firefox/128.0' },
        edge.bearers.key,
      );
    expect((await hit('https://example.org/')).status).toBe(200);
    await post('hostname', { hostname: 'other.test' });
    expect((await hit('https://example.org/')).json.validation).toHaveProperty('url');
    expect((await hit('https://other.test/')).status).toBe(200);
  });
});

describe('is refused by field, and nothing changes', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['hostname', {}, { hostname: 'is required' }],
    ['hostname', { hostname: null }, { hostname: 'must be a string' }],
    ['hostname', { hostname: ' ' }, { hostname: 'must not be blank' }],
    ['hostname', { hostname: 'a b' }, { hostname: 'must be a hostname such as example.com' }],
    ['subdomain', { subdomain: '' }, { subdomain: 'must not be blank' }],
    ['subdomain', { subdomain: 'api' }, { subdomain: "'api' is reserved; choose another" }],
    [
      'subdomain',
      { subdomain: 'second-test' },
      { subdomain: "'second-test' is taken; choose another" },
    ],
    [
      'subdomain',
      { subdomain: 'foreign-test' },
      { subdomain: "'foreign-test' is taken; choose another" },
    ],
    ['active', {}, { time: 'is required' }],
    ['active', { time: 9 }, { time: 'must be at least 10' }],
    ['active', { time: 3_601 }, { time: 'must be at most 3600' }],
    ['active', { time: 60.5 }, { time: 'must be an integer' }],
    ['active', { time: '60' }, { time: 'must be an integer' }],
    ['timezone', { timezone: '' }, { timezone: 'must not be blank' }],
    [
      'timezone',
      { timezone: '+01:00' },
      { timezone: 'must be an IANA time zone such as Europe/Berlin or UTC' },
    ],
    ['metadata', {}, { metadata: 'is required' }],
    ['metadata', { metadata: [] }, { metadata: 'must be an object' }],
    ['metadata', { metadata: null }, { metadata: 'must be an object' }],
    [
      'metadata',
      { metadata: { a: 'x'.repeat(16_384) } },
      { metadata: 'must have at most 16384 bytes as JSON' },
    ],
    [
      'metadata',
      { metadata: { a: 'ä'.repeat(8_190) } },
      { metadata: 'must have at most 16384 bytes as JSON' },
    ],
    ['custom', {}, { hostname: 'is required' }],
    ['custom', { hostname: 5 }, { hostname: 'must be a string' }],
    ['custom', { hostname: 'a b' }, { hostname: 'must be a hostname such as example.com' }],
    ['custom', { hostname: '127.0.0.1' }, { hostname: 'must be a hostname such as example.com' }],
    ['filter', {}, { ip_block: 'is required, or ip_allow' }],
    ['filter', { ip_block: '10.0.0.1' }, { ip_block: 'must be a list' }],
    [
      'filter',
      { ip_block: ['10.0.0.1', 'x', 5], ip_allow: ['::1/129'] },
      {
        'ip_block.1': 'must be an address, or a range such as 10.0.0.0/8',
        'ip_block.2': 'must be an address, or a range such as 10.0.0.0/8',
        'ip_allow.0': 'must be an address, or a range such as 10.0.0.0/8',
      },
    ],
    [
      'filter',
      { ip_allow: Array.from({ length: 501 }, () => '10.0.0.1') },
      { ip_allow: 'must have at most 500 entries' },
    ],
    ['public', { domain_id: 5 }, { domain_id: 'must be a string' }],
    ['public', { domain_id: '' }, { domain_id: 'must not be blank' }],
  ])('domain/%s %j', async (name, body, validation) => {
    const before = sequence();
    const { status, json } = await post(name, body);
    expect([status, json.validation]).toEqual([400, validation]);
    expect(sequence()).toBe(before);
  });

  test.each([101, 990])('metadata of %i levels (M-12)', async (levels) => {
    const metadata = '{"a":'.repeat(levels) + 1 + '}'.repeat(levels);
    const body = `{"domain_id":"${edge.own.id}","metadata":${metadata}}`;
    const { status, json } = await edge.send('POST', 'domain/metadata', body);
    expect(status).toBe(400);
    expect(json.validation).toEqual({ metadata: 'must have at most 100 levels' });
  });

  test('metadata of exactly 16 KiB is taken, and so is one of 100 levels (M-12)', async () => {
    const exactly = { a: 'x'.repeat(16_384 - '{"a":""}'.length) };
    expect((await post('metadata', { metadata: exactly })).status).toBe(200);
    expect((await get()).metadata).toEqual(exactly);
    const levels = deep(100) as object;
    expect((await post('metadata', { metadata: levels })).status).toBe(200);
    expect((await get()).metadata).toEqual(levels);
    // A name that is special to objects is one like any other.
    const special = '{"__proto__":{"a":1},"constructor":2}';
    await edge.send(
      'POST',
      'domain/metadata',
      `{"domain_id":"${edge.own.id}","metadata":${special}}`,
    );
    expect(JSON.stringify((await get()).metadata)).toBe(special);
  });
});

test('a domain from before a rule was made can still be changed', async () => {
  const { registry } = edge;
  const { domain } = await import('../../../src/control/resources/domain.ts');
  const before = registry.view.find(domain, edge.own.id);
  const {
    newOwner: _,
    filter: __,
    ...older
  } = { ...before, subdomain: 'ab', hostname: '10.0.0.1' };
  await registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => [
    { kind: 'domain-deleted', payload: { id: edge.own.id } },
    {
      kind: 'domain-created',
      payload: { ...older, id: edge.own.id, subdomain: 'abc', hostname: 'a.test' },
    },
  ]);
  const { RegistryView } = await import('../../../src/control/registry/view.ts');
  const { checkChange } = await import('../../../src/control/registry/changes.ts');
  const view = new RegistryView();
  view.apply({
    table: 'users',
    id: String(before?.userId),
    value: registry.view.find(user, String(before?.userId)),
  });
  view.apply({ table: 'domains', id: edge.own.id, value: { ...older, id: edge.own.id } });
  const change = (fields: object) => ({
    kind: 'domain-changed',
    payload: { ...older, id: edge.own.id, ...fields },
  });
  expect(() => checkChange(change({ isPublic: true }), view)).not.toThrow();
  expect(() => checkChange(change({ subdomain: 'cd' }), view)).toThrow('invalid parameters');
  // Without what came later it is shown whole.
  expect(await get(edge.bearers.account)).toMatchObject({
    ...{ new_owner: null, settings: { filter: { ip_block: [], ip_allow: [] } } },
  });
  expect((await post('public', {}, edge.bearers.account)).status).toBe(200);
});

describe('a custom hostname (M-13)', () => {
  const exists = async (hostname: string) =>
    (await edge.send('GET', `domain/custom?domain=${encodeURIComponent(hostname)}`)).json;

  test('is unique in the installation, and can be asked for', async () => {
    expect(await exists('stats.example.org')).toEqual({ exists: false });
    await post('custom', { hostname: 'stats.example.org' });
    for (const spelling of [
      'stats.example.org',
      'STATS.example.org',
      'https://stats.example.org/x',
    ]) {
      expect(await exists(spelling)).toEqual({ exists: true });
    }
    const taken = { hostname: "'stats.example.org' belongs to another dashboard" };
    const others = { domain_id: edge.own.second, hostname: 'Stats.example.org' };
    expect((await post('custom', others, edge.bearers.account)).json.validation).toEqual(taken);
    await post('custom', { hostname: null });
    expect(await exists('stats.example.org')).toEqual({ exists: false });
    expect((await post('custom', others, edge.bearers.account)).status).toBe(200);
    expect((await edge.send('GET', 'domain/custom')).json.validation).toHaveProperty('domain');
  });

  test('keeps its www, since that is where it is looked for', async () => {
    await post('custom', { hostname: 'www.example.org' });
    expect((await get()).custom_domain).toBe('www.example.org');
    expect(await exists('example.org')).toEqual({ exists: false });
  });
});

describe('settings (M-14)', () => {
  test('hold what each caller thinks, and nobody else sees', async () => {
    const mark = (name: string, bearer: string) =>
      edge.send('POST', `user/${name}`, { id: edge.own.id }, bearer);
    const [{ mod_time }, settings] = [
      await get(),
      async (bearer?: string) => (await get(bearer)).settings,
    ];
    edge.nowMs += 5_000;
    expect((await mark('favorite', viewer.bearer)).json).toEqual({});
    await mark('pin', viewer.bearer);
    await mark('pin', admin.bearer);
    expect(await settings(viewer.bearer)).toMatchObject({ favorite: true, pinned: true });
    expect(await settings(admin.bearer)).toMatchObject({ favorite: false, pinned: true });
    for (const bearer of [edge.bearers.account, edge.bearers.domain]) {
      expect(await settings(bearer)).toMatchObject({ favorite: false, pinned: false });
    }
    await mark('favorite', viewer.bearer);
    expect(await settings(viewer.bearer)).toMatchObject({ favorite: false, pinned: true });
    // It is no change of the domain.
    expect((await get()).mod_time).toBe(mod_time);
  });

  test('are marked by users, of domains that they see', async () => {
    for (const name of ['favorite', 'pin']) {
      const mark = (id: unknown, bearer?: string) =>
        edge.send('POST', `user/${name}`, { id }, bearer);
      expect((await mark(edge.own.id)).status).toBe(403);
      expect((await mark(edge.own.id, edge.bearers.key)).status).toBe(403);
      expect((await mark(edge.own.id, stranger.bearer)).status).toBe(404);
      expect((await mark('nobody', stranger.bearer)).status).toBe(404);
      expect((await mark(5, viewer.bearer)).json.validation).toEqual({ id: 'must be a string' });
      // Whatever the scopes are (M-3).
      expect((await mark(edge.own.id, edge.bearers.viewer)).status).toBe(200);
    }
  });

  test('have the filter: a list that is left out stays, null empties it', async () => {
    const filter = async () => (await get()).settings.filter;
    const ip_block = [' 10.0.0.0/8 ', '2001:db8::/32', '192.0.2.1', '192.0.2.1'];
    await post('filter', { ip_block });
    const blocked = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'];
    expect(await filter()).toEqual({ ip_block: blocked, ip_allow: [] });
    await post('filter', { ip_allow: ['10.1.2.3'] });
    expect(await filter()).toEqual({ ip_block: blocked, ip_allow: ['10.1.2.3'] });
    await post('filter', { ip_block: null });
    expect(await filter()).toEqual({ ip_block: [], ip_allow: ['10.1.2.3'] });
    expect((await post('filter', { ip_block: ['fe80::1%eth0'] })).status).toBe(400);
  });

  test("of pages are the user's own", async () => {
    const tastes = () => {
      edge.registry.refresh();
      const { activeInTitle, fullWidth } = edge.registry.view.find(user, viewer.id) ?? {};
      return [activeInTitle, fullWidth];
    };
    const toggle = (name: string, bearer = viewer.bearer) =>
      edge.send('POST', `user/${name}`, undefined, bearer);
    expect((await toggle('active')).json).toEqual({});
    expect(tastes()).toEqual([true, false]);
    await toggle('fullwidth');
    await toggle('active');
    expect(tastes()).toEqual([false, true]);
    expect((await toggle('active', edge.bearers.domain)).status).toBe(403);
  });
});

test('a hundred changes at once are each whole, in some order', async () => {
  const { hostname: _, ...first } = await get();
  const before = sequence();
  const names = Array.from({ length: 100 }, (__, number) => `h${number}.test`);
  const replies = await Promise.all(
    names.map((hostname, number) =>
      number % 2 === 0
        ? post('hostname', { hostname })
        : post('metadata', { metadata: { number } }),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const after = await get();
  expect(names).toContain(after.hostname);
  expect(after.metadata.number % 2).toBe(1);
  expect(sequence()).toBe(before + 100);
  expect(after).toMatchObject({ id: first.id, subdomain: first.subdomain, public: first.public });
});
