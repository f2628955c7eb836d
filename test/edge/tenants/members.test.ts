// Goal: people come to a domain or an organization by invitation only, and its Admins manage them.
// Method: several accounts over HTTP on one edge with a real registry; what others see is asked, too.
import { beforeEach, describe, expect, test } from 'vitest';
import { invitation } from '../../../src/control/resources/invitation.ts';
import { member } from '../../../src/control/resources/member.ts';
import { user } from '../../../src/control/resources/user.ts';
import { DOMAIN_CHILD_COUNT_MAX } from '../../../src/model/limits.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import {
  done,
  hundred,
  type Invited,
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
let organizationId: string;

beforeEach(async () => {
  [owner, ben, cleo, stranger] = (await Promise.all(
    ['owner', 'ben', 'cleo', 'stranger'].map((name) => makeTenant(edge, name)),
  )) as [Tenant, Tenant, Tenant, Tenant];
  site = await makeSite(edge, owner, 'shop.test');
  organizationId = (await done(owner.post('organization', { name: 'Works' }))).id;
});

const PLACES = ['a domain', 'an organization'] as const;
const placeOf = (name: (typeof PLACES)[number]): Invited =>
  name === 'a domain' ? onDomain(site.id) : inOrganization(organizationId);
const inviting = (place: Invited, emails: unknown, more: object = {}) =>
  owner.post('member', { ...place.body, emails, ...more });
const membersOf = (by: Tenant, place: Invited) => done(by.get(`member?${place.query}`));
const invitationsTo = (by: Tenant, place: Invited) =>
  done(by.get(`invitation?${place.invitations}`));

describe.each(PLACES)('a person who is invited to %s', (name) => {
  test('is a member with the role Viewer once the invitation is accepted, not before (M-30)', async () => {
    const place = placeOf(name);
    expect(await done(inviting(place, [' Ben@Tenants.test ']))).toEqual({});
    expect(await membersOf(owner, place)).toEqual([]);
    const [open] = await invitationsTo(owner, place);
    expect(open).toMatchObject({
      email: 'ben@tenants.test',
      id: expect.stringMatching(/^\w{20}$/),
    });
    expect((await ben.get(`member?${place.query}`)).status).toBe(404);
    edge.nowMs += 1_000;
    expect(await done(ben.post('invitation', { id: open.id }))).toEqual({});
    const at = '2026-11-20T12:00:01.000Z';
    const isDomain = name === 'a domain';
    expect(await membersOf(owner, place)).toEqual([
      {
        ...{ id: expect.stringMatching(/^\w{20}$/), def_time: at, mod_time: at },
        ...{ domain_id: isDomain ? site.id : null, user_id: ben.userId, role: 'Viewer' },
        organization_id: isDomain ? null : organizationId,
        user: { id: ben.userId, email: ben.email, full_name: '', picture: '' },
      },
    ]);
    expect(await invitationsTo(owner, place)).toEqual([]);
  });

  test('is an Admin where the invitation says so (M-30)', async () => {
    await join(owner, ben, placeOf(name), 'Admin');
    expect((await membersOf(owner, placeOf(name)))[0].role).toBe('Admin');
  });

  test('is invited with all the others or with none of them (M-30)', async () => {
    const place = placeOf(name);
    await join(owner, ben, place);
    const emails = ['new@tenants.test', 'no address', ben.email.toUpperCase(), owner.email];
    const before = edge.registry.sequence;
    const reply = await inviting(place, [...emails, 'NEW@tenants.test', 5, null, '']);
    expect(reply.status).toBe(400);
    const fault = expect.stringContaining('must be an email address');
    expect(reply.json.validation).toEqual({
      'emails.1': fault,
      'emails.2': expect.stringContaining('is a member of this'),
      'emails.3': expect.stringContaining('is a member of this'),
      'emails.4': 'stands in the list twice',
      ...{ 'emails.5': fault, 'emails.6': fault, 'emails.7': fault },
    });
    expect(edge.registry.sequence).toBe(before);
    expect(await invitationsTo(owner, place)).toEqual([]);
    expect(edge.registry.view.by(user, 'email', 'new@tenants.test')).toBeNull();
    expect(edge.mails.filter(({ to }) => to === 'new@tenants.test')).toEqual([]);
  });

  test.each([
    [0, 400],
    [1, 200],
    [50, 200],
    [51, 400],
  ])('is one of 1 to 50: %d are answered %d (M-30)', async (count, status) => {
    const emails = Array.from({ length: count }, (_, index) => `p${index}@tenants.test`);
    const reply = await inviting(placeOf(name), emails);
    expect(reply.status).toBe(status);
    if (status === 400) {
      expect(reply.json.validation).toEqual({ emails: 'must be a list of 1 to 50 addresses' });
    }
    const open = await invitationsTo(owner, placeOf(name));
    expect(open).toHaveLength(status === 200 ? count : 0);
  });

  test('may be invited again, to another role: one invitation is open (M-30)', async () => {
    const place = placeOf(name);
    await done(inviting(place, [ben.email]));
    const before = edge.registry.sequence;
    await done(inviting(place, [ben.email]));
    expect(edge.registry.sequence).toBe(before);
    await done(inviting(place, [ben.email], { role: 'Admin' }));
    const open = await invitationsTo(owner, place);
    expect(open).toHaveLength(1);
    await done(ben.post('invitation', { id: open[0].id }));
    expect((await membersOf(owner, place))[0].role).toBe('Admin');
  });

  test('is one of 500 at most (M-6)', async () => {
    const place = placeOf(name);
    const { view } = edge.registry;
    const nowMs = edge.nowMs;
    const made = Array.from({ length: DOMAIN_CHILD_COUNT_MAX - 1 }, (_, index) => ({
      kind: 'invitation-created',
      payload: {
        ...{ id: String(index).padStart(20, '0'), createdMs: nowMs, modifiedMs: nowMs },
        ...{ domainId: null, organizationId: null, [`${name.split(' ')[1]}Id`]: idOf(place) },
        ...{ email: `old${index}@tenants.test`, role: 'Viewer' },
      },
    }));
    await edge.registry.change({ nowMs, by: { kind: 'cli', id: '' } }, () => made);
    expect((await inviting(place, ['a@tenants.test', 'b@tenants.test'])).status).toBe(400);
    expect(view.count(invitation)).toBe(DOMAIN_CHILD_COUNT_MAX - 1);
    await done(inviting(place, ['a@tenants.test']));
    const reply = await inviting(place, ['b@tenants.test']);
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.json)).toContain('500');
    expect(view.by(user, 'email', 'b@tenants.test')).toBeNull();
  });
});

