// Goal: an organization gives its people a role on its domains, and takes it away with what it loses.
// Method: several accounts over HTTP on one edge with a real registry.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../../src/control/descriptor/resource.ts';
import { domain } from '../../../src/control/resources/domain.ts';
import { invitation } from '../../../src/control/resources/invitation.ts';
import { member } from '../../../src/control/resources/member.ts';
import { organization } from '../../../src/control/resources/organization.ts';
import { RegistryStore } from '../../../src/store/registry-store.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import {
  done,
  hundred,
  inOrganization,
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
let cleo: Tenant;
let stranger: Tenant;
let site: Site;
let id: string;

beforeEach(async () => {
  owner = await makeTenant(edge, 'owner');
  ben = await makeTenant(edge, 'ben');
  cleo = await makeTenant(edge, 'cleo');
  stranger = await makeTenant(edge, 'stranger');
  site = await makeSite(edge, owner, 'shop.test');
  id = (await done(owner.post('organization', { name: ' Works ' }))).id;
});

const put = (by: Tenant, domain_id: string) => by.post('organization/domain', { id, domain_id });
const takeOut = (by: Tenant, domainId: string) =>
  by.remove(`organization/domain?id=${id}&domain_id=${domainId}`);
const idsOf = (list: readonly { id: string }[]) => list.map((one) => one.id);

describe('an organization', () => {
  const AT = '2026-11-20T12:00:00.000Z';

  test('is made, renamed and listed with its counts (M-32)', async () => {
    const made = {
      ...{ id, def_time: AT, mod_time: AT, user_id: owner.userId, name: 'Works' },
      ...{ member: 1, domains: 0, themes: 0, role: 'Owner', can_edit: true },
    };
    expect(await done(owner.get('organization'))).toEqual([made]);
    await done(put(owner, site.id));
    await join(owner, ben, inOrganization(id), 'Admin');
    await join(owner, cleo, inOrganization(id));
    await done(owner.post('member', { organization_id: id, emails: [stranger.email] }));
    edge.nowMs += 1_000;
    const renamed = await done(owner.put('organization', { id, name: 'Factory' }));
    const now = { ...made, name: 'Factory', mod_time: '2026-11-20T12:00:01.000Z' };
    // The domain and its people moved the counts, and not the time.
    expect(renamed).toEqual({ ...now, member: 3, domains: 1 });
    for (const [by, role] of [
      [ben, 'Admin'],
      [cleo, 'Viewer'],
    ] as const) {
      const seen = { ...renamed, role, can_edit: false };
      expect(await done(by.get('organization'))).toEqual([seen]);
      expect((await by.put('organization', { id, name: 'Mine' })).status).toBe(403);
      expect((await by.remove(`organization?id=${id}`)).status).toBe(403);
    }
    expect(await done(stranger.get('organization'))).toEqual([]);
  });

  test('is one of several, own and others, oldest first', async () => {
    await join(owner, ben, inOrganization(id));
    edge.nowMs += 1;
    const own = (await done(ben.post('organization', { name: 'Own' }))).id;
    edge.nowMs += 1;
    const late = (await done(owner.post('organization', { name: 'Late' }))).id;
    await join(owner, ben, inOrganization(late));
    expect(idsOf(await done(ben.get('organization')))).toEqual([id, own, late]);
  });

  test('that is renamed to what it is called writes nothing (M-7)', async () => {
    const before = edge.registry.sequence;
    edge.nowMs += 1_000;
    expect((await done(owner.put('organization', { id, name: 'Works ' }))).mod_time).toBe(AT);
    expect(edge.registry.sequence).toBe(before);
  });

  test.each([
    ['no name', {}, 'is required'],
    ['a blank one', { name: '  ' }, 'must not be blank'],
    ['one of 201 characters', { name: '𝒳'.repeat(201) }, 'must have at most 200 characters'],
    ['another type', { name: ['a'] }, 'must be a string'],
  ])('with %s is refused, new or not', async (_, body, fault) => {
    const replies = [
      await owner.post('organization', body),
      await owner.put('organization', { id, ...body }),
    ];
    for (const { status, json } of replies) {
      expect(status).toBe(400);
      expect(json.validation).toEqual({ name: fault });
    }
    expect(await done(owner.get('organization'))).toHaveLength(1);
    await done(owner.post('organization', { name: '𝒳'.repeat(200) }));
  });

  test('is not for clients of a domain, nor without the scope (M-3)', async () => {
    await done(put(owner, site.id));
    const reader = await tenantOf(edge, owner.email, ['organizations=r', 'domains=w']);
    const domains = await tenantOf(edge, owner.email, ['domains=w']);
    expect((await reader.get('organization')).status).toBe(200);
    expect((await reader.get(`organization/domain?id=${id}`)).status).toBe(200);
    for (const refused of [
      await site.get('organization'),
      await site.get(`organization/domain?id=${id}`),
      await domains.get('organization'),
      await reader.post('organization', { name: 'x' }),
      await reader.put('organization', { id, name: 'x' }),
      await put(reader, site.id),
      await takeOut(reader, site.id),
      await reader.remove(`organization?id=${id}`),
    ]) {
      expect(refused.status).toBe(403);
    }
  });
});

