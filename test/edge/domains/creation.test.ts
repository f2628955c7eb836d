// Goal: domains are made as M-10 says, and found by everything that names them (A-19, M-13).
// Method: real HTTP to an edge over a real registry, by people with different roles.
import { beforeEach, describe, expect, test } from 'vitest';
import { Registry } from '../../../src/control/registry/registry.ts';
import { domain } from '../../../src/control/resources/domain.ts';
import { link } from '../../../src/control/resources/link.ts';
import { member } from '../../../src/control/resources/member.ts';
import { organization } from '../../../src/control/resources/organization.ts';
import { user } from '../../../src/control/resources/user.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { newPerson, type Person, put } from './people.ts';

const edge = useRegistryEdge();
let carol: Person;

beforeEach(async () => {
  carol = await newPerson(edge, 'carol@example.org');
});

const make = (body: unknown, bearer = edge.bearers.account) =>
  edge.send('POST', 'domain', body, bearer);
const sequence = () => {
  edge.registry.refresh();
  return edge.registry.sequence;
};

describe('a new domain (M-10)', () => {
  test('has everything the contract says, and its maker owns it (M-17)', async () => {
    const { status, json } = await make({
      hostname: 'https://www.New.test/shop',
      timezone: 'asia/kolkata',
    });
    expect(status).toBe(200);
    const owner = edge.registry.view.by(user, 'email', 'ada@example.org');
    expect(json).toEqual({
      ...{ id: expect.stringMatching(/^\w{20}$/), user_id: owner?.id, organization_id: null },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      ...{ hostname: 'new.test', subdomain: 'new-test', timezone: 'Asia/Kolkata' },
      identification_code: expect.stringMatching(/^\w{32}$/),
      ...{ public: false, group_by_title: false, disable_scripts: false, new_owner: null },
      ...{ external_user_id: null, external_user_email: null, external_search_domain: null },
      ...{ active_visitors_seconds: 600, statistics_start: null, imported_statistics: false },
      ...{ metadata: {}, theme_id: null, theme: {}, theme_settings: {}, custom_domain: null },
      ...{ user_role: 'Owner', display_name: 'new.test', subscription_active: true },
      settings: {
        ...{ favorite: false, pinned: false, filter: { ip_block: [], ip_allow: [] } },
        ...{ traffic_spike: false, traffic_spike_threshold: 0 },
        ...{ traffic_warning: false, traffic_warning_threshold: 0 },
      },
    });
    const list = (await edge.send('GET', 'domain', undefined, edge.bearers.account)).json;
    expect(list).toContainEqual(json);
  });

  test('may have the hostname of another one, under a subdomain of its own', async () => {
    const subdomains = [];
    for (let count = 0; count < 3; count++) {
      subdomains.push((await make({ hostname: 'twice.test', subdomain: ' ' })).json.subdomain);
    }
    expect(subdomains).toEqual(['twice-test', 'twice-test-2', 'twice-test-3']);
    expect((await make({ hostname: 'a.test', subdomain: 'Twice-Test' })).json.validation).toEqual({
      subdomain: "'twice-test' is taken; choose another",
    });
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['no hostname', {}, ['hostname']],
    ['a blank one', { hostname: ' ' }, ['hostname']],
    ['a number', { hostname: 7 }, ['hostname']],
    ['an address', { hostname: '10.0.0.1' }, ['hostname']],
    ['another scheme', { hostname: 'ftp://a.test' }, ['hostname']],
    ['a long one', { hostname: `${'abcdefg.'.repeat(32)}com` }, ['hostname']],
    ['a reserved subdomain', { hostname: 'a.test', subdomain: 'login' }, ['subdomain']],
    ['a short one', { hostname: 'a.test', subdomain: 'ab' }, ['subdomain']],
    ['dots in it', { hostname: 'a.test', subdomain: 'a.b.c' }, ['subdomain']],
    ['an unknown zone', { hostname: 'a.test', timezone: 'Mars/Olympus' }, ['timezone']],
    ['an offset', { hostname: 'a.test', timezone: '+02:00' }, ['timezone']],
    [
      'several faults',
      { hostname: '-', subdomain: '-', timezone: '-' },
      ['hostname', 'subdomain', 'timezone'],
    ],
    ['another type', { hostname: 'a.test', theme_id: {} }, ['theme_id']],
  ])('is refused for %s, by field, and nothing is made', async (_, body, fields) => {
    const before = sequence();
    const { status, json } = await make(body);
    expect(status).toBe(400);
    expect(Object.keys(json.validation).toSorted()).toEqual(fields);
    expect(sequence()).toBe(before);
  });

  test('is for users only', async () => {
    expect((await make({ hostname: 'a.test' }, edge.bearers.domain)).status).toBe(403);
    expect((await make({ hostname: 'a.test' }, edge.bearers.viewer)).status).toBe(403);
    expect((await make({ hostname: 'a.test' }, edge.bearers.key)).status).toBe(403);
    expect((await make({ hostname: 'a.test' }, carol.bearer)).status).toBe(200);
  });

  test('is one of at most 10,000 of a user (M-6)', async () => {
    const owner = edge.registry.view.by(user, 'email', carol.email);
    const model = edge.registry.view.find(domain, edge.own.id);
    const records = Array.from({ length: 10_000 }, (_, number) => ({
      kind: 'domain-created',
      payload: {
        ...{ ...model, id: `${number}`.padStart(20, '0'), userId: owner?.id ?? '' },
        subdomain: `many-${number}`,
        identificationCode: `number ${number}`,
      },
    }));
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => records);
    const { status, json } = await make({ hostname: 'a.test' }, carol.bearer);
    expect(status).toBe(400);
    expect(json.error).toEqual([
      'there are 10000 domains already, which is the limit; remove some first',
    ]);
  });
});

