// Goal: an invitation is for one person, is used once, and either side may end it.
// Method: several accounts over HTTP on one edge with a real registry.
import { beforeEach, describe, expect, test } from 'vitest';
import { domain } from '../../../src/control/resources/domain.ts';
import { member } from '../../../src/control/resources/member.ts';
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
let stranger: Tenant;
let site: Site;
let organizationId: string;

beforeEach(async () => {
  owner = await makeTenant(edge, 'owner');
  ben = await makeTenant(edge, 'ben');
  stranger = await makeTenant(edge, 'stranger');
  site = await makeSite(edge, owner, 'shop.test');
  organizationId = (await done(owner.post('organization', { name: 'Works' }))).id;
});

/** Invites somebody to the site. @returns the invitation. */
async function invite(email: string, to = onDomain(site.id)): Promise<{ id: string }> {
  await done(owner.post('member', { ...to.body, emails: [email] }));
  const open = await done(owner.get(`invitation?${to.invitations}`));
  return open.find((one: { email: string }) => one.email === email);
}

describe('an invitation', () => {
  test('shows the domain, and no organization, to both sides; of what is private only who is inside sees it (M-30, M-31, M-16)', async () => {
    const { id } = await invite(ben.email);
    await done(owner.post('domain/filter', { domain_id: site.id, ip_block: ['203.0.113.0/24'] }));
    await done(owner.post('domain/metadata', { domain_id: site.id, metadata: { plan: 'gold' } }));
    const { code } = await done(owner.post('domain/link', { domain_id: site.id }));
    const complete = await done(owner.get(`domain?id=${site.id}`));
    const expected = {
      ...{ id, def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      ...{ domain_id: site.id, organization_id: null, email: ben.email, organization: null },
    };
    const [seenByOwner] = await done(owner.get(`invitation?domain_id=${site.id}`));
    const [seenByInvited] = await done(ben.get('invitation'));
    expect(seenByOwner).toEqual({ ...expected, domain: complete });
    const visitor = await edge.browse('GET', `domain?id=${site.id}&access=${code}`);
    expect(visitor.json).toMatchObject({ hostname: 'shop.test', identification_code: '' });
    expect(seenByInvited).toEqual({ ...expected, domain: visitor.json });
    await done(ben.post('invitation', { id }));
    expect((await done(ben.get(`domain?id=${site.id}`))).metadata).toEqual({ plan: 'gold' });
  });

  test('shows the complete organization, and no domain (M-31, M-32)', async () => {
    await invite(ben.email, inOrganization(organizationId));
    const [complete] = await done(owner.get('organization'));
    const [seen] = await done(ben.get('invitation'));
    expect(seen).toMatchObject({ domain_id: null, organization_id: organizationId, domain: null });
    expect(seen.organization).toEqual({ ...complete, role: 'Viewer', can_edit: false });
  });

  test('is accepted by the person of that address, in whatever case, and by nobody else (M-31)', async () => {
    const { id } = await invite('new@tenants.test');
    const person = await tenantOf(edge, 'new@tenants.test');
    expect((await stranger.post('invitation', { id })).status).toBe(404);
    // Who sees the domain sees that somebody is invited, and is told why not (M-4).
    const refused = await owner.post('invitation', { id });
    expect(refused.status).toBe(403);
    expect(refused.json.error[0]).toContain('the person who is invited to this domain');
    expect(await done(person.post('invitation', { id }))).toEqual({});
    expect((await person.post('invitation', { id })).status).toBe(404);
    expect((await done(person.get('domain'))).map((one: { id: string }) => one.id)).toEqual([
      site.id,
    ]);
  });

  test('that was deleted, by either side, is not accepted (M-31)', async () => {
    for (const by of ['owner', 'invited']) {
      const { id } = await invite(ben.email);
      await done(
        by === 'owner'
          ? owner.remove(`invitation?id=${id}&domain_id=${site.id}`)
          : ben.remove(`invitation?id=${id}`),
      );
      expect((await ben.post('invitation', { id })).status).toBe(404);
      expect(await done(ben.get('invitation'))).toEqual([]);
      expect(await done(owner.get(`invitation?domain_id=${site.id}`))).toEqual([]);
    }
    expect(edge.registry.view.count(member)).toBe(0);
  });

  test('is deleted by an Admin of the place it is to, and of no other place (M-3, M-31)', async () => {
    const admin = await makeTenant(edge, 'admin');
    const viewer = await makeTenant(edge, 'viewer');
    await join(owner, admin, onDomain(site.id), 'Admin');
    await join(owner, viewer, onDomain(site.id));
    const second = await makeSite(edge, owner, 'second.test');
    const { id } = await invite(ben.email);
    const removeAs = (by: Tenant, place: string) => by.remove(`invitation?id=${id}&${place}`);
    expect((await removeAs(owner, `domain_id=${second.id}`)).status).toBe(404);
    expect((await removeAs(owner, `organization_id=${organizationId}`)).status).toBe(404);
    expect((await removeAs(viewer, `domain_id=${site.id}`)).status).toBe(403);
    expect((await viewer.remove(`invitation?id=${id}`)).status).toBe(403);
    expect((await removeAs(stranger, `domain_id=${site.id}`)).status).toBe(404);
    expect((await stranger.remove(`invitation?id=${id}`)).status).toBe(404);
    expect(await done(removeAs(admin, `domain_id=${site.id}`))).toEqual({});
  });

  test('is told to the person who is invited and to whoever manages, to nobody else (M-4)', async () => {
    await invite(ben.email);
    await invite(ben.email, inOrganization(organizationId));
    expect(await done(ben.get('invitation'))).toHaveLength(2);
    expect(await done(stranger.get('invitation'))).toEqual([]);
    expect(await done(owner.get('invitation'))).toEqual([]);
    for (const place of [`domain_id=${site.id}`, `organization_id=${organizationId}`]) {
      expect((await stranger.get(`invitation?${place}`)).status).toBe(404);
      // Being invited shows nothing of the others.
      expect((await ben.get(`invitation?${place}`)).status).toBe(404);
    }
  });

  test('to a place that became one’s own, or that one is in already, makes no second member', async () => {
    const { id } = await invite(ben.email);
    const { view } = edge.registry;
    const site2 = { ...view.find(domain, site.id), userId: ben.userId };
    await edge.registry.change({ nowMs: edge.nowMs, by: { kind: 'cli', id: '' } }, () => [
      { kind: 'domain-changed', payload: site2 as { id: string } },
    ]);
    await done(ben.post('invitation', { id }));
    expect(view.count(member)).toBe(0);
    expect((await done(ben.get(`domain?id=${site.id}`))).user_role).toBe('Owner');
  });

  test.each([
    ['no id', {}, 400],
    ['a blank id', { id: ' ' }, 400],
    ['an id of another type', { id: 5 }, 400],
    ['an unknown id', { id: 'nobody' }, 404],
  ])('with %s is not accepted', async (_, body, status) => {
    expect((await ben.post('invitation', body)).status).toBe(status);
  });

  test('is not for clients of a domain; they read who is invited (M-1, M-3)', async () => {
    const { id } = await invite(ben.email);
    expect((await site.get('invitation')).status).toBe(403);
    expect((await site.post('invitation', { id })).status).toBe(403);
    expect((await site.remove(`invitation?id=${id}&domain_id=${site.id}`)).status).toBe(403);
    expect(await done(site.get(`invitation?domain_id=${site.id}`))).toHaveLength(1);
    expect((await site.get(`invitation?organization_id=${organizationId}`)).status).toBe(403);
  });
});

test('a hundred at once delete or accept one invitation: exactly one of them does (M-5, M-31)', async () => {
  const { id } = await invite(ben.email);
  const replies = await hundred((index) => {
    if (index % 3 === 0) return ben.post('invitation', { id });
    return index % 3 === 1
      ? ben.remove(`invitation?id=${id}`)
      : owner.remove(`invitation?id=${id}&domain_id=${site.id}`);
  });
  expect(statusesOf(replies)).toMatchObject({ 200: 1 });
  const first = replies.findIndex(({ status }) => status === 200);
  // Whoever has become a member meanwhile is told the same as everybody else: there is none.
  expect(statusesOf(replies)).toEqual({ 200: 1, 404: 99 });
  expect(edge.registry.view.count(member)).toBe(first % 3 === 0 ? 1 : 0);
});
