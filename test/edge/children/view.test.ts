// Goal: views are saved, shared, changed and refused as M-61 says, by whoever may (M-3).
// Method: real HTTP to an edge over a real registry; callers are members with tokens of their own.
import { beforeEach, describe, expect, test } from 'vitest';
import { Access } from '../../../src/control/access.ts';
import { createAccount } from '../../../src/control/accounts.ts';
import { Records } from '../../../src/control/records.ts';
import { type Client, client } from '../../../src/control/resources/client.ts';
import { member } from '../../../src/control/resources/member.ts';
import type { Scopes } from '../../../src/model/rights.ts';
import { makeScopes, NOW_MS } from '../../support/fake-ports.ts';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused, expectUnseen, LATER } from './refusals.ts';

const edge = useRegistryEdge();

const UNSET = {
  ...{ from_time: '', to_time: '', period: 0, compare: null, compare_from: null },
  ...{ compare_to: null, compare_weekday: false, path: null, event: null, event_meta_key: null },
  ...{ event_meta_value: null, tag: null, tag_key: null, tag_value: null, entry_path: null },
  ...{ exit_path: null, pattern: null, language: null, country: null, city: null },
  ...{ referrer: null, referrer_name: null, os: null, browser: null, platform: null },
  ...{ screen_class: null, utm_source: null, utm_medium: null, utm_campaign: null },
  ...{ utm_content: null, utm_term: null, visitor_id: null, session_id: null },
};
const FULL = {
  ...{ from_time: '09:30', to_time: '23:59', period: 7, compare: 'custom', path: ['/a', '!/b'] },
  ...{ compare_from: '2026-10-01', compare_to: '2026-10-20', compare_weekday: true },
  ...{ event: ['Order'], event_meta_key: ['plan', 'size'], event_meta_value: ['pro'] },
  ...{ tag: ['author'], tag_key: ['type'], tag_value: ['~post'], entry_path: '/in' },
  ...{ exit_path: ['/out', '/end'], pattern: '(?i)^/blog', language: 'en', country: '~de,at' },
  ...{ city: 'Köln', referrer: 'https://a.test', referrer_name: '!a', os: 'Linux' },
  ...{ browser: 'Firefox', platform: 'desktop', screen_class: 'XL', utm_source: 'nl' },
  ...{ utm_medium: 'mail', utm_campaign: 'null', utm_content: '^x', utm_term: '~y' },
  ...{ visitor_id: '18446744073709551615', session_id: 4_294_967_295 },
  address: '?range=30d&channel=Email',
};

const view = (fields: Record<string, unknown> = {}) => ({
  ...{ domain_id: edge.own.id, name: 'Blog', from: '2026-11-01', to: '2026-11-20' },
  ...fields,
});
const save = (fields: Record<string, unknown> = {}, bearer?: string) =>
  edge.send('POST', 'view', view(fields), bearer);
const list = async (bearer?: string) =>
  (await edge.send('GET', `view?domain_id=${edge.own.id}`, undefined, bearer)).json;
const change = (made: { id: string }, name: string, bearer?: string) =>
  edge.send('POST', 'view', { ...made, name }, bearer);
const remove = (made: { id: string }, bearer?: string) =>
  edge.send('DELETE', `view?id=${made.id}`, undefined, bearer);

