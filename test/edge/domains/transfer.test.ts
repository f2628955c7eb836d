// Goal: a domain changes hands between the two who mean it, and who should lose a role does (M-15).
// Method: real HTTP to an edge over a real registry, by owner, named user, members and strangers.
import { beforeEach, describe, expect, test } from 'vitest';
import { domain } from '../../../src/control/resources/domain.ts';
import { invitation } from '../../../src/control/resources/invitation.ts';
import { member } from '../../../src/control/resources/member.ts';
import { organization } from '../../../src/control/resources/organization.ts';
import { user } from '../../../src/control/resources/user.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { join, newPerson, type Person, put } from './people.ts';

const edge = useRegistryEdge();
let carol: Person;
let dave: Person;
let id: string;

beforeEach(async () => {
  carol = await newPerson(edge, 'Carol@example.org');
  dave = await newPerson(edge, 'dave@example.org');
  id = edge.own.id;
});

const ada = () => edge.bearers.account;
const offer = (email: unknown, bearer = ada()) =>
  edge.send('POST', 'domain/transfer', { domain_id: id, email }, bearer);
const take = (bearer: string) => edge.send('PUT', 'domain/transfer', { domain_id: id }, bearer);
const withdraw = (bearer = ada()) =>
  edge.send('DELETE', `domain/transfer?domain_id=${id}`, undefined, bearer);
const get = async (bearer: string) =>
  (await edge.send('GET', `domain?id=${id}`, undefined, bearer)).json;
const roleOf = async (bearer: string) => (await get(bearer)).user_role;

describe('an offer', () => {
  test('names an address, whether or not it has an account', async () => {
    for (const email of [' Carol@Example.org ', 'nobody@example.org']) {
      expect(await offer(email)).toMatchObject({ status: 200, json: {} });
      expect((await get(ada())).new_owner).toBe(email.trim().toLowerCase());
    }
  });

  test.each(['', null, ' '])('is withdrawn by the address %j, and by DELETE', async (email) => {
    for (const end of [() => offer(email), () => withdraw()]) {
      await offer(carol.email);
      expect(await end()).toMatchObject({ status: 200, json: {} });
      expect((await get(ada())).new_owner).toBeNull();
      expect((await take(carol.bearer)).status).toBe(404);
    }
    const { sequence } = edge.registry;
    expect((await withdraw()).status).toBe(200);
    expect(edge.registry.sequence).toBe(sequence);
  });

  test.each([['carol'], ['a b@example.org'], [7], ['ada@example.org']])(
    'to %j is refused by field',
    async (email) => {
      const { status, json } = await offer(email);
      expect([status, Object.keys(json.validation)]).toEqual([400, ['email']]);
      expect((await get(ada())).new_owner).toBeNull();
    },
  );

  test("is the owner's alone, and for users only (M-3)", async () => {
    await join(edge, dave, id, 'Admin');
    expect((await offer('x@example.org', dave.bearer)).json.error[0]).toContain('the role Owner');
    expect((await withdraw(dave.bearer)).status).toBe(403);
    expect((await offer('x@example.org', edge.bearers.domain)).status).toBe(403);
    expect((await offer('x@example.org', edge.bearers.viewer)).status).toBe(403);
    expect((await offer('x@example.org', carol.bearer)).status).toBe(404);
    expect((await withdraw(carol.bearer)).status).toBe(404);
    expect((await edge.send('DELETE', 'domain/transfer', undefined, ada())).status).toBe(400);
  });
});

