// Goal: the engine answers the worked examples of the semantics to the digit.
// Method: segments are built from the examples' sessions; the same examples run over HTTP elsewhere.

import { describe, expect, test } from 'vitest';
import { ask, columnsOf } from './ask.ts';
import { type Dimensions, type Step, segmentsOf } from './segment-builder.ts';

const view = (at: string, path: string): Step => ({ at: `2024-${at}:00Z`, view: path });
const TOTAL = ['visitors', 'sessions', 'views', 'bounces', 'bounce_rate', 'cr'] as const;
const DAY = 'from=2024-05-06&to=2024-05-06';

describe('W-18: daily series with filters', () => {
  const segments = segmentsOf([
    ['u1', [view('05-02T10:00', '/bar'), view('05-02T10:05', '/')]],
    ['u1', [view('05-02T12:00', '/')]],
    ['u2', [view('05-02T10:00', '/')]],
    ['u2', [view('05-02T12:00', '/bar')]],
    ['u3', [view('05-02T10:00', '/')]],
    ['u4', [view('05-02T10:00', '/')]],
    [
      'u5',
      [
        view('05-04T10:00', '/bar'),
        view('05-04T10:05', '/bar'),
        { at: '2024-05-04T10:05:00Z', event: 'e', on: '/bar' },
      ],
    ],
    ['u6', [view('05-04T10:00', '/'), view('05-04T10:10', '/bar')]],
    ['u7', [view('05-04T10:00', '/')]],
    ['u8', [view('05-04T10:00', '/')]],
    ['u9', [view('05-06T10:00', '/')]],
  ]);
  const none = [0, 0, 0, 0, 0, 0];
  const one = [1, 1, 1, 1, 1, 1];
  test.each([
    {
      filter: '',
      second: [4, 6, 7, 5, 0.8333, 1],
      fourth: [4, 4, 6, 2, 0.5, 1],
      total: [9, 11, 14, 8, 0.7273, 1],
    },
    {
      filter: '&path=/',
      second: [4, 5, 5, 4, 0.8, 1],
      fourth: [3, 3, 3, 2, 0.6667, 0.75],
      total: [8, 9, 9, 7, 0.7778, 0.8889],
    },
    {
      filter: '&entry_path=/',
      second: [4, 4, 4, 4, 1, 1],
      fourth: [3, 3, 4, 2, 0.6667, 0.75],
      total: [8, 8, 9, 7, 0.875, 0.8889],
    },
  ])("with '$filter'", ({ filter, second, fourth, total }) => {
    const range = `from=2024-05-02&to=2024-05-06${filter}`;
    const rows = ask(segments, 'visitor', range);
    expect(columnsOf(rows, ...TOTAL)).toEqual([second, none, fourth, none, one]);
    expect(rows[0].day).toBe('2024-05-02T00:00:00Z');
    expect([rows[0].week, rows[0].month, rows[0].year]).toEqual([null, null, null]);
    expect(columnsOf(ask(segments, 'total', range), ...TOTAL)).toEqual([total]);
  });
});

describe('W-19: time zones', () => {
  const segments = segmentsOf([
    ['u1', [view('05-03T18:00', '/')]],
    ['u2', [view('05-04T00:00', '/')]],
    ['u3', [view('05-05T19:00', '/')]],
  ]);
  test.each([
    ['UTC', [1, 1, 1]],
    ['Asia/Tokyo', [0, 2, 0]],
  ])('in %s', (zone, visitors) => {
    const rows = ask(segments, 'visitor', `from=2024-05-03&to=2024-05-05&tz=${zone}`);
    expect(columnsOf(rows, 'visitors').flat()).toEqual(visitors);
  });
});

