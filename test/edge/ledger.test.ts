// Goal: the ledger shows an Admin, and nobody else, where everything has gone, a row a day (P-31, A-8).
// Method: an edge over a real registry, beside shards that the test plays.
import { describe, expect, test } from 'vitest';
import { type DropReasonText, dropReason } from '../../src/model/drop-reasons.ts';
import type { DroppedItems, LedgerDay } from '../../src/model/ledger.ts';
import { DAY_MS } from '../../src/model/limits.ts';
import { useRegistryEdge } from './registry-edge.ts';

const edge = useRegistryEdge();

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
const drop = (reason: DropReasonText, count: number, bot = ''): DroppedItems => [
  ...([dropReason(reason), bot, count] as const),
];

/** What happened when. @returns what was asked. */
function play(days: Record<string, Partial<LedgerDay>>): unknown[] {
  const asked: unknown[] = [];
  edge.ledger = async (domainId, question) => {
    asked.push({ domainId, ...question });
    return Object.entries(days).map(([date, row]) => ({
      ...{ day: dayOf(date), pageViews: 0, events: 0, keepAlives: 0, openings: 0, dropped: [] },
      ...row,
    }));
  };
  return asked;
}

async function ask(path: string, parameters: Record<string, string> = {}, bearer?: string) {
  const query = new URLSearchParams({ id: edge.own.id, ...parameters });
  const reply = await edge.send('GET', `${path}?${query}`, undefined, bearer);
  return { status: reply.status, rows: reply.json as Record<string, unknown>[], json: reply.json };
}

const EMPTY = {
  received: 0,
  stored: { page_views: 0, events: 0, keep_alives: 0 },
  ...{ opening_events: 0, dropped: {}, duplicates: 0 },
};

test('received is what is stored, what was dropped, by reason, and duplicates; each day has a row (P-31)', async () => {
  const asked = play({
    '2026-11-02': {
      ...{ pageViews: 5, events: 3, keepAlives: 2, openings: 1 },
      dropped: [drop('hostname', 7), drop('duplicate', 4), drop('ua-keyword', 20)],
    },
  });
  const { rows } = await ask('ledger', { from: '2026-11-01', to: '2026-11-03' });
  expect(rows).toEqual([
    { ...EMPTY, date: '2026-11-01' },
    {
      ...{ date: '2026-11-02', received: 41, opening_events: 1, duplicates: 4 },
      stored: { page_views: 5, events: 3, keep_alives: 2 },
      dropped: { hostname: 7, 'ua-keyword': 20 },
    },
    { ...EMPTY, date: '2026-11-03' },
  ]);
  const span = { fromDay: dayOf('2026-11-01'), toDay: dayOf('2026-11-03') };
  expect(asked).toEqual([{ domainId: edge.own.id, span, hasBots: false }]);
});

test('without dates it is the calendar month in UTC; the ends may come in either order', async () => {
  expect((await ask('ledger')).rows.map(({ date }) => date)).toHaveLength(30);
  const turned = await ask('ledger', { from: '2026-02-02', to: '2026-02-01' });
  expect(turned.rows.map(({ date }) => date)).toEqual(['2026-02-01', '2026-02-02']);
});

test('programs are listed by day, those with most items first, with their reasons (P-31)', async () => {
  const asked = play({
    '2026-11-02': {
      dropped: [
        ...[drop('ua-keyword', 2, 'curl'), drop('ua-chars', 9, 'wget'), drop('ua-chars', 2, 'b')],
        ...[drop('ua-chars', 100), drop('hostname', 50)],
      ],
    },
    '2026-11-03': { dropped: [drop('ua-keyword', 1, 'curl')] },
  });
  const { rows } = await ask('ledger/bots');
  const wget = { date: '2026-11-02', name: 'wget', kind: 'ai', reason: 'ua-chars', items: 9 };
  expect(rows[0]).toEqual(wget);
  expect(rows.map(({ date, name, reason, items }) => [date, name, reason, items])).toEqual([
    ['2026-11-02', 'wget', 'ua-chars', 9],
    ['2026-11-02', 'b', 'ua-chars', 2],
    ['2026-11-02', 'curl', 'ua-keyword', 2],
    ['2026-11-03', 'curl', 'ua-keyword', 1],
  ]);
  expect(asked).toMatchObject([{ hasBots: true }]);
});

describe('is refused', () => {
  test.each([
    ['ledger', { id: '' }, 'id'],
    ['ledger', { from: 'yesterday' }, 'from'],
    ['ledger', { from: '2026-02-30' }, 'from'],
    ['ledger', { to: '2026-13-01' }, 'to'],
    ['ledger', { from: '2020-01-01', to: '2025-01-02' }, 'from'],
    ['ledger/bots', { from: '2026-01-01', to: '2026-04-03' }, 'from'],
    ['ledger/bots', { to: '2026-04-03', from: '2026-01-01' }, 'from'],
  ] as const)('%s with %j: %s', async (path, parameters, field) => {
    const { status, json } = await ask(path, parameters);
    expect(status).toBe(400);
    expect(Object.keys((json as { validation: object }).validation)).toEqual([field]);
  });

  test.each([
    ['ledger', { from: '2020-01-01', to: '2025-01-01' }, 1_828],
    ['ledger/bots', { from: '2026-01-01', to: '2026-04-02' }, 92],
  ] as const)('%s not of the longest range, %j', async (path, parameters, days) => {
    expect((await ask(path, parameters)).status).toBe(days > 1_827 ? 400 : 200);
  });

  test('to who only sends, and who is a stranger (A-8, M-4)', async () => {
    const { key, foreign, domain } = edge.bearers;
    for (const path of ['ledger', 'ledger/bots']) {
      expect((await ask(path, {}, key)).status).toBe(403);
      expect((await ask(path, {}, foreign)).status).toBe(404);
      expect((await ask(path, {}, domain)).status).toBe(200);
    }
  });
});
