// Goal: ranges and buckets hold exactly the rows of their local time, in any zone.
// Method: views one millisecond before, on and after each edge; random rows against plain arrays.

import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { ask, columnsOf } from './ask.ts';
import { type Step, segmentsOf } from './segment-builder.ts';

const visits = (...times: string[]) =>
  segmentsOf(times.map((time, index) => [`v${index}`, [{ at: time, view: '/' }]]));

test.each([
  ['2024-05-05T23:59:59.999Z', 0],
  ['2024-05-06T00:00:00.000Z', 1],
  ['2024-05-06T00:00:00.001Z', 1],
  ['2024-05-06T23:59:59.999Z', 1],
  ['2024-05-07T00:00:00.000Z', 0],
])('F-1: a view at %s is %d times in 2024-05-06', (time, views) => {
  const total = ask(visits(time), 'total', 'from=2024-05-06&to=2024-05-06');
  expect(total.views).toBe(views);
});

test.each([
  ['2024-05-06T10:29:59.999Z', 0],
  ['2024-05-06T10:30:00.000Z', 1],
  ['2024-05-06T10:45:59.999Z', 1],
  ['2024-05-06T10:46:00.000Z', 0],
])('F-5: a view at %s is %d times in 10:30 to 10:45', (time, views) => {
  const range = 'from=2024-05-06&to=2024-05-06&from_time=10:30&to_time=10:45';
  expect(ask(visits(time), 'total', range).views).toBe(views);
});

describe('series (S-21)', () => {
  test('days of 23 and of 25 hours hold all their rows', () => {
    const hours = (start: string, count: number) =>
      Array.from({ length: count }, (_, hour) =>
        new Date(Date.parse(start) + hour * 3_600_000).toISOString(),
      );
    const spring = visits(...hours('2024-03-30T23:00:00Z', 48));
    const inSpring = ask(spring, 'visitor', 'from=2024-03-31&to=2024-04-01&tz=Europe/Berlin');
    expect(columnsOf(inSpring, 'views').flat()).toEqual([23, 24]);
    const autumn = visits(...hours('2024-10-26T22:00:00Z', 48));
    const inAutumn = ask(autumn, 'visitor', 'from=2024-10-27&to=2024-10-28&tz=Europe/Berlin');
    expect(columnsOf(inAutumn, 'views').flat()).toEqual([25, 23]);
  });

  test('a zone without midnight and a date that was skipped', () => {
    const cairo = visits('2024-04-25T21:59:59.999Z', '2024-04-25T22:00:00Z');
    const rows = ask(cairo, 'visitor', 'from=2024-04-25&to=2024-04-26&tz=Africa/Cairo');
    expect(columnsOf(rows, 'day', 'views')).toEqual([
      ['2024-04-25T00:00:00Z', 1],
      ['2024-04-26T00:00:00Z', 1],
    ]);
    const apia = visits('2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00Z');
    const skipped = ask(apia, 'visitor', 'from=2011-12-29&to=2011-12-31&tz=Pacific/Apia');
    expect(columnsOf(skipped, 'views').flat()).toEqual([1, 0, 1]);
  });

  test('the first buckets there are begin with 1970, its first week on the Monday before (F-1)', () => {
    const first = {
      week: '1969-12-29',
      month: '1970-01-01',
      year: '1970-01-01',
      day: '1970-01-01',
    };
    for (const [scale, day] of Object.entries(first)) {
      for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Adak']) {
        const range = `from=1970-01-01&to=1970-01-08&scale=${scale}&tz=${zone}`;
        const rows = ask([], 'visitor', range) as Record<string, string>[];
        expect(rows[0]?.[scale]).toBe(`${day}T00:00:00Z`);
        expect(ask([], 'growth', range)).toMatchObject({ views_growth: 0 });
      }
    }
  });

  test('weeks start on Monday and hold only data of the range', () => {
    const segments = visits('2024-05-07T10:00:00Z', '2024-05-08T10:00:00Z', '2024-05-13T00:00:00Z');
    const rows = ask(segments, 'visitor', 'from=2024-05-08&to=2024-05-13&scale=week');
    expect(columnsOf(rows, 'week', 'day', 'views')).toEqual([
      ['2024-05-06T00:00:00Z', null, 1],
      ['2024-05-13T00:00:00Z', null, 1],
    ]);
  });

  test('months and years, 29 February among them', () => {
    const segments = visits('2023-12-31T23:59:59Z', '2024-02-29T12:00:00Z', '2024-03-01T00:00:00Z');
    const range = 'from=2023-12-15&to=2024-03-02';
    expect(columnsOf(ask(segments, 'visitor', `${range}&scale=month`), 'month', 'views')).toEqual([
      ['2023-12-01T00:00:00Z', 1],
      ['2024-01-01T00:00:00Z', 0],
      ['2024-02-01T00:00:00Z', 1],
      ['2024-03-01T00:00:00Z', 1],
    ]);
    expect(columnsOf(ask(segments, 'visitor', `${range}&scale=year`), 'year', 'views')).toEqual([
      ['2023-01-01T00:00:00Z', 1],
      ['2024-01-01T00:00:00Z', 2],
    ]);
  });

  test('S-22: a visitor of two days counts in both, and once in the total', () => {
    const segments = segmentsOf([
      [
        'a',
        [
          { at: '2024-05-06T23:50:00Z', view: '/' },
          { at: '2024-05-07T00:10:00Z', view: '/' },
        ],
      ],
    ]);
    const range = 'from=2024-05-06&to=2024-05-07';
    expect(columnsOf(ask(segments, 'visitor', range), 'visitors', 'cr')).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(ask(segments, 'total', range).visitors).toBe(1);
    const week = ask(segments, 'visitor', `${range}&scale=week`);
    expect(columnsOf(week, 'visitors', 'sessions', 'views')).toEqual([[1, 1, 2]]);
  });

  test('S-6: the denominator of cr is that of the bucket', () => {
    const segments = segmentsOf([
      ['a', [{ at: '2024-05-06T10:00:00Z', view: '/x' }]],
      ['b', [{ at: '2024-05-06T10:00:00Z', view: '/' }]],
      ['a', [{ at: '2024-05-07T10:00:00Z', view: '/' }]],
    ]);
    const rows = ask(segments, 'visitor', 'from=2024-05-06&to=2024-05-07&path=/x');
    expect(columnsOf(rows, 'cr').flat()).toEqual([0.5, 0]);
  });
});

