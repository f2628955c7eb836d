// Goal: a deleted domain is gone at once with all that is its own, its statistics soon (M-11).
// Method: real HTTP to an edge over a real registry; what is left there is looked at.
import { beforeEach, expect, test } from 'vitest';
import { Access } from '../../../src/control/access.ts';
import { storedFields } from '../../../src/control/descriptor/resource.ts';
import { client } from '../../../src/control/resources/client.ts';
import { domain } from '../../../src/control/resources/domain.ts';
import { erasure } from '../../../src/control/resources/erasure.ts';
import { funnel } from '../../../src/control/resources/funnel.ts';
import { goal } from '../../../src/control/resources/goal.ts';
import { invitation } from '../../../src/control/resources/invitation.ts';
import { link } from '../../../src/control/resources/link.ts';
import { member } from '../../../src/control/resources/member.ts';
import { preference } from '../../../src/control/resources/preference.ts';
import { RESOURCES } from '../../../src/control/resources/resources.ts';
import { user } from '../../../src/control/resources/user.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { join, newPerson, type Person, put } from './people.ts';

const edge = useRegistryEdge();
let carol: Person;
let id: string;

beforeEach(async () => {
  carol = await newPerson(edge, 'carol@example.org');
  id = edge.own.id;
});

const remove = (bearer = edge.bearers.account, query = `?id=${id}`) =>
  edge.send('DELETE', `domain${query}`, undefined, bearer);
const HIT = {
  url: 'https://example.org/',
  ip: '81.2.69.142',
  user_agent: 'Mozilla/5.0 (X11) Firefox/128.0',
};

/** How many records of each kind name a domain, or are it. */
function counts(of: string): Record<string, number> {
  const { view } = edge.registry;
  return Object.fromEntries(
    RESOURCES.map((resource) => {
      const named = storedFields(resource).filter(([, { refersTo }]) => refersTo?.to === 'domain');
      const own = named.flatMap(([field]) => view.of(resource, field as 'id', of));
      return [resource.name, own.length + (view.has(resource.name, of) ? 1 : 0)];
    }),
  );
}

test('everything of it goes in one record, nothing of another one, and an erasure is left', async () => {
  for (const domain_id of [id, edge.own.second]) {
    await put(edge, link, { domain_id, description: '' });
    await put(edge, goal, { domain_id, name: 'Goal', path_pattern: '/' });
    const steps = [
      { name: 'a', filter: {} },
      { name: 'b', filter: {} },
    ];
    await put(edge, funnel, { domain_id, name: 'Funnel', steps });
    await put(edge, invitation, { domain_id, email: 'x@example.org' });
    await join(edge, carol, domain_id, 'Admin');
    await edge.send('POST', 'user/pin', { id: domain_id }, carol.bearer);
  }
  edge.registry.refresh();
  const [before, others] = [edge.registry.sequence, counts(edge.own.second)];
  const own = {
    domain: 1,
    client: 2,
    link: 1,
    goal: 1,
    funnel: 1,
    invitation: 1,
    member: 1,
    preference: 1,
  };
  expect(counts(id)).toMatchObject(own);
  expect(await remove()).toMatchObject({ status: 200, json: {} });
  edge.registry.refresh();
  expect(edge.registry.sequence).toBe(before + 1);
  const { erasure: left, 'former-domain': former, ...rest } = counts(id);
  // What billing shows on (S-99), and what is still to be done.
  expect([former, left]).toEqual([1, 1]);
  expect(new Set(Object.values(rest))).toEqual(new Set([0]));
  expect(counts(edge.own.second)).toEqual(others);
  const { view } = edge.registry;
  for (const resource of [client, link, goal, funnel, invitation, member, preference]) {
    expect(view.count(resource)).toBeGreaterThan(0);
  }
});

test('its keys and tokens are refused from the answer on', async () => {
  const read = (bearer: string) => edge.send('GET', `domain?id=${id}`, undefined, bearer);
  expect((await edge.send('POST', 'hit', HIT, edge.bearers.key)).status).toBe(200);
  expect((await read(edge.bearers.domain)).status).toBe(200);
  const { code } = await put(edge, link, { domain_id: id, description: '' });
  await remove();
  expect((await edge.send('POST', 'hit', HIT, edge.bearers.key)).status).toBe(401);
  expect((await read(edge.bearers.domain)).status).toBe(401);
  expect((await read(edge.bearers.account)).status).toBe(404);
  expect((await fetch(`${edge.baseUrl}/api/v1/domain?access=${code}`)).status).toBe(401);
  expect(
    (await edge.send('POST', 'hit', HIT, edge.bearers.account)).json.validation,
  ).toHaveProperty('url');
  expect(new Access(edge.registry).authenticate(edge.bearers.key, edge.nowMs)).toBeNull();
});

test('its owner deletes it, nobody else (M-3, M-4)', async () => {
  await join(edge, carol, id, 'Admin');
  const stranger = await newPerson(edge, 'eve@example.org');
  for (const [bearer, status] of [
    ...([
      [carol.bearer, 403],
      [edge.bearers.domain, 403],
      [edge.bearers.viewer, 403],
    ] as const),
    ...([
      [edge.bearers.key, 403],
      [stranger.bearer, 404],
      ['', 401],
    ] as const),
  ]) {
    expect([status, (await remove(bearer)).status]).toEqual([status, status]);
  }
  expect((await remove(edge.bearers.account, '')).json.validation).toHaveProperty('id');
  expect((await remove(edge.bearers.account, '?id=nobody')).status).toBe(404);
  edge.registry.refresh();
  expect(edge.registry.view.count(erasure)).toBe(0);
  expect((await remove()).status).toBe(200);
  expect((await remove()).status).toBe(404);
});

test('its subdomain and custom hostname are free again, its id is not used again', async () => {
  await edge.send('POST', 'domain/custom', { domain_id: id, hostname: 'stats.example.org' });
  await remove();
  const made = await edge.send('POST', 'domain', { hostname: 'example.org' }, edge.bearers.account);
  expect(made.json).toMatchObject({ subdomain: 'example-org' });
  expect(made.json.id).not.toBe(id);
  const custom = { domain_id: made.json.id, hostname: 'stats.example.org' };
  expect((await edge.send('POST', 'domain/custom', custom, edge.bearers.account)).status).toBe(200);
});

test('with its owner it goes as well, and leaves an erasure', async () => {
  const { registry } = edge;
  const owner = registry.view.by(user, 'email', 'ada@example.org');
  const { Records } = await import('../../../src/control/records.ts');
  const stamp = { nowMs: edge.nowMs, by: { kind: 'cli', id: '' } } as const;
  await new Records(registry).remove(user, String(owner?.id), stamp);
  expect(registry.view.find(domain, id)).toBeNull();
  const left = [...registry.view.all(erasure)].map((one) => one.id);
  expect(left.toSorted()).toEqual([id, edge.own.second].toSorted());
});
