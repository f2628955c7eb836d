// Goal: a client may exactly what it was made for, its secret is told once, and its end is at once.
// Method: clients are made over HTTP, exchanged for tokens and used, on an edge with a real registry.
import { beforeEach, describe, expect, test } from 'vitest';
import { removalOf } from '../../../src/control/registry/changes.ts';
import { client } from '../../../src/control/resources/client.ts';
import { user } from '../../../src/control/resources/user.ts';
import { SCOPE_AREAS } from '../../../src/model/rights.ts';
import { pageView } from '../edge.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import {
  callsBy,
  done,
  hundred,
  join,
  makeSite,
  makeTenant,
  onDomain,
  type Site,
  statusesOf,
  type Tenant,
  tenantOf,
} from './tenant.ts';

const edge = useRegistryEdge();

let owner: Tenant;
let ben: Tenant;
let stranger: Tenant;
let site: Site;

beforeEach(async () => {
  owner = await makeTenant(edge, 'owner');
  ben = await makeTenant(edge, 'ben');
  stranger = await makeTenant(edge, 'stranger');
  site = await makeSite(edge, owner, 'shop.test');
});

type Made = Readonly<Record<string, string>> & { readonly id: string };

const AT = '2026-11-20T12:00:00.000Z';
const noScopes = Object.fromEntries(SCOPE_AREAS.map((area) => [`scope_${area}`, '']));
const make = (body: object, by = owner) => by.post('client', body);
const onSite = (more: object = {}) => ({ domain_id: site.id, ...more });
const clientsOf = (by: Tenant, id = site.id): Promise<Made[]> => done(by.get(`client?id=${id}`));
const ownClients = (by: Tenant): Promise<Made[]> => done(by.get('client'));

/** Exchanges a client over HTTP, and has its calls. */
async function use({ client_id, client_secret }: Made) {
  const { status, json } = await edge.send('POST', 'token', { client_id, client_secret }, '');
  return status === 200 ? callsBy(edge, json.access_token) : null;
}

