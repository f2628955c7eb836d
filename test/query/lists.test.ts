// Goal: lists have the right groups, figures, order and page.
// Method: a few hand-made sessions per rule, over more than one segment where merging matters.

import { describe, expect, test } from 'vitest';
import { OperatingError } from '../../src/model/errors.ts';
import { runStatistics } from '../../src/query/answers/run.ts';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { ask, columnsOf, queryOf } from './ask.ts';
import { type Dimensions, type Step, segmentsOf } from './segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';
const at = (time: string) => `2024-05-${time}Z`;
const one = (visitor: string, path: string, dimensions: Dimensions = {}, day = '06') =>
  [visitor, [{ at: at(`${day}T10:00:00`), view: path }], dimensions] as const;

describe('no data (S-7, S-12)', () => {
  const objects = ['total', 'platform', 'active', 'growth'];
  const series = {
    ...{ visitor: 2, hours: 24, minutes: 60, 'hours/week': 168 },
    ...{ 'duration/session': 2, 'duration/page': 2 },
  };
  test.each(STATISTICS.map(({ name }) => name))('%s answers without an error', (name) => {
    const answer = ask([], name, DAYS);
    const rows = (series as Record<string, number>)[name] ?? 0;
    if (name === 'funnel') expect(answer.data[1]).toMatchObject({ visitors: 0, drop_off: 0 });
    else if (name === 'overview') expect(answer.visitors_time_series).toHaveLength(7);
    else if (!objects.includes(name)) expect(answer).toHaveLength(rows);
    else if (name === 'active') expect(answer).toEqual({ stats: [], visitors: 0 });
    else expect(Object.values(answer).every((value) => value === 0)).toBe(true);
  });
});

describe('page (S-40, S-46, S-58, S-10)', () => {
  const titled = (visitor: string, path: string, title: string, day: string) =>
    [visitor, [{ at: at(`${day}T10:00:00`), view: path, title }]] as const;
  const segments = segmentsOf([
    titled('a', '/b', 'B', '06'),
    titled('b', '/b', 'Bee', '06'),
    titled('b', '/a', 'A', '06'),
    titled('a', '/b', 'B', '07'),
    titled('b', '/c', 'C', '07'),
  ]);
  test('groups merge over days by text and carry their relative figures', () => {
    const fields = ['path', 'title', 'visitors', 'views', 'sessions', 'bounces', 'bounce_rate'];
    const rows = ask(segments, 'page', DAYS);
    expect(columnsOf(rows, ...fields, 'relative_visitors', 'relative_views')).toEqual([
      ['/b', '', 3, 3, 3, 3, 1, 0.75, 0.6],
      ['/a', '', 1, 1, 1, 1, 1, 0.25, 0.2],
      ['/c', '', 1, 1, 1, 1, 1, 0.25, 0.2],
    ]);
  });
  test('by title a page is a row per title', () => {
    const rows = ask(segments, 'page', `${DAYS}&include_title=true`);
    expect(columnsOf(rows, 'path', 'title', 'visitors')).toEqual([
      ['/b', 'B', 2],
      ['/a', 'A', 1],
      ['/b', 'Bee', 1],
      ['/c', 'C', 1],
    ]);
  });
  test.each([
    ['search=/B', [['/b', '']]],
    [
      'search=!b',
      [
        ['/a', ''],
        ['/c', ''],
      ],
    ],
    ['search=bee&include_title=true', [['/b', 'Bee']]],
    [
      'search=!b&include_title=true',
      [
        ['/a', 'A'],
        ['/c', 'C'],
      ],
    ],
    [
      'search=%20',
      [
        ['/b', ''],
        ['/a', ''],
        ['/c', ''],
      ],
    ],
    [
      'sort=path&direction=desc',
      [
        ['/c', ''],
        ['/b', ''],
        ['/a', ''],
      ],
    ],
    [
      'sort=views&direction=asc',
      [
        ['/a', ''],
        ['/c', ''],
        ['/b', ''],
      ],
    ],
    ['limit=1', [['/b', '']]],
    ['limit=1&offset=1', [['/a', '']]],
    ['offset=3', []],
  ])('F-32, F-33: %s', (parameters, rows) => {
    const answer = ask(segments, 'page', `${DAYS}&${parameters}`);
    expect(columnsOf(answer, 'path', 'title')).toEqual(rows);
  });
  test('time on page is the mean of the views that have one, half-even: 4.5 is 4, 5.5 is 6 (S-9)', () => {
    const timed = (seconds: number[]) =>
      segmentsOf(
        seconds.map((s, i) => [
          `v${i}`,
          [
            { at: at('06T10:00:00'), view: '/' },
            { at: at(`06T10:00:0${s}`), view: '/x' },
          ],
        ]),
      );
    const timeOf = (seconds: number[], flag = '&include_avg_time_on_page=1') =>
      ask(timed(seconds), 'page', `${DAYS}${flag}&path=/`)[0].average_time_spent_seconds;
    expect([timeOf([4, 5]), timeOf([5, 6]), timeOf([4, 4, 5]), timeOf([0, 4])]).toEqual([
      4, 6, 4, 4,
    ]);
    expect(timeOf([4, 5], '')).toBe(0);
  });
  test('S-46: entry pages are (path, title), their page figures per path', () => {
    const rows = ask(segments, 'page/entry', `${DAYS}&include_title=true`);
    expect(columnsOf(rows, 'path', 'title', 'entries', 'visitors', 'sessions')).toEqual([
      ['/b', 'B', 2, 3, 3],
      ['/a', 'A', 1, 1, 1],
      ['/b', 'Bee', 1, 3, 3],
      ['/c', 'C', 1, 1, 1],
    ]);
  });
});

