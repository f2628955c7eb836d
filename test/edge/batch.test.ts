// Goal: a batch asks what its queries ask by GET, with what they share; what is no batch is refused.
// Method: an edge over a real registry; what reaches the query threads is compared with GETs.
import { expect, test } from 'vitest';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();
const RANGE = { from: '2026-11-01', to: '2026-11-20' };
const TOTAL = [{ name: 'total' }];

const batch = (body: Record<string, unknown>, bearer?: string) =>
  edge.send('POST', 'statistics/batch', { id: edge.own.id, ...body }, bearer);

test('a query asks what its GET asks, of every statistic there is (D-14)', async () => {
  const needed = { event: 'x', event_meta_key: 'k', tag: 't', visitor_id: '1', session_id: '1' };
  const names = STATISTICS.map(({ name }) => name).filter((name) => name !== 'funnel');
  const queries = names.slice(0, 50).map((name) => ({ name, ...needed, limit: 7 }));
  const { json } = await batch({ ...RANGE, tz: 'Asia/Tokyo', queries });
  const asked = edge.queries.splice(0);
  expect(asked.map(({ statistic }) => statistic)).toEqual(names.slice(0, 50));
  for (const [index, name] of names.slice(0, 50).entries()) {
    const parameters = new URLSearchParams({
      ...{ id: edge.own.id, ...RANGE, tz: 'Asia/Tokyo', limit: '7' },
      ...needed,
    });
    const { json: alone } = await edge.send('GET', `statistics/${name}?${parameters}`);
    expect(json.results[index]).toEqual(alone);
    expect(asked[index]).toEqual(edge.queries.pop());
  }
});

test('what stands in a query takes the place of what all share, also to take it away (D-14)', async () => {
  const queries = [
    { name: 'total' },
    { name: 'total', country: 'fr', from: '2026-11-10' },
    { name: 'total', country: [] },
    { name: 'total', country: null },
    { name: 'page', include_title: true, limit: 3, 'country[]': ['de', 'at'] },
  ];
  await batch({ ...RANGE, country: ['de', 'us'], queries });
  const countries = edge.queries.map(({ filters }) => {
    const [country] = filters.sessionTexts.filter(({ column }) => column === 'country');
    return country === undefined ? null : JSON.stringify(country);
  });
  expect(countries[0]).toContain('"de"');
  expect(countries[0]).toContain('"us"');
  expect(countries[1]).toContain('"fr"');
  expect(countries[1]).not.toContain('"de"');
  expect(countries.slice(2, 4)).toEqual([null, null]);
  expect(countries[4]).toContain('"at"');
  expect(edge.queries[1]?.range.fromDay).toBe((edge.queries[0]?.range.fromDay ?? 0) + 9);
  expect(edge.queries[4]).toMatchObject({ byTitle: true, limit: 3 });
});

test('what a query is refused for stands in its place (A-11)', async () => {
  const queries = [
    { name: 'total', from: 'yesterday' },
    { name: 'totals' },
    { name: 'total' },
    { name: 'funnel', funnel_id: 'f'.padEnd(20, '0') },
    { name: 'funnel' },
    { name: 'total', explain: true },
  ];
  const { status, json } = await batch({ ...RANGE, queries });
  expect(status).toBe(200);
  const errors = json.results.map(({ validation, error }: Record<string, unknown>) =>
    error === undefined ? 'answer' : { validation, error },
  );
  expect(errors).toEqual([
    { validation: { from: expect.any(String) }, error: [] },
    { validation: {}, error: [expect.stringContaining('/api/v1/statistics/totals')] },
    'answer',
    { validation: {}, error: [expect.any(String)] },
    { validation: { funnel_id: expect.any(String) }, error: [] },
    { validation: {}, error: [expect.any(String)] },
  ]);
  expect(edge.queries).toHaveLength(1);
});

