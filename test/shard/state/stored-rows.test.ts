// Goal: sessions that come back from an export are what they were, whenever what is counted is flushed.
// Method: hits make sessions; these go through the log once more as stored rows, into an empty domain.

import { expect, test } from 'vitest';
import type { Hit } from '../../../src/model/hit.ts';
import { asDomainId } from '../../../src/model/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/model/limits.ts';
import { hitOfEvent, hitOfSession, hitOfView } from '../../../src/model/stored-rows.ts';
import { DomainState } from '../../../src/shard/state/domain-state.ts';
import { Sessionizer } from '../../../src/shard/state/sessionizer.ts';
import { applyHits, hit, MONDAY_MS } from '../hit-builder.ts';
import { describeRebuilt, describeRollups } from '../rollup-rows.ts';

const MONDAY = MONDAY_MS / DAY_MS;
const NOTHING_STORED = {
  segment: () => null,
  segmentMaxMs: () => Number.NEGATIVE_INFINITY,
  idempotencyReceivedMs: () => undefined,
};

const visitor = { day: MONDAY, low: 7, high: 9 };

function sessionAt(startMs: number, fields: Partial<Parameters<typeof hitOfSession>[0]> = {}) {
  return hitOfSession({
    ...hit(0, 0),
    ...{
      visitor,
      startMs,
      lastMs: startMs + 90_500,
      platform: 2,
      country: 'de',
      browser: 'Chrome',
    },
    ...{ entryPath: '/in', entryTitle: 'In', exitPath: '/out', exitTitle: 'Out' },
    ...{ pageViews: 3, isBounce: false, keepAlives: 300, ...fields },
  });
}

function viewAt(timeMs: number, path: string, tags: string[] | null = null) {
  return hitOfView(visitor, { timeMs, path, title: '', pairs: tags });
}

function stored(hits: readonly Hit[], flushEach: boolean): DomainState {
  const domain = new DomainState(NOTHING_STORED, asDomainId('domain'), null);
  const sessionizer = new Sessionizer();
  for (const group of flushEach ? hits.map((one) => [one]) : [hits]) {
    expect(new Set(applyHits(sessionizer, domain, group))).toEqual(new Set([0]));
    domain.flushRollups();
  }
  return domain;
}

// Late, at once, without a view, and one session of the visitor after the other.
const TEN = MONDAY_MS + 10 * HOUR_MS;
const HITS: readonly Hit[] = [
  sessionAt(TEN),
  viewAt(TEN + MINUTE_MS, '/out', ['k', 'v']),
  viewAt(TEN, '/in'),
  hitOfEvent(visitor, {
    ...{ timeMs: TEN + MINUTE_MS, path: '/in', title: 'T', pairs: ['plan', 'pro'] },
    ...{ name: 'buy', durationSeconds: 4_000_000_000 },
  }),
  sessionAt(TEN + MINUTE_MS, { pageViews: 1, isBounce: true, keepAlives: 0 }),
  viewAt(TEN + MINUTE_MS, '/in'),
  // All that a deletion has left of a session is an event of the next day.
  sessionAt(MONDAY_MS + DAY_MS + HOUR_MS, { pageViews: 5 }),
  hitOfEvent(visitor, {
    ...{ timeMs: MONDAY_MS + DAY_MS + HOUR_MS, path: '/in', title: '', pairs: null },
    ...{ name: 'late', durationSeconds: 0 },
  }),
];

test.each([false, true])('a session that comes back is as it was (flushed each: %s)', (each) => {
  const domain = stored(HITS, each);
  expect([...domain.segments.keys()]).toEqual([MONDAY]);
  const { segment } = domain.existingSegment(MONDAY)!;
  const { columns, rowCount } = segment.sessions;
  const of = (name: keyof typeof columns) => [...columns[name].subarray(0, rowCount)];
  expect(of('startMs')).toEqual([TEN, TEN + MINUTE_MS, MONDAY_MS + DAY_MS + HOUR_MS]);
  expect(of('lastMs')[0]).toBe(TEN + 90_500);
  expect(of('pageViews')).toEqual([3, 1, 5]);
  expect(of('isBounce')).toEqual([0, 1, 0]);
  expect(of('extended')).toEqual([300, 0, 300]);
  expect(of('platform')).toEqual([2, 2, 2]);
  expect([...segment.views.columns.session.subarray(0, 3)]).toEqual([0, 0, 1]);
  expect([...segment.views.columns.timeOnPage.subarray(0, 3)]).toEqual([0, 60, 0]);
  expect(segment.events.columns.durationSeconds[0]).toBe(4_000_000_000);
  expect(segment.visitors.rowCount).toBe(1);
});

test.each([false, true])(
  'what is counted of them is what their rows say (flushed each: %s)',
  (each) => {
    const { segment } = stored(HITS, each).existingSegment(MONDAY)!;
    expect(describeRollups(segment)).toEqual(describeRebuilt(segment));
  },
);
