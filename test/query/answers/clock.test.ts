// Goal: hours, minutes and durations hold exactly the rows of their bucket.
// Method: hand-made sessions around the edges of buckets, clock changes and event filters.

import { describe, expect, test } from 'vitest';
import { ask, columnsOf } from '../ask.ts';
import { type Step, segmentsOf } from '../segment-builder.ts';

const DAY = 'from=2024-05-06&to=2024-05-06';
const at = (time: string) => `2024-05-06T${time}Z`;
const view = (time: string, path = '/'): Step => ({ at: at(time), view: path });
const event = (time: string, name: string, meta: Record<string, string> = {}): Step => ({
  ...{ at: at(time), event: name, meta },
});

/** [position, views] of the rows that are not 0. */
function used(rows: Record<string, number>[], field: string): unknown[][] {
  return columnsOf(
    rows.filter((row) => row.views !== 0),
    field,
    'views',
  );
}

describe('hours and minutes (S-23, S-24)', () => {
  const visits = (...times: string[]) =>
    segmentsOf(times.map((time, index) => [`v${index}`, [{ at: time, view: '/' }]]));

  test('a view belongs to the hour and the minute it lies in, to the millisecond', () => {
    const segments = visits(at('09:59:59.999'), at('10:00:00.000'), at('10:00:59.999'));
    expect(used(ask(segments, 'hours', DAY), 'hour')).toEqual([
      [9, 1],
      [10, 2],
    ]);
    expect(used(ask(segments, 'minutes', DAY), 'minute')).toEqual([
      [0, 2],
      [59, 1],
    ]);
  });

  test('all days of the range are pooled, and a visitor counts once per bucket', () => {
    const segments = segmentsOf([
      ['a', [view('10:00'), view('10:20'), view('11:00')]],
      ['b', [{ at: '2024-05-07T10:30:00Z', view: '/' }]],
    ]);
    const rows = ask(segments, 'hours', 'from=2024-05-06&to=2024-05-07');
    expect(columnsOf(rows.slice(10, 12), 'hour', 'visitors', 'views', 'sessions', 'cr')).toEqual([
      [10, 2, 3, 2, 1],
      [11, 1, 1, 1, 1],
    ]);
  });

  test.each([
    ['Asia/Kathmandu', [[15, 1]], [[45, 1]]],
    ['Australia/Lord_Howe', [[20, 1]], [[30, 1]]],
    ['America/St_Johns', [[7, 1]], [[30, 1]]],
  ])('in %s by its own clock', (zone, hours, minutes) => {
    const segments = visits(at('10:00:00'));
    expect(used(ask(segments, 'hours', `${DAY}&tz=${zone}`), 'hour')).toEqual(hours);
    expect(used(ask(segments, 'minutes', `${DAY}&tz=${zone}`), 'minute')).toEqual(minutes);
  });

  test('the hour that a clock change repeats holds both, the one it skips none', () => {
    const hours = (start: string) =>
      visits(
        ...Array.from({ length: 25 }, (_, hour) =>
          new Date(Date.parse(start) + hour * 3_600_000).toISOString(),
        ),
      );
    const views = (start: string, day: string) =>
      columnsOf(
        ask(hours(start), 'hours', `from=${day}&to=${day}&tz=Europe/Berlin`),
        'views',
      ).flat();
    const autumn = views('2024-10-26T22:00:00Z', '2024-10-27');
    expect(autumn.slice(0, 4)).toEqual([1, 1, 2, 1]);
    const spring = views('2024-03-30T23:00:00Z', '2024-03-31');
    expect(spring.slice(0, 4)).toEqual([1, 1, 0, 1]);
  });
});

describe('hours of the week (X-9)', () => {
  const segments = segmentsOf([
    // A Monday, from its last minutes into the Tuesday: rows of two weekdays on one UTC day.
    ['a', [view('23:50'), { at: '2024-05-07T00:05:00Z', view: '/' }, event('23:55', 'x')]],
    ['b', [{ at: '2024-05-12T10:00:00Z', view: '/' }]],
    ['c', [{ at: '2024-05-13T23:10:00Z', view: '/' }]],
  ]);
  const places = (query: string) =>
    columnsOf(
      ask(segments, 'hours/week', query).filter((row: Record<string, number>) => row.views !== 0),
      ...['weekday', 'hour', 'views'],
    );
  test.each([
    [
      'UTC',
      [
        [0, 23, 2],
        [1, 0, 1],
        [6, 10, 1],
      ],
    ],
    [
      'Asia/Tokyo',
      [
        [1, 8, 2],
        [1, 9, 1],
        [6, 19, 1],
      ],
    ],
    [
      'America/Los_Angeles',
      [
        [0, 16, 2],
        [0, 17, 1],
        [6, 3, 1],
      ],
    ],
    [
      'Asia/Kathmandu',
      [
        [1, 4, 1],
        [1, 5, 2],
        [6, 15, 1],
      ],
    ],
  ])('in %s by its own weekday, all weeks pooled', (zone, expected) => {
    expect(places(`from=2024-05-05&to=2024-05-14&tz=${zone}`)).toEqual(expected);
  });

  test('with an event filter only beside its events', () => {
    expect(places('from=2024-05-05&to=2024-05-14&event=x')).toEqual([[0, 23, 1]]);
  });
});

