// Goal: an access link ends, shows what its filters let through, and is framed by its hosts alone
// (D-19).
// Method: real HTTP to an edge over a real registry, as whoever has the code tries to reach beyond it.
import { describe, expect, test } from 'vitest';
import { useRegistryEdge } from '../registry-edge.ts';
import { expectRefused } from './refusals.ts';

const edge = useRegistryEdge();
const RANGE = 'from=2026-11-01&to=2026-11-20';
const GERMANS = { country: 'de' };
const END = '2026-11-20T12:30:00.000Z';
const END_MS = Date.parse(END);

const make = async (fields: Record<string, unknown> = {}, id = edge.own.id) =>
  (await edge.send('POST', 'domain/link', { domain_id: id, ...fields }, edge.bearers.account)).json;
const put = (fields: Record<string, unknown>) => edge.send('PUT', 'domain/link', fields);
const shown = async (id: string) =>
  (await edge.send('GET', `domain/link?domain_id=${edge.own.id}`)).json.find(
    (one: { id: string }) => one.id === id,
  );
const read = (path: string, code: string, headers: Record<string, string> = {}) =>
  edge.browse('GET', `${path}${path.includes('?') ? '&' : '?'}access=${code}`, { headers });
const total = (code: string, more = '') =>
  read(`statistics/total?id=${edge.own.id}&${RANGE}${more}`, code);
const enter = (access: string, subdomain = 'example-org') =>
  edge.browse('POST', 'access', { body: { subdomain, access } });
const subdomainOf = async () =>
  (await edge.send('GET', `domain?id=${edge.own.id}`)).json.subdomain as string;
/** Of the last question: the countries that it is narrowed to, set by set. */
function countries(): unknown {
  const texts = [];
  for (let set = edge.queries.at(-1)?.filters ?? null; set !== null; set = set.also) {
    const found = set.sessionTexts.find(({ column }) => column === 'country');
    texts.push(found?.values.any.map((value) => ('text' in value ? value.text : '')) ?? null);
  }
  return texts;
}

