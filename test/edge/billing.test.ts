// Goal: the bill has what the owner's domains were used for, the deleted ones too, by UTC days (S-99),
//   and domains say where their statistics begin (M-17).
// Method: an edge over a real registry, beside shards that the test plays.
import { expect, test } from 'vitest';
import { createDomain } from '../../src/control/accounts.ts';
import { Records } from '../../src/control/records.ts';
import { domain } from '../../src/control/resources/domain.ts';
import type { DomainId } from '../../src/model/ids.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import type { DaySpan, DomainUsage } from '../../src/model/usage.ts';
import { NOW_MS } from '../support/fake-ports.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();
const STAMP = { nowMs: NOW_MS, by: { kind: 'cli', id: '' } } as const;

interface Row {
  readonly domain: Record<string, unknown>;
  readonly page_views: number;
}

/** What was used where; spans are as they were asked for. */
function play(usages: Record<string, Partial<DomainUsage['usage']>>): (DaySpan | null)[] {
  const spans: (DaySpan | null)[] = [];
  edge.usage = async (ids, span) => {
    spans.push(span);
    return new Map(
      ids.map((id: DomainId) => [
        id,
        {
          firstRowMs: usages[id] === undefined ? null : NOW_MS - DAY_MS,
          usage: { ...{ views: 0, events: 0, keepAlives: 0 }, ...usages[id] },
          lastHit: 'unknown',
          importedDays: null,
        },
      ]),
    );
  };
  return spans;
}

async function bill(query = '', bearer = edge.bearers.account) {
  const { status, json } = await edge.send('GET', `billing${query}`, undefined, bearer);
  return { status, rows: json as Row[], validation: (json as { validation?: object }).validation };
}

/** Domains made in the same millisecond stand in the order of their ids. */
const sorted = <Entry extends readonly unknown[]>(rows: readonly Entry[]) =>
  [...rows].sort(([left], [right]) => (String(left) < String(right) ? -1 : 1));

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

test('page views are view rows, event rows and a tenth of the keep-alives, rounded down (S-99)', async () => {
  const { id, second } = edge.own;
  play({ [id]: { views: 5, events: 3, keepAlives: 19 }, [second]: { keepAlives: 9 } });
  const { rows } = await bill();
  expect(rows.map((row) => [row.domain['id'], row.page_views])).toEqual(
    sorted([
      [id, 9],
      [second, 0],
    ]),
  );
  expect(rows.find((row) => row.domain['id'] === id)?.domain).toMatchObject({
    ...{ hostname: 'example.org', user_role: 'Owner' },
    statistics_start: '2026-11-19T12:00:00.000Z',
  });
});

test.each([
  ['', '2026-11-01', '2026-11-30'],
  ['?from=2026-02-10&to=2026-02-11', '2026-02-10', '2026-02-11'],
  ['?from=2026-02-11&to=2026-02-10', '2026-02-10', '2026-02-11'],
  ['?from=2026-02-10', '2026-02-10', '2026-11-30'],
  ['?from=2027-02-10', '2027-02-10', '2027-02-28'],
  ['?to=2026-02-10', '2026-02-01', '2026-02-10'],
  ['?from=&to=', '2026-11-01', '2026-11-30'],
])('%s asks for %s to %s (S-99, F-2)', async (query, from, to) => {
  const spans = play({});
  expect((await bill(query)).status).toBe(200);
  expect(spans).toEqual([{ fromDay: dayOf(from), toDay: dayOf(to) }]);
});

test.each([
  ['the last instant of a month', '2024-02-29T23:59:59.999Z', '2024-02-01', '2024-02-29'],
  ['the first of the next', '2024-03-01T00:00:00.000Z', '2024-03-01', '2024-03-31'],
])('the calendar month at %s is that of UTC (S-99)', async (_, now, from, to) => {
  edge.nowMs = Date.parse(now);
  const spans = play({});
  expect((await bill()).status).toBe(200);
  expect(spans).toEqual([{ fromDay: dayOf(from), toDay: dayOf(to) }]);
});

test.each([
  ['?from=yesterday', ['from']],
  ['?to=2026-02-30', ['to']],
  ['?from=x&to=y', ['from', 'to']],
])('%s is refused by field', async (query, fields) => {
  const spans = play({});
  const { status, validation } = await bill(query);
  expect([status, Object.keys(validation ?? {})]).toEqual([400, fields]);
  expect(spans).toEqual([]);
});

test('a deleted domain stays on the bill as it was, as long as it was used (S-99, M-11)', async () => {
  const { id, second } = edge.own;
  const ofIt = (rows: readonly Row[]) => rows.find((row) => row.domain['id'] === id)?.domain;
  const before = ofIt((await bill()).rows);
  await new Records(edge.registry).remove(domain, id, STAMP);
  play({ [id]: { views: 7 } });
  const { rows } = await bill();
  expect(rows.map((row) => [row.domain['id'], row.page_views])).toEqual(
    sorted([
      [id, 7],
      [second, 0],
    ]),
  );
  expect(ofIt(rows)).toEqual(before);
  // It is no domain any more.
  const gone = await edge.send('GET', `domain?id=${id}`, undefined, edge.bearers.account);
  expect(gone.status).toBe(404);
  play({});
  expect((await bill()).rows.map((row) => row.domain['id'])).toEqual([second]);
});

test.each([
  [48, 50],
  [49, 1],
])('with %d domains more there are %d rows (S-99)', async (more, rowCount) => {
  const usages: Record<string, { views: number; keepAlives: number }> = {
    [edge.own.id]: { views: 1, keepAlives: 15 },
    [edge.own.second]: { views: 2, keepAlives: 15 },
  };
  for (let made = 0; made < more; made++) {
    const wish = { email: 'ada@example.org', hostname: `h${made}.test` };
    const { domain: site } = await createDomain(edge.registry, wish, NOW_MS);
    usages[site.id] = { views: 10, keepAlives: 0 };
  }
  play(usages);
  const { rows } = await bill();
  expect(rows).toHaveLength(rowCount);
  // Tenths are of each domain.
  expect(rows.reduce((sum, row) => sum + row.page_views, 0)).toBe(2 + 3 + more * 10);
  if (rowCount > 1) return;
  expect(rows[0]?.domain).toMatchObject({ hostname: 'All', display_name: 'All', id: '' });
  expect(rows[0]?.domain).toMatchObject({ subdomain: '', identification_code: '' });
});

test('the bill is for users with the scope of statistics or of billing (M-3)', async () => {
  expect((await bill('', edge.bearers.viewer)).status).toBe(200);
  expect((await bill('', edge.bearers.domain)).status).toBe(403);
  expect((await bill('', edge.bearers.key)).status).toBe(403);
  expect((await bill('', 'nobody')).status).toBe(401);
});

test('domains say where their statistics begin, all of a list by one question (M-17)', async () => {
  const { id, second } = edge.own;
  const spans = play({ [second]: {} });
  const { json } = await edge.send('GET', 'domain', undefined, edge.bearers.account);
  const starts = (json as Record<string, unknown>[]).map((site) => [
    site['id'],
    site['statistics_start'],
    site['imported_statistics'],
  ]);
  expect(starts).toEqual(
    sorted([
      [id, null, false],
      [second, '2026-11-19T12:00:00.000Z', false],
    ]),
  );
  expect(spans).toEqual([null]);
  const one = await edge.send('GET', `domain?id=${second}`, undefined, edge.bearers.account);
  expect((one.json as Record<string, unknown>)['statistics_start']).toBe(
    '2026-11-19T12:00:00.000Z',
  );
});