describe('W-21: path filters', () => {
  const segments = segmentsOf([
    ['a', [view('05-06T10:00', '/'), view('05-06T10:01', '/x')]],
    ['b', [view('05-06T10:00', '/x')]],
    ['c', [view('05-06T10:00', '/'), view('05-06T10:01', '/')]],
  ]);
  test.each([
    ['', [3, 3, 5, 2, 1]],
    ['&path=/x', [2, 2, 2, 1, 0.6667]],
    ['&path=/', [2, 2, 3, 1, 0.6667]],
    ['&path=/&path=/x', [3, 3, 5, 2, 1]],
    ['&path=!/', [2, 2, 2, 1, 0.6667]],
    ['&entry_path=/', [2, 2, 4, 1, 0.6667]],
    ['&exit_path=/x', [2, 2, 3, 1, 0.6667]],
    // F-20 to F-26 on the same rows.
    ['&path=~X', [2, 2, 2, 1, 0.6667]],
    ['&path=^x', [2, 2, 3, 1, 0.6667]],
    ['&path=!', [3, 3, 5, 2, 1]],
    ['&path=~', [3, 3, 5, 2, 1]],
    ['&path=null', [0, 0, 0, 0, 0]],
    ['&path=!null', [3, 3, 5, 2, 1]],
    ['&path=%25', [0, 0, 0, 0, 0]],
  ])("with '%s'", (filter, figures) => {
    const total = ask(segments, 'total', `${DAY}${filter}`);
    expect(columnsOf(total, 'visitors', 'sessions', 'views', 'bounces', 'cr')).toEqual([figures]);
  });
});

describe('W-22: event filters', () => {
  const segments = segmentsOf([
    ['a', [{ at: '2024-05-06T10:00:00Z', event: 'event', on: '/', meta: { bar: '2' } }]],
    ['b', [view('05-06T10:00', '/foo')]],
  ]);
  test.each([
    ['event=event', [1, 1, 1, 1, 0.5]],
    ['event=event&event_meta_key=bar', [1, 1, 1, 1, 0.5]],
    ['event=event&meta_bar=2', [1, 1, 1, 1, 0.5]],
    ['meta_bar=2', [1, 1, 1, 1, 0.5]],
    ['event=!event', [1, 1, 1, 1, 0.5]],
    ['meta_bar=3', [0, 0, 0, 0, 0]],
    ['event=null', [1, 1, 1, 1, 0.5]],
    ['event=!null', [1, 1, 1, 1, 0.5]],
    ['event=null&event=event', [2, 2, 2, 2, 1]],
    ['event=null&meta_bar=2', [0, 0, 0, 0, 0]],
    ['event=event&path=/foo', [0, 0, 0, 0, 0]],
  ])("with '%s'", (filter, figures) => {
    const total = ask(segments, 'total', `${DAY}&${filter}`);
    expect(columnsOf(total, 'visitors', 'sessions', 'views', 'bounces', 'cr')).toEqual([figures]);
  });

  test('event=!event keeps b, event=event keeps a', () => {
    expect(columnsOf(ask(segments, 'page', `${DAY}&event=!event`), 'path')).toEqual([['/foo']]);
    expect(columnsOf(ask(segments, 'page', `${DAY}&event=event`), 'path')).toEqual([['/']]);
  });
});

test('W-9: a session over midnight counts on both days with the views of each', () => {
  const segments = segmentsOf([
    ['a', [view('05-06T23:50', '/'), view('05-07T00:10', '/a'), view('05-07T00:35', '/b')]],
  ]);
  const range = 'from=2024-05-06&to=2024-05-07';
  expect(columnsOf(ask(segments, 'visitor', range), 'visitors', 'views', 'sessions')).toEqual([
    [1, 1, 1],
    [1, 2, 1],
  ]);
  expect(columnsOf(ask(segments, 'total', range), 'visitors', 'views', 'sessions')).toEqual([
    [1, 3, 1],
  ]);
  expect(columnsOf(ask(segments, 'page', DAY), 'path', 'views')).toEqual([['/', 1]]);
  const next = 'from=2024-05-07&to=2024-05-07';
  const entry = ask(segments, 'page/entry', next);
  expect(columnsOf(entry, 'path', 'entries', 'visitors', 'sessions')).toEqual([['/', 1, 0, 0]]);
  const exit = ask(segments, 'page/exit', DAY);
  expect(columnsOf(exit, 'path', 'exits', 'visitors', 'sessions')).toEqual([['/b', 1, 0, 0]]);
});