test.each([
  ['no list', {}, 'queries'],
  ['an object', { queries: { name: 'total' } }, 'queries'],
  ['none', { queries: [] }, 'queries'],
  ['51', { queries: Array.from({ length: 51 }, () => ({ name: 'total' })) }, 'queries'],
  ['a query that is a text', { queries: ['total'] }, 'queries.0'],
  ['a query that is null', { queries: [{ name: 'total' }, null] }, 'queries.1'],
  ['a name that is a number', { queries: [{ name: 7 }] }, 'queries.0.name'],
  ['no name', { queries: [{}] }, 'queries.0.name'],
  ['another domain', { queries: [{ name: 'total', id: 'x' }] }, 'queries.0.id'],
  ['an object as filter', { country: { a: 1 }, queries: TOTAL }, 'country'],
  ['lists in a list', { queries: [{ name: 'total', path: [['a']] }] }, 'queries.0.path'],
  ['101 values', { path: Array.from({ length: 101 }, () => '/a'), queries: TOTAL }, 'path'],
  ['no domain', { id: '', queries: TOTAL }, 'id'],
  ['a list of domains', { id: [], queries: TOTAL }, 'id'],
])('%s: 400 by field, and nothing is asked (D-14)', async (_, body, field) => {
  const { status, json } = await batch({ ...RANGE, ...body });
  expect([status, Object.keys(json.validation)]).toEqual([400, [field]]);
  expect(edge.queries).toEqual([]);
});

test('a body that is no object, or too long, is refused', async () => {
  for (const body of [[], 'null', '7', '"total"']) {
    const { status, json } = await edge.send('POST', 'statistics/batch', body);
    expect([status, Object.keys(json.validation)]).toEqual([400, ['body']]);
  }
  expect((await batch({ ...RANGE, note: 'x'.repeat(70_000), queries: TOTAL })).status).toBe(413);
});

test('names of members that every object has are parameters like others', async () => {
  const sent = JSON.stringify({ id: edge.own.id, ...RANGE, queries: TOTAL });
  const body = sent.replace('{', '{"__proto__":{"a":1},');
  const { status, json } = await edge.send('POST', 'statistics/batch', body);
  expect([status, Object.keys(json.validation)]).toEqual([400, ['__proto__']]);
});

test('it is no change: as many as one likes, kept by no cache, another domain is not there', async () => {
  const { status, headers } = await batch({ ...RANGE, queries: TOTAL });
  expect([status, headers.get('cache-control'), headers.get('x-ratelimit-limit')]).toEqual([
    ...[200, 'private, no-store', null],
  ]);
  expect((await batch({ id: edge.foreign.id, ...RANGE, queries: TOTAL })).status).toBe(404);
  expect((await batch({ ...RANGE, queries: TOTAL }, edge.bearers.key)).status).toBe(403);
});

test('an access code opens it, in the address (F-35)', async () => {
  const link = await edge.send('POST', 'domain/link', { domain_id: edge.own.id, description: '' });
  const body = { id: edge.own.id, ...RANGE, queries: TOTAL };
  const ask = (code: string) => edge.browse('POST', `statistics/batch?access=${code}`, { body });
  expect((await ask(link.json.code)).status).toBe(200);
  expect((await ask('wrong')).status).toBe(401);
  expect((await edge.browse('POST', 'statistics/batch', { body })).status).toBe(401);
});

test('long answers are compressed for who takes that, short ones for nobody', async () => {
  const sizes = [
    [Array.from({ length: 50 }, () => ({ name: 'total' })), 'gzip'],
    [TOTAL, null],
  ] as const;
  for (const [queries, encoding] of sizes) {
    for (const accepted of ['gzip', 'identity']) {
      const { headers, json } = await edge.browse('POST', 'statistics/batch', {
        body: { id: edge.own.id, ...RANGE, queries },
        headers: { authorization: `Bearer ${edge.bearers.domain}`, 'accept-encoding': accepted },
      });
      expect(headers.get('content-encoding')).toBe(accepted === 'gzip' ? encoding : null);
      expect(headers.get('vary')).toContain('Accept-Encoding');
      expect(json.results).toHaveLength(queries.length);
    }
  }
});