describe('who it is offered to (M-15)', () => {
  const list = async (bearer: string) =>
    (await edge.send('GET', 'domain/transfer', undefined, bearer)).json;

  test('finds it, as whoever is shown the dashboard sees it (M-16), and nobody else does', async () => {
    expect(await list(carol.bearer)).toEqual([]);
    await offer(carol.email.toUpperCase());
    const hidden = { user_id: '', identification_code: '', new_owner: null };
    expect(await list(carol.bearer)).toMatchObject([{ id, hostname: 'example.org', ...hidden }]);
    expect(await list(dave.bearer)).toEqual([]);
    expect(await list(ada())).toEqual([]);
    await join(edge, carol, id, 'Admin');
    expect(await list(carol.bearer)).toMatchObject([{ id, new_owner: carol.email.toLowerCase() }]);
    await withdraw();
    expect(await list(carol.bearer)).toEqual([]);
    await offer(carol.email);
    await take(carol.bearer);
    expect(await list(carol.bearer)).toEqual([]);
  });

  test('takes a user and the right to read domains', async () => {
    for (const bearer of [edge.bearers.domain, edge.bearers.key]) {
      expect((await edge.send('GET', 'domain/transfer', undefined, bearer)).status).toBe(403);
    }
    expect((await edge.send('GET', 'domain/transfer', undefined, '')).status).toBe(401);
  });
});

