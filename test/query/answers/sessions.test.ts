// Goal: session/list and session/details show sessions as they are now (S-90 to S-92, A-30).
// Method: hand-made sessions over two days, so that segments merge.

import { describe, expect, test } from 'vitest';
import { ask, columnsOf } from '../ask.ts';
import { segmentsOf } from '../segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';
const at = (time: string) => `2024-05-${time}Z`;

const segments = segmentsOf([
  [
    'late',
    [
      { at: at('06T23:50:00'), view: '/', title: 'Home', tags: { author: 'Eve', type: 'post' } },
      { at: at('07T00:10:00'), event: 'buy', on: '/shop', meta: { size: 'L' }, duration: 7 },
      { at: at('07T00:10:00'), view: '/end', title: 'End' },
      { at: at('07T00:20:00'), keepAlive: true },
    ],
    {
      country: 'de',
      city: 'Berlin',
      browser: 'Firefox',
      browserVersion: '128.0',
      platform: 'Desktop',
    },
  ],
  ['early', [{ at: at('06T10:00:00'), view: '/' }], { platform: 'Mobile', utmSource: 'nl' }],
  ['tied', [{ at: at('06T10:00:00'), view: '/' }]],
  ['next', [{ at: at('07T00:05:00'), view: '/x' }]],
]);

describe('session/list (S-90)', () => {
  test('shows the distinct sessions among the rows by last activity, start and visitor', () => {
    const rows = ask(segments, 'session/list', DAYS);
    expect(columnsOf(rows, 'session_id', 'time', 'start')).toEqual([
      [2, at('06T10:00:00.000'), at('06T10:00:00.000')],
      [3, at('06T10:00:00.000'), at('06T10:00:00.000')],
      [1, at('07T00:05:00.000'), at('07T00:05:00.000')],
      [1, at('07T00:20:00.000'), at('06T23:50:00.000')],
    ]);
    const day = Date.parse('2024-05-06') / 86_400_000;
    // The builder's ids: the day above, the number of the visitor below 2^32.
    expect(rows[0].visitor_id).toBe(String(BigInt(day) * 2n ** 32n + 2n));
    expect(rows[3]).toEqual({
      ...{ visitor_id: String(BigInt(day) * 2n ** 32n + 1n), session_id: 1 },
      ...{ time: at('07T00:20:00.000'), start: at('06T23:50:00.000'), duration_seconds: 1_800 },
      ...{ entry_path: '/', exit_path: '/end', entry_title: 'Home', exit_title: 'End' },
      ...{ page_views: 2, is_bounce: false, extended: 1 },
      ...{ language: '', country_code: 'de', city: 'Berlin' },
      ...{ referrer: '', referrer_name: '', referrer_icon: '' },
      ...{ os: '', os_version: '', browser: 'Firefox', browser_version: '128.0' },
      ...{ desktop: true, mobile: false, screen_class: '' },
      ...{ utm_source: '', utm_medium: '', utm_campaign: '', utm_content: '', utm_term: '' },
    });
    expect(rows[0]).toMatchObject({ desktop: false, mobile: true, utm_source: 'nl' });
    expect(rows[1]).toMatchObject({ desktop: false, mobile: false, is_bounce: true });
  });
  test.each([
    ['&path=/end', [1]],
    ['&offset=1&limit=2', [3, 1]],
    ['&sort=page_views', [1, 2, 3, 1]],
    ['&sort=time&direction=desc', [1, 1, 2, 3]],
    ['&sort=is_bounce', [2, 3, 1, 1]],
  ])('filters, paging and order work as in every list: %s', (parameters, ids) => {
    const rows = ask(segments, 'session/list', DAYS + parameters);
    expect(columnsOf(rows, 'session_id').flat()).toEqual(ids);
  });
  test('only sessions with a page view in the range are listed, in their present state', () => {
    const rows = ask(segments, 'session/list', 'from=2024-05-06&to=2024-05-06&entry_path=/');
    expect(columnsOf(rows, 'exit_path').flat()).toEqual(['/', '/', '/end']);
  });
});

describe('session/details (S-92)', () => {
  const [, , , late] = ask(segments, 'session/list', DAYS);
  const ids = `&visitor_id=${late.visitor_id}&session_id=${late.session_id}`;
  const texts = (rows: { page_view: Record<string, unknown>; event: Record<string, unknown> }[]) =>
    rows.map(({ page_view, event }) => (event === null ? page_view.path : event.name));

  test('page views and events in order of time, a page view first', () => {
    const rows = ask(segments, 'session/details', `${DAYS}&country=xx&path=/nowhere${ids}`);
    expect(texts(rows)).toEqual(['/', '/end', 'buy']);
    expect(rows[0].event).toBe(null);
    expect(rows[0].page_view).toMatchObject({
      ...{ visitor_id: late.visitor_id, session_id: 1, time: at('06T23:50:00.000') },
      ...{ duration_seconds: 1_200, path: '/', title: 'Home', country_code: 'de', desktop: true },
      ...{ tag_keys: ['author', 'type'], tag_values: ['Eve', 'post'] },
    });
    expect(rows[1].page_view).toMatchObject({ duration_seconds: 0, tag_keys: [], tag_values: [] });
    expect(rows[2].page_view).toBe(null);
    expect(rows[2].event).toMatchObject({
      ...{ visitor_id: late.visitor_id, session_id: 1, time: at('07T00:10:00.000') },
      ...{ duration_seconds: 7, name: 'buy', path: '/shop', city: 'Berlin' },
      ...{ meta_keys: ['size'], meta_values: ['L'] },
    });
  });
  test('only what lies in the range, page by page', () => {
    const next = `from=2024-05-07&to=2024-05-07${ids}`;
    expect(texts(ask(segments, 'session/details', next))).toEqual(['/end', 'buy']);
    const second = ask(segments, 'session/details', `${DAYS}${ids}&offset=1&limit=1`);
    expect(texts(second)).toEqual(['/end']);
  });
  test.each(['', '&visitor_id=1', '&session_id=1', '&visitor_id=1&session_id=1'])(
    'S-66: nothing without both ids of one session (%s)',
    (parameters) => expect(ask(segments, 'session/details', DAYS + parameters)).toEqual([]),
  );
});