describe('the bounds of a link', () => {
  test('are shown, changed by name, and stay when a request says nothing of them', async () => {
    const bounds = { expires: END, filter: GERMANS, frame: ['www.example.org'] };
    const made = await make(bounds);
    expect(made).toMatchObject(bounds);
    // Who knows no bounds and renames a link must not lift them.
    await put({ id: made.id, description: 'Renamed' });
    expect(await shown(made.id)).toMatchObject({ ...bounds, description: 'Renamed' });
    await put({ id: made.id, description: '', filter: { path: ['/a', '/b'] } });
    expect(await shown(made.id)).toMatchObject({ ...bounds, filter: { path: ['/a', '/b'] } });
    await put({ id: made.id, description: '', expires: null, filter: null, frame: null });
    expect(await shown(made.id)).toMatchObject({ expires: null, filter: null, frame: [] });
    expect(await make()).toMatchObject({ expires: null, filter: null, frame: [] });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a time that is none', { expires: 'tomorrow' }, 'expires'],
    ['a day without a time', { expires: '2026-12-01' }, 'expires'],
    ['a time without a zone', { expires: '2026-12-01T10:00:00' }, 'expires'],
    ['a month that is none', { expires: '2026-13-01T10:00:00Z' }, 'expires'],
    ['30 February', { expires: '2027-02-30T10:00:00Z' }, 'expires'],
    ['29 February of a year that has none', { expires: '2027-02-29T10:00:00+01:00' }, 'expires'],
    ['hour 24', { expires: '2026-12-01T24:00:00Z' }, 'expires'],
    ['a time gone by', { expires: '2026-11-20T11:59:59Z' }, 'expires'],
    ['this very moment', { expires: '2026-11-20T12:00:00Z' }, 'expires'],
    ['a number as time', { expires: 5 }, 'expires'],
    ['a text as filter', { filter: 'country=de' }, 'filter'],
    ['no filter parameter', { filter: { from: '2026-01-01' } }, 'filter'],
    ['the id of a domain', { filter: { id: 'x' } }, 'filter'],
    ['a filter that says nothing', { filter: { country: '' } }, 'filter'],
    ['an operator alone', { filter: { country: '!' } }, 'filter'],
    ['a list of nothing', { filter: { country: [] } }, 'filter'],
    ['something and nothing', { filter: { country: ['de', ''] } }, 'filter'],
    ['half of a visit', { filter: { visitor_id: '1' } }, 'filter'],
    ['a whole visit', { filter: { visitor_id: '1', session_id: '1' } }, 'filter'],
    ['path, which silences pattern', { filter: { path: '/a', pattern: '/b' } }, 'filter'],
    ['a pattern that does not compile', { filter: { pattern: '(' } }, 'filter'],
    ['a number as value', { filter: { country: 5 } }, 'filter'],
    [
      'too many',
      { filter: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`tag_${n}`, 'x'])) },
      'filter',
    ],
    ['a text as hosts', { frame: 'www.example.org' }, 'frame'],
    ['everybody', { frame: ['*'] }, 'frame'],
    ['a scheme', { frame: ['https:'] }, 'frame'],
    ['the words of a policy', { frame: ["'self'"] }, 'frame'],
    ['the end of a policy', { frame: ["a.org; script-src 'unsafe-inline'"] }, 'frame'],
    ['two in one', { frame: ['a.org b.org'] }, 'frame'],
    ['a line break', { frame: ['a.org\r\nX-A: b'] }, 'frame'],
    ['a path', { frame: ['https://a.org/page'] }, 'frame'],
    ['another scheme', { frame: ['data:text'] }, 'frame'],
    ['a number', { frame: [5] }, 'frame'],
    ['all of a top level', { frame: ['*.com'] }, 'frame'],
    ['all of a country', { frame: ['https://*.de:8443'] }, 'frame'],
    ['what registries sell', { frame: ['www.example.org', '*.co.uk'] }, 'frame'],
    ['hosts that are given away', { frame: ['*.github.io'] }, 'frame'],
    ['too many hosts', { frame: Array.from({ length: 21 }, (_, n) => `h${n}.org`) }, 'frame'],
  ])('%s is refused (D-19)', async (_, fields, named) => {
    const body = { domain_id: edge.own.id, ...fields };
    await expectRefused(edge, ['POST', 'domain/link', body], [named]);
    const { id } = await make();
    await expectRefused(edge, ['PUT', 'domain/link', { id, description: '', ...fields }], [named]);
  });

  test('are days and hosts that there are, and of one owner (D-19)', async () => {
    const bounds = {
      expires: '2028-02-29T23:59:59.000Z',
      frame: ['*.example.org', '*.example.co.uk', '*.shop.github.io', 'intranet', 'www.com'],
    };
    expect(await make(bounds)).toMatchObject(bounds);
  });

  test('may be renamed after its end', async () => {
    const { id } = await make({ expires: END });
    edge.nowMs = END_MS + 1;
    expect((await put({ id, description: 'Old' })).status).toBe(200);
  });
});

describe('a link that has ended is an unknown one (D-19)', () => {
  test('by its code, by a token made before, and for a new token', async () => {
    const { code } = await make({ expires: END });
    const subdomain = await subdomainOf();
    const { json: token } = await enter(code, subdomain);
    // The token does not outlive the link.
    expect(token.expires_at).toBe(END);
    const withToken = () =>
      edge.send(
        'GET',
        `statistics/total?id=${edge.own.id}&${RANGE}`,
        undefined,
        token.access_token,
      );
    expect([(await total(code)).status, (await withToken()).status]).toEqual([200, 200]);
    edge.nowMs = END_MS - 1;
    expect([(await total(code)).status, (await withToken()).status]).toEqual([200, 200]);
    edge.nowMs = END_MS;
    const unknown = await total('x'.repeat(24));
    const ended = await total(code);
    expect(ended).toMatchObject({ status: 401, json: unknown.json });
    expect((await withToken()).status).toBe(401);
    expect(await enter(code, subdomain)).toMatchObject({
      ...{ status: 401, json: (await enter('x'.repeat(24), subdomain)).json },
    });
    for (const path of ['domain', 'goal', 'funnel', 'view']) {
      expect((await read(`${path}?id=${edge.own.id}`, code)).status, path).toBe(401);
    }
  });

  test('also when the end is moved nearer while a token is in use', async () => {
    const { id, code } = await make();
    const { json: token } = await enter(code, await subdomainOf());
    const asked = `statistics/total?id=${edge.own.id}&${RANGE}`;
    const status = async () =>
      (await edge.send('GET', asked, undefined, token.access_token)).status;
    expect(await status()).toBe(200);
    await put({ id, description: '', expires: '2026-11-20T12:10:00Z' });
    edge.nowMs += 9 * 60_000;
    expect(await status()).toBe(200);
    edge.nowMs += 60_000;
    expect(await status()).toBe(401);
  });
});

