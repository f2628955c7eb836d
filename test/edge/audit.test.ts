/**
 * Goal: who may read the history of a domain or an organization does, others learn nothing (M-3, M-4,
 * M-8).
 * Method: an edge over a real registry; the entries are the business of test/control/audit.test.ts.
 */
import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/base/hash.ts';
import { randomAlphanumeric } from '../../src/base/random.ts';
import { Access } from '../../src/control/access.ts';
import type { AuditEntry } from '../../src/control/audit.ts';
import { changed, created } from '../../src/control/descriptor/draft.ts';
import { type Client, client } from '../../src/control/resources/client.ts';
import { type Domain, domain } from '../../src/control/resources/domain.ts';
import { member } from '../../src/control/resources/member.ts';
import { organization } from '../../src/control/resources/organization.ts';
import { makeScopes, NOW_MS } from '../support/fake-ports.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();
const STAMP = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;
const BASE = { createdMs: NOW_MS, modifiedMs: NOW_MS };

async function audit(query: string, bearer?: string) {
  const { status, json } = await edge.send('GET', `audit?${query}`, undefined, bearer);
  return {
    status,
    entries: json as AuditEntry[],
    validation: (json as { validation?: object }).validation,
  };
}

/** The user that a domain belongs to. */
function ownerOf(id: string): string {
  return edge.registry.view.find(domain, id)?.userId as string;
}

/** An organization of the first account, with a domain and perhaps a member. */
async function makeOrganization(role: 'Admin' | 'Viewer' | null): Promise<string> {
  const id = 'organization'.padEnd(20, '0');
  const userId = ownerOf(edge.own.id);
  await edge.registry.change(STAMP, () => [
    created(organization, { ...BASE, id, userId, name: 'Works' } as never),
    ...(role === null
      ? []
      : [
          created(member, {
            ...{ ...BASE, id: 'member'.padEnd(20, '0'), domainId: null, organizationId: id },
            ...{ userId: ownerOf(edge.foreign.id), role },
          } as never),
        ]),
  ]);
  return id;
}

/** A token of a new account client of a user. */
async function bearerOf(userId: string, scopes: Partial<Client['scopes']>): Promise<string> {
  const secret = 's'.repeat(64);
  const clientId = randomAlphanumeric(32);
  const made: Client = {
    ...{ ...BASE, id: randomAlphanumeric(20), type: 'oauth', userId, domainId: null, clientId },
    ...{ secretHash: sha256Hex(secret), description: '', scopes: makeScopes('', scopes) },
  };
  await edge.registry.change(STAMP, () => [created(client, made)]);
  return new Access(edge.registry).issueToken(clientId, secret, NOW_MS)?.accessToken ?? '';
}

test('a goal that is made, changed by a client and read by another is in the history of its domain', async () => {
  const { id } = edge.own;
  const sent = { domain_id: id, name: 'Buy', path_pattern: '/thanks' };
  const { json } = await edge.send('POST', 'goal', sent);
  const goalId = (json as { id: string }).id;
  const { status, entries } = await audit(`domain_id=${id}`);
  expect(status).toBe(200);
  expect(entries[0]).toMatchObject({
    time: new Date(edge.nowMs).toISOString(),
    caller: { kind: 'client', id: edge.clientIdOf(edge.bearers.domain) },
    ...{ action: 'created', object: { kind: 'goal', id: goalId, name: 'Buy' } },
    changes: { name: { from: null, to: 'Buy' }, path_pattern: { from: null, to: '/thanks' } },
  });
  expect(entries.at(-1)).toMatchObject({ action: 'created', object: { kind: 'domain', id } });
  expect((await audit(`domain_id=${id}`, edge.bearers.account)).entries).toEqual(entries);
});

test('pages are of 100 at most, and go on where the one before ended (A-24, M-8)', async () => {
  const { id } = edge.own;
  for (let made = 0; made < 105; made++) {
    await edge.registry.change(STAMP, (view) => {
      const site = view.find(domain, id) as Domain;
      return [changed(domain, { ...site, hostname: `g${made}.test` })];
    });
  }
  const names = async (query: string) =>
    (await audit(`domain_id=${id}&${query}`)).entries.map(({ object }) => object.name);
  const changes = Array.from({ length: 105 }, (_, index) => `g${104 - index}.test`);
  expect(await names('')).toEqual(changes.slice(0, 100));
  expect(await names('limit=1000')).toEqual(changes.slice(0, 100));
  expect(await names('limit=3&offset=2')).toEqual(changes.slice(2, 5));
  expect(await names('limit=7&offset=101')).toEqual([
    ...changes.slice(101),
    ...(await names('limit=3&offset=105')),
  ]);
  expect(await names('offset=9007199254740993')).toEqual([]);
});

test('what the caller may not see is not there, what it sees but may not read is forbidden (M-4)', async () => {
  const { id } = edge.own;
  const unknown = 'x'.repeat(20);
  for (const [bearer, domainId] of [
    [edge.bearers.foreign, id],
    [edge.bearers.domain, edge.own.second],
    [edge.bearers.account, edge.foreign.id],
  ] as const) {
    const there = await edge.send('GET', `audit?domain_id=${domainId}`, undefined, bearer);
    const nowhere = await edge.send('GET', `audit?domain_id=${unknown}`, undefined, bearer);
    expect([there.status, nowhere.status]).toEqual([404, 404]);
    const told = [there, nowhere].map(({ json }) => JSON.stringify(json));
    expect(told[0]?.replace(domainId, unknown)).toBe(told[1]);
  }
  expect((await audit(`domain_id=${id}`, edge.bearers.key)).status).toBe(403);
  expect((await audit(`domain_id=${id}`, 'nobody')).status).toBe(401);
  const missing = await audit('limit=3');
  expect([missing.status, Object.keys(missing.validation ?? {})]).toEqual([400, ['domain_id']]);
});

test.each([
  ['the owner', null, { organizations: 'r' }, 200],
  ['an Admin', 'Admin', { organizations: 'w' }, 403],
  ['a Viewer', 'Viewer', { organizations: 'w' }, 403],
  ['a stranger', null, { organizations: 'w' }, 404],
  ['the owner, by a client without the scope', null, { domains: 'w' }, 403],
] as const)('%s asks for the history of an organization', async (who, role, scopes, status) => {
  const organizationId = await makeOrganization(role);
  const userId = ownerOf(who.startsWith('the owner') ? edge.own.id : edge.foreign.id);
  const asked = await audit(`organization_id=${organizationId}`, await bearerOf(userId, scopes));
  expect(asked.status).toBe(status);
  if (status !== 200) return;
  expect(asked.entries.map(({ object }) => object.name)).toEqual(['Works']);
});

test.each([
  ['a Viewer of the domain', 'Viewer', { domains: 'w' }, 403],
  ['an Admin of the domain', 'Admin', { domains: 'r' }, 200],
  ['an Admin, by a client without the scope', 'Admin', { organizations: 'w' }, 403],
] as const)('%s asks for its history', async (_, role, scopes, status) => {
  const { id } = edge.own;
  const userId = ownerOf(edge.foreign.id);
  await edge.registry.change(STAMP, () => [
    created(member, {
      ...{ ...BASE, id: 'member'.padEnd(20, '0'), domainId: id, organizationId: null },
      ...{ userId, role },
    }),
  ]);
  const asked = await audit(`domain_id=${id}`, await bearerOf(userId, scopes));
  expect(asked.status).toBe(status);
});
