// Goal: tags by key and by value follow S-64 to S-66.
// Method: a few hand-made sessions over two days, so that segments merge.

import { describe, expect, test } from 'vitest';
import { ask, columnsOf } from '../ask.ts';
import { segmentsOf } from '../segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-07';
const segments = segmentsOf([
  [
    'a',
    [
      { at: '2024-05-06T10:00:00Z', view: '/', tags: { author: 'John' } },
      { at: '2024-05-06T10:01:00Z', view: '/a', tags: { author: 'Alice', type: 'post' } },
      { at: '2024-05-06T10:02:00Z', view: '/a' },
    ],
  ],
  ['b', [{ at: '2024-05-07T10:00:00Z', view: '/', tags: { type: 'page', author: 'John' } }]],
  ['c', [{ at: '2024-05-07T11:00:00Z', event: 'e', meta: { author: 'Eve' } }]],
]);
const FIELDS = ['visitors', 'views', 'relative_visitors', 'relative_views'];

describe('tags', () => {
  test('S-64: a page view counts under each of its keys', () => {
    expect(columnsOf(ask(segments, 'tags', DAYS), 'key', ...FIELDS)).toEqual([
      ['author', 2, 3, 0.6667, 0.6],
      ['type', 2, 2, 0.6667, 0.4],
    ]);
  });
  test('S-64: a tag filter keeps page views with the key and lists their other keys', () => {
    const rows = ask(segments, 'tags', `${DAYS}&tag=type`);
    expect(columnsOf(rows, 'key', 'views')).toEqual([
      ['author', 2],
      ['type', 2],
    ]);
  });
  test('S-65: the first plain tag is broken down by value, under all filters', () => {
    const rows = ask(segments, 'tag/details', `${DAYS}&tag=!nothing&tag=author&tag=type`);
    expect(columnsOf(rows, 'key', 'value', ...FIELDS)).toEqual([
      ['author', 'John', 2, 2, 0.6667, 0.4],
      ['author', 'Alice', 1, 1, 0.3333, 0.2],
    ]);
    const filtered = ask(segments, 'tag/details', `${DAYS}&tag=author&tag_type=post`);
    expect(columnsOf(filtered, 'value')).toEqual([['Alice']]);
  });
  test.each(['', '&tag=!author', '&tag=null', '&tag_author=John'])(
    'S-65, S-66: nothing is listed without a plain tag (%s)',
    (parameters) => expect(ask(segments, 'tag/details', DAYS + parameters)).toEqual([]),
  );
});