describe('a domain of an organization', () => {
  test('is put in by an Admin of both, and taken out by the organization’s owner (M-3, M-32)', async () => {
    await join(owner, ben, inOrganization(id), 'Admin');
    await join(owner, cleo, inOrganization(id), 'Viewer');
    const own = await makeSite(edge, ben, 'ben.test');
    const watched = await makeSite(edge, stranger, 'watched.test');
    await join(stranger, ben, onDomain(watched.id), 'Viewer');
    const ofCleo = await makeSite(edge, cleo, 'cleo.test');
    edge.nowMs += 1_000;
    const added = await done(put(ben, own.id));
    expect(added).toMatchObject({ id: own.id, organization_id: id, user_role: 'Owner' });
    expect(added.mod_time).toBe('2026-11-20T12:00:01.000Z');
    expect((await put(ben, watched.id)).json.error[0]).toContain('the role Admin on this domain');
    expect((await put(cleo, ofCleo.id)).json.error[0]).toContain('on this organization');
    expect((await put(ben, ofCleo.id)).status).toBe(404);
    expect((await put(stranger, watched.id)).status).toBe(404);
    expect(idsOf(await done(cleo.get(`organization/domain?id=${id}`)))).toEqual([own.id]);
    expect((await takeOut(ben, own.id)).status).toBe(403);
    expect(await done(takeOut(owner, own.id))).toEqual({});
    expect((await takeOut(owner, own.id)).status).toBe(404);
    expect((await owner.get(`domain?id=${own.id}`)).status).toBe(404);
    expect((await done(ben.get(`domain?id=${own.id}`))).organization_id).toBeNull();
  });

  test('is in one at most (M-32)', async () => {
    await done(put(owner, site.id));
    const before = edge.registry.sequence;
    expect((await done(put(owner, site.id))).organization_id).toBe(id);
    expect(edge.registry.sequence).toBe(before);
    const other = (await done(owner.post('organization', { name: 'Other' }))).id;
    const reply = await owner.post('organization/domain', { id: other, domain_id: site.id });
    expect(reply.status).toBe(400);
    expect(reply.json.validation.domain_id).toContain('is in an organization already');
    const [first, second] = await done(owner.get('organization'));
    expect([first.domains, second.domains].toSorted()).toEqual([0, 1]);
  });

  test('is one of 500 at most (M-6)', async () => {
    const model = edge.registry.view.find(domain, site.id);
    const made = Array.from({ length: 500 }, (_, index) => ({
      kind: 'domain-created',
      payload: {
        ...{ ...model, id: String(index).padStart(20, '0'), subdomain: `sub-${index}` },
        identificationCode: String(index).padStart(32, '0'),
        organizationId: id,
      },
    }));
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => made);
    const wanted = { hostname: 'new.test', organization_id: id };
    for (const reply of [await put(owner, site.id), await owner.post('domain', wanted)]) {
      expect(reply.status).toBe(400);
      expect(reply.json.error[0]).toContain('there are 500 domains already');
    }
    await done(takeOut(owner, made[0]?.payload.id ?? ''));
    await done(put(owner, site.id));
  });

  test('gives every member of it a role there, the highest of all that one has (M-2)', async () => {
    await done(put(owner, site.id));
    const ofBen = await makeSite(edge, ben, 'ben.test');
    await join(owner, ben, inOrganization(id), 'Admin');
    await join(owner, cleo, inOrganization(id), 'Viewer');
    await done(put(ben, ofBen.id));
    const roles = async (by: Tenant) => {
      const list = await done(by.get('domain'));
      return Object.fromEntries(
        list.map((one: { hostname: string; user_role: string }) => [one.hostname, one.user_role]),
      );
    };
    expect(await roles(owner)).toEqual({ 'shop.test': 'Owner', 'ben.test': 'Admin' });
    expect(await roles(ben)).toEqual({ 'shop.test': 'Admin', 'ben.test': 'Owner' });
    expect(await roles(cleo)).toEqual({ 'shop.test': 'Viewer', 'ben.test': 'Viewer' });
    expect(await roles(stranger)).toEqual({});
    // Beside the organization also by itself: the higher one counts, and is left when that one ends.
    const own = await join(owner, cleo, onDomain(site.id), 'Admin');
    expect((await roles(cleo))['shop.test']).toBe('Admin');
    await done(owner.remove(`member?id=${own}`));
    expect((await roles(cleo))['shop.test']).toBe('Viewer');
    // The role is what it does: a Viewer reads, an Admin changes, nobody but the Owner deletes.
    const goal = { domain_id: site.id, name: 'g', path_pattern: '/' };
    expect((await cleo.get(`goal?id=${site.id}`)).status).toBe(200);
    expect((await cleo.post('goal', goal)).status).toBe(403);
    expect((await ben.post('goal', goal)).status).toBe(200);
    expect((await stranger.post('goal', goal)).status).toBe(404);
    const overview = await done(ben.get(`statistics/overview?id=${site.id}`));
    expect(overview.member).toBe(3);
  });

  test('is lost to whoever leaves the organization, at once (M-2)', async () => {
    await done(put(owner, site.id));
    const memberId = await join(owner, ben, inOrganization(id), 'Admin');
    expect((await ben.get(`domain?id=${site.id}`)).status).toBe(200);
    await done(ben.remove(`member?id=${memberId}`));
    expect((await ben.get(`domain?id=${site.id}`)).status).toBe(404);
    expect(await done(ben.get('domain'))).toEqual([]);
    expect((await ben.get(`organization/domain?id=${id}`)).status).toBe(404);
  });
});

