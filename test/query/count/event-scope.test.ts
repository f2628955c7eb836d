// Goal: event/page, event/meta, event/list are computed over events (S-13, S-47, S-61, S-62, S-66).
// Method: hand-made sessions over two days, so that segments merge.

import { describe, expect, test } from 'vitest';
import { ask, columnsOf } from '../ask.ts';
import { segmentsOf } from '../segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';
const at = (time: string) => `2024-05-${time}Z`;
const buy = (time: string, on: string, meta: Record<string, string>, duration = 0) => ({
  ...{ at: at(time), event: 'buy', on, title: `T${on}`, meta, duration },
});

const segments = segmentsOf([
  [
    'a',
    [
      { at: at('06T10:00:00'), view: '/shop', title: 'T/shop' },
      buy('06T10:00:05', '/shop', { size: 'L', color: 'red' }, 3),
      buy('06T10:00:06', '/cart', { color: 'red', size: 'L' }, 4),
      { at: at('06T10:00:09'), view: '/cart', title: 'other' },
      { at: at('06T10:01:00'), view: '/shop', title: 'T/shop' },
      // The last page view has no time and does not count.
      { at: at('06T10:01:20'), view: '/cart' },
    ],
  ],
  ['b', [{ at: at('06T11:00:00'), view: '/shop' }]],
  ['c', [buy('07T10:00:00', '/shop', { size: 'L' }), buy('07T10:00:01', '/shop', {}, 2)]],
  ['d', [{ at: at('07T12:00:00'), event: 'sell', on: '/shop', meta: { size: 'L', 10: 'x' } }]],
]);

describe('event/page (S-47)', () => {
  const fields = ['path', 'title', 'visitors', 'views', 'sessions', 'bounces', 'bounce_rate'];
  test('counts events by their path, and the views of their sessions', () => {
    const rows = ask(segments, 'event/page', `${DAYS}&event=buy`);
    expect(columnsOf(rows, ...fields, 'relative_visitors', 'relative_views')).toEqual([
      ['/shop', '', 2, 5, 2, 0, 0, 0.5, 0.7143],
      ['/cart', '', 1, 4, 1, 0, 0, 0.25, 0.5714],
    ]);
  });
  test('time on page is that of the path in the counted sessions, by title too', () => {
    const timed = `${DAYS}&event=buy&include_avg_time_on_page=true`;
    // a stays 9 s and 20 s on /shop: 14.5 is 14; and 51 s on /cart, under another title.
    for (const titles of ['false', 'true']) {
      const rows = ask(segments, 'event/page', `${timed}&include_title=${titles}`);
      expect(columnsOf(rows, 'path', 'average_time_spent_seconds')).toEqual([
        ['/shop', 14],
        ['/cart', 51],
      ]);
    }
    const rows = ask(segments, 'event/page', `${timed}&include_title=true&path=/cart`);
    expect(columnsOf(rows, 'path', 'title')).toEqual([['/cart', 'T/cart']]);
  });
  test('search tests path and title, and without an event filter there is nothing', () => {
    expect(ask(segments, 'event/page', DAYS)).toEqual([]);
    expect(columnsOf(ask(segments, 'event/page', `${DAYS}&event=buy&search=CAR`), 'path')).toEqual([
      ['/cart'],
    ]);
    expect(ask(segments, 'event/page', `${DAYS}&event=buy&search=T/`)).toEqual([]);
    const titled = ask(segments, 'event/page', `${DAYS}&event=buy&search=T/&include_title=1`);
    expect(titled).toHaveLength(2);
  });
});

describe('event/meta (S-61)', () => {
  const fields = ['name', 'meta_value', 'count', 'visitors', 'views', 'cr'];
  test('breaks events down by name and value of the first key', () => {
    const rows = ask(segments, 'event/meta', `${DAYS}&event=buy&event=sell&event_meta_key=size`);
    expect(columnsOf(rows, ...fields, 'average_duration_seconds')).toEqual([
      ['buy', 'L', 3, 2, 5, 0.5, 2],
      ['sell', 'L', 1, 1, 1, 0.25, 0],
    ]);
    const both = `${DAYS}&event=buy&event_meta_key=^x&event_meta_key=color&event_meta_key=size`;
    expect(columnsOf(ask(segments, 'event/meta', both), 'meta_value', 'count')).toEqual([
      ['red', 2],
    ]);
  });
  test.each(['&event=buy', '&event_meta_key=size', '&event=buy&event_meta_key=!size'])(
    'S-66: nothing without an event and a plain key (%s)',
    (parameters) => expect(ask(segments, 'event/meta', DAYS + parameters)).toEqual([]),
  );
});

describe('event/list (S-62)', () => {
  test('groups by name and metadata in any order, over days', () => {
    expect(ask(segments, 'event/list', DAYS)).toEqual([
      { name: 'buy', meta: { color: 'red', size: 'L' }, visitors: 1, count: 2 },
      // As JSON `{"size…` comes before `{}`.
      { name: 'buy', meta: { size: 'L' }, visitors: 1, count: 1 },
      { name: 'buy', meta: {}, visitors: 1, count: 1 },
      { name: 'sell', meta: { 10: 'x', size: 'L' }, visitors: 1, count: 1 },
    ]);
  });
  test('a key that means something to objects is a key like any other', () => {
    const meta = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    const odd = segmentsOf([['a', [{ at: at('06T10:00:00'), event: 'e', meta }]]]);
    const [row] = ask(odd, 'event/list', DAYS);
    expect(JSON.stringify(row.meta)).toBe('{"__proto__":"x","constructor":"y"}');
  });
});

test('S-66: keywords are empty while no search console is connected', () => {
  expect(ask(segments, 'keywords', DAYS)).toEqual([]);
});