function idOf({ body }: Invited): string {
  return Object.values(body)[0] ?? '';
}

describe('an address without an account', () => {
  test('gets one without password, and a link that sets it (M-30)', async () => {
    await done(inviting(onDomain(site.id), ['new@tenants.test']));
    const [mail] = edge.mails;
    expect(edge.mails).toHaveLength(1);
    expect(mail).toMatchObject({ kind: 'activation', to: 'new@tenants.test' });
    expect(mail?.link).toMatch(/\/activate\?token=\w{32}$/);
    const person = await tenantOf(edge, 'new@tenants.test');
    const [open] = await done(person.get('invitation'));
    expect(open.domain.hostname).toBe('shop.test');
    await done(person.post('invitation', { id: open.id }));
    expect((await done(person.get('domain')))[0].user_role).toBe('Viewer');
  });

  test('is answered like one with an account, which is only told of the invitation (M-4)', async () => {
    const replies = [];
    for (const email of ['new@tenants.test', ben.email]) {
      replies.push(await inviting(onDomain(site.id), [email]));
    }
    const [unknown, known] = replies.map(({ status, json }) => ({ status, json }));
    expect(unknown).toEqual(known);
    const [first, second] = await invitationsTo(owner, onDomain(site.id));
    expect(Object.keys(first)).toEqual(Object.keys(second));
    expect(edge.mails.map(({ kind, to }) => [kind, to])).toEqual([
      ['activation', 'new@tenants.test'],
      ['invitation', ben.email],
    ]);
    expect(edge.mails[1]?.subject).toContain('shop.test');
  });

  test('keeps its account when it is invited elsewhere: the first link stays good (M-30)', async () => {
    await done(inviting(onDomain(site.id), ['new@tenants.test']));
    await done(inviting(inOrganization(organizationId), ['new@tenants.test']));
    expect(edge.mails.map(({ kind }) => kind)).toEqual(['activation', 'invitation']);
    const person = await tenantOf(edge, 'new@tenants.test');
    expect(await done(person.get('invitation'))).toHaveLength(2);
  });

  test('is told a name on one line, whatever the organization is called', async () => {
    const { id } = await done(owner.post('organization', { name: 'Works\r\nBcc: x@evil.test' }));
    await done(inviting(inOrganization(id), [ben.email]));
    expect(edge.mails[0]?.subject).toMatch(/Works Bcc: x@evil\.test$/);
  });
});

