// Goal: active visitors count exactly the window, on a live segment that keeps growing.
// Method: rows one millisecond off each edge, and blocks whose rows are out of order.

import { describe, expect, test } from 'vitest';
import { runActive } from '../../../src/query/live/active.ts';
import type { Segment } from '../../../src/segment/memory/segment.ts';
import { queryOf } from '../ask.ts';
import { SegmentBuilder, type Step } from '../segment-builder.ts';

const DATE = '2024-05-06';
const NOW_MS = Date.parse(`${DATE}T12:00:00Z`);
const at = (beforeMs: number) => new Date(NOW_MS - beforeMs).toISOString();
const activeOf = (segment: Segment, parameters = '') =>
  runActive(queryOf('active', parameters, NOW_MS), [segment]);

describe('the window (S-80)', () => {
  test.each([
    [600_001, 0],
    [600_000, 1],
    [599_999, 1],
    [1, 1],
    [0, 1],
    [-1, 0],
  ])('a view %d ms ago is seen %d times', (beforeMs, seen) => {
    const { segment } = new SegmentBuilder(DATE).session('a', [{ at: at(beforeMs), view: '/' }]);
    const answer = activeOf(segment);
    expect(answer.visitors).toBe(seen);
    expect(answer.stats).toHaveLength(seen);
  });
});

test('S-81: pages by distinct visitors, then path', () => {
  const builder = new SegmentBuilder(DATE)
    .session('a', [
      { at: at(5_000), view: '/b', title: 'B' },
      { at: at(4_000), view: '/b' },
    ])
    .session('b', [
      { at: at(3_000), view: '/b' },
      { at: at(2_000), view: '/a' },
    ])
    .session('a', [{ at: at(1_000), view: '/b' }]);
  expect(activeOf(builder.segment)).toEqual({
    stats: [
      { path: '/b', title: '', visitors: 2 },
      { path: '/a', title: '', visitors: 1 },
    ],
    visitors: 2,
  });
  expect(activeOf(builder.segment, 'include_title=true').stats).toEqual([
    { path: '/b', title: '', visitors: 2 },
    { path: '/a', title: '', visitors: 1 },
    { path: '/b', title: 'B', visitors: 1 },
  ]);
  expect(activeOf(builder.segment, 'limit=1').stats).toHaveLength(1);
});

test('S-82: events and keep-alives keep a visitor active, but not under a page filter', () => {
  const old: Step = { at: at(1_200_000), view: '/' };
  const { segment } = new SegmentBuilder(DATE)
    .session('a', [old, { at: at(1_000), keepAlive: true }], { country: 'de' })
    .session('b', [old, { at: at(1_000), event: 'e' }])
    .session('c', [old, { at: at(1_000), view: '/x' }])
    .session('d', [old]);
  expect(activeOf(segment).visitors).toBe(3);
  expect(activeOf(segment, 'path=/x').visitors).toBe(1);
  expect(activeOf(segment, 'path=/').visitors).toBe(0);
  expect(activeOf(segment, 'country=de')).toEqual({ stats: [], visitors: 1 });
  expect(activeOf(segment, 'event=e').visitors).toBe(1);
  expect(activeOf(segment, 'start=3600&path=/').visitors).toBe(4);
});

test('a recent view among old ones is found, also in blocks that filled up since', () => {
  const builder = new SegmentBuilder(DATE);
  const fill = (count: number, recentEvery: number) => {
    for (let index = 0; index < count; index++) {
      const isRecent = index % recentEvery === 0;
      builder.session(`v${index}`, [{ at: at(isRecent ? 1_000 : 3_600_000), view: '/' }]);
    }
  };
  fill(1_500, 1_000);
  expect(activeOf(builder.segment).visitors).toBe(2);
  expect(activeOf(builder.segment).stats).toEqual([{ path: '/', title: '', visitors: 2 }]);
  fill(4_000, 500);
  const { views } = builder.segment;
  const recent = new Set<number>();
  for (let row = 0; row < views.rowCount; row++) {
    if ((views.columns.timeMs[row] as number) > NOW_MS - 600_000) {
      recent.add(
        builder.segment.sessions.columns.visitor[views.columns.session[row] as number] as number,
      );
    }
  }
  expect(activeOf(builder.segment).stats).toEqual([
    { path: '/', title: '', visitors: recent.size },
  ]);
});
