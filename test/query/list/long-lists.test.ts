// Goal: a page of a long list is that part of the whole list (S-10, F-33), whatever it is ordered by.
// Method: pages whose counts tie often, so that a bound on the first key alone would cut through ties.
import { expect, test } from 'vitest';
import { ask, columnsOf } from '../ask.ts';
import { segmentsOf } from '../segment-builder.ts';

const DAY = 'from=2024-05-06&to=2024-05-06';
const PATHS = 90;
const viewsOf = (path: number): number => 1 + (Math.imul(path, 7) % 4);

const segments = segmentsOf(
  Array.from({ length: PATHS }, (_, path) =>
    Array.from({ length: viewsOf(path) }, (_, visitor) => {
      const view = { at: '2024-05-06T10:00:00Z', view: `/${path}` };
      return [`v${path}-${visitor}`, [view]] as const;
    }),
  ).flat(),
);

test.each(['', '&sort=views', '&sort=views&direction=asc', '&sort=path'])(
  'in the order of%s every page is a part of the list',
  (order) => {
    const list = (page: string) =>
      columnsOf(ask(segments, 'page', `${DAY}${order}${page}`), 'path', 'views');
    const all = list('');
    expect(all).toHaveLength(PATHS);
    for (const [offset, limit] of [
      ...[[0, 1] as const, [0, 20] as const, [3, 5] as const, [17, 5] as const],
      ...[[20, 5] as const, [85, 20] as const],
    ]) {
      expect(list(`&offset=${offset}&limit=${limit}`)).toEqual(all.slice(offset, offset + limit));
    }
  },
);