describe('a body that is none', () => {
  test.each([
    ['no emails', {}, { emails: 'is required' }],
    ['emails of another type', { emails: 'ben@tenants.test' }, { emails: 'must be a list' }],
    ['an unknown role', { emails: ['x@y.test'], role: 'Boss' }, { role: expect.any(String) }],
    ['the role of an Owner', { emails: ['x@y.test'], role: 'Owner' }, { role: expect.any(String) }],
    ['a role of another type', { emails: ['x@y.test'], role: 5 }, { role: 'must be a string' }],
  ])('%s is refused by field', async (_, body, validation) => {
    const reply = await owner.post('member', { id: site.id, ...body });
    expect(reply.status).toBe(400);
    expect(reply.json.validation).toEqual(validation);
    expect(edge.registry.view.count(invitation)).toBe(0);
  });

  test('names one place, no more and no less', async () => {
    const emails = [ben.email];
    for (const body of [{}, { id: '', organization_id: ' ' }, { id: null }]) {
      expect((await owner.post('member', { ...body, emails })).json.validation).toHaveProperty(
        'id',
      );
    }
    const both = { id: site.id, organization_id: organizationId, emails };
    expect((await owner.post('member', both)).json.validation).toHaveProperty('organization_id');
    expect((await owner.get('member')).json.validation).toHaveProperty('id');
    const query = `id=${site.id}&organization_id=${organizationId}`;
    expect((await owner.get(`member?${query}`)).status).toBe(400);
  });
});

describe('an Admin', () => {
  let benId: string;
  let cleoId: string;
  beforeEach(async () => {
    benId = await join(owner, ben, onDomain(site.id), 'Admin');
    cleoId = await join(owner, cleo, onDomain(site.id), 'Viewer');
  });

  test('makes a Viewer an Admin, and removes a Viewer (M-3)', async () => {
    edge.nowMs += 1_000;
    expect(await done(ben.put('member', { id: cleoId, role: 'Admin' }))).toEqual({});
    const members = await membersOf(owner, onDomain(site.id));
    const changed = members.find(({ id }: { id: string }) => id === cleoId);
    expect(changed).toMatchObject({ role: 'Admin', mod_time: '2026-11-20T12:00:01.000Z' });
    expect(changed.def_time).toBe('2026-11-20T12:00:00.000Z');
    await done(owner.put('member', { id: cleoId, role: 'Viewer' }));
    await done(ben.remove(`member?id=${cleoId}`));
    expect((await cleo.get(`domain?id=${site.id}`)).status).toBe(404);
  });

  test('does not change or remove another Admin; the Owner does (M-3)', async () => {
    await done(owner.put('member', { id: cleoId, role: 'Admin' }));
    for (const refused of [
      await ben.put('member', { id: cleoId, role: 'Viewer' }),
      await ben.remove(`member?id=${cleoId}`),
      await cleo.put('member', { id: benId, role: 'Viewer' }),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.json.error[0]).toContain('the role Owner on this domain');
    }
    expect(await membersOf(owner, onDomain(site.id))).toHaveLength(2);
    await done(owner.put('member', { id: benId, role: 'Viewer' }));
    await done(owner.remove(`member?id=${cleoId}`));
    expect(
      (await membersOf(owner, onDomain(site.id))).map((one: { role: string }) => one.role),
    ).toEqual(['Viewer']);
  });

  test('may become a Viewer by itself; then it manages nobody (M-3)', async () => {
    await done(ben.put('member', { id: benId, role: 'Viewer' }));
    expect((await ben.put('member', { id: benId, role: 'Admin' })).status).toBe(403);
    expect((await ben.get(`member?id=${site.id}`)).status).toBe(403);
  });

  test('of an organization is one of its domains, and its owner too, but not the Owner there (M-2, M-3)', async () => {
    const adminId = await join(owner, stranger, inOrganization(organizationId), 'Admin');
    const third = await makeSite(edge, ben, 'ben.test');
    await join(owner, ben, inOrganization(organizationId), 'Admin');
    await done(ben.post('organization/domain', { id: organizationId, domain_id: third.id }));
    const guest = await join(ben, cleo, onDomain(third.id), 'Admin');
    for (const by of [owner, stranger]) {
      expect((await done(by.get(`domain?id=${third.id}`))).user_role).toBe('Admin');
      expect((await by.remove(`member?id=${guest}`)).status).toBe(403);
    }
    await done(ben.put('member', { id: guest, role: 'Viewer' }));
    await done(stranger.remove(`member?id=${guest}`));
    // Of the organization itself its owner alone.
    expect((await ben.put('member', { id: adminId, role: 'Viewer' })).status).toBe(403);
    await done(owner.put('member', { id: adminId, role: 'Viewer' }));
    expect((await done(stranger.get(`domain?id=${third.id}`))).user_role).toBe('Viewer');
  });
});

