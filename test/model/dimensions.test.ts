// Goal: what the table of dimensions says fits together, and no number on disk ever moves (I-78, I-79).
// Method: the numbers as the first release wrote them stand here once more, beside what follows from
// the table. A dimension that is added gets a line at the end of the lists; none is ever changed.

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { DIMENSION_ROWS, groupedBy, PLATFORM_DISK } from '../../src/model/dimensions.ts';
import { asDomainId } from '../../src/model/ids.ts';
import { DICTIONARY_KINDS, HIT_TEXTS, TEXT_DIMENSIONS } from '../../src/model/text-kinds.ts';
import { STATISTICS } from '../../src/query/answers/statistics.ts';
import { KIND } from '../../src/segment/memory/dictionary.ts';
import { TABLES } from '../../src/segment/memory/layout.ts';
import { Segment } from '../../src/segment/memory/segment.ts';
import { FAMILY, FAMILY_COUNT, SESSION_FAMILIES } from '../../src/segment/rollup/families.ts';

/** The dimensions as they came, with which the lists of kinds, columns and texts end. */
const DIMENSIONS = [
  ...['country', 'region', 'city', 'language', 'referrer', 'referrerName', 'referrerIcon'],
  ...['channel', 'os', 'osVersion', 'browser', 'browserVersion', 'screenClass', 'utmSource'],
  ...['utmMedium', 'utmCampaign', 'utmContent', 'utmTerm', 'hostname'],
  'device',
];

test('the kinds of texts in a dictionary on disk keep their numbers', () => {
  expect(DICTIONARY_KINDS).toEqual([
    ...['path', 'title', ...DIMENSIONS.slice(0, 19)],
    ...['eventName', 'tagKey', 'tagValue', 'metaKey', 'metaValue', ...DIMENSIONS.slice(19)],
  ]);
  expect(KIND.path).toBe(0);
  expect(KIND.metaValue).toBe(25);
});

test('the texts of a hit in a log record keep their numbers', () => {
  expect(HIT_TEXTS).toEqual(['path', 'title', 'eventName', ...DIMENSIONS]);
});

test('the tables of a segment and their columns keep their positions on disk', () => {
  const segment = new Segment(asDomainId('site'), 0);
  const stored = Object.keys(TABLES).map((name) => [
    name,
    segment[name as keyof typeof TABLES].storedNames,
  ]);
  const pages = [
    ...['path', 'title', 'views', 'sessions', 'visitors', 'bounces', 'entries', 'exits'],
    ...['timed', 'seconds'],
  ];
  expect(stored).toEqual([
    ['visitors', ['low', 'high', 'session']],
    [
      'sessions',
      [
        ...['startMs', 'lastMs', 'visitor', 'entryPath', 'entryTitle', 'exitPath', 'exitTitle'],
        ...['pageViews', 'isBounce', 'extended', 'boundDays', 'platform', ...DIMENSIONS],
      ],
    ],
    ['views', ['timeMs', 'session', 'path', 'title', 'tagEnd']],
    ['events', ['timeMs', 'session', 'name', 'path', 'title', 'durationSeconds', 'metaEnd']],
    ['tagPairs', ['key', 'value']],
    ['metaPairs', ['key', 'value']],
    ['carried', ['low', 'high', 'previousLow', 'previousHigh', 'homeDay', 'session']],
    [
      'rollups',
      [
        ...['family', 'first', 'second', 'third', 'views', 'sessions', 'visitors', 'bounces'],
        ...['timed', 'seconds'],
      ],
    ],
    ['pages', pages],
    ['titledPages', pages],
    [
      'quarters',
      [
        ...['quarter', 'views', 'pageTimed', 'pageSeconds', 'sessionsFirst', 'sessionsLast'],
        ...['visitorsFirst', 'visitorsLast', 'bouncesFirst', 'bouncesLast', 'timedFirst'],
        ...['timedLast', 'secondsFirst', 'secondsLast'],
      ],
    ],
  ]);
  const { storedNames } = segment.sessions;
  const positions = DIMENSION_ROWS.map(([name]) => storedNames.indexOf(name));
  expect(DIMENSION_ROWS.map(([, { disk }]) => disk.column)).toEqual(positions);
  expect(storedNames.indexOf('platform')).toBe(PLATFORM_DISK.column);
});

test('the families of pre-aggregates keep their codes', () => {
  const others = { hour: 0, minute: 1, tagKey: 2, eventName: 3, eventKey: 4, referrerName: 5 };
  expect(FAMILY).toEqual(others);
  const codes = SESSION_FAMILIES.map(({ code, keys }) => `${code} ${keys.join('+')}`);
  expect(codes).toEqual([
    ...['6 platform', '7 country', '8 language', '9 os', '10 browser', '11 screenClass'],
    ...['12 channel', '13 hostname', '14 utmSource', '15 utmMedium', '16 utmCampaign'],
    ...['17 utmContent', '18 utmTerm', '19 os+osVersion', '20 browser+browserVersion'],
    ...['21 region+country', '22 city+region+country', '23 referrer', '24 device'],
  ]);
  expect(FAMILY_COUNT).toBe(Object.keys(others).length + codes.length);
});

test('what a dimension is grouped with is a dimension, and itself is among it', () => {
  for (const [name] of DIMENSION_ROWS) {
    expect(groupedBy(name)).toContain(name);
    for (const key of groupedBy(name)) expect(TEXT_DIMENSIONS).toContain(key);
  }
});

test('no two dimensions have a field, a statistic or an option in common', () => {
  const fields = DIMENSION_ROWS.flatMap(([, row]) => row.fields);
  const names = STATISTICS.map(({ name }) => name);
  for (const list of [fields, names]) expect(new Set(list).size).toBe(list.length);
});

test('what is written out field by field is what the table says', () => {
  const { status, stderr } = spawnSync('node', ['config/tools/generate.mjs', '--check'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
