// Goal: themes are made, changed, copied, listed and removed, and every domain shows what M-71 says.
// Method: forms over HTTP to an edge over a real registry; the domain object before and after.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Records } from '../../src/control/records.ts';
import { domain } from '../../src/control/resources/domain.ts';
import { GIF, ICO, PNG, SVG } from '../support/images.ts';
import { useThemeEdge } from './theme-edge.ts';

const edge = useThemeEdge();
const at = (bytes: Uint8Array) =>
  `/api/v1/theme/file/${createHash('sha256').update(bytes).digest('hex')}`;

const make = async (data: object = {}, files = {}) => {
  const reply = await edge.form('theme', { name: 'Dark', ...data }, files);
  expect(reply.status).toBe(200);
  return reply.json;
};
const as = (bearer = edge.bearers.account) => ({
  get: (path: string) => edge.send('GET', path, undefined, bearer),
  put: (path: string, body: object) => edge.send('PUT', path, body, bearer),
  remove: (path: string) => edge.send('DELETE', path, undefined, bearer),
});
const choose = (themeId: string | null, id = edge.own.id) =>
  as().put('domain/theme', { domain_id: id, theme_id: themeId });

describe('a theme', () => {
  test('is made of settings and files, every field present (M-70)', async () => {
    const made = await make({ settings: { accent: '#f00' } }, { logo_light: PNG, favicon: ICO });
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^\w{20}$/), user_id: edge.userIdOf(edge.bearers.account) },
      ...{ def_time: '2026-11-20T12:00:00.000Z', mod_time: '2026-11-20T12:00:00.000Z' },
      ...{ organization_id: null, name: 'Dark', settings: { accent: '#f00' }, is_default: false },
      ...{ logo_light: at(PNG), logo_dark: null, favicon: at(ICO) },
    });
    expect((await as().get('theme')).json).toEqual([made]);
  });

  test('is changed by its id: what is not sent stays, files too (M-71)', async () => {
    const { id, ...made } = await make({ settings: { a: '1' } }, { logo_light: PNG });
    edge.nowMs += 1_000;
    const later = { mod_time: '2026-11-20T12:00:01.000Z' };
    const first = await edge.form('theme', { id, name: 'Light' }, { logo_dark: GIF });
    expect(first.json).toEqual({ id, ...made, ...later, name: 'Light', logo_dark: at(GIF) });
    const second = await edge.form('theme', { id, settings: { b: '2' } }, { logo_light: SVG });
    expect(second.json).toMatchObject({ name: 'Light', settings: { b: '2' }, logo_light: at(SVG) });
    expect(second.json.settings).toEqual({ b: '2' });
  });

  test('that is changed to what it is stays as it was (M-7)', async () => {
    const made = await make({ settings: { a: '1' } }, { logo_light: PNG });
    const { sequence } = edge.registry;
    edge.nowMs += 1_000;
    const same = { id: made.id, name: ' Dark ', settings: { a: '1' } };
    expect((await edge.form('theme', same, { logo_light: PNG })).json).toEqual(made);
    expect(edge.registry.sequence).toBe(sequence);
  });

  test('is copied whole, and what is sent beside copy_id takes its place (M-71)', async () => {
    const { id, ...source } = await make({ settings: { a: '1' } }, { logo_light: PNG });
    const { json: copy } = await edge.form('theme', { copy_id: id });
    expect(copy).toEqual({ ...source, id: expect.not.stringMatching(id) });
    const other = await edge.form('theme', { copy_id: id, name: 'Copy' }, { favicon: ICO });
    expect(other.json).toMatchObject({ name: 'Copy', logo_light: at(PNG), favicon: at(ICO) });
    await as().remove(`theme?id=${id}`);
    // The copies still show the file.
    expect((await fetch(edge.baseUrl + at(PNG))).status).toBe(200);
  });

  test('keeps keys and values as they were sent, odd ones too (M-70)', async () => {
    const settings = JSON.parse('{"__proto__":"x","constructor":"y"," a ":" b ","":""}');
    delete settings[''];
    const { id } = await make({ settings });
    await choose(id);
    const text = await (
      await fetch(`${edge.baseUrl}/api/v1/domain?id=${edge.own.id}`, {
        headers: { authorization: `Bearer ${edge.bearers.account}` },
      })
    ).text();
    expect(text).toContain('"theme":{"__proto__":"x","constructor":"y"," a ":" b "}');
  });

  test('goes with its files; a domain that had it has none (M-71)', async () => {
    const { id } = await make({ settings: { a: '1' } }, { logo_light: PNG });
    await choose(id);
    expect(await as().remove(`theme?id=${id}`)).toMatchObject({ status: 200, json: {} });
    expect(await edge.site()).toMatchObject({ theme_id: null, theme: {}, theme_settings: {} });
    expect((await as().get('theme')).json).toEqual([]);
    expect((await fetch(edge.baseUrl + at(PNG))).status).toBe(404);
    expect((await as().remove(`theme?id=${id}`)).status).toBe(404);
  });

  test('loses a file by name; one that is not there is out already (M-71)', async () => {
    const { id, mod_time } = await make({}, { logo_light: PNG, logo_dark: PNG });
    edge.nowMs += 1_000;
    const drop = (file: string) => as().remove(`theme/file?theme_id=${id}&file=${file}`);
    expect(await drop('favicon')).toMatchObject({ status: 200, json: {} });
    const list = async () => (await as().get('theme')).json[0];
    expect(await list()).toMatchObject({ logo_light: at(PNG), mod_time });
    await drop('logo_light');
    expect(await list()).toMatchObject({ logo_light: null, logo_dark: at(PNG) });
    expect((await list()).mod_time).not.toBe(mod_time);
    // The other logo is the same file.
    expect((await fetch(edge.baseUrl + at(PNG))).status).toBe(200);
    await drop('logo_dark');
    expect((await fetch(edge.baseUrl + at(PNG))).status).toBe(404);
    expect((await drop('data')).json.validation).toEqual({
      file: 'must be logo_light or logo_dark or favicon',
    });
    expect((await as().remove('theme/file?file=favicon')).json.validation).toEqual({
      theme_id: 'is required: the id of a theme, or domain_id',
    });
  });
});