describe('order (S-10)', () => {
  test('ties end on the dimension by code point, above the surrogates too', () => {
    const names = ['b', 'a', '\u{1F600}', '！', 'aa', 'Z', ''];
    const segments = segmentsOf(names.map((name, i) => one(`v${i}`, '/', { browser: name })));
    const rows = ask(segments, 'browser', DAYS);
    expect(columnsOf(rows, 'browser').flat()).toEqual(['', 'Z', 'a', 'aa', 'b', '！', '\u{1F600}']);
  });
  test('a page of a long list is what sorting all of it would show', () => {
    let seed = 42;
    const random = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    const segments = segmentsOf(
      Array.from({ length: 3_000 }, (_, i) => one(`v${i}`, `/p${Math.floor(random() * 900)}`)),
    );
    const counts = new Map<string, number>();
    for (const row of ask(segments, 'page', `${DAYS}&limit=100`)) counts.set(row.path, row.views);
    expect(counts.size).toBe(100);
    const all = Array.from({ length: 10 }, (_, page) =>
      ask(segments, 'page', `${DAYS}&offset=${page * 100}`),
    ).flat();
    const sorted = [...all].sort((a, b) => b.visitors - a.visitors || (a.path < b.path ? -1 : 1));
    expect(all).toEqual(sorted);
    expect(new Set(all.map((row) => row.path)).size).toBe(all.length);
    expect(all.reduce((sum, row) => sum + row.views, 0)).toBe(3_000);
  });
});

describe('values of a session dimension (S-11, S-51, S-53, S-56)', () => {
  const segments = segmentsOf([
    one('a', '/', { country: 'de' }),
    one('a', '/', { country: 'gb' }),
    one('a', '/', { country: 'de' }),
    one('b', '/', { country: 'gb' }),
    one('b', '/', { country: 'de' }),
    one('b', '/', { country: 'gb' }),
    one('c', '/', {}),
    one('d', '/', { country: 'gb' }, '07'),
  ]);
  test('a visitor with sessions of two values counts in both, once each', () => {
    const fields = ['country', 'country_code', 'visitors', 'relative_visitors'];
    expect(columnsOf(ask(segments, 'country', DAYS), ...fields)).toEqual([
      ['gb', 'gb', 3, 0.75],
      ['de', 'de', 2, 0.5],
      ['', '', 1, 0.25],
    ]);
  });
  test('S-5: relative figures keep the unfiltered denominator', () => {
    const rows = ask(segments, 'country', `${DAYS}&country=de`);
    expect(columnsOf(rows, 'country', 'visitors', 'relative_visitors')).toEqual([['de', 2, 0.5]]);
  });
  test('search keeps groups, inverted drops them', () => {
    expect(columnsOf(ask(segments, 'country', `${DAYS}&search=D`), 'country')).toEqual([['de']]);
    expect(columnsOf(ask(segments, 'country', `${DAYS}&search=!g`), 'country')).toEqual([
      ['de'],
      [''],
    ]);
  });
});

