// Goal: what a search console exported is answered as its sums, in place of what there was (P-4, S-66).
// Method: tables are sent over HTTP to an edge with a real registry; a naive model adds them up.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { file } from '../../src/control/resources/file.ts';
import { keywords } from '../../src/control/resources/keywords.ts';
import { KEYWORD_ROW_COUNT_MAX } from '../../src/model/import-limits.ts';
import {
  type KeywordRow,
  keywordRows,
  keywordTable,
  replacedKeywords,
} from '../../src/model/keywords.ts';
import { tries } from '../support/runs.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();
const NAMES = 'date,query,clicks,impressions,ctr,position';
const TABLE = [
  NAMES,
  '2026-01-01,shoes,3,100,3%,2.5',
  '2026-01-02,shoes,1,300,0.0033,4.5',
  '2026-01-02,"boots, red",9,90,10%,1',
  '2026-02-01,coats,50,60,83.3%,1',
].join('\n');

const path = (name: string) => `${name}?domain_id=${edge.own.id}`;
const post = (csv: string) => edge.send('POST', path('external/keywords'), csv);
const get = (more = '') =>
  edge.send('GET', `statistics/keywords?id=${edge.own.id}&from=2026-01-01&to=2026-01-31${more}`);

test('P-4: a table is answered by query, clicks first, its place by impressions', async () => {
  const { status, json } = await post(TABLE);
  expect({ status, json }).toEqual({
    status: 200,
    json: {
      domain_id: edge.own.id,
      rows_imported: 4,
      rows: 4,
      from: '2026-01-01',
      to: '2026-02-01',
    },
  });
  const reply = await get();
  expect(reply.json).toEqual([
    { keys: ['boots, red'], clicks: 9, impressions: 90, ctr: 0.1, position: 1 },
    { keys: ['shoes'], clicks: 4, impressions: 400, ctr: 0.01, position: 4 },
  ]);
  expect(reply.headers.get('x-context')).toBeNull();
  expect((await get('&limit=1&offset=1')).json).toHaveLength(1);
  expect((await get('&sort=position&direction=desc')).json[0].keys).toEqual(['shoes']);
  const batch = await edge.send('POST', 'statistics/batch', {
    ...{ id: edge.own.id, from: '2026-01-01', to: '2026-01-31', queries: [{ name: 'keywords' }] },
  });
  expect(batch.json.results).toEqual([reply.json]);
});

test('P-4: a search console knows nothing of visitors, so a filter leaves nothing', async () => {
  await post(TABLE);
  expect((await get('&country=de')).json).toEqual([]);
});

test("P-4: Google's names and a byte order mark are taken; the days are replaced, others stay", async () => {
  await post(TABLE);
  const { json } = await post(
    '\u{feff}Date,Top queries,Clicks,Impressions,CTR,Position\r\n2026-01-02,hats,2,4,50%,7\r\n',
  );
  expect(json).toMatchObject({ rows_imported: 1, rows: 3 });
  expect((await get()).json.map(({ keys }: { keys: string[] }) => keys[0])).toEqual([
    'shoes',
    'hats',
  ]);
});

test.each([
  ['date,query,clicks\n', 'line 1: expected the columns impressions, position'],
  ['query,clicks,impressions,position\na,1,2,3\n', 'line 1: expected the column date'],
  [`${NAMES}\n2026-01-01,a,1,2,3%,1\n2026-13-01,b,1,2,3%,1\n`, 'line 3: expected a day'],
  [`${NAMES}\n2026-01-01,a,x,2,3%,1\n`, 'line 2: expected a whole number'],
  [`${NAMES}\n2026-01-01,a,1,2,300%,1\n`, 'line 2: expected a share'],
  [`${NAMES}\n2026-01-01,,1,2,3%,1\n`, "line 2: expected what was searched under 'query'"],
  [`${NAMES}\n1969-12-31,a,1,2,3%,1\n`, 'line 2: expected a day from 1970-01-01 on'],
  [`${NAMES}\n2026-01-01,a,1,2,3%,-1\n`, 'line 2: expected a number'],
  [`${NAMES}\n`, 'must have rows'],
  ['', 'line 1: expected the columns'],
])('P-4: a damaged table changes nothing and is refused with its line: %j', async (csv, said) => {
  await post(TABLE);
  const before = (await get()).json;
  const { status, json } = await post(csv);
  expect(status).toBe(400);
  expect(json.validation.body).toContain(said);
  expect((await get()).json).toEqual(before);
});