describe('in an organization (M-10)', () => {
  let organizationId: string;
  let dave: Person;

  beforeEach(async () => {
    dave = await newPerson(edge, 'dave@example.org');
    organizationId = (await put(edge, organization, { name: 'Org' }, carol.id)).id;
  });
  const joinAs = (role: string) =>
    put(edge, member, { organization_id: organizationId, user_id: dave.id, role });
  const body = () => ({ hostname: 'org.test', organization_id: organizationId });

  test('its owner and its Admins make domains, which belong to its owner', async () => {
    const own = await make(body(), carol.bearer);
    expect(own.json).toMatchObject({
      user_id: carol.id,
      organization_id: organizationId,
      user_role: 'Owner',
    });
    await joinAs('Admin');
    const others = await make(body(), dave.bearer);
    expect(others.json).toMatchObject({ user_id: carol.id, user_role: 'Admin' });
  });

  test('its Viewers may not, and to others it is not there (M-4)', async () => {
    const unseen = await make(body(), dave.bearer);
    expect(unseen.status).toBe(404);
    const none = await make({ ...body(), organization_id: 'nobody' }, dave.bearer);
    expect(none.json.error).toEqual(["no organization has the id 'nobody'"]);
    expect(JSON.stringify(unseen.json).replace(organizationId, 'nobody')).toBe(
      JSON.stringify(none.json),
    );
    await joinAs('Viewer');
    const viewer = await make(body(), dave.bearer);
    expect(viewer.status).toBe(403);
    expect(viewer.json.error[0]).toContain('the role Admin on this organization');
  });

  test('a theme that the caller does not see is not there (M-4)', async () => {
    const { status, json } = await make({ hostname: 'a.test', theme_id: 'nobody' });
    expect(status).toBe(404);
    expect(json.error).toEqual(["no theme has the id 'nobody'"]);
  });
});

describe('GET /api/v1/domain', () => {
  const get = (query: string, bearer = edge.bearers.account) =>
    edge.send('GET', `domain${query}`, undefined, bearer);

  test('names one by id, subdomain, custom hostname or the code of a link (A-19)', async () => {
    const { id } = edge.own;
    await edge.send('POST', 'domain/custom', { domain_id: id, hostname: 'stats.example.org' });
    const { code } = await put(edge, link, { domain_id: id, description: '' });
    for (const query of [
      ...[`?id=${id}`, '?subdomain=example-org', '?subdomain=Example-Org'],
      ...['?domain=stats.example.org', '?domain=https://Stats.Example.org/', `?access=${code}`],
    ]) {
      const { status, json } = await get(query);
      expect([query, status, json.id]).toEqual([query, 200, id]);
    }
    const response = await fetch(`${edge.baseUrl}/api/v1/domain?access=${code}`);
    expect(await response.json()).toMatchObject({ id, user_role: 'Viewer' });
  });

  test('answers what the caller does not see like what is not there (M-4)', async () => {
    await edge.send('POST', 'domain/custom', {
      domain_id: edge.own.id,
      hostname: 'stats.example.org',
    });
    const { code } = await put(edge, link, { domain_id: edge.own.id, description: '' });
    for (const [query, nothing] of [
      [`?id=${edge.own.id}`, '?id=nobody'],
      ['?subdomain=example-org', '?subdomain=nobody'],
      ['?domain=stats.example.org', '?domain=nobody.test'],
    ] as const) {
      const [foreign, none] = [await get(query, carol.bearer), await get(nothing, carol.bearer)];
      expect(foreign.status).toBe(404);
      const [, value = ''] = query.split('=');
      const [, other = ''] = nothing.split('=');
      const text = JSON.stringify(foreign.json).replace(value, other);
      expect(text).toBe(JSON.stringify(none.json));
    }
    expect((await get('?access=nobody')).status).toBe(401);
    expect((await get(`?access=${code}`, carol.bearer)).status).toBe(401);
  });

  test('is read with the right to domains or to statistics (M-3)', async () => {
    expect((await get('', edge.bearers.viewer)).json).toHaveLength(2);
    expect((await get('', edge.bearers.domain)).json).toHaveLength(1);
    expect((await get('', edge.bearers.key)).status).toBe(403);
    expect((await get('', carol.bearer)).json).toEqual([]);
  });

  test('lists as of now what another process has made (M-5)', async () => {
    const other = Registry.open(edge.directory, edge.nowMs);
    const made = await put({ ...edge, registry: other }, organization, { name: 'Org' }, carol.id);
    await other.close();
    const { json } = await make({ hostname: 'a.test', organization_id: made.id }, carol.bearer);
    expect(json.organization_id).toBe(made.id);
  });
});