test('random sessions over a month agree with plain arrays in zones of every kind', () => {
  let seed = 20_240_506;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const sessions: [string, Step[]][] = Array.from({ length: 1_500 }, () => {
    const startMs = Date.UTC(2024, 2, 15) + random(30 * 86_400) * 1_000;
    const times = Array.from({ length: 1 + random(4) }, (_, i) => startMs + i * random(1_700_000));
    return [
      `v${random(200)}`,
      times
        .sort((a, b) => a - b)
        .map((ms) => ({
          at: new Date(ms).toISOString(),
          view: `/p${random(60)}`,
        })),
    ];
  });
  const segments = segmentsOf(sessions);
  const views = sessions.flatMap(([visitor, steps], session) =>
    steps.map((step) => ({
      ms: Date.parse(step.at),
      path: step.view as string,
      session,
      // A visitor is one of its day.
      visitor: `${visitor} ${(steps[0] as Step).at.slice(0, 10)}`,
    })),
  );
  const distinct = <T>(rows: T[], key: (row: T) => unknown) => new Set(rows.map(key)).size;
  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'Asia/Kathmandu',
    'Pacific/Chatham',
    'Africa/Cairo',
  ]) {
    const range = `from=2024-03-20&to=2024-04-10&tz=${zone}`;
    const dated = views
      .map((row) => ({ ...row, date: DateTime.fromMillis(row.ms, { zone }).toISODate() as string }))
      .filter(({ date }) => date >= '2024-03-20' && date <= '2024-04-10');
    for (const path of [null, '/p7']) {
      const rows = dated.filter((row) => path === null || row.path === path);
      for (const bucket of ask(
        segments,
        'visitor',
        range + (path === null ? '' : `&path=${path}`),
      )) {
        const inside = rows.filter(({ date }) => bucket.day.startsWith(date));
        expect([bucket.views, bucket.sessions, bucket.visitors], `${zone} ${bucket.day}`).toEqual([
          inside.length,
          distinct(inside, (row) => row.session),
          distinct(inside, (row) => row.visitor),
        ]);
      }
    }
    for (const page of ask(segments, 'page', range)) {
      const rows = dated.filter((row) => row.path === page.path);
      expect([page.views, page.sessions, page.visitors], `${zone} ${page.path}`).toEqual([
        rows.length,
        distinct(rows, (row) => row.session),
        distinct(rows, (row) => row.visitor),
      ]);
    }
  }
});