test('P-4: more rows than a domain may have are refused, and nothing is kept of them', async () => {
  const rows = Array.from({ length: KEYWORD_ROW_COUNT_MAX }, (_, n) => `2026-01-05,q${n},0,1,0,1`);
  await post(TABLE);
  const { status, json } = await post([NAMES, ...rows].join('\n'));
  expect(status).toBe(400);
  expect(json.validation.body).toContain('a domain has at most 50000 rows of keywords');
});

test('P-4: rows go by days, with all of them, and with their domain', async () => {
  await post(TABLE);
  const some = await edge.send(
    'DELETE',
    `${path('external/keywords')}&from=2026-01-02&to=2026-01-02`,
  );
  expect(some.json).toMatchObject({ rows_imported: 0, rows: 2 });
  const { registry } = edge;
  expect([...registry.view.all(file)]).toHaveLength(1);
  expect((await edge.send('DELETE', path('external/keywords'))).json).toMatchObject({
    rows: 0,
    from: null,
    to: null,
  });
  const reply = await get();
  expect(reply.json).toEqual([]);
  expect(JSON.parse(reply.headers.get('x-context') ?? '')).toEqual({
    search_console: 'no keywords of a search console are imported',
  });
  expect([...registry.view.all(file)]).toEqual([]);
  await post(TABLE);
  await edge.send('DELETE', `domain?id=${edge.own.id}`, undefined, edge.bearers.account);
  expect([...registry.view.all(keywords)]).toEqual([]);
  expect([...registry.view.all(file)]).toEqual([]);
  const unknown = await edge.send(
    ...(['POST', 'external/keywords?domain_id=nobody', NAMES, edge.bearers.account] as const),
  );
  expect(unknown.status).toBe(404);
});

test('P-4: whatever was imported in whatever order, each day has its last import', () => {
  const row = fc.record({
    day: fc.nat(4),
    query: fc.constantFrom('a', 'b', 'ü'),
    ...{ clicks: fc.nat(9), impressions: fc.nat(9), position: fc.integer({ min: 1, max: 9 }) },
  });
  const days = fc.tuple(fc.nat(4), fc.nat(4)).map(([one, other]) => ({
    ...{ fromDay: Math.min(one, other), toDay: Math.max(one, other) },
  }));
  const sums = (rows: readonly KeywordRow[]) => {
    const found = new Map<string, number[]>();
    for (const { day, query, clicks, impressions, position } of rows) {
      const sum = found.get(`${day} ${query}`) ?? [0, 0, 0];
      found.set(`${day} ${query}`, [
        (sum[0] as number) + clicks,
        (sum[1] as number) + impressions,
        (sum[2] as number) + position * impressions,
      ]);
    }
    return [...found].sort().map(([key, sum]) => [key, ...sum.map((one) => Math.round(one * 1e6))]);
  };
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(row), days)), (imports) => {
      let table = keywordTable([]);
      let model: KeywordRow[] = [];
      for (const [rows, span] of imports) {
        const { fromDay, toDay } = span;
        const own = rows.filter(({ day }) => day >= fromDay && day <= toDay);
        table = replacedKeywords(table, own, span);
        model = [...model.filter(({ day }) => day < fromDay || day > toDay), ...own];
      }
      expect(sums(keywordRows(table))).toEqual(sums(model));
    }),
    tries(),
  );
});
