// Goal: growth compares the range with the right period, figure by figure; the overview is a week.
// Method: previous periods read from the query; hand-made sessions in both periods.

import { describe, expect, test } from 'vitest';
import { growthOf } from '../../../src/query/answers/growth.ts';
import { ask, queryOf } from '../ask.ts';
import { type Step, segmentsOf } from '../segment-builder.ts';

test.each([
  [0, 0, 0],
  [1_000, 0, 1],
  [0, 1_000, -1],
  [100, 50, 1],
  [50, 100, -0.5],
])('W-34: from %#: g(%d, %d) is %d', (current, previous, growth) => {
  expect(growthOf(current, previous)).toBe(growth);
});

describe('the previous period (S-72, W-36)', () => {
  const NOW = '2024-05-06T10:15:30.500Z';
  const day = (from: string, to = from) => `from=2024-${from}&to=2024-${to}`;
  test.each([
    [day('05-01', '05-06'), '2024-04-25T00:00:00.000Z', '2024-05-01T00:00:00.000Z'],
    [day('05-05', '05-06'), '2024-05-03T00:00:00.000Z', '2024-05-05T00:00:00.000Z'],
    [day('05-05'), '2024-04-28T00:00:00.000Z', '2024-04-29T00:00:00.000Z'],
    [day('05-07'), '2024-04-30T00:00:00.000Z', '2024-05-01T00:00:00.000Z'],
    [day('05-06'), '2024-04-29T00:00:00.000Z', '2024-04-29T10:15:30.501Z'],
    [
      `${day('05-06')}&from_time=09:00&to_time=09:59`,
      '2024-05-05T09:00:00.000Z',
      '2024-05-05T10:00:00.000Z',
    ],
    [`${day('05-01')}&from_time=23:30`, '2024-04-30T23:30:00.000Z', '2024-05-01T00:00:00.000Z'],
    ['start=600', '2024-05-05T10:05:30.500Z', '2024-05-05T10:15:30.501Z'],
    // Today in Auckland is 05-06 already; a week earlier the clock showed the same time.
    [`${day('05-06')}&tz=Pacific/Auckland`, '2024-04-28T12:00:00.000Z', '2024-04-29T10:15:30.501Z'],
  ])('%s follows %s to %s', (parameters, start, end) => {
    const { previous } = queryOf('growth', parameters, Date.parse(NOW));
    expect(new Date(previous?.startMs ?? 0).toISOString()).toBe(start);
    expect(new Date(previous?.endMs ?? 0).toISOString()).toBe(end);
  });

  test('the time of day is the local one across a clock change', () => {
    // Berlin went from UTC+1 to UTC+2 on 2024-03-31: 12:00 local was 10:00 and 11:00 UTC.
    const now = Date.parse('2024-04-02T10:00:00Z');
    const { previous } = queryOf('growth', `${day('04-02')}&tz=Europe/Berlin`, now);
    expect(new Date(previous?.endMs ?? 0).toISOString()).toBe('2024-03-26T11:00:00.001Z');
  });

  test('statistics that compare nothing have none', () => {
    expect(queryOf('total', day('05-01')).previous).toBeNull();
  });
});

const view = (at: string, path = '/'): Step => ({ at: `2024-05-${at}Z`, view: path });
const event = (at: string, name: string, duration: number): Step => ({
  ...{ at: `2024-05-${at}Z`, event: name, duration },
});

describe('growth (S-71)', () => {
  // The week before: one session of 60 s; the day: two visitors, 120 s and a bounce.
  const segments = segmentsOf([
    ['a', [view('01T10:00:00'), view('01T10:01:00', '/a'), event('01T10:01:00', 'x', 10)]],
    ['b', [view('08T10:00:00'), view('08T10:02:00', '/a'), event('08T10:02:00', 'x', 15)]],
    ['c', [view('08T11:00:00')]],
  ]);
  const grow = (filter = '') => ask(segments, 'growth', `from=2024-05-08&to=2024-05-08${filter}`);

  test('of every figure; bounces by their rate', () => {
    expect(grow()).toEqual({
      ...{ visitors_growth: 1, views_growth: 0.5, sessions_growth: 1, bounces_growth: 1 },
      ...{ time_spent_growth: 1, cr_growth: 0 },
      ...{ custom_metric_avg_growth: 0, custom_metric_total_growth: 0 },
    });
  });
  test.each([
    ['', 1],
    ['&event=x', 0.5],
    ['&event=x&path=/a', 0.5],
    ['&path=/', 1],
    ['&path=/a', 0],
    ['&event=!x', 0],
  ])("time spent with '%s' grows by %d", (filter, growth) => {
    expect(grow(filter).time_spent_growth).toBe(growth);
  });
  test('cr is that of each period', () => {
    expect(grow('&path=/a').cr_growth).toBe(-0.5);
  });
});

test('S-74, S-57: the overview is the last 7 days of the domain, whatever is asked', () => {
  const now = Date.parse('2024-05-08T12:00:00Z');
  const segments = segmentsOf([
    ['a', [view('01T10:00:00')]],
    ['b', [view('02T10:00:00'), view('02T10:01:00', '/a')]],
    ['c', [view('08T10:00:00')]],
  ]);
  const overview = ask(segments, 'overview', 'from=x&path=/a&tz=None&start=-1&country=de', now);
  expect(overview).toMatchObject({
    ...{ visitors: 2, views: 3, visitors_growth: 1, visitor_growth: 1, views_growth: 2, member: 1 },
  });
  const series = overview.visitors_time_series;
  expect(series.map((row: { day: string }) => row.day.slice(5, 10))).toEqual([
    '05-02',
    '05-03',
    '05-04',
    '05-05',
    '05-06',
    '05-07',
    '05-08',
  ]);
  expect(series.map((row: { views: number }) => row.views)).toEqual([2, 0, 0, 0, 0, 0, 1]);
});