describe('a view (M-61)', () => {
  test('is answered with every field of the contract, and listed', async () => {
    const { status, json } = await save({ name: ' Blog ' });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...{ id: expect.stringMatching(/^[A-Za-z0-9]{20}$/), domain_id: edge.own.id },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      ...{ user_id: expect.stringMatching(/^[A-Za-z0-9]{20}$/), name: 'Blog' },
      ...{ from: '2026-11-01', to: '2026-11-20', ...UNSET },
    });
    expect(await list()).toEqual([json]);
  });

  test('keeps ranges, comparison and filters as they were given (A-55)', async () => {
    const { json } = await save(FULL);
    expect(json).toMatchObject(FULL);
    expect(await list()).toEqual([json]);
  });

  test('takes the date of a timestamp (F-1), blanks as unset and ids as numbers (A-30)', async () => {
    const blank = Object.fromEntries(Object.keys(UNSET).map((name) => [name, null]));
    const { json } = await save({
      ...{ ...blank, compare: '', os: ' ', path: [], tag: [' '], visitor_id: 12 },
      ...{ from: '2026-11-01T10:00:00Z', city: ' Köln ', language: [' en '] },
    });
    expect(json).toMatchObject({
      ...{ ...UNSET, visitor_id: '12', from: '2026-11-01', city: 'Köln', language: ['en'] },
    });
  });

  test('is changed by POST with its id, also by what GET answered; the rest is reset', async () => {
    const { json: made } = await save(FULL);
    edge.nowMs += 1_000;
    const { json } = await edge.send('POST', 'view', { ...made, name: 'Other' });
    expect(json).toEqual({ ...made, name: 'Other', mod_time: LATER });
    const bare = { id: made.id, name: 'Bare', from: '2026-11-02', to: '2026-11-03' };
    expect((await edge.send('POST', 'view', bare)).json).toMatchObject({ ...bare, ...UNSET });
    edge.nowMs += 1_000;
    expect((await edge.send('POST', 'view', bare)).json.mod_time).toBe(LATER);
    expect(await remove(made)).toMatchObject({ status: 200, json: {} });
    expect(await list()).toEqual([]);
  });

  test('is refused by field', async () => {
    const many = Array.from({ length: 101 }, () => 'x');
    const long = 'x'.repeat(8_193);
    const at = (name: string, ...values: unknown[]): [Record<string, unknown>, string[]][] =>
      values.map((value) => [{ [name]: value }, [name]]);
    const rows: [Record<string, unknown>, string[]][] = [
      ...at('domain_id', undefined, null, ' ', 5),
      ...at('name', undefined, ' ', 'x'.repeat(201), 5),
      ...at('address', 'x'.repeat(2_001), 5, ['?a=b']),
      ...at('from', undefined, null, '', 'today', '2026-13-01', '2026-02-30', '1969-12-31', 5),
      ...at('to', undefined, '2026-1-1', ['2026-11-01']),
      ...at('from_time', '9:30', '24:00', '09:60', '09:30:00', 5),
      ...at('to_time', 'noon', {}),
      ...at('period', '7', 1.5, 3_000_000_000, []),
      ...at('compare', 'last', 5),
      ...at('compare_from', 'x', 5),
      ...at('compare_to', '2026-11-31'),
      [{ compare: 'custom' }, ['compare_from', 'compare_to']],
      ...at('compare_weekday', 'yes', 1),
      ...at('path', '/a', [5], ['/a', null], many, [long], {}),
      ...at('event', 'Order', [['Order']]),
      ...at('event_meta_value', ['pro'], 'pro'),
      ...at('event_meta_key', ['', 'x']),
      ...at('tag_value', ['x']),
      ...at('tag_key', ['a', ' ']),
      ...at('entry_path', 5, [5], many, long, {}),
      ...at('pattern', '(', ['/a', '!['], '(?!a)', 'x'.repeat(501), '(a{1000}){1000}'),
      ...at('platform', 5),
      ...at('visitor_id', '-1', 'x', '18446744073709551616', 1.5, 1e30, ['1']),
      ...at('session_id', '5', -1, 4_294_967_296, 1.5),
      [{ color: 'red', meta_plan: 'pro' }, ['color', 'meta_plan']],
    ];
    for (const [fields, named] of rows) {
      await expectRefused(edge, ['POST', 'view', view(fields)], named);
    }
    const { id } = (await save()).json;
    await expectRefused(edge, ['POST', 'view', { ...view(), id, color: 'red' }], ['color']);
    await expectRefused(edge, ['POST', 'view', { id }], ['from', 'name', 'to']);
    for (const body of ['[]', '5', 'null', '"x"', '{']) {
      expect((await edge.send('POST', 'view', body)).status).toBe(400);
    }
  });
});

