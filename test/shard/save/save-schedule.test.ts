// Goal: what is unsaved stays bounded, and thousands of quiet domains do not cost a save each second.
// Method: domains with made-up ages and loads at the edges of every bound.

import { expect, test } from 'vitest';
import { asDomainId } from '../../../src/model/ids.ts';
import { SaveSchedule } from '../../../src/shard/save/save-schedule.ts';
import { DomainState } from '../../../src/shard/state/domain-state.ts';

const NOW_MS = 1_772_438_400_000;
const TICK_MS = 250;

test.each([
  { hits: 1_000, ageMs: 999, isDue: false },
  { hits: 1_000, ageMs: 1_000, isDue: true },
  { hits: 999, ageMs: 1_000, isDue: false },
])('a domain of $hits unsaved hits is due after $ageMs ms: $isDue', ({ hits, ageMs, isDue }) => {
  const schedule = paced(0);
  expect(schedule.due([unsaved(ageMs, hits)], NOW_MS)).toHaveLength(isDue ? 1 : 0);
});

test.each([
  { perSecond: 1_000, waitsMs: 60_000 },
  { perSecond: 20_000, waitsMs: 25_000 },
  { perSecond: 100_000, waitsMs: 10_000 },
])('at $perSecond hits/s a quiet domain waits $waitsMs ms', ({ perSecond, waitsMs }) => {
  const schedule = paced(perSecond);
  expect(schedule.due([unsaved(waitsMs - 1, 1)], NOW_MS)).toEqual([]);
  expect(schedule.due([unsaved(waitsMs, 1)], NOW_MS)).toHaveLength(1);
  expect(schedule.due([unsaved(waitsMs + 1, 1)], NOW_MS)).toHaveLength(1);
});

test('a burst shortens the wait at once, and a lull lengthens it little by little', () => {
  const schedule = paced(0);
  schedule.count(50_000);
  schedule.begin(NOW_MS + TICK_MS);
  expect(schedule.due([unsaved(10_000, 1)], NOW_MS)).toHaveLength(1);
  schedule.begin(NOW_MS + 2 * TICK_MS);
  expect(schedule.due([unsaved(10_000, 1)], NOW_MS)).toHaveLength(1);
  for (let tick = 3; tick < 100; tick++) schedule.begin(NOW_MS + tick * TICK_MS);
  expect(schedule.due([unsaved(59_999, 1)], NOW_MS)).toEqual([]);
});

test.each([
  { ageMs: 29_999, goesAlong: false },
  { ageMs: 30_000, goesAlong: true },
  { ageMs: 30_001, goesAlong: true },
])('a domain of $ageMs ms goes along with one that is due: $goesAlong', ({ ageMs, goesAlong }) => {
  const schedule = paced(0);
  const due = unsaved(60_000, 1);
  const other = unsaved(ageMs, 1);
  expect(schedule.due([other, due], NOW_MS)).toEqual(goesAlong ? [due, other] : [due]);
  expect(schedule.due([other], NOW_MS)).toEqual([]);
});

test.each([
  { hits: 20_000, restMs: 25 * 8, isDue: true },
  { hits: 20_000, restMs: 25 * 8 - 1, isDue: false },
  { hits: 19_999, restMs: 25 * 8, isDue: false },
])('$hits unsaved hits are saved at once $restMs ms after saves of 8 ms: $isDue', (row) => {
  const schedule = paced(100_000);
  schedule.saved(NOW_MS - row.restMs, 8);
  expect(schedule.due([unsaved(100, row.hits)], NOW_MS)).toHaveLength(row.isDue ? 1 : 0);
  // Saves that take long do not put it off for ever.
  expect(schedule.due([unsaved(1_000, row.hits)], NOW_MS)).toHaveLength(1);
});

/** A schedule that has seen a steady load for half a minute. */
function paced(hitsPerSecond: number): SaveSchedule {
  const schedule = new SaveSchedule();
  for (let tick = 120; tick >= 0; tick--) {
    schedule.count((hitsPerSecond * TICK_MS) / 1_000);
    schedule.begin(NOW_MS - tick * TICK_MS);
  }
  return schedule;
}

function unsaved(ageMs: number, hits: number): DomainState {
  const reader = {
    segment: () => null,
    segmentMaxMs: () => Number.NEGATIVE_INFINITY,
    idempotencyReceivedMs: () => undefined,
  };
  const domain = new DomainState(reader, asDomainId('site'), null);
  domain.unsavedSinceMs = NOW_MS - ageMs;
  domain.unsavedHits = hits;
  return domain;
}