describe('an organization that is deleted', () => {
  let ofBen: Site;
  beforeEach(async () => {
    ofBen = await makeSite(edge, ben, 'ben.test');
    await join(owner, ben, inOrganization(id), 'Admin');
    await done(put(owner, site.id));
    await done(put(ben, ofBen.id));
    await done(owner.post('member', { organization_id: id, emails: [cleo.email] }));
  });

  test('leaves its domains, and takes its members and invitations along, in one record (M-5, M-32)', async () => {
    const before = edge.registry.sequence;
    expect(await done(owner.remove(`organization?id=${id}`))).toEqual({});
    expect(edge.registry.sequence).toBe(before + 1);
    const { view } = edge.registry;
    expect([view.count(organization), view.count(member), view.count(invitation)]).toEqual([
      0, 0, 0,
    ]);
    expect(idsOf(await done(owner.get('domain')))).toEqual([site.id]);
    expect(idsOf(await done(ben.get('domain')))).toEqual([ofBen.id]);
    expect((await done(ben.get('domain')))[0].organization_id).toBeNull();
    expect(await done(cleo.get('invitation'))).toEqual([]);
    expect((await owner.remove(`organization?id=${id}`)).status).toBe(404);
  });

  test('takes the domains of its owner along where asked to, and leaves those of others (M-11, M-32)', async () => {
    const goal = { domain_id: site.id, name: 'g', path_pattern: '/' };
    await done(owner.post('goal', goal));
    const before = edge.registry.sequence;
    await done(owner.remove(`organization?id=${id}&delete_domains=true`));
    expect(edge.registry.sequence).toBe(before + 1);
    expect((await owner.get(`domain?id=${site.id}`)).status).toBe(404);
    expect((await site.get('domain')).status).toBe(401);
    expect(edge.registry.view.find(domain, ofBen.id)?.organizationId).toBeNull();
    expect((await ofBen.get('domain')).status).toBe(200);
    const store = new RegistryStore(edge.directory, null);
    const changes = (store.recordsAfter(before)[0]?.record.changes ?? []) as readonly Change[];
    await store.close();
    const idsBy = (kind: string) =>
      changes.filter((change) => change.kind === kind).map(({ payload }) => payload.id);
    expect(idsBy('domain-deleted')).toEqual([site.id]);
    // What is left to be done, and what billing keeps (M-11, S-99).
    expect(idsBy('erasure-created')).toEqual([site.id]);
    expect(idsBy('former-domain-created')).toHaveLength(1);
    expect(idsBy('organization-deleted')).toEqual([id]);
    for (const kind of ['goal-deleted', 'client-deleted']) expect(idsBy(kind)).not.toEqual([]);
  });

  test.each([
    ['false', true],
    ['0', true],
    ['1', false],
  ])('with delete_domains=%s leaves them: %s (A-25)', async (word, isLeft) => {
    await done(owner.remove(`organization?id=${id}&delete_domains=${word}`));
    expect((await owner.get(`domain?id=${site.id}`)).status).toBe(isLeft ? 200 : 404);
  });

  test('with another word is refused, and nothing happens (M-6)', async () => {
    const before = edge.registry.sequence;
    const reply = await owner.remove(`organization?id=${id}&delete_domains=yes`);
    expect(reply.json.validation).toEqual({ delete_domains: 'must be true or false' });
    expect(edge.registry.sequence).toBe(before);
  });

  test('leaves them also where the client may delete no domains (M-3)', async () => {
    const client = await tenantOf(edge, owner.email, ['organizations=w', 'domains=r']);
    await done(client.remove(`organization?id=${id}&delete_domains=true`));
    expect((await done(owner.get(`domain?id=${site.id}`))).organization_id).toBeNull();
  });
});