describe('referrer (S-50)', () => {
  const from = (visitor: string, name: string, url: string, day = '06') =>
    one(visitor, '/', { referrerName: name, referrer: url }, day);
  const segments = segmentsOf([
    from('a', 'Google', 'https://google.de'),
    from('b', 'Google', ''),
    from('c', 'Google', 'https://google.com', '07'),
    from('c', 'Google', 'https://google.de', '07'),
    from('d', '', ''),
  ]);
  const fields = [
    'referrer_name',
    'referrer',
    'visitors',
    'sessions',
    'bounces',
    'relative_visitors',
  ];
  test('is by name with the smallest URL; direct traffic is the empty row', () => {
    expect(columnsOf(ask(segments, 'referrer', DAYS), ...fields)).toEqual([
      ['Google', 'https://google.com', 3, 4, 4, 0.75],
      ['', '', 1, 1, 1, 0.25],
    ]);
  });
  test.each(['referrer_name=Google', 'referrer=Google'])('is by name and URL with %s', (filter) => {
    expect(columnsOf(ask(segments, 'referrer', `${DAYS}&${filter}`), ...fields)).toEqual([
      ['Google', 'https://google.de', 2, 2, 2, 0.5],
      ['Google', '', 1, 1, 1, 0.25],
      ['Google', 'https://google.com', 1, 1, 1, 0.25],
    ]);
  });
  test.each([
    ['referrer=https://google.de', 2],
    ['referrer=!Google', 1],
    ['referrer=!https://google.de', 3],
    ['referrer=null', 1],
    ['referrer=!null', 3],
    ['referrer=~GOOGLE.COM', 1],
    ['referrer=^google', 1],
    ['referrer_name=null', 1],
  ])('F-23, F-27: %s keeps %d visitors', (filter, visitors) => {
    expect(ask(segments, 'total', `${DAYS}&${filter}`).visitors).toBe(visitors);
  });
  test('F-32: search tests the shown name and URL', () => {
    expect(columnsOf(ask(segments, 'referrer', `${DAYS}&search=.com`), ...fields)).toHaveLength(1);
    expect(columnsOf(ask(segments, 'referrer', `${DAYS}&search=.de`), ...fields)).toHaveLength(0);
  });
  test('the icon is the smallest non-empty one of the group', () => {
    const apps = segmentsOf([
      one('a', '/', { referrerName: 'App', referrerIcon: 'z.png' }),
      one('b', '/', { referrerName: 'App', referrerIcon: 'b.png' }),
      one('c', '/', { referrerName: 'App' }),
    ]);
    expect(columnsOf(ask(apps, 'referrer', DAYS), 'referrer_icon')).toEqual([['b.png']]);
  });
});

