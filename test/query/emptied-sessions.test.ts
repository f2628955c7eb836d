// Goal: sessions that a deletion emptied are no one's, whatever is asked after it.
// Method: a segment rebuilt without one session in the middle, beside one that never had it.

import { expect, test } from 'vitest';
import { rebuildSegment } from '../../src/segment/memory/rebuild.ts';
import type { Segment } from '../../src/segment/memory/segment.ts';
import { ask } from './ask.ts';
import { type Step, segmentsOf } from './segment-builder.ts';

const DAYS = 'from=2024-05-06&to=2024-05-06';
const view = (time: string, path: string): Step => ({ at: `2024-05-06T${time}:00Z`, view: path });

const a = ['a', [view('10:00', '/a'), view('10:05', '/b')], { country: 'de' }] as const;
const gone = ['b', [view('10:01', '/b')], { country: 'fr' }] as const;
const c = ['c', [view('10:02', '/b')], { country: 'gb' }] as const;
const [full] = segmentsOf([a, gone, c] as unknown as Parameters<typeof segmentsOf>[0]);
const never = segmentsOf([a, c] as unknown as Parameters<typeof segmentsOf>[0]);

function withoutSession(segment: Segment, session: number): Segment {
  const { views, events } = segment;
  const kept = Uint8Array.from({ length: views.rowCount }, (_, row) =>
    Number(views.columns.session[row] !== session),
  );
  return rebuildSegment(segment, {
    views: kept,
    events: new Uint8Array(events.rowCount).fill(1),
    carried: new Uint8Array(segment.sessions.rowCount),
  });
}

test.each(['total', 'growth', 'visitor', 'page', 'page/entry', 'country', 'hours'])(
  'A-81, S-2: %s after a deletion is what it is without the deleted session',
  (statistic) => {
    const emptied = [withoutSession(full as Segment, 1)];
    expect(emptied[0]?.sessions.rowCount).toBe(3);
    for (const filter of ['', '&path=/b', '&path=!/a&country=!fr', '&pattern=b$']) {
      expect(ask(emptied, statistic, `${DAYS}${filter}`)).toEqual(
        ask(never, statistic, `${DAYS}${filter}`),
      );
    }
  },
);

const fired = [
  'd',
  [view('10:00', '/a'), { at: '2024-05-06T10:01:00Z', event: 'order', path: '/c' }],
] as const;

test.each(['total', 'growth', 'visitor', 'page', 'page/entry', 'country', 'hours', 'session/list'])(
  'A-81: %s of a day of which a deletion has left events only is that of no day',
  (statistic) => {
    const [whole] = segmentsOf([fired] as unknown as Parameters<typeof segmentsOf>[0]);
    const { views, events, carried } = whole as Segment;
    expect([views.rowCount, events.rowCount]).toEqual([1, 1]);
    const left = rebuildSegment(whole as Segment, {
      views: new Uint8Array(1),
      events: Uint8Array.of(1),
      carried: new Uint8Array(carried.rowCount),
    });
    for (const filter of ['', '&tag=!k', '&tag_k=!v', '&tag=k', '&path=/a', '&tag=!k&country=de']) {
      const question = `${DAYS}${filter}`;
      expect(ask([left], statistic, question)).toEqual(ask([], statistic, question));
    }
  },
);