describe('S-25: with an event filter', () => {
  const segments = segmentsOf([
    ['a', [view('10:10'), view('10:50'), event('11:05', 'x', { k: '1' }), view('11:10')]],
    ['b', [view('10:10'), event('10:20', 'y'), view('11:10')]],
    ['c', [view('10:30'), view('11:15')]],
  ]);
  test.each([
    ['event=x', [[11, 1]]],
    ['event=y', [[10, 1]]],
    ['meta_k=1', [[11, 1]]],
    [
      'event=!x',
      [
        [10, 2],
        [11, 2],
      ],
    ],
    [
      'event=null',
      [
        [10, 1],
        [11, 1],
      ],
    ],
    [
      'event=!null',
      [
        [10, 3],
        [11, 2],
      ],
    ],
    [
      'event=null&event=x',
      [
        [10, 1],
        [11, 2],
      ],
    ],
    ['event=~y&event=!x', [[10, 1]]],
  ])('%s', (filter, rows) => {
    expect(used(ask(segments, 'hours', `${DAY}&${filter}`), 'hour')).toEqual(rows);
  });

  test('minutes beyond the first word of bits are told apart', () => {
    const late = segmentsOf([
      ['a', [view('10:40'), event('10:41', 'x'), view('10:41:30'), view('11:09')]],
      ['b', [view('10:05'), event('10:05:10', 'x'), view('10:37')]],
    ]);
    expect(used(ask(late, 'minutes', `${DAY}&event=x`), 'minute')).toEqual([
      [5, 1],
      [41, 1],
    ]);
  });
});

describe('duration/session (S-31, S-33)', () => {
  const lasting = (visitor: string, date: string, seconds: number) =>
    [
      visitor,
      [
        { at: `${date}T10:00:00Z`, view: '/' },
        {
          at: new Date(Date.parse(`${date}T10:00:00Z`) + seconds * 1_000).toISOString(),
          view: '/',
        },
      ],
    ] as const;
  const meansOf = (segments: ReturnType<typeof segmentsOf>, parameters: string) =>
    columnsOf(ask(segments, 'duration/session', parameters), 'average_time_spent_seconds').flat();

  test.each([
    [[4, 5], 4],
    [[5, 6], 6],
    [[17, 18], 18],
    [[0, 7], 7],
    [[0], 0],
  ])('sessions of %j seconds take %d on average (S-3)', (seconds, mean) => {
    const segments = segmentsOf(seconds.map((s, i) => lasting(`v${i}`, '2024-05-06', s)));
    expect(meansOf(segments, DAY)).toEqual([mean]);
  });

  test('a week is averaged over its sessions, not over its days', () => {
    const segments = segmentsOf([
      lasting('a', '2024-05-06', 100),
      lasting('b', '2024-05-07', 10),
      lasting('c', '2024-05-07', 10),
    ]);
    const range = 'from=2024-05-06&to=2024-05-07';
    expect(meansOf(segments, range)).toEqual([100, 10]);
    expect(meansOf(segments, `${range}&scale=week`)).toEqual([40]);
  });

  test('a session counts once per bucket, by filters as everywhere (S-34)', () => {
    const segments = segmentsOf([
      ['a', [view('10:00'), view('10:01'), event('10:02', 'x')]],
      ['b', [view('10:00', '/b'), view('10:05', '/b')]],
    ]);
    expect(meansOf(segments, `${DAY}&event=x`)).toEqual([120]);
    expect(meansOf(segments, `${DAY}&path=/b`)).toEqual([300]);
    expect(meansOf(segments, DAY)).toEqual([210]);
  });
});

describe('duration/page (S-32)', () => {
  const segments = segmentsOf([
    ['a', [view('10:00:00', '/'), view('10:00:40', '/p'), view('10:02:00', '/q')]],
  ]);
  test.each([
    ['', '', 60],
    ['&path=/', '/', 40],
    ['&path=/p', '/p', 80],
    ['&path=/q', '/q', 0],
    ['&path=!/', '', 80],
    ['&path=~p', '', 80],
    ['&path=null', '', 0],
    ['&path=/&path=/p', '', 60],
  ])("with '%s' the path is '%s' and the time %d", (filter, path, seconds) => {
    const rows = ask(segments, 'duration/page', `${DAY}${filter}`);
    expect(columnsOf(rows, 'day', 'week', 'path', 'average_time_spent_seconds')).toEqual([
      ['2024-05-06T00:00:00Z', null, path, seconds],
    ]);
  });
});