describe('events (S-13, S-60)', () => {
  const event = (time: string, name: string, more: Partial<Step> = {}): Step => ({
    at: at(time),
    event: name,
    ...more,
  });
  const segments = segmentsOf([
    [
      'a',
      [
        { at: at('06T10:00:00'), view: '/' },
        event('06T10:01:00', 'buy', { on: '/x', duration: 3, meta: { size: 'L', color: 'red' } }),
        event('06T10:02:00', 'buy', { on: '/y', duration: 4, meta: { size: 'M' } }),
        { at: at('06T10:03:00'), view: '/y' },
      ],
    ],
    ['b', [event('06T10:00:00', 'buy', { on: '/x' }), event('06T10:01:00', 'see')]],
    // Its page view is on the 6th, its event on the 7th.
    [
      'c',
      [{ at: at('06T23:50:00'), view: '/' }, event('07T00:05:00', 'see', { meta: { k: 'v' } })],
    ],
  ]);
  const fields = ['name', 'count', 'visitors', 'views', 'cr', 'average_duration_seconds'];
  test('count, visitors, the views of their sessions and a truncated mean duration (S-9)', () => {
    const rows = ask(segments, 'events', DAYS);
    expect(columnsOf(rows, ...fields)).toEqual([
      ['buy', 3, 2, 3, 0.6667, 2],
      ['see', 2, 2, 2, 0.6667, 0],
    ]);
    expect(rows[0].meta_keys).toEqual(['color', 'size']);
    expect(rows[1].meta_keys).toEqual(['k']);
  });
  test('S-6: a visitor who viewed no page in the range counts, against a denominator of at least 1', () => {
    const rows = ask(segments, 'events', 'from=2024-05-07&to=2024-05-07');
    expect(columnsOf(rows, ...fields)).toEqual([['see', 1, 1, 0, 1, 0]]);
  });
  test.each([
    ['path=/x', [['buy', 2, 2, 3]]],
    ['event=!buy', [['see', 2, 2, 2]]],
    ['event=^UY', [['see', 2, 2, 2]]],
    ['event=null', []],
    ['event=!null&event=buy', [['buy', 3, 2, 3]]],
    ['meta_size=L', [['buy', 1, 1, 2]]],
    [
      'meta_size=!L',
      [
        ['buy', 2, 2, 3],
        ['see', 2, 2, 2],
      ],
    ],
    ['meta_size=L&meta_color=red', [['buy', 1, 1, 2]]],
    ['meta_size=M&meta_color=red', []],
    ['tag=size', [['buy', 2, 1, 2]]],
    ['tag_size=M', [['buy', 1, 1, 2]]],
    [
      'event_meta_key=!size',
      [
        ['see', 2, 2, 2],
        ['buy', 1, 1, 1],
      ],
    ],
    [
      'entry_path=/x',
      [
        ['buy', 1, 1, 1],
        ['see', 1, 1, 1],
      ],
    ],
    ['search=E', [['see', 2, 2, 2]]],
  ])('with %s', (filter, rows) => {
    const answer = ask(segments, 'events', `${DAYS}&${filter}`);
    expect(columnsOf(answer, 'name', 'count', 'visitors', 'views')).toEqual(rows);
  });
  test.each([
    ['event=buy', 2],
    ['event=!buy', 1],
    ['event=!buy&meta_k=v', 1],
    ['event=buy&event=!see', 1],
    ['event=~E', 2],
    ['event=null', 0],
    ['event_meta_key=size&meta_color=red', 1],
    ['event_meta_key=!size', 2],
    ['event=buy&meta_size=null', 1],
  ])('F-12, F-25 on total: %s keeps %d visitors', (filter, visitors) => {
    expect(ask(segments, 'total', `${DAYS}&${filter}`).visitors).toBe(visitors);
  });
});

test('F-31: visitor and session id together select one session', () => {
  const segments = segmentsOf([one('a', '/x'), one('a', '/y'), one('b', '/z')]);
  // The builder's ids: the visitor's ordinal + 1 and the day of the segment.
  const day = segments[0]?.day as number;
  const visitor = (BigInt(day) * 2n ** 32n + 1n).toString();
  const paths = (filter: string) =>
    columnsOf(ask(segments, 'page', `${DAYS}&${filter}`), 'path').flat();
  expect(paths(`visitor_id=${visitor}&session_id=2`)).toEqual(['/y']);
  expect(paths(`visitor_id=${visitor}&session_id=3`)).toEqual([]);
  expect(paths(`visitor_id=${visitor}&session_id=0`)).toEqual([]);
  expect(paths(`visitor_id=${visitor}&session_id=99`)).toEqual([]);
  expect(paths(`visitor_id=${visitor}`)).toHaveLength(3);
});

test.each([
  [3, true],
  [4, true],
  [2, false],
])('a query over 3 rows with a budget of %d is answered: %s', (rowsMax, isAnswered) => {
  const segments = segmentsOf([
    [
      'a',
      [
        { at: at('06T10:00:00'), view: '/' },
        { at: at('06T10:00:01'), view: '/' },
      ],
    ],
  ]);
  const run = () =>
    runStatistics({ ...queryOf('total', `${DAYS}&country=!xx`), rowsMax }, segments);
  if (isAnswered) expect(run).not.toThrow();
  else expect(run).toThrow(OperatingError);
});
