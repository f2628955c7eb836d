// Goal: hits become sessions exactly as I-40 to I-62 say, in the cases that are easy to get wrong.
// Method: hits go straight into the sessionizer; what is asserted are the rows it leaves.

import { expect, test } from 'vitest';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import {
  DAY_MS,
  DISTINCT_VALUES_MAX,
  HOUR_MS,
  MINUTE_MS,
  OTHER_VALUE,
  SECOND_MS,
  SESSION_GAP_MS,
  SESSION_PAGE_VIEWS_MAX,
} from '../../../src/model/limits.ts';
import { KIND } from '../../../src/segment/memory/dictionary.ts';
import { DomainState } from '../../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { applyHits, event, hit, keepAlive, MONDAY_MS } from '../hit-builder.ts';

const MONDAY = MONDAY_MS / DAY_MS;
const TEN = MONDAY_MS + 10 * HOUR_MS;
const NOTHING_STORED = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};

function applied(hits: readonly Hit[]): { domain: DomainState; drops: number[] } {
  const domain = new DomainState(NOTHING_STORED, asDomainId('domain'), null);
  const sessionizer = new Sessionizer();
  const drops = applyHits(sessionizer, domain, hits);
  return { domain, drops };
}

interface SessionRow {
  start: number;
  seconds: number;
  entry: string;
  exit: string;
  pageViews: number;
  isBounce: number;
  extended: number;
}

function sessionsOf(domain: DomainState, day = MONDAY): SessionRow[] {
  const open = domain.existingSegment(day);
  if (open === null) return [];
  const { sessions, dictionary } = open.segment;
  const paths = dictionary.texts(KIND.path);
  const { columns } = sessions;
  return Array.from({ length: sessions.rowCount }, (_, row) => ({
    start: (columns.startMs[row] as number) - TEN,
    seconds: Math.floor(
      ((columns.lastMs[row] as number) - (columns.startMs[row] as number)) / 1_000,
    ),
    entry: paths[columns.entryPath[row] as number] as string,
    exit: paths[columns.exitPath[row] as number] as string,
    pageViews: columns.pageViews[row] as number,
    isBounce: columns.isBounce[row] as number,
    extended: columns.extended[row] as number,
  }));
}

function timesOnPage(domain: DomainState, day = MONDAY): Record<string, number> {
  const { views, dictionary } = domain.segmentOf(day).segment;
  const paths = dictionary.texts(KIND.path);
  const times: Record<string, number> = {};
  for (let row = 0; row < views.rowCount; row++) {
    times[paths[views.columns.path[row] as number] as string] = views.columns.timeOnPage[row]!;
  }
  return times;
}

test.each([
  { silenceMs: SESSION_GAP_MS - 1, sessions: 1 },
  { silenceMs: SESSION_GAP_MS, sessions: 2 },
  { silenceMs: SESSION_GAP_MS + 1, sessions: 2 },
])(
  'I-40: a visitor silent for $silenceMs ms has $sessions session(s)',
  ({ silenceMs, sessions }) => {
    const { domain } = applied([hit(1, TEN), hit(1, TEN + silenceMs)]);
    expect(sessionsOf(domain)).toHaveLength(sessions);
  },
);

test.each([
  { earlierMs: SESSION_GAP_MS - 1, sessions: 1 },
  { earlierMs: SESSION_GAP_MS, sessions: 2 },
])('I-40: a late hit $earlierMs ms before the start makes $sessions session(s)', (row) => {
  const { domain } = applied([hit(1, TEN), hit(1, TEN - row.earlierMs)]);
  expect(sessionsOf(domain)).toHaveLength(row.sessions);
});

test('I-72: a late page view moves the entry, keeps the exit, and compares with the old entry', () => {
  const { domain } = applied([
    hit(1, TEN, { path: '/b' }),
    hit(1, TEN + 60 * SECOND_MS, { path: '/c' }),
    hit(1, TEN - 30 * SECOND_MS, { path: '/a' }),
    hit(1, TEN + 20 * SECOND_MS, { path: '/m' }),
  ]);
  expect(sessionsOf(domain)).toEqual([
    {
      start: -30_000,
      seconds: 90,
      entry: '/a',
      exit: '/c',
      pageViews: 4,
      isBounce: 0,
      extended: 0,
    },
  ]);
  expect(timesOnPage(domain)).toEqual({ '/a': 30, '/b': 20, '/m': 40, '/c': 0 });
});