describe('who takes it', () => {
  test('owns it; the owner before is Admin, in one record', async () => {
    await offer(carol.email);
    edge.registry.refresh();
    const before = edge.registry.sequence;
    expect(await take(carol.bearer)).toMatchObject({ status: 200, json: {} });
    edge.registry.refresh();
    expect(edge.registry.sequence).toBe(before + 1);
    expect(await get(carol.bearer)).toMatchObject({
      ...{ user_id: carol.id, user_role: 'Owner', new_owner: null },
    });
    expect(await roleOf(ada())).toBe('Admin');
    expect((await edge.send('DELETE', `domain?id=${id}`, undefined, ada())).status).toBe(403);
    expect((await take(carol.bearer)).status).toBe(403);
    const list = (await edge.send('GET', 'domain', undefined, carol.bearer)).json;
    expect(list.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  test('is only the one it is offered to (M-4)', async () => {
    await join(edge, dave, id, 'Admin');
    expect((await take(carol.bearer)).status).toBe(404);
    await offer(carol.email);
    const told = await take(dave.bearer);
    expect(told.status).toBe(403);
    expect(told.json.error[0]).toContain('that the owner of this domain offers it to you');
    expect((await take(edge.bearers.domain)).status).toBe(403);
    const stranger = await newPerson(edge, 'eve@example.org');
    expect((await take(stranger.bearer)).json).toEqual((await take(stranger.bearer)).json);
    expect((await take(stranger.bearer)).json.error).toEqual([`no domain has the id '${id}'`]);
    expect(await roleOf(ada())).toBe('Owner');
    const nobody = await edge.send('PUT', 'domain/transfer', { domain_id: 'x' }, carol.bearer);
    expect(nobody.status).toBe(404);
    const bad = await edge.send('PUT', 'domain/transfer', {}, carol.bearer);
    expect(bad.json.validation).toEqual({ domain_id: 'is required' });
  });

  test('was a member or invited, and is neither any more', async () => {
    await join(edge, carol, id, 'Viewer');
    await join(edge, dave, id, 'Viewer');
    await put(edge, invitation, { domain_id: id, email: carol.email });
    const kept = await put(edge, invitation, { domain_id: id, email: 'x@example.org' });
    await offer(carol.email);
    await take(carol.bearer);
    const { view } = edge.registry;
    const owner = view.by(user, 'email', 'ada@example.org');
    const roles = view.of(member, 'domainId', id).map(({ userId, role }) => [userId, role]);
    expect(new Map(roles as [string, string][])).toEqual(
      new Map([
        [dave.id, 'Viewer'],
        [String(owner?.id), 'Admin'],
      ]),
    );
    expect(view.of(invitation, 'domainId', id).map((one) => one.id)).toEqual([kept.id]);
  });

  test('takes it out of its organization', async () => {
    const within = await put(edge, organization, { name: 'Org' }, dave.id);
    const site = edge.registry.view.find(domain, id);
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => [
      { kind: 'domain-changed', payload: { ...site, id, organizationId: within.id } },
    ]);
    expect(await roleOf(dave.bearer)).toBe('Admin');
    await offer(carol.email);
    await take(carol.bearer);
    expect((await get(carol.bearer)).organization_id).toBeNull();
    expect((await edge.send('GET', `domain?id=${id}`, undefined, dave.bearer)).status).toBe(404);
  });

  test('keeps its clients: what sends hits goes on', async () => {
    await offer(carol.email);
    await take(carol.bearer);
    const hit = {
      url: 'https://example.org/',
      ip: '81.2.69.142',
      user_agent: 'Mozilla/5.0 (X11) Firefox/128.0',
    };
    expect((await edge.send('POST', 'hit', hit, edge.bearers.key)).status).toBe(200);
    expect(await roleOf(edge.bearers.domain)).toBe('Admin');
  });

  test('has no more than 10,000 domains by it (M-6)', async () => {
    await offer(carol.email);
    const model = edge.registry.view.find(domain, id);
    const records = Array.from({ length: 10_000 }, (_, number) => ({
      kind: 'domain-created',
      payload: {
        ...{ ...model, id: `${number}`.padStart(20, '0'), userId: carol.id },
        subdomain: `many-${number}`,
        identificationCode: `number ${number}`,
      },
    }));
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => records);
    const { status, json } = await take(carol.bearer);
    expect(status).toBe(400);
    expect(json.error[0]).toMatch(/^there are 10000 domains/);
    expect(await roleOf(ada())).toBe('Owner');
  });

  test('wins once, also when both sides act at the same moment', async () => {
    await offer(carol.email);
    const replies = await Promise.all([
      ...[take(carol.bearer), withdraw(), take(carol.bearer)],
      ...[offer('dave@example.org'), take(dave.bearer)],
    ]);
    for (const { status } of replies) expect([200, 403, 404]).toContain(status);
    edge.registry.refresh();
    const { view } = edge.registry;
    const site = view.find(domain, id);
    const members = view.of(member, 'domainId', id);
    // The owner is never a member too, and nobody is one twice.
    expect(members.some(({ userId }) => userId === site?.userId)).toBe(false);
    expect(new Set(members.map(({ userId }) => userId)).size).toBe(members.length);
  });
});

describe('a member that leaves (M-31)', () => {
  const leave = (query: string, bearer: string) =>
    edge.send('DELETE', `member?${query}`, undefined, bearer);

  test('does so by the domain or the organization, whatever its role', async () => {
    const within = await put(edge, organization, { name: 'Org' }, dave.id);
    await put(edge, member, { organization_id: within.id, user_id: carol.id, role: 'Viewer' });
    await join(edge, carol, id, 'Viewer');
    expect(await leave(`domain_id=${id}`, carol.bearer)).toMatchObject({ status: 200, json: {} });
    expect((await edge.send('GET', `domain?id=${id}`, undefined, carol.bearer)).status).toBe(404);
    expect((await leave(`domain_id=${id}`, carol.bearer)).status).toBe(404);
    expect((await leave(`organization_id=${within.id}`, carol.bearer)).status).toBe(200);
    expect((await edge.send('GET', 'organization', undefined, carol.bearer)).json).toEqual([]);
  });

  test('is no owner, no stranger, and says which one (M-4)', async () => {
    const { json } = await leave(`domain_id=${id}`, carol.bearer);
    expect(json.error).toEqual([`no domain has the id '${id}'`]);
    // Who owns it sees it, and is told what to do instead.
    const owners = await leave(`domain_id=${id}`, ada());
    expect([owners.status, owners.json.validation]).toEqual([
      400,
      { domain_id: expect.stringContaining('give it away') },
    ]);
    expect(await roleOf(ada())).toBe('Owner');
    expect((await leave('', carol.bearer)).json.validation).toHaveProperty('id');
    expect((await leave(`domain_id=${id}&organization_id=x`, carol.bearer)).status).toBe(400);
  });
});
