// Goal: a custom metric computes statistics over events and sums a value of their metadata (S-8).
// Method: hand-made sessions over two days, so that segments merge.

import { describe, expect, test } from 'vitest';
import { ask, columnsOf, queryOf } from '../ask.ts';
import { segmentsOf } from '../segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';
const METRIC = `${DAYS}&event=buy&custom_metric_key=price&custom_metric_type=float`;
const at = (time: string) => `2024-05-${time}Z`;
const buy = (time: string, price: string, on = '/shop') => ({
  ...{ at: at(time), event: 'buy', on, meta: { price, currency: 'EUR' } },
});

const segments = segmentsOf([
  [
    'a',
    [
      { at: at('06T23:40:00'), view: '/' },
      { at: at('06T23:45:00'), view: '/shop' },
      buy('06T23:50:00', '2.5'),
      buy('07T00:05:00', '4', '/cart'),
      { at: at('07T00:10:00'), view: '/thanks' },
    ],
    { country: 'de', platform: 'Desktop', referrerName: 'blog.dev' },
  ],
  ['b', [buy('07T10:00:00', 'free'), buy('07T10:01:00', '1e1')], { platform: 'Mobile' }],
  ['c', [{ at: at('06T12:00:00'), view: '/' }], { platform: 'Desktop' }],
  ['d', [{ at: at('07T12:00:00'), event: 'sell', meta: { price: '99' } }]],
]);

const FIELDS = ['visitors', 'views', 'sessions', 'bounces', 'bounce_rate', 'cr'];
const SUMS = ['custom_metric_avg', 'custom_metric_total'];

describe('total and series', () => {
  test('are over the events, a value that is missing or no number counts as 0', () => {
    expect(columnsOf(ask(segments, 'total', METRIC), ...FIELDS, ...SUMS)).toEqual([
      [2, 4, 2, 0, 0, 0.5, 4.125, 16.5],
    ]);
  });
  test.each([
    ['integer', 1, 4],
    ['float', 4.125, 16.5],
    ['complex', 0, 0],
  ])('whole numbers only for integer: %s', (type, average, sum) => {
    const query = `${DAYS}&event=buy&custom_metric_key=price&custom_metric_type=${type}`;
    expect(columnsOf(ask(segments, 'total', query), ...SUMS)).toEqual([[average, sum]]);
  });
  test('nothing matches: the average is 0', () => {
    const query = METRIC.replace('event=buy', 'event=none');
    expect(columnsOf(ask(segments, 'total', query), ...FIELDS, ...SUMS)).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 0],
    ]);
  });
  test('a bucket has the events in it, and the views in it of their sessions (S-13)', () => {
    const rows = ask(segments, 'visitor', METRIC);
    expect(columnsOf(rows, ...FIELDS, ...SUMS)).toEqual([
      [1, 2, 1, 0, 0, 0.5, 2.5, 2.5],
      [2, 2, 2, 0, 0, 0.6667, 4.6667, 14],
    ]);
  });
  test('hours and minutes pool the events and those views of all days', () => {
    const rows = ask(segments, 'hours', METRIC).filter(
      (row: { visitors: number }) => row.visitors > 0,
    );
    expect(columnsOf(rows, 'hour', 'visitors', 'views', 'custom_metric_total')).toEqual([
      [0, 1, 1, 4],
      [10, 1, 1, 10],
      [23, 1, 2, 2.5],
    ]);
    const minutes = ask(segments, 'minutes', METRIC);
    expect(columnsOf(minutes.slice(50, 51), 'minute', 'views', 'cr')).toEqual([[50, 0, 1]]);
  });
  test('growth compares the metric of both periods (S-71)', () => {
    const metric = METRIC.replace(DAYS, 'from=2024-05-07&to=2024-05-08');
    const fields = ['visitors_growth', 'custom_metric_avg_growth', 'custom_metric_total_growth'];
    expect(columnsOf(ask(segments, 'growth', metric), ...fields)).toEqual([[1, 0.8667, 4.6]]);
  });
});

describe('lists', () => {
  test('page is by the path of the events', () => {
    expect(columnsOf(ask(segments, 'page', METRIC), 'path', 'visitors', 'views')).toEqual([
      ['/shop', 2, 4],
      ['/cart', 1, 3],
    ]);
    expect(columnsOf(ask(segments, 'page', `${METRIC}&search=CART`), 'path')).toEqual([['/cart']]);
  });
  test('platform and dimensions count visitors of matching events', () => {
    const platforms = ask(segments, 'platform', METRIC);
    expect(columnsOf(platforms, 'platform_desktop', 'platform_mobile', 'platform_unknown')).toEqual(
      [[1, 1, 0]],
    );
    expect(columnsOf(ask(segments, 'country', METRIC), 'country', 'visitors')).toEqual([
      ['', 1],
      ['de', 1],
    ]);
    const cart = `${METRIC}&path=/cart`;
    expect(columnsOf(ask(segments, 'referrer', cart), 'referrer_name', 'sessions')).toEqual([
      ['blog.dev', 1],
    ]);
  });
  test.each(['page/entry', 'page/exit', 'tags', 'session/list', 'events'])(
    '%s sees only the event filter',
    (name) => {
      expect(ask(segments, name, METRIC)).toEqual(ask(segments, name, `${DAYS}&event=buy`));
    },
  );
});

test.each([
  'event=buy&custom_metric_key=price',
  'event=buy&custom_metric_type=float',
  'custom_metric_key=price&custom_metric_type=float',
  'event=!&custom_metric_key=price&custom_metric_type=float',
])('it is inactive unless event, key and a known type are given: %s', (parameters) => {
  expect(queryOf('total', `${DAYS}&${parameters}`).metric).toBeNull();
});