describe('who may save views (M-3, M-61)', () => {
  let people: { owner: string; admin: string; viewer: string; reader: string; stranger: string };

  /** A client of the same account with other scopes; it has the secret of the first. */
  async function tokenWith(scopes: Scopes, of: { clientId: string; clientSecret: string }) {
    const { registry } = edge;
    const model = registry.view.by(client, 'clientId', of.clientId) as Client;
    const clientId = `${registry.sequence}`.padEnd(32, 'c');
    const payload = { ...model, id: `${registry.sequence}`.padEnd(20, 'c'), clientId, scopes };
    await registry.change({ nowMs: NOW_MS, by: { kind: 'cli', id: '' } }, () => [
      { kind: 'client-created', payload },
    ]);
    return new Access(registry).issueToken(clientId, of.clientSecret, NOW_MS)?.accessToken ?? '';
  }

  async function person(name: string, role: string | null, scopes = makeScopes('w')) {
    const { registry } = edge;
    const made = await createAccount(registry, { email: `${name}@people.test` }, NOW_MS);
    if (role !== null) {
      const sent = { domain_id: edge.own.id, user_id: made.user.id, role };
      const by = { kind: 'cli', id: '' } as const;
      await new Records(registry).create(member, { sent, userId: '', nowMs: NOW_MS, by });
    }
    return tokenWith(scopes, made);
  }

  beforeEach(async () => {
    people = {
      owner: edge.bearers.account,
      admin: await person('admin', 'Admin'),
      viewer: await person('viewer', 'Viewer'),
      reader: await person('reader', 'Viewer', makeScopes('', { statistics: 'r' })),
      stranger: await person('stranger', null),
    };
  });

  test('a Viewer saves, changes and removes its own, with the scope statistics=r alone', async () => {
    for (const bearer of [people.viewer, people.reader]) {
      const { status, json } = await save({}, bearer);
      expect(status).toBe(200);
      // Everybody on the domain sees it.
      expect(await list(people.owner)).toEqual([json]);
      expect((await change(json, 'Mine', bearer)).json).toMatchObject({ name: 'Mine' });
      expect((await remove(json, bearer)).status).toBe(200);
    }
  });

  test("a Viewer changes nobody else's, and is told the role that is missing (M-4)", async () => {
    const { json } = await save({}, people.owner);
    for (const bearer of [people.viewer, people.reader]) {
      const refused = await change(json, 'Mine', bearer);
      expect(refused.status).toBe(403);
      expect(refused.json.error[0]).toContain('the role Admin');
      expect((await remove(json, bearer)).status).toBe(403);
    }
    expect(await list()).toEqual([json]);
  });

  test('an Admin and a client of the domain change everybodys, with domains=w', async () => {
    for (const bearer of [people.owner, people.admin, edge.bearers.domain]) {
      const { json } = await save({}, people.viewer);
      const { status, json: changed } = await change(json, 'Ours', bearer);
      expect(status).toBe(200);
      // It stays its maker's.
      expect(changed.user_id).toBe(json.user_id);
      expect((await remove(json, bearer)).status).toBe(200);
    }
  });

  test('an Admin without domains=w changes only its own', async () => {
    const scopes = makeScopes('r', { hit: '', event: '', session: '' });
    const bearer = await person('weak', 'Admin', scopes);
    const { json: own } = await save({}, bearer);
    expect((await change(own, 'Mine', bearer)).status).toBe(200);
    const { json: other } = await save({}, people.viewer);
    const refused = await change(other, 'Mine', bearer);
    expect(refused.status).toBe(403);
    expect(refused.json.error[0]).toContain('domains=w');
  });

  test('a client of the domain without domains=w saves nothing: it has nothing of its own', async () => {
    const sent = { domain_id: edge.own.id, type: 'oauth', scope_statistics: 'r' };
    const { json: made } = await edge.send('POST', 'client', sent, people.owner);
    const { client_id, client_secret } = made;
    const { json } = await edge.send('POST', 'token', { client_id, client_secret });
    const { json: owned } = await save({}, people.owner);
    for (const refused of [
      await save({}, json.access_token),
      await change(owned, 'Mine', json.access_token),
      await remove(owned, json.access_token),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.json.error[0]).toContain('domains=w');
    }
    expect(await list(json.access_token)).toEqual([owned]);
  });

  test('a stranger sees none of it, an access code reads only', async () => {
    const { json } = await save();
    await expectUnseen(edge, ['POST', 'view', view(), people.stranger]);
    await expectUnseen(edge, ['POST', 'view', { ...json, name: 'x' }, people.stranger]);
    await expectUnseen(edge, ['DELETE', `view?id=${json.id}`, undefined, people.stranger]);
    await expectUnseen(edge, ['GET', `view?domain_id=${edge.own.id}`, undefined, people.stranger]);
    const { code } = (await edge.send('POST', 'domain/link', { domain_id: edge.own.id })).json;
    const read = `${edge.baseUrl}/api/v1/view?domain_id=${edge.own.id}&access=${code}`;
    expect(await (await fetch(read)).json()).toEqual([json]);
    const body = JSON.stringify(view());
    const write = `${edge.baseUrl}/api/v1/view?access=${code}`;
    expect((await fetch(write, { method: 'POST', body })).status).toBe(401);
  });

  test('nothing at all is seen without a scope', async () => {
    const none = await person('none', 'Admin', makeScopes('', { themes: 'w' }));
    expect((await save({}, none)).status).toBe(403);
    expect((await edge.send('GET', `view?domain_id=${edge.own.id}`, undefined, none)).status).toBe(
      403,
    );
  });
});