describe('a member', () => {
  test.each(PLACES)('of %s may leave it, whatever its role (M-31)', async (name) => {
    for (const role of ['Viewer', 'Admin']) {
      const id = await join(owner, ben, placeOf(name), role);
      expect(await done(ben.remove(`member?id=${id}`))).toEqual({});
      expect(await membersOf(owner, placeOf(name))).toEqual([]);
      expect((await ben.remove(`member?id=${id}`)).status).toBe(404);
    }
  });

  test('of a domain that goes, goes with it (M-11)', async () => {
    await join(owner, ben, onDomain(site.id));
    await done(inviting(onDomain(site.id), [cleo.email]));
    await done(owner.remove(`domain?id=${site.id}`));
    expect(edge.registry.view.of(member, 'domainId', site.id)).toEqual([]);
    expect(await done(cleo.get('invitation'))).toEqual([]);
  });

  test('sees no more than its role lets it (M-2, M-3)', async () => {
    await join(owner, ben, onDomain(site.id), 'Viewer');
    await join(owner, cleo, onDomain(site.id), 'Admin');
    for (const path of [`member?id=${site.id}`, `invitation?domain_id=${site.id}`]) {
      expect((await ben.get(path)).status).toBe(403);
      expect((await cleo.get(path)).status).toBe(200);
      expect((await site.get(path)).status).toBe(200);
    }
    expect((await done(ben.get(`domain?id=${site.id}`))).user_role).toBe('Viewer');
    expect((await done(cleo.get('domain'))).map((one: { id: string }) => one.id)).toEqual([
      site.id,
    ]);
    const emails = ['x@y.test'];
    expect((await ben.post('member', { id: site.id, emails })).status).toBe(403);
    await done(cleo.post('member', { id: site.id, emails }));
    // A client of the domain reads who is there, and changes nobody (M-1).
    expect((await site.post('member', { id: site.id, emails })).status).toBe(403);
  });

  test('of an organization reads who is in it; only its owner changes that (M-3)', async () => {
    const place = inOrganization(organizationId);
    const benId = await join(owner, ben, place, 'Viewer');
    await join(owner, cleo, place, 'Admin');
    await done(inviting(place, [stranger.email]));
    for (const by of [owner, ben, cleo]) {
      expect(await membersOf(by, place)).toHaveLength(2);
      expect(await invitationsTo(by, place)).toHaveLength(1);
    }
    for (const by of [ben, cleo]) {
      expect((await by.post('member', { ...place.body, emails: ['x@y.test'] })).status).toBe(403);
    }
    expect((await cleo.put('member', { id: benId, role: 'Admin' })).status).toBe(403);
    expect((await cleo.remove(`member?id=${benId}`)).status).toBe(403);
    await done(owner.put('member', { id: benId, role: 'Admin' }));
    await done(owner.remove(`member?id=${benId}`));
  });
});