describe('W-12: an event comes first', () => {
  const first: Step = { at: '2024-05-06T10:00:00Z', event: 'order', on: '/shop' };
  const steps: Step[] = [
    first,
    { at: '2024-05-06T10:01:00Z', event: 'scroll', on: '/shop', nonInteractive: true },
    { at: '2024-05-06T10:02:00Z', event: 'order', on: '/shop' },
  ];
  test('one view, bounced until an interactive event follows', () => {
    const totals = [1, 2, 3].map((count) => {
      const segments = segmentsOf([['a', steps.slice(0, count)]]);
      return columnsOf(ask(segments, 'total', DAY), 'visitors', 'views', 'bounces')[0];
    });
    expect(totals).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 0],
    ]);
  });
  test('events carry the views of their sessions', () => {
    const rows = ask(segmentsOf([['a', steps]]), 'events', DAY);
    expect(columnsOf(rows, 'name', 'count', 'visitors', 'views')).toEqual([
      ['order', 2, 1, 1],
      ['scroll', 1, 1, 1],
    ]);
  });
});

describe('W-27: entry and exit pages', () => {
  const at = (visitor: string, ...steps: [string, string][]) =>
    [visitor, steps.map(([time, path]) => ({ at: `2024-05-06T${time}Z`, view: path }))] as const;
  const segments = segmentsOf([
    at('u1', ['09:00:00', '/']),
    at('u1', ['11:00:00', '/']),
    at('u2', ['09:00:00', '/']),
    at('u3', ['09:00:00', '/']),
    at('u4', ['09:00:00', '/'], ['09:00:10', '/bar']),
    at('u5', ['09:00:00', '/'], ['09:00:20', '/bar']),
    at('u6', ['09:00:00', '/'], ['09:00:40', '/foo']),
    at('u7', ['09:00:00', '/bar']),
    at('u8', ['09:00:00', '/bar']),
  ]);
  const time = '&include_avg_time_on_page=true';
  test('entries', () => {
    const fields = ['path', 'visitors', 'sessions', 'entries', 'entry_rate'];
    const rows = ask(segments, 'page/entry', `${DAY}${time}`);
    expect(columnsOf(rows, ...fields, 'average_time_spent_seconds')).toEqual([
      ['/', 6, 7, 7, 0.7778, 23],
      ['/bar', 4, 4, 2, 0.2222, 0],
    ]);
    expect(ask(segments, 'page/entry', DAY)[0].average_time_spent_seconds).toBe(0);
  });
  test('exits', () => {
    const fields = ['path', 'visitors', 'sessions', 'exits', 'exit_rate'];
    expect(columnsOf(ask(segments, 'page/exit', DAY), ...fields)).toEqual([
      ['/', 6, 7, 4, 0.4444],
      ['/bar', 4, 4, 4, 0.4444],
      ['/foo', 1, 1, 1, 0.1111],
    ]);
  });
  test('S-45: a path filter lists the entry pages of sessions that viewed it', () => {
    const fields = ['path', 'entries', 'visitors', 'sessions', 'entry_rate'];
    expect(columnsOf(ask(segments, 'page/entry', `${DAY}&path=/bar`), ...fields)).toEqual([
      ['/', 2, 6, 7, 0.2222],
      ['/bar', 2, 4, 4, 0.2222],
    ]);
  });
});

describe('W-40: platforms (F-30, S-54)', () => {
  const rows: [string, Step[], Dimensions][] = ['a', 'b', 'c', 'd', 'e', 'f'].map((visitor, i) => [
    visitor,
    [view('05-06T10:00', visitor === 'a' ? '/foo' : '/')],
    { platform: i < 3 ? 'Desktop' : i < 5 ? 'Mobile' : 'Unknown' },
  ]);
  const segments = segmentsOf(rows);
  test.each([
    ['', [3, 2, 1, 0.5, 0.3333, 0.1667]],
    ['&platform=mobile', [0, 2, 0, 0, 0.3333, 0]],
    ['&path=/foo', [1, 0, 0, 0.1667, 0, 0]],
    ['&platform=unknown', [0, 0, 1, 0, 0, 0.1667]],
    ['&platform=tablet', [0, 0, 1, 0, 0, 0.1667]],
    ['&platform=!mobile', [3, 0, 1, 0.5, 0, 0.1667]],
    ['&platform=desktop&platform=mobile', [3, 2, 0, 0.5, 0.3333, 0]],
  ])("with '%s'", (filter, figures) => {
    const names = ['desktop', 'mobile', 'unknown'];
    const fields = ['platform_', 'relative_platform_'].flatMap((prefix) =>
      names.map((name) => prefix + name),
    );
    expect(columnsOf(ask(segments, 'platform', `${DAY}${filter}`), ...fields)).toEqual([figures]);
  });
});