test('I-72: a late view of the entry page before the start keeps the bounce', () => {
  const { domain } = applied([hit(1, TEN), hit(1, TEN - SECOND_MS)]);
  expect(sessionsOf(domain)[0]).toMatchObject({ isBounce: 1, pageViews: 2, start: -1_000 });
});

test('I-72: a late event changes neither start nor exit, but ends the bounce', () => {
  const { domain } = applied([hit(1, TEN), event(1, TEN - SECOND_MS, { path: '/x' })]);
  expect(sessionsOf(domain)).toEqual([
    { start: 0, seconds: 0, entry: '/', exit: '/', pageViews: 1, isBounce: 0, extended: 0 },
  ]);
});

test('I-46: a session is carried over midnight by the id of the day before', () => {
  const midnight = MONDAY_MS + DAY_MS;
  const { domain } = applied([
    hit(1, midnight - 10 * MINUTE_MS),
    hit(1, midnight + 10 * MINUTE_MS, { path: '/a' }),
    // Past half past midnight the edge sends no id of the day before.
    hit(1, midnight + 35 * MINUTE_MS, { path: '/b' }),
  ]);
  expect(sessionsOf(domain)).toHaveLength(1);
  expect(sessionsOf(domain)[0]).toMatchObject({ seconds: 2_700, pageViews: 3, exit: '/b' });
  expect(sessionsOf(domain, MONDAY + 1)).toEqual([]);
});

test('W-50: keep-alives carry a session over two midnights', () => {
  const hits = [hit(1, MONDAY_MS + 23 * HOUR_MS + 40 * MINUTE_MS)];
  hits.push(keepAlive(1, MONDAY_MS + 23 * HOUR_MS + 55 * MINUTE_MS));
  for (let hour = 0; hour < 24; hour++) {
    for (const minute of [10, 30, 50]) {
      hits.push(keepAlive(1, MONDAY_MS + DAY_MS + hour * HOUR_MS + minute * MINUTE_MS));
    }
  }
  hits.push(keepAlive(1, MONDAY_MS + 2 * DAY_MS + 5 * MINUTE_MS));
  hits.push(hit(1, MONDAY_MS + 2 * DAY_MS + 20 * MINUTE_MS, { path: '/x' }));
  const { domain } = applied(hits);
  expect(sessionsOf(domain)).toHaveLength(1);
  expect(sessionsOf(domain)[0]).toMatchObject({ seconds: 88_800, extended: 74, pageViews: 2 });
});

test('W-49: an acquisition change after midnight stays with the carried visitor', () => {
  const midnight = MONDAY_MS + DAY_MS;
  const { domain } = applied([
    hit(1, midnight - 10 * MINUTE_MS),
    keepAlive(1, midnight + 10 * MINUTE_MS),
    hit(1, midnight + 15 * MINUTE_MS, { path: '/n', utmCampaign: 'x' }),
    hit(1, midnight + 40 * MINUTE_MS, { path: '/n' }),
    hit(1, midnight + 15 * HOUR_MS, { path: '/z' }),
  ]);
  const monday = sessionsOf(domain);
  expect(monday.map(({ seconds, extended, pageViews }) => [seconds, extended, pageViews])).toEqual([
    [1_200, 1, 1],
    [1_500, 0, 2],
  ]);
  expect(domain.segmentOf(MONDAY).segment.visitors.rowCount).toBe(1);
  expect(sessionsOf(domain, MONDAY + 1)).toHaveLength(1);
});

test('I-46: a late hit finds the carried session although the id has a newer one', () => {
  const midnight = MONDAY_MS + DAY_MS;
  const { domain } = applied([
    hit(1, midnight - MINUTE_MS),
    hit(1, midnight + 20 * MINUTE_MS),
    hit(1, midnight + 12 * HOUR_MS),
    hit(1, midnight + 40 * MINUTE_MS, { path: '/late' }),
    // The id of the day is bound to the carried session again, which is not live at noon.
    hit(1, midnight + 12 * HOUR_MS + MINUTE_MS),
  ]);
  expect(sessionsOf(domain)[0]).toMatchObject({ pageViews: 3, exit: '/late' });
  expect(sessionsOf(domain, MONDAY + 1)).toHaveLength(2);
});