describe('of an organization that one cannot see', () => {
  test('nothing is told: it is answered like what is not there (M-4)', async () => {
    await done(put(owner, site.id));
    const own = await makeSite(edge, stranger, 'stranger.test');
    const before = edge.registry.sequence;
    const none = 'n'.repeat(20);
    const asked = (at: string, domainId: string) => [
      stranger.get(`organization/domain?id=${at}`),
      stranger.put('organization', { id: at, name: 'x' }),
      stranger.remove(`organization?id=${at}&delete_domains=true`),
      stranger.post('organization/domain', { id: at, domain_id: own.id }),
      stranger.remove(`organization/domain?id=${at}&domain_id=${domainId}`),
    ];
    const replies = await Promise.all(asked(id, site.id));
    const ghosts = await Promise.all(asked(none, none));
    for (const [index, { status, json }] of replies.entries()) {
      expect(status).toBe(404);
      const text = JSON.stringify(json).replaceAll(id, none);
      expect(text).toBe(JSON.stringify(ghosts[index]?.json));
    }
    // A domain that one may not see, put into an organization of one's own.
    const mine = (await done(stranger.post('organization', { name: 'Mine' }))).id;
    const stolen = await stranger.post('organization/domain', { id: mine, domain_id: site.id });
    expect(stolen.status).toBe(404);
    expect(edge.registry.sequence).toBe(before + 1);
  });
});

describe('a hundred at once', () => {
  test('rename one organization: each whole, in some order', async () => {
    const replies = await hundred((index) => owner.put('organization', { id, name: `N${index}` }));
    expect(statusesOf(replies)).toEqual({ 200: 100 });
    expect(replies.map(({ json }) => json.name)).toEqual(replies.map((_, index) => `N${index}`));
    const [{ name }] = await done(owner.get('organization'));
    expect(name).toMatch(/^N\d+$/);
  });

  test('put one domain into two organizations: it is in one, and nobody is told otherwise', async () => {
    const other = (await done(owner.post('organization', { name: 'Other' }))).id;
    const replies = await hundred((index) =>
      owner.post('organization/domain', { id: index % 2 === 0 ? id : other, domain_id: site.id }),
    );
    expect(statusesOf(replies)).toEqual({ 200: 50, 400: 50 });
    const { organization_id } = await done(owner.get(`domain?id=${site.id}`));
    const good = replies.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ json }) => json.organization_id))).toEqual(
      new Set([organization_id]),
    );
  });

  test('delete an organization while domains come and go: no domain is left in nothing', async () => {
    await done(put(owner, site.id));
    const replies = await hundred((index) => {
      if (index === 60) return owner.remove(`organization?id=${id}`);
      return index % 2 === 0 ? takeOut(owner, site.id) : put(owner, site.id);
    });
    expect(replies[60]?.status).toBe(200);
    expect(Object.keys(statusesOf(replies))).toEqual(['200', '404']);
    expect((await done(owner.get(`domain?id=${site.id}`))).organization_id).toBeNull();
  });
});