test.each([
  ['country=de&country=gb', 3],
  ['country=DE&country[]=gb', 3],
  ['country=!de', 2],
  ['country=null', 1],
  ['country=NULL', 1],
  ['country=!null', 3],
  ['country=de&country=!de', 0],
  ['country=~de,gb', 3],
  ['country=^de,gb', 1],
  ['country=de,gb', 0],
  ['country=~d', 0],
  ['country=^d', 4],
])('W-48, F-22: %s keeps %d visitors', (filter, visitors) => {
  const at = view('05-06T10:00', '/');
  const segments = segmentsOf([
    ['a', [at], { country: 'de' }],
    ['b', [at], { country: 'de' }],
    ['c', [at], { country: 'gb' }],
    ['d', [at]],
  ]);
  expect(ask(segments, 'total', `${DAY}&${filter}`).visitors).toBe(visitors);
});

test('a filter on a dimension keeps whole sessions, with all their page views (F-11)', () => {
  const segments = segmentsOf([
    ['a', [view('05-06T10:00', '/'), view('05-06T10:01', '/x')], { country: 'de' }],
    ['b', [view('05-06T10:00', '/')], { country: 'gb' }],
  ]);
  const total = ask(segments, 'total', `${DAY}&country=de`);
  expect(columnsOf(total, 'visitors', 'sessions', 'views', 'bounces')).toEqual([[1, 1, 2, 0]]);
});

test('a device is a statistic, a filter, an option and a field of sessions (X-5, X-6, X-7)', () => {
  const at = view('05-06T10:00', '/');
  const segments = segmentsOf([
    ['a', [at], { device: 'Pixel 8' }],
    ['b', [at], { device: 'iPhone' }],
    ['c', [at], { device: 'iPhone' }],
    ['d', [at]],
  ]);
  const rows = ask(segments, 'device', DAY);
  expect(columnsOf(rows, 'device', 'visitors', 'relative_visitors')).toEqual([
    ['iPhone', 2, 0.5],
    ['', 1, 0.25],
    ['Pixel 8', 1, 0.25],
  ]);
  expect(ask(segments, 'total', `${DAY}&device=~phone`).visitors).toBe(2);
  expect(ask(segments, 'options/device', DAY)).toEqual(['Pixel 8', 'iPhone']);
  const sessions = ask(segments, 'session/list', `${DAY}&sort=device&direction=asc`);
  expect(columnsOf(sessions, 'device')).toEqual([[''], ['Pixel 8'], ['iPhone'], ['iPhone']]);
});

describe('W-32: tags as filters', () => {
  const tagged = (at: string, path: string, tags: Record<string, string>): Step => ({
    ...view(at, path),
    tags,
  });
  const segments = segmentsOf([
    [
      'u1',
      [
        tagged('05-06T10:00', '/', { author: 'John' }),
        tagged('05-06T10:01', '/a', { author: 'John' }),
        tagged('05-06T10:02', '/b', { author: 'Alice' }),
      ],
    ],
    ['u2', [tagged('05-06T10:00', '/', { author: 'John', type: 'blog_post' })]],
    ['u3', [tagged('05-06T10:00', '/c', { author: 'Alice', type: 'blog_post' })]],
    ['u4', [view('05-06T10:00', '/')]],
  ]);
  test.each([
    ['tag=author', 3, 5],
    ['tag=type', 2, 2],
    ['tag=!type', 2, 4],
    ['tag=~TYP', 2, 2],
    ['tag=^typ', 2, 4],
    ['tag=null', 1, 1],
    ['tag=!null', 3, 5],
    ['tag=null&tag=type', 3, 3],
    ['tag=missing', 0, 0],
    ['tag_author=John', 2, 3],
    ['tag_author=!John', 3, 3],
    ['tag_author=~ali', 2, 2],
    ['tag_author=^ali', 3, 4],
    ['tag_type=null', 2, 4],
    ['tag_type=!null', 2, 2],
    ['tag_author=Alice&tag_type=blog_post', 1, 1],
    ['tag_author=Alice&tag_author=John', 3, 5],
    ['tag_missing=null', 4, 6],
    ['tag_missing=x', 0, 0],
  ])('%s keeps %d visitors with %d views (F-18 to F-24)', (filter, visitors, views) => {
    const total = ask(segments, 'total', `${DAY}&${filter}`);
    expect([total.visitors, total.views]).toEqual([visitors, views]);
  });
});