describe('an oauth client', () => {
  test.each([
    ['of a domain', () => site.id],
    ['of the account', () => ''],
  ])('%s is made with its secret, which no other answer has (M-40)', async (_, domainId) => {
    const body = { domain_id: domainId(), type: 'oauth', description: ' Reports ' };
    const made = await done(make({ ...body, scope_statistics: 'r', scope_domains: 'w' }));
    const { client_secret, ...shown } = made;
    expect(client_secret).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(shown).toEqual({
      ...{ id: expect.stringMatching(/^\w{20}$/), def_time: AT, mod_time: AT },
      ...{ domain_id: domainId() || null, description: 'Reports', ...noScopes },
      client_id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      ...{ scope_statistics: 'r', scope_domains: 'w' },
    });
    const listed = domainId() === '' ? await ownClients(owner) : await clientsOf(owner);
    expect(listed.find(({ id }) => id === made.id)).toEqual(shown);
    expect(JSON.stringify(listed)).not.toContain('secret');
    const kept = JSON.stringify(edge.registry.view.find(client, made.id));
    expect(kept).not.toContain(client_secret);
    const calls = await use(made);
    expect((await calls?.get('domain'))?.status).toBe(200);
    const goal = { domain_id: site.id, name: 'g', path_pattern: '/' };
    expect((await calls?.post('goal', goal))?.status).toBe(200);
    expect((await calls?.post('hit', pageView()))?.status).toBe(403);
  });

  test('is answered in a way that no cache keeps', async () => {
    const { headers } = await make(onSite());
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('has the scopes it was made with, each of them alone (A-18, M-40)', async () => {
    const readers = {
      statistics: `statistics/total?id=${site.id}&from=2026-11-01&to=2026-11-02`,
      domains: `goal?id=${site.id}`,
      organizations: 'organization',
    };
    for (const area of Object.keys(readers)) {
      const made = await done(make({ [`scope_${area}`]: 'r' }));
      const calls = await use(made);
      for (const [other, path] of Object.entries(readers)) {
        // Goals are read with either: they are shown with the statistics (M-3).
        const isGranted = other === area || (area === 'statistics' && other === 'domains');
        expect([area, other, (await calls?.get(path))?.status]).toEqual([
          area,
          other,
          isGranted ? 200 : 403,
        ]);
      }
    }
    const nothing = await use(await done(make({})));
    for (const path of Object.values(readers)) expect((await nothing?.get(path))?.status).toBe(403);
  });

  test.each<[string, object, readonly string[]]>([
    ['an unknown right', { scope_domains: 'x' }, ['scope_domains']],
    ['a right in capitals', { scope_domains: 'W' }, ['scope_domains']],
    [
      'reading what is only sent',
      { scope_hit: 'r', scope_event: 'r' },
      ['scope_event', 'scope_hit'],
    ],
    ['another type of scope', { scope_statistics: true }, ['scope_statistics']],
    ['an unknown type', { type: 'basic' }, ['type']],
    ['another type of type', { type: 5 }, ['type']],
    ['a long description', { description: 'x'.repeat(501) }, ['description']],
    ['a description of another type', { description: {} }, ['description']],
    ['a domain of another type', { domain_id: 5 }, ['domain_id']],
  ])('with %s is refused by field, and none is made', async (_, body, fields) => {
    const { status, json } = await make(body);
    expect(status).toBe(400);
    expect(Object.keys(json.validation).toSorted()).toEqual(fields);
    expect(await ownClients(owner)).toHaveLength(1);
  });

  test('of a domain has no scope that only accounts have (M-40)', async () => {
    for (const area of ['organizations', 'themes', 'billing']) {
      for (const right of ['r', 'w']) {
        const { status, json } = await make(onSite({ [`scope_${area}`]: right }));
        expect(status).toBe(400);
        expect(json.validation).toEqual({
          [`scope_${area}`]: 'must be empty: only clients of accounts have it',
        });
        await done(make({ [`scope_${area}`]: right }));
      }
    }
  });
});

describe('an access key', () => {
  test('is told once; lists show what it begins with (M-40)', async () => {
    const made = await done(make(onSite({ type: 'token', scope_hit: 'w', scope_session: 'w' })));
    expect(made.client_secret).toMatch(/^pa_[A-Za-z0-9]{45}$/);
    expect(made.client_id).toBe(`${made.client_secret.slice(0, 12)}…`);
    const listed = (await clientsOf(owner)).find(({ id }) => id === made.id);
    const { client_secret, ...shown } = made;
    expect(listed).toEqual(shown);
    const hit = pageView({ url: 'https://shop.test/' });
    expect((await edge.send('POST', 'hit', hit, client_secret)).status).toBe(200);
    expect(
      (await edge.send('POST', 'event', { ...hit, event_name: 'e' }, client_secret)).status,
    ).toBe(403);
    expect((await edge.send('GET', 'domain', undefined, client_secret)).status).toBe(403);
    expect(await use(made)).toBeNull();
  });

  test('of an account sends for the domain of the hit (I-9, M-40)', async () => {
    const { client_secret } = await done(make({ type: 'token', scope_hit: 'w' }));
    const send = (url: string) => edge.send('POST', 'hit', pageView({ url }), client_secret);
    expect((await send('https://shop.test/')).status).toBe(200);
    expect((await send('https://elsewhere.test/')).status).toBe(400);
  });

  test.each<[string, object, readonly string[]]>([
    ['no scope', {}, ['scope_hit']],
    ['a scope that reads', { scope_hit: 'w', scope_statistics: 'r' }, ['scope_statistics']],
    ['a scope that manages', { scope_hit: 'w', scope_domains: 'w' }, ['scope_domains']],
    ['one of accounts', { scope_hit: 'w', scope_billing: 'r' }, ['scope_billing']],
    ['reading of hits', { scope_hit: 'r' }, ['scope_hit']],
  ])('with %s is refused (M-40)', async (_, scopes, fields) => {
    for (const where of [{}, onSite()]) {
      const { status, json } = await make({ type: 'token', ...where, ...scopes });
      expect(status).toBe(400);
      expect(Object.keys(json.validation)).toEqual(fields);
    }
    expect(await clientsOf(owner)).toHaveLength(2);
  });
});

describe('a client that is there', () => {
  test('is described anew, and nothing else of it changes (M-40)', async () => {
    const made = await done(make(onSite({ scope_statistics: 'r', description: 'old' })));
    const calls = await use(made);
    edge.nowMs += 1_000;
    const other = (await makeSite(edge, owner, 'other.test')).id;
    const { client_secret, ...shown } = made;
    const changed = await done(
      make({
        ...{ id: made.id, description: 'new', type: 'token', domain_id: other },
        ...{ scope_statistics: '', scope_domains: 'w' },
      }),
    );
    const expected = { ...shown, description: 'new', mod_time: '2026-11-20T12:00:01.000Z' };
    expect(changed).toEqual(expected);
    expect((await clientsOf(owner)).find(({ id }) => id === made.id)).toEqual(expected);
    expect((await calls?.get('domain'))?.status).toBe(200);
    expect(await use(made)).not.toBeNull();
    const before = edge.registry.sequence;
    edge.nowMs += 1_000;
    expect(await done(make({ id: made.id, description: ' new ' }))).toEqual(expected);
    expect(edge.registry.sequence).toBe(before);
    const long = await make({ id: made.id, description: 'x'.repeat(501) });
    expect(Object.keys(long.json.validation)).toEqual(['description']);
  });

  test('of a domain that an earlier version made has its maker’s name, and is none of that account’s', async () => {
    const { view } = edge.registry;
    const [kept] = view.of(client, 'domainId', site.id);
    const old = { ...kept, id: 'o'.repeat(20), clientId: 'o'.repeat(32), userId: owner.userId };
    view.apply({ table: 'clients', id: old.id, value: old });
    expect((await ownClients(owner)).map(({ id }) => id)).not.toContain(old.id);
    expect((await clientsOf(owner)).map(({ id }) => id)).toContain(old.id);
  });

  test('made by an earlier version with more scopes can be described, too', async () => {
    const { view } = edge.registry;
    const [kept] = view.of(client, 'domainId', site.id);
    const scopes = { ...kept?.scopes, organizations: 'w', hit: 'r' };
    const payload = { ...kept, id: 'o'.repeat(20), clientId: 'o'.repeat(32), scopes };
    view.apply({ table: 'clients', id: payload.id, value: payload });
    const changed = await done(make({ id: payload.id, description: 'new' }));
    expect(changed).toMatchObject({ description: 'new', scope_organizations: 'w' });
  });

  test.each([
    ['of a domain', () => site.id],
    ['of the account', () => ''],
  ])('%s ends with its tokens, at once and for good (M-40)', async (_, domainId) => {
    const made = await done(make({ domain_id: domainId(), scope_domains: 'w' }));
    const key = await done(make({ domain_id: domainId(), type: 'token', scope_hit: 'w' }));
    const calls = [await use(made), await use(made)];
    const hit = pageView({ url: 'https://shop.test/' });
    const send = () => edge.send('POST', 'hit', hit, key.client_secret);
    for (const one of calls) expect((await one?.get('domain'))?.status).toBe(200);
    expect((await send()).status).toBe(200);
    expect(await done(owner.remove(`client?id=${made.id}`))).toEqual({});
    expect(await done(owner.remove(`client?id=${key.id}`))).toEqual({});
    for (const one of calls) expect((await one?.get('domain'))?.status).toBe(401);
    expect((await send()).status).toBe(401);
    expect(await use(made)).toBeNull();
    expect((await owner.remove(`client?id=${made.id}`)).status).toBe(404);
    expect((await make({ id: made.id, description: 'x' })).status).toBe(404);
  });

  test('may delete itself: its next request is refused', async () => {
    const made = await done(make({ scope_domains: 'w' }));
    const calls = await use(made);
    expect((await calls?.remove(`client?id=${made.id}`))?.status).toBe(200);
    expect((await calls?.get('domain'))?.status).toBe(401);
  });
});

describe('clients of a domain', () => {
  test('are the business of its Admins; those of an account of its user alone (M-3, M-4)', async () => {
    const admin = await makeTenant(edge, 'admin');
    const viewer = await makeTenant(edge, 'viewer');
    await join(owner, admin, onDomain(site.id), 'Admin');
    await join(owner, viewer, onDomain(site.id));
    const made = await done(make(onSite({ scope_domains: 'r' })));
    const own = await done(make({ scope_domains: 'r' }));
    const asked = (by: Tenant, id: string) => [
      by.get(`client?id=${site.id}`),
      by.post('client', onSite({ scope_domains: 'r' })),
      by.post('client', { id, description: 'x' }),
      by.remove(`client?id=${id}`),
    ];
    for (const { status } of await Promise.all(asked(viewer, made.id))) expect(status).toBe(403);
    for (const { status } of await Promise.all(asked(stranger, made.id))) expect(status).toBe(404);
    const domainClient = callsBy(edge, site.bearer) as Tenant;
    for (const { status } of await Promise.all(asked(domainClient, made.id))) {
      expect(status).toBe(403);
    }
    const none = 'n'.repeat(20);
    for (const by of [admin, stranger]) {
      for (const send of [
        (id: string) => by.post('client', { id, description: 'x' }),
        (id: string) => by.remove(`client?id=${id}`),
      ]) {
        const [foreign, ghost] = [await send(own.id), await send(none)];
        expect(foreign.status).toBe(404);
        expect(JSON.stringify(foreign.json).replaceAll(own.id, none)).toBe(
          JSON.stringify(ghost.json),
        );
      }
    }
    await done(admin.get(`client?id=${site.id}`));
    await done(admin.post('client', onSite({ scope_domains: 'r' })));
    await done(admin.post('client', { id: made.id, description: 'x' }));
    await done(admin.remove(`client?id=${made.id}`));
    expect((await ownClients(admin)).map(({ id }) => id)).not.toContain(own.id);
    expect((await ownClients(owner)).map(({ id }) => id)).toContain(own.id);
  });

  test('stay when whoever made them leaves, or is gone (M-40)', async () => {
    const benId = await join(owner, ben, onDomain(site.id), 'Admin');
    const made = await done(make(onSite({ scope_domains: 'w' }), ben));
    const calls = await use(made);
    await done(ben.remove(`member?id=${benId}`));
    expect((await calls?.get('domain'))?.status).toBe(200);
    const by = { nowMs: edge.nowMs, by: { kind: 'cli', id: '' } } as const;
    await edge.registry.change(by, (view, atMs) =>
      removalOf([{ resource: user, id: ben.userId }], view, atMs),
    );
    expect((await calls?.get('domain'))?.status).toBe(200);
    expect((await ben.get('domain')).status).toBe(401);
    expect((await clientsOf(owner)).map(({ id }) => id)).toContain(made.id);
    const goal = { domain_id: site.id, name: 'g', path_pattern: '/' };
    expect((await calls?.post('goal', goal))?.status).toBe(200);
  });

  test('of earlier versions name their maker, and stay without it (M-40)', async () => {
    const { view } = edge.registry;
    const [kept] = view.of(client, 'domainId', site.id);
    const old = { ...kept, id: 'o'.repeat(20), clientId: 'o'.repeat(32), userId: ben.userId };
    view.apply({ table: 'clients', id: old.id, value: old });
    const ended = removalOf([{ resource: user, id: ben.userId }], view, edge.nowMs);
    const byKind = (kind: string) => ended.filter((change) => change.kind === kind);
    expect(byKind('client-deleted')).toHaveLength(1);
    expect(byKind('client-changed').map(({ payload }) => payload)).toEqual([
      { ...old, userId: null, modifiedMs: edge.nowMs },
    ]);
  });

  test('are 500 at most, and so are those of an account (M-6)', async () => {
    const { view } = edge.registry;
    const [kept] = view.of(client, 'domainId', site.id);
    for (const [domainId, userId, there] of [
      [site.id, null, 2],
      [null, owner.userId, 1],
    ] as const) {
      for (let index = there; index < 500; index++) {
        const id = `${domainId === null ? 'a' : 'd'}${String(index).padStart(19, '0')}`;
        view.apply({
          table: 'clients',
          id,
          value: { ...kept, id, domainId, userId, clientId: id },
        });
      }
      const reply = await make({ domain_id: domainId });
      expect(reply.status).toBe(400);
      expect(JSON.stringify(reply.json)).toContain('500');
    }
  });
});

describe('a hundred at once', () => {
  test('describe one client: each whole, in some order', async () => {
    const made = await done(make(onSite()));
    const replies = await hundred((index) => make({ id: made.id, description: `d${index}` }));
    expect(statusesOf(replies)).toEqual({ 200: 100 });
    expect(replies.map(({ json }) => json.description)).toEqual(
      replies.map((_, index) => `d${index}`),
    );
  });

  test('make and delete clients: what was made is there, what was deleted is not', async () => {
    const made = await done(make(onSite()));
    const replies = await hundred((index) =>
      index % 2 === 0 ? make(onSite()) : owner.remove(`client?id=${made.id}`),
    );
    expect(statusesOf(replies)).toEqual({ 200: 51, 404: 49 });
    const listed = (await clientsOf(owner)).map(({ id }) => id);
    const expected = replies.filter(({ json }) => json.client_id !== undefined);
    for (const { json } of expected) expect(listed).toContain(json.id);
    expect(listed).not.toContain(made.id);
    expect(new Set(expected.map(({ json }) => json.client_secret)).size).toBe(50);
  });
});

test('reading clients takes the scope domains=r, changing them domains=w (M-3)', async () => {
  const reader = await tenantOf(edge, owner.email, ['domains=r']);
  const other = await tenantOf(edge, owner.email, ['statistics=r', 'organizations=w']);
  expect((await reader.get('client')).status).toBe(200);
  expect((await reader.get(`client?id=${site.id}`)).status).toBe(200);
  for (const refused of [
    await make(onSite(), reader),
    await make({}, reader),
    await reader.remove('client?id=x'),
    await other.get('client'),
    await other.get(`client?id=${site.id}`),
  ]) {
    expect(refused.status).toBe(403);
    expect(refused.json.error[0]).toContain('the scope domains=');
  }
});
