// Goal: lists by several dimensions of the session have the right groups, blanks and order.
// Method: a few hand-made sessions per rule, over more than one segment where merging matters.

import { describe, expect, test } from 'vitest';
import { ask, columnsOf } from './ask.ts';
import { type Dimensions, segmentsOf } from './segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';

const one = (visitor: string, dimensions: Dimensions, day = '06') =>
  [visitor, [{ at: `2024-05-${day}T10:00:00Z`, view: '/' }], dimensions] as const;

describe('city and region (S-52, S-55, S-56)', () => {
  const segments = segmentsOf([
    one('a', { city: 'London', region: 'England', country: 'gb' }),
    one('b', { city: 'London', region: 'England', country: 'gb' }, '07'),
    one('c', { city: 'Berlin', region: 'Berlin', country: 'de' }, '07'),
    one('d', { city: 'Tokyo', country: 'jp' }),
    one('e', { country: 'de' }),
    one('f', { region: 'England', country: 'gb' }, '07'),
  ]);

  test('W-41: an unknown city is one row without region and country', () => {
    const fields = ['city', 'region', 'country', 'country_code', 'visitors', 'relative_visitors'];
    expect(columnsOf(ask(segments, 'city', DAYS), ...fields)).toEqual([
      ['', '', '', '', 2, 0.3333],
      ['London', 'England', 'gb', 'gb', 2, 0.3333],
      ['Berlin', 'Berlin', 'de', 'de', 1, 0.1667],
      ['Tokyo', '', 'jp', 'jp', 1, 0.1667],
    ]);
  });

  test('an unknown region is one row without country', () => {
    const fields = ['region', 'country', 'country_code', 'visitors'];
    expect(columnsOf(ask(segments, 'region', DAYS), ...fields)).toEqual([
      ['England', 'gb', 'gb', 3],
      ['', '', '', 2],
      ['Berlin', 'de', 'de', 1],
    ]);
  });

  test('places of one name are told apart, in order of city, region, country', () => {
    const places = segmentsOf([
      one('a', { city: 'Paris', region: 'Texas', country: 'us' }, '07'),
      one('b', { city: 'Paris', region: 'Ohio', country: 'us' }),
      one('c', { city: 'Paris', region: 'Ohio', country: 'fr' }, '07'),
    ]);
    expect(columnsOf(ask(places, 'city', DAYS), 'city', 'region', 'country')).toEqual([
      ['Paris', 'Ohio', 'fr'],
      ['Paris', 'Ohio', 'us'],
      ['Paris', 'Texas', 'us'],
    ]);
  });

  test('a sort replaces the first key only (S-10)', () => {
    const rows = ask(segments, 'city', `${DAYS}&sort=country`);
    expect(columnsOf(rows, 'country', 'city')).toEqual([
      ['', ''],
      ['de', 'Berlin'],
      ['gb', 'London'],
      ['jp', 'Tokyo'],
    ]);
  });
});

describe('versions (S-51, S-55)', () => {
  const segments = segmentsOf([
    one('a', { browser: 'Chrome', browserVersion: '138.0', os: 'Mac', osVersion: '10.15' }),
    one('b', { browser: 'Chrome', browserVersion: '138.0', os: 'Linux' }, '07'),
    one('c', { browser: 'Chrome', browserVersion: '137.0', os: 'Mac', osVersion: '10.15' }, '07'),
    one('d', { browser: 'Edge', browserVersion: '138.0' }),
  ]);

  test.each([
    [
      'browser',
      [
        ['Chrome', '138.0', 2],
        ['Chrome', '137.0', 1],
        ['Edge', '138.0', 1],
      ],
    ],
    [
      'os',
      [
        ['Mac', '10.15', 2],
        ['', '', 1],
        ['Linux', '', 1],
      ],
    ],
  ])('%s by name and version', (name, rows) => {
    const answer = ask(segments, `${name}/version`, DAYS);
    expect(columnsOf(answer, name, `${name}_version`, 'visitors')).toEqual(rows);
  });
});

test.each([
  ['utm/source', 'utmSource', 'utm_source'],
  ['utm/medium', 'utmMedium', 'utm_medium'],
  ['utm/campaign', 'utmCampaign', 'utm_campaign'],
  ['utm/content', 'utmContent', 'utm_content'],
  ['utm/term', 'utmTerm', 'utm_term'],
  ['channel', 'channel', 'channel'],
  ['hostname', 'hostname', 'hostname'],
  //
  ['device', 'device', 'device'],
])('%s by value, the unknown one among them (S-11, S-51, S-55)', (name, dimension, field) => {
  const segments = segmentsOf([
    one('a', { [dimension]: 'x' }),
    one('b', { [dimension]: 'x' }, '07'),
    one('c', { [dimension]: 'a' }, '07'),
    one('d', {}),
  ]);
  expect(ask(segments, name, DAYS)).toEqual([
    { [field]: 'x', visitors: 2, relative_visitors: 0.5 },
    { [field]: '', visitors: 1, relative_visitors: 0.25 },
    { [field]: 'a', visitors: 1, relative_visitors: 0.25 },
  ]);
});
