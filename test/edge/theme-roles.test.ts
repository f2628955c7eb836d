// Goal: who may do what with themes (M-3): what one does not see is not there, what one may not do is
//   said; and nothing changed.
// Method: every caller against every place of a theme, over HTTP.
import { describe, expect, test } from 'vitest';
import { PNG } from '../support/images.ts';
import { useThemeEdge } from './theme-edge.ts';

const edge = useThemeEdge();

/** Sends a form or a body as somebody, and says the status. */
const by = (bearer: string) => ({
  form: async (path: string, data: object) =>
    (await edge.form(path, data, { favicon: PNG }, bearer)).status,
  send: async (method: string, path: string, body?: object) =>
    (await edge.send(method, path, body, bearer)).status,
});

describe('a theme of a user', () => {
  test('is for that user only (M-3, M-4)', async () => {
    const { json } = await edge.form('theme', { name: 'Mine' });
    const { sequence } = edge.registry;
    const stranger = by(await edge.person());
    expect(await stranger.form('theme', { id: json.id, name: 'X' })).toBe(404);
    expect(await stranger.form('theme', { copy_id: json.id })).toBe(404);
    expect(await stranger.send('DELETE', `theme?id=${json.id}`)).toBe(404);
    const file = `theme/file?theme_id=${json.id}&file=favicon`;
    expect(await stranger.send('DELETE', file)).toBe(404);
    expect(await by(edge.bearers.account).send('DELETE', file)).toBe(200);
    // Making people are changes as well.
    expect(edge.registry.sequence).toBe(sequence + 1);
  });

  test('is read with r and changed with w; clients of a domain and keys are refused (M-3)', async () => {
    const { viewer, domain, key } = edge.bearers;
    expect(await by(viewer).send('GET', 'theme')).toBe(200);
    for (const [bearer, read] of [
      [viewer, 200],
      [domain, 403],
      [key, 403],
      ['', 401],
    ] as const) {
      expect(await by(bearer).send('GET', 'theme')).toBe(read);
      const change = read === 401 ? 401 : 403;
      expect(await by(bearer).form('theme', { name: 'X' })).toBe(change);
      expect(await by(bearer).send('DELETE', 'theme?id=x')).toBe(change);
      expect(await by(bearer).send('DELETE', 'theme/file?theme_id=x&file=favicon')).toBe(change);
    }
  });
});

describe('a theme of an organization', () => {
  test.each([
    ['its owner', 'Owner', 200],
    ['an Admin', 'Admin', 403],
    ['a Viewer', 'Viewer', 403],
    ['a stranger', null, 404],
  ] as const)('is read and changed as by %s (M-3)', async (_, role, status) => {
    const organizationId = await edge.organization();
    const { json } = await edge.form('theme', { name: 'Org', organization_id: organizationId });
    const bearer =
      role === 'Owner' ? edge.bearers.account : await edge.person(role, { organizationId });
    const caller = by(bearer);
    expect(await caller.send('GET', `theme?organization_id=${organizationId}`)).toBe(status);
    expect(await caller.form('theme', { id: json.id, name: 'X' })).toBe(status);
    expect(await caller.form('theme', { copy_id: json.id })).toBe(status);
    expect(await caller.form('theme', { name: 'X', organization_id: organizationId })).toBe(status);
    const file = `theme/file?theme_id=${json.id}&file=favicon`;
    expect(await caller.send('DELETE', file)).toBe(status);
    const body = { organization_id: organizationId, theme_id: json.id };
    expect(await caller.send('PUT', 'organization/theme', body)).toBe(status);
    expect(await caller.send('DELETE', `theme?id=${json.id}`)).toBe(status);
  });

  test('is chosen by who sees it, for a domain as its Admin (M-3, M-71)', async () => {
    const organizationId = await edge.organization(true);
    const { json } = await edge.form('theme', { name: 'Org', organization_id: organizationId });
    const body = { domain_id: edge.own.id, theme_id: json.id };
    const status = async (bearer: string, sent: object = body) =>
      await by(bearer).send('PUT', 'domain/theme', sent);
    expect(await status(await edge.person('Admin', { organizationId }))).toBe(200);
    expect(await status(await edge.person('Viewer', { organizationId }))).toBe(403);
    expect(await status(await edge.person())).toBe(404);
    // An Admin of the domain alone does not see the organization's themes.
    const admin = await edge.person('Admin', { domainId: edge.own.id });
    expect(await status(admin)).toBe(404);
    expect(await status(admin, { domain_id: edge.own.id, theme_id: null })).toBe(200);
    expect(await status(edge.bearers.domain)).toBe(200);
    expect(await status(edge.bearers.foreign)).toBe(404);
  });
});

describe('what a domain has for itself', () => {
  test.each([
    ['its client', 'domain', 200],
    ['its owner', 'account', 200],
    ['its owner with r', 'viewer', 403],
    ['a client of another domain', 'foreign', 404],
    ['an access key', 'key', 403],
  ] as const)('is changed as by %s (M-3)', async (_, name, status) => {
    const caller = by(edge.bearers[name]);
    expect(await caller.form('domain/theme', { domain_id: edge.own.id })).toBe(status);
    const body = { domain_id: edge.own.id, theme_id: '' };
    expect(await caller.send('PUT', 'domain/theme', body)).toBe(status);
    expect((await edge.site()).theme['favicon'] === undefined).toBe(status !== 200);
  });

  test.each([
    ['an Admin', 'Admin', 200],
    ['a Viewer', 'Viewer', 403],
    ['a stranger', null, 404],
  ] as const)('is changed as by %s (M-3)', async (_, role, status) => {
    await edge.form('domain/theme', { domain_id: edge.own.id }, { favicon: PNG });
    const caller = by(await edge.person(role, { domainId: edge.own.id }));
    expect(await caller.form('theme', { domain_id: edge.own.id })).toBe(status);
    expect(await caller.send('GET', 'theme?subdomain=example-org')).toBe(status);
    const file = `theme/file?domain_id=${edge.own.id}&file=favicon`;
    expect(await caller.send('DELETE', file)).toBe(status);
    expect(await caller.form('domain/theme', { domain_id: edge.own.id })).toBe(status);
  });

  test('takes no theme that its client does not see (M-4)', async () => {
    const other = await edge.form('theme', { name: 'X' }, {}, await edge.person());
    const mine = await edge.form('theme', { name: 'Mine' });
    const choose = (id: string, bearer: string) =>
      by(bearer).send('PUT', 'domain/theme', { domain_id: edge.own.id, theme_id: id });
    for (const bearer of [edge.bearers.domain, edge.bearers.account]) {
      expect(await choose(other.json.id, bearer)).toBe(404);
      expect(await choose('nobody', bearer)).toBe(404);
      expect(await choose(mine.json.id, bearer)).toBe(200);
    }
    expect(await edge.site()).toMatchObject({ theme_id: mine.json.id });
  });
});

test.each([
  ['domain/theme', { theme_id: 'x' }, 'domain_id'],
  ['domain/theme', { domain_id: 'x', theme_id: 1 }, 'theme_id'],
  ['organization/theme', { theme_id: 'x' }, 'organization_id'],
  ['organization/theme', { organization_id: [] }, 'organization_id'],
])('PUT %s with %j is refused by name (M-71)', async (path, body, name) => {
  const { status, json } = await edge.send('PUT', path, body, edge.bearers.account);
  expect([status, Object.keys(json.validation)]).toEqual([400, [name]]);
});