describe('of what one cannot see', () => {
  test('nothing is told: it is answered like what is not there (M-4)', async () => {
    const benId = await join(owner, ben, onDomain(site.id));
    const inOrgId = await join(owner, cleo, inOrganization(organizationId));
    const before = edge.registry.sequence;
    const asked = (memberId: string, place: Invited) => [
      stranger.get(`member?${place.query}`),
      stranger.get(`invitation?${place.invitations}`),
      stranger.post('member', { ...place.body, emails: [owner.email] }),
      stranger.put('member', { id: memberId, role: 'Admin' }),
      stranger.remove(`member?id=${memberId}`),
    ];
    const none = 'n'.repeat(20);
    for (const [memberId, place, ghost] of [
      [benId, onDomain(site.id), onDomain(none)],
      [inOrgId, inOrganization(organizationId), inOrganization(none)],
    ] as const) {
      const replies = await Promise.all(asked(memberId, place));
      const ghosts = await Promise.all(asked(none, ghost));
      for (const [index, { status, json }] of replies.entries()) {
        expect(status).toBe(404);
        const text = JSON.stringify(json).replaceAll(memberId, none).replaceAll(idOf(place), none);
        expect(text).toBe(JSON.stringify(ghosts[index]?.json));
      }
    }
    expect(edge.registry.sequence).toBe(before);
  });

  test('a scope of the one kind of place opens none of the other (M-3)', async () => {
    const memberId = await join(owner, ben, inOrganization(organizationId));
    const onSiteId = await join(owner, ben, onDomain(site.id));
    const domains = await tenantOf(edge, owner.email, ['domains=w']);
    const organizations = await tenantOf(edge, owner.email, ['organizations=w']);
    for (const [by, other, place, id, area] of [
      [domains, onDomain(site.id), inOrganization(organizationId), memberId, 'organizations'],
      [organizations, inOrganization(organizationId), onDomain(site.id), onSiteId, 'domains'],
    ] as const) {
      expect((await by.get(`member?${other.query}`)).status).toBe(200);
      for (const refused of [
        await by.get(`member?${place.query}`),
        await by.get(`invitation?${place.invitations}`),
        await by.post('member', { ...place.body, emails: ['x@y.test'] }),
        await by.put('member', { id, role: 'Admin' }),
        await by.remove(`member?id=${id}`),
        await by.remove(`invitation?id=x&${place.invitations}`),
      ]) {
        expect(refused.status).toBe(403);
        expect(refused.json.error[0]).toContain(`the scope ${area}=`);
      }
    }
    expect((await organizations.get('invitation')).status).toBe(403);
    const readers = await tenantOf(edge, owner.email, ['domains=r', 'organizations=r']);
    expect((await readers.remove(`member?id=${memberId}`)).status).toBe(403);
    expect((await readers.get(`member?id=${site.id}`)).status).toBe(200);
  });
});

describe('a hundred at once', () => {
  test('invite one address: one account, one invitation, one activation', async () => {
    const replies = await hundred(() => inviting(onDomain(site.id), ['new@tenants.test']));
    expect(statusesOf(replies)).toEqual({ 200: 100 });
    expect(await invitationsTo(owner, onDomain(site.id))).toHaveLength(1);
    expect(edge.mails.filter(({ kind }) => kind === 'activation')).toHaveLength(1);
  });

  test('accept one invitation: one does, and is a member once (M-31)', async () => {
    await done(inviting(onDomain(site.id), [ben.email]));
    const [{ id }] = await done(ben.get('invitation'));
    const replies = await hundred(() => ben.post('invitation', { id }));
    expect(statusesOf(replies)).toEqual({ 200: 1, 404: 99 });
    expect(await membersOf(owner, onDomain(site.id))).toHaveLength(1);
  });

  test('change one member: each whole, in some order', async () => {
    const id = await join(owner, ben, onDomain(site.id));
    const replies = await hundred((index) =>
      index === 50
        ? owner.remove(`member?id=${id}`)
        : owner.put('member', { id, role: index % 2 === 0 ? 'Admin' : 'Viewer' }),
    );
    const { 200: changed = 0, 404: late = 0 } = statusesOf(replies);
    expect(changed + late).toBe(100);
    expect(replies[50]?.status).toBe(200);
    expect(await membersOf(owner, onDomain(site.id))).toEqual([]);
  });

  test('two Admins that would be rid of each other both stay; as Viewers neither can', async () => {
    const benId = await join(owner, ben, onDomain(site.id), 'Viewer');
    const cleoId = await join(owner, cleo, onDomain(site.id), 'Admin');
    const replies = await hundred((index) =>
      index % 2 === 0
        ? owner.put('member', { id: benId, role: 'Admin' })
        : cleo.remove(`member?id=${benId}`),
    );
    // Whoever came first decides: an Admin is not removed by an Admin, and one who is gone is not found.
    const isThere = (await membersOf(owner, onDomain(site.id))).some(
      ({ id }: { id: string }) => id === benId,
    );
    const removals = statusesOf(replies.filter((_, index) => index % 2 === 1));
    expect(removals).toEqual(isThere ? { 403: 50 } : { 200: 1, 404: 49 });
    expect((await ben.remove(`member?id=${cleoId}`)).status).toBe(isThere ? 403 : 404);
  });
});
