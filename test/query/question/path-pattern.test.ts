// Goal: a pattern selects paths by a regular expression, safely, and a wrong one is pointed at.
// Method: hand-made paths; faults of every kind; an expression that would run for hours.

import { describe, expect, test } from 'vitest';
import { OperatingError } from '../../../src/model/errors.ts';
import { ask, columnsOf, queryOf } from '../ask.ts';
import { segmentsOf } from '../segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';
const segments = segmentsOf([
  ['a', [{ at: '2024-05-06T10:00:00Z', view: '/' }]],
  ['b', [{ at: '2024-05-06T10:00:00Z', view: '/Blog/ä' }]],
  ['b', [{ at: '2024-05-07T10:00:00Z', view: '/blog/a' }]],
  ['c', [{ at: '2024-05-07T10:00:00Z', event: 'x', on: '/blog/a' }]],
]);
const encoded = (...patterns: string[]) =>
  patterns.map((pattern) => `&pattern=${encodeURIComponent(pattern)}`).join('');

describe('page rows by pattern (F-17, F-20, F-21)', () => {
  test.each([
    [['blog'], ['/blog/a']],
    [['(?i)BLOG'], ['/blog/a', '/Blog/ä']],
    [['^/$'], ['/']],
    [
      ['^/$', 'ä'],
      ['/', '/Blog/ä'],
    ],
    [['!blog'], ['/', '/Blog/ä']],
    [['!blog', '!^/$'], ['/Blog/ä']],
    [['/', '!(?i)blog'], ['/']],
    [['\\pL$'], ['/blog/a', '/Blog/ä']],
    [['null'], []],
    [['~blog'], []],
    [['!'], ['/blog/a', '/', '/Blog/ä']],
  ])('%j', (patterns, paths) => {
    const rows = ask(segments, 'page', `${DAYS}${encoded(...patterns)}`);
    expect(columnsOf(rows, 'path').flat()).toEqual(paths);
  });

  test('F-16: with path it is ignored, right or wrong', () => {
    const rows = ask(segments, 'page', `${DAYS}&path=/${encoded('(')}`);
    expect(columnsOf(rows, 'path')).toEqual([['/']]);
  });

  test('S-13, F-13: in event scope it tests the path of the event', () => {
    expect(ask(segments, 'events', `${DAYS}${encoded('^/blog')}`)).toHaveLength(1);
    expect(ask(segments, 'events', `${DAYS}${encoded('^/$')}`)).toEqual([]);
  });

  test('S-43: figures of an entry page as a page are without it', () => {
    const twoPages = segmentsOf([
      [
        'a',
        [
          { at: '2024-05-06T10:00:00Z', view: '/' },
          { at: '2024-05-06T10:01:00Z', view: '/b' },
        ],
      ],
    ]);
    const rows = ask(twoPages, 'page/entry', `${DAYS}${encoded('b')}`);
    expect(columnsOf(rows, 'path', 'entries', 'visitors')).toEqual([['/', 1, 1]]);
  });
});

describe('a wrong pattern is refused with the position of its fault', () => {
  test.each([
    ['(abc', 'missing closing ) at character 1'],
    ['ä(b)(c', 'missing closing ) at character 5'],
    ['a)', 'unexpected ) at character 2'],
    ['[)]\\))', 'unexpected ) at character 6'],
    ['a[b', 'missing closing ] at character 2'],
    ['/a**', 'invalid nested repetition operator at character 3'],
    ['*a', 'missing argument to repetition operator at character 1'],
    ['/(?=x)', 'invalid or unsupported Perl syntax at character 2'],
    ['(a)\\1', 'invalid escape sequence at character 4'],
    ['a\\', 'trailing backslash at end of expression at character 2'],
    ['a{1001}', 'invalid repeat count at character 2'],
    ['x[z-a]', 'invalid character class range at character 3'],
  ])('%s', (pattern, fault) => {
    expect(refusalOf(pattern)).toEqual({ pattern: `is no regular expression: ${fault}` });
  });

  test('500 characters are taken, 501 are not', () => {
    expect(refusalOf('ä'.repeat(500))).toBeNull();
    expect(refusalOf('ä'.repeat(501))).toEqual({ pattern: 'must be at most 500 characters long' });
    expect(refusalOf(`!${'ä'.repeat(500)}`)).toBeNull();
  });

  test('one that would need a huge program is refused', () => {
    expect(refusalOf('a{999}b{999}')).toBeNull();
    expect(refusalOf('a{999}b{999}c{999}')).toEqual({
      pattern: 'is too large: it must repeat less',
    });
  });
});

function refusalOf(pattern: string): unknown {
  try {
    queryOf('page', `${DAYS}${encoded(pattern)}`);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(OperatingError);
    return (error as OperatingError).validation;
  }
}

test('F-17: an expression that takes long on many paths ends in a refusal, not in a stuck thread', () => {
  const paths = Array.from({ length: 2_000 }, (_, index) => `/${'abaäb'.repeat(390)}${index}`);
  const many = segmentsOf(
    paths.map((view, index) => [`v${index}`, [{ at: '2024-05-06T10:00:00Z', view }]] as const),
  );
  const asked = () => ask(many, 'total', `${DAYS}${encoded('(\\pL{30}){30}$')}`);
  expect(asked).toThrow(/budget of 2000 ms/);
}, 20_000);
