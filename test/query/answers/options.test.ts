// Goal: options are the distinct values of the range, whatever else is filtered.
// Method: hand-made sessions over two days; one test per rule.

import { expect, test } from 'vitest';
import { ask } from '../ask.ts';
import { type Step, segmentsOf } from '../segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';
const view = (time: string, path: string, tags: Record<string, string> = {}): Step => ({
  ...{ at: `2024-05-${time}:00Z`, view: path, tags },
});
const event = (time: string, name: string, meta: Record<string, string> = {}): Step => ({
  ...{ at: `2024-05-${time}:00Z`, event: name, on: '/e', meta },
});

const segments = segmentsOf([
  ['a', [view('05T10:00', '/before')], { country: 'fr' }],
  [
    'b',
    [view('06T10:00', '/b', { k: '2', l: 'x' }), event('06T10:01', 'order', { k: '2', l: 'é' })],
    { country: 'gb', referrer: 'https://a.test', referrerName: 'a.test', channel: 'Direct' },
  ],
  ['c', [event('07T10:00', 'scroll', { k: '1' }), view('07T10:01', '/A', { k: '10' })]],
  ['d', [view('07T10:00', '/b')], { country: 'de', hostname: 'h', region: 'R', utmTerm: 't' }],
]);

test.each([
  ['page', '', ['/A', '/b', '/e']],
  ['page', 'path=/b&country=gb&event=scroll', ['/A', '/b', '/e']],
  ['page', 'search=a', ['/A']],
  ['page', 'search=!a', ['/b', '/e']],
  ['page', 'search=%20', ['/A', '/b', '/e']],
  ['page', 'limit=1&offset=1&sort=value&direction=desc', ['/A', '/b', '/e']],
  ['country', '', ['de', 'gb']],
  ['country', 'country=gb', ['de', 'gb']],
  ['referrer', '', ['https://a.test']],
  ['referrer/name', '', ['a.test']],
  ['channel', '', ['Direct']],
  ['region', '', ['R']],
  ['hostname', '', ['h']],
  ['utm/term', '', ['t']],
  ['utm/source', '', []],
  ['event', '', ['order', 'scroll']],
  ['event', 'event=order', ['order', 'scroll']],
  ['tag', '', ['k', 'l']],
  ['tag/value', 'tag=k', ['10', '2']],
  ['tag/value', 'tag=l', ['x']],
  ['tag/value', 'tag=missing', []],
  ['tag/value', 'tag=~k', []],
  ['tag/value', 'tag=null', []],
  ['tag/value', 'tag=k&tag=l', []],
  ['tag/value', '', []],
  ['metadata', '', ['1', '2', 'é']],
  ['metadata', 'event=order', ['2', 'é']],
  ['metadata', 'event=!order', ['1']],
  ['metadata', 'event_meta_key=k', ['1', '2']],
  ['metadata', 'event_meta_key=!k', ['é']],
  ['metadata', 'event=order&event_meta_key=l', ['é']],
  ['metadata', 'event_meta_key=k&meta_l=%C3%A9', ['1', '2']],
  ['metadata', 'event_meta_key=missing', []],
])('S-95 to S-97: options/%s with %j', (kind, parameters, values) => {
  expect(ask(segments, `options/${kind}`, `${DAYS}&${parameters}`)).toEqual(values);
});

test('S-95: sessions count by their page views in the range, events by their own time', () => {
  const late = segmentsOf([
    ['a', [view('06T23:50', '/'), event('07T00:10', 'x')], { country: 'de' }],
  ]);
  const next = 'from=2024-05-07&to=2024-05-07';
  expect(ask(late, 'options/country', next)).toEqual([]);
  expect(ask(late, 'options/event', next)).toEqual(['x']);
});

test('S-95: the first 200 values by code point', () => {
  const names = Array.from({ length: 250 }, (_, index) => `/${String(index).padStart(3, '0')}`);
  const many = segmentsOf(
    names.toReversed().map((path, index) => [`v${index}`, [view('06T10:00', path)]] as const),
  );
  expect(ask(many, 'options/page', DAYS)).toEqual(names.slice(0, 200));
});

test.each([
  ['ΟΔΟΣ', ['/ΟΔΟΣΑ', '/οδος']],
  ['οδοσ', ['/ΟΔΟΣΑ', '/οδος']],
  ['οδος', ['/ΟΔΟΣΑ', '/οδος']],
  ['İST', ['/İSTANBUL']],
  ['!ΟΔΟΣ', ['/İSTANBUL']],
])('F-20, F-26, F-32: a search for %s finds what contains it in any case', (search, found) => {
  const greek = segmentsOf([
    ['a', [view('06T10:00', '/ΟΔΟΣΑ'), view('06T10:01', '/οδος'), view('06T10:02', '/İSTANBUL')]],
  ]);
  const sorted = (texts: readonly string[]) => [...texts].sort();
  const searched = encodeURIComponent(search);
  expect(sorted(ask(greek, 'options/page', `${DAYS}&search=${searched}`))).toEqual(sorted(found));
  const operator = search.startsWith('!') ? `^${search.slice(1)}` : `~${search}`;
  const rows: { path: string }[] = ask(
    greek,
    'page',
    `${DAYS}&path=${encodeURIComponent(operator)}`,
  );
  expect(sorted(rows.map(({ path }) => path))).toEqual(sorted(found));
});