test.each(['referrer', 'referrerName', 'utmSource', 'utmTerm'] as const)(
  'I-48: another %s opens a new session, an empty one does not',
  (field) => {
    const { domain } = applied([
      hit(1, TEN, { [field]: 'a' }),
      hit(1, TEN + 1, { [field]: '' }),
      hit(1, TEN + 2, { [field]: 'a' }),
      hit(1, TEN + 3, { [field]: 'b' }),
      hit(1, TEN + 4),
    ]);
    expect(sessionsOf(domain).map(({ pageViews }) => pageViews)).toEqual([3, 2]);
  },
);

test('I-49: a session at its cap drops views and events but takes keep-alives', () => {
  const full = Array.from({ length: SESSION_PAGE_VIEWS_MAX }, (_, at) => hit(1, TEN + at));
  const { domain, drops } = applied([
    ...full,
    hit(1, TEN + 1_000, { path: '/more' }),
    event(1, TEN + 2_000),
    keepAlive(1, TEN + 3_000),
    hit(1, TEN + 4_000, { utmCampaign: 'c' }),
  ]);
  expect(drops.filter((reason) => reason !== 0)).toHaveLength(2);
  expect(sessionsOf(domain)).toMatchObject([
    { pageViews: SESSION_PAGE_VIEWS_MAX, seconds: 3, extended: 1, exit: '/' },
    { pageViews: 1 },
  ]);
  expect(domain.segmentOf(MONDAY).segment.events.rowCount).toBe(0);
});

test('I-43: an event without title on the exit page keeps the exit title', () => {
  const { domain } = applied([
    hit(1, TEN, { title: 'Home' }),
    event(1, TEN + 1, { title: '' }),
    hit(2, TEN, { title: 'Home' }),
    event(2, TEN + 1, { title: '', path: '/other' }),
  ]);
  const { sessions, dictionary } = domain.segmentOf(MONDAY).segment;
  const titles = dictionary.texts(KIND.title);
  expect([0, 1].map((row) => titles[sessions.columns.exitTitle[row] as number])).toEqual([
    'Home',
    '',
  ]);
});

test('I-79: beyond the limit of distinct paths further ones are (other), known ones stay', () => {
  const { domain } = applied([hit(1, TEN)]);
  const { dictionary } = domain.segmentOf(MONDAY).segment;
  for (let at = 1; at < DISTINCT_VALUES_MAX; at++) dictionary.intern(KIND.path, `/p${at}`);
  expect(dictionary.texts(KIND.path)).toHaveLength(DISTINCT_VALUES_MAX + 1);
  const sessionizer = new Sessionizer();
  applyHits(sessionizer, domain, [
    hit(2, TEN, { path: '/new' }),
    hit(3, TEN, { path: '/p7' }),
    hit(4, TEN, { path: '/newer' }),
  ]);
  expect(sessionsOf(domain).map(({ entry }) => entry)).toEqual([
    '/',
    OTHER_VALUE,
    '/p7',
    OTHER_VALUE,
  ]);
});

test('I-79, S-64: of several keys of one page view that have become (other) one is kept', () => {
  const { domain } = applied([hit(1, TEN)]);
  const { dictionary } = domain.segmentOf(MONDAY).segment;
  for (let at = 0; at < DISTINCT_VALUES_MAX; at++) dictionary.intern(KIND.tagKey, `k${at}`);
  const pairs = ['new', '1', 'k7', '2', 'newer', '3'];
  applyHits(new Sessionizer(), domain, [hit(2, TEN, { pairs }), hit(3, TEN, { pairs })]);
  const { tagPairs, views } = domain.segmentOf(MONDAY).segment;
  const [keys, values] = [dictionary.texts(KIND.tagKey), dictionary.texts(KIND.tagValue)];
  const read = (row: number) => [
    keys[tagPairs.columns.key[row] as number],
    values[tagPairs.columns.value[row] as number],
  ];
  const once = [
    [OTHER_VALUE, '1'],
    ['k7', '2'],
  ];
  expect([0, 1, 2, 3].map(read)).toEqual([...once, ...once]);
  expect([...views.columns.tagEnd.subarray(0, views.rowCount)]).toEqual([0, 2, 4]);
});