describe('what a domain shows', () => {
  test('its own over its theme over the default of its organization (M-71)', async () => {
    const organizationId = await edge.organization(true);
    const within = await make(
      { organization_id: organizationId, settings: { a: 'org', b: 'org', c: 'org' } },
      { logo_light: GIF, favicon: GIF },
    );
    expect(within.organization_id).toBe(organizationId);
    const chosen = await make({ settings: { a: 'theme', b: 'theme' } }, { logo_light: PNG });
    const body = { organization_id: organizationId, theme_id: within.id };
    expect(await as().put('organization/theme', body)).toMatchObject({ status: 200, json: {} });
    expect((await edge.site()).theme).toEqual({
      ...{ a: 'org', b: 'org', c: 'org' },
      ...{ logo_light: at(GIF), favicon: at(GIF) },
    });
    const shown = { a: 'theme', b: 'theme', c: 'org', logo_light: at(PNG), favicon: at(GIF) };
    expect((await choose(chosen.id)).json).toEqual(shown);
    const own = { domain_id: edge.own.id, settings: { a: 'own' } };
    const { json: site } = await edge.form('domain/theme', own, { favicon: ICO });
    expect(site).toMatchObject({ id: edge.own.id, theme_id: chosen.id });
    expect(site.theme).toEqual({ ...shown, a: 'own', favicon: at(ICO) });
    expect(site.theme_settings).toEqual({ a: 'own' });
    expect(await edge.site()).toEqual(site);
    const listed = (await as().get(`theme?organization_id=${organizationId}`)).json;
    expect(listed).toEqual([{ ...within, is_default: true }]);
    expect((await choose(null)).json).toMatchObject({ a: 'own', b: 'org', logo_light: at(GIF) });
  });

  test('moves its mod_time with its own settings and files, and only then (M-7)', async () => {
    const before = await edge.site();
    edge.nowMs += 1_000;
    const own = (data: object, files = {}) =>
      edge.form('domain/theme', { domain_id: edge.own.id, ...data }, files);
    expect((await own({})).json.mod_time).not.toBe(before['mod_time']);
    edge.nowMs += 1_000;
    expect((await own({})).json.mod_time).toBe('2026-11-20T12:00:01.000Z');
    expect((await own({}, { favicon: ICO })).json.mod_time).toBe('2026-11-20T12:00:02.000Z');
    edge.nowMs += 1_000;
    await as().remove(`theme/file?domain_id=${edge.own.id}&file=favicon`);
    expect(await edge.site()).toMatchObject({ mod_time: '2026-11-20T12:00:03.000Z', theme: {} });
  });

  test('a theme of its own is made by POST theme with domain_id too, one only (M-71)', async () => {
    const data = { domain_id: edge.own.id, settings: { a: '1' } };
    const first = await edge.form('theme', data);
    expect(first.json).toMatchObject({ name: 'example.org', settings: { a: '1' } });
    const second = await edge.form('theme', { ...data, name: 'Own' }, { favicon: ICO });
    expect(second.json).toMatchObject({ id: first.json.id, name: 'Own', favicon: at(ICO) });
    expect((await edge.site())['theme_settings']).toEqual({ a: '1' });
    // It is no theme that others could choose.
    expect((await as().get('theme')).json).toEqual([]);
    expect((await choose(first.json.id, edge.own.second)).status).toBe(404);
  });

  test('stays when its theme goes with keep_settings, and else not (M-71)', async () => {
    const files = { logo_light: PNG, favicon: ICO };
    const one = await make({ settings: { a: 'theme', b: 'theme' } }, files);
    await choose(one.id);
    await choose(one.id, edge.own.second);
    const own = { domain_id: edge.own.id, settings: { b: 'own' } };
    await edge.form('domain/theme', own, { favicon: GIF });
    const shown = [(await edge.site()).theme, (await edge.site(edge.own.second)).theme];
    await as().remove(`theme?id=${one.id}&keep_settings=true`);
    const [first, second] = [await edge.site(), await edge.site(edge.own.second)];
    expect([first.theme, second.theme]).toEqual(shown);
    expect(first).toMatchObject({ theme_id: null, theme_settings: { a: 'theme', b: 'own' } });
    expect((await fetch(edge.baseUrl + at(PNG))).status).toBe(200);
    // That of the theme is shown by the second domain only.
    expect(second.theme['favicon']).toBe(at(ICO));
  });

  test('stays also when the theme was the default of its organization (M-71)', async () => {
    const organizationId = await edge.organization(true);
    const below = await make({ settings: { a: 'below', b: 'below' } }, { favicon: ICO });
    const above = await make({ settings: { b: 'above' } });
    await as().put('organization/theme', { organization_id: organizationId, theme_id: below.id });
    await choose(above.id);
    const { theme } = await edge.site();
    await as().remove(`theme?id=${below.id}&keep_settings=1`);
    expect(await edge.site()).toMatchObject({ theme, theme_settings: { a: 'below' } });
    expect((await edge.site())['theme_id']).toBe(above.id);
  });

  test('is the default of its organization for a new one, unless it names another (M-71)', async () => {
    const organizationId = await edge.organization();
    const [standard, other] = [await make(), await make()];
    const body = { organization_id: organizationId, theme_id: standard.id };
    await as().put('organization/theme', body);
    const add = (hostname: string, fields = {}) =>
      edge.send(
        ...(['POST', 'domain'] as const),
        { hostname, organization_id: organizationId, ...fields },
        edge.bearers.account,
      );
    expect((await add('new.test')).json.theme_id).toBe(standard.id);
    expect((await add('other.test', { theme_id: other.id })).json.theme_id).toBe(other.id);
  });

  test('goes with the domain: its own theme and its files (M-11)', async () => {
    const data = { domain_id: edge.own.id, settings: { a: '1' } };
    const { json } = await edge.form('theme', data, { favicon: ICO });
    const BY = { nowMs: edge.nowMs, by: { kind: 'cli', id: '' } } as const;
    await new Records(edge.registry).remove(domain, edge.own.id, BY);
    expect((await fetch(edge.baseUrl + at(ICO))).status).toBe(404);
    expect((await edge.form('theme', { id: json.id })).status).toBe(404);
  });
});

describe('lists', () => {
  test('have the own ones, and those of organizations when asked (M-71)', async () => {
    const organizationId = await edge.organization();
    const own = await make();
    edge.nowMs += 1_000;
    const within = await make({ organization_id: organizationId });
    expect((await as().get('theme')).json).toEqual([own]);
    expect((await as().get('theme?include_organizations=true')).json).toEqual([own, within]);
    const admin = as(await edge.person('Admin', { organizationId }));
    expect((await admin.get('theme?include_organizations=1')).json).toEqual([within]);
    const viewer = as(await edge.person('Viewer', { organizationId }));
    expect((await viewer.get('theme?include_organizations=true')).json).toEqual([]);
  });

  test('have what the page of a domain is made of, by its address (M-71)', async () => {
    const chosen = await make();
    await choose(chosen.id);
    edge.nowMs += 1_000;
    const own = (await edge.form('theme', { domain_id: edge.own.id })).json;
    expect((await as().get('theme?subdomain=example-org')).json).toEqual([chosen, own]);
    expect((await as().get('theme?subdomain=second-test')).json).toEqual([]);
    expect((await as().get('theme?subdomain=foreign-test')).status).toBe(404);
    expect((await as().get('theme?domain=stats.example.org')).status).toBe(404);
  });
});