describe('pinned filters hold whatever is asked (D-19)', () => {
  test.each([
    ['nothing', '', [null, ['de']]],
    ['another value', '&country=fr', [['fr'], ['de']]],
    ['a blank one', '&country=', [null, ['de']]],
    ['an array of it', '&country[]=fr&country[0]=at', [['fr', 'at'], ['de']]],
    ['all of them', '&country=!de', [[], ['de']]],
    ['by an encoded name', '&%63ountry=fr', [['fr'], ['de']]],
    ['parameters of ours', '&within=&filter=&pinned=', [null, ['de']]],
  ])('with %s', async (_, more, expected) => {
    const { code } = await make({ filter: GERMANS });
    expect((await total(code, more)).status).toBe(200);
    expect(countries()).toEqual(expected);
    expect(edge.queries.at(-1)?.within).not.toBeNull();
  });

  test('by the token that the page gets, in a batch, and in an overview', async () => {
    const { code } = await make({ filter: GERMANS });
    const { json: token } = await enter(code, await subdomainOf());
    const queries = [
      { name: 'total', country: null },
      { name: 'overview' },
      { name: 'options/page' },
    ];
    const body = { id: edge.own.id, from: '2026-11-01', to: '2026-11-20', country: 'fr', queries };
    const send = (bearer: string) => edge.send('POST', 'statistics/batch', body, bearer);
    expect((await send(token.access_token)).status).toBe(200);
    expect(edge.queries).toHaveLength(3);
    for (const query of edge.queries) {
      expect(query.within?.sessionTexts, query.statistic).toMatchObject([{ column: 'country' }]);
      expect(query.filters.also).toEqual(query.within);
    }
    // Nobody else is narrowed.
    await send(edge.bearers.account);
    expect(edge.queries.at(-1)).toMatchObject({ within: null });
  });

  test('also when they are changed while a token is in use', async () => {
    const { id, code } = await make();
    const { json: token } = await enter(code, await subdomainOf());
    const ask = () =>
      edge.send(
        'GET',
        `statistics/total?id=${edge.own.id}&${RANGE}`,
        undefined,
        token.access_token,
      );
    await ask();
    expect(countries()).toEqual([null]);
    await put({ id, description: '', filter: GERMANS });
    await ask();
    expect(countries()).toEqual([null, ['de']]);
  });

  test('are told to the page, which shows them', async () => {
    const { code } = await make({ filter: GERMANS });
    const { json } = await enter(code, await subdomainOf());
    expect(json.filter).toEqual(GERMANS);
    const { code: plain } = await make();
    expect((await enter(plain, await subdomainOf())).json.filter).toBeNull();
  });
});

describe('who may frame the page (D-19)', () => {
  const policyAt = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(edge.baseUrl + path, { headers });
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy') ?? '';
    return policy.split('; ').find((part) => part.startsWith('frame-ancestors'));
  };
  const NOBODY = "frame-ancestors 'none'";

  test('the hosts of the link, at the address of its dashboard, until it ends', async () => {
    const frame = ['www.example.org', 'https://*.partner.test:8443'];
    const { id, code } = await make({ frame, expires: END });
    const page = `/${await subdomainOf()}`;
    const framed = `frame-ancestors ${frame.join(' ')}`;
    expect(await policyAt(`${page}?access=${code}`)).toBe(framed);
    expect(await policyAt(`${page}?range=30d&access=${code}`)).toBe(framed);
    for (const path of [page, '/', `/?access=${code}`, `/second-test?access=${code}`, '/nobody']) {
      expect(await policyAt(path), path).toBe(NOBODY);
    }
    expect(await policyAt(`${page}?access=${'x'.repeat(24)}`)).toBe(NOBODY);
    const { code: other } = await make({}, edge.own.second);
    expect(await policyAt(`${page}?access=${other}`)).toBe(NOBODY);
    edge.nowMs = END_MS;
    expect(await policyAt(`${page}?access=${code}`)).toBe(NOBODY);
    await edge.send('DELETE', `domain/link?id=${id}`);
    expect(await policyAt(`${page}?access=${code}`)).toBe(NOBODY);
  });
});
