/**
 * Goal: the counts of pairs in a window are those of a plain list, for any order of times.
 * Method: edges of the window and of the ring by hand, then random notes and questions against a
 * Map from pair to latest time.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecentPairs } from '../../../src/query/live/sliding-window.ts';

const NOW_MS = Date.parse('2024-05-06T12:00:00Z');
const HOUR_S = 3_600;

function countOf(pairs: RecentPairs, first: number, seconds: number, nowMs: number): number {
  return pairs.countsOf(seconds, nowMs)[first] ?? 0;
}

describe('a pair', () => {
  test.each([
    [10_001, 0],
    [10_000, 1],
    [9_999, 1],
    [1, 1],
    [0, 1],
  ])('noted %d ms ago is in the last ten seconds %d times (S-80)', (beforeMs, seen) => {
    const pairs = new RecentPairs();
    pairs.note(3, 7, NOW_MS - beforeMs);
    expect(countOf(pairs, 3, 10, NOW_MS)).toBe(seen);
  });

  test.each([
    [9_999, 1],
    [10_000, 1],
    [10_001, 0],
  ])('leaves a window that was asked for before once %d ms have gone by: %d', (gapMs, seen) => {
    const pairs = new RecentPairs();
    pairs.note(3, 7, NOW_MS);
    expect(countOf(pairs, 3, 10, NOW_MS)).toBe(1);
    expect(countOf(pairs, 3, 10, NOW_MS + gapMs)).toBe(seen);
  });

  test('counts once, at its latest time, whatever comes in what order', () => {
    const pairs = new RecentPairs();
    for (const beforeMs of [50_000, 5_000, 90_000, 5_000, 6_000]) {
      pairs.note(1, 1, NOW_MS - beforeMs);
    }
    expect(countOf(pairs, 1, 4, NOW_MS)).toBe(0);
    expect(countOf(pairs, 1, 5, NOW_MS)).toBe(1);
    expect(countOf(pairs, 1, HOUR_S, NOW_MS)).toBe(1);
  });

  test('is forgotten by itself: what is held is bounded by what was seen in the last hour', () => {
    const pairs = new RecentPairs();
    for (let minute = 0; minute < 600; minute++) {
      for (let pair = 0; pair < 50; pair++) {
        pairs.note(1, minute * 50 + pair, NOW_MS + minute * 60_000 + pair * 1_100);
      }
      if (minute % 7 === 0) pairs.countsOf(HOUR_S, NOW_MS + minute * 60_000 + 59_000);
    }
    const endMs = NOW_MS + 599 * 60_000 + 59_000;
    expect(countOf(pairs, 1, HOUR_S, endMs)).toBe(60 * 50);
    expect(pairs.count).toBeLessThan(62 * 50);
    expect(pairs.bytes).toBeLessThan(1_000_000);
  });
});

const STEP = fc.record({
  first: fc.nat({ max: 5 }),
  second: fc.nat({ max: 40 }),
  agoMs: fc.oneof(fc.nat({ max: 20_000 }), fc.nat({ max: 4_200_000 }), fc.constant(0)),
  pauseMs: fc.oneof(
    { weight: 20, arbitrary: fc.nat({ max: 3_000 }) },
    { weight: 2, arbitrary: fc.nat({ max: 4_000_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(4_194_303, 4_194_304, 4_194_305, 20_000_000, -1) },
  ),
  ask: fc.constantFrom(0, 0, 1, 10, 10, 60, 600, 601, 3_599, HOUR_S),
});

test('random notes and questions agree with a plain list, also after pauses longer than the ring', () => {
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 1, maxLength: 120, size: 'max' }), (steps) => {
      const pairs = new RecentPairs();
      const latest = new Map<string, { first: number; timeMs: number }>();
      let nowMs = NOW_MS;
      let newestMs = 0;
      for (const { first, second, agoMs, pauseMs, ask } of steps) {
        nowMs = Math.max(nowMs + pauseMs, newestMs);
        const timeMs = nowMs - agoMs;
        newestMs = Math.max(newestMs, timeMs);
        pairs.note(first, second, timeMs);
        const key = `${first} ${second}`;
        if (timeMs > (latest.get(key)?.timeMs ?? 0)) latest.set(key, { first, timeMs });
        if (ask === 0) continue;
        const expected = [0, 0, 0, 0, 0, 0];
        for (const known of latest.values()) {
          if (known.timeMs < nowMs - ask * 1_000) continue;
          expected[known.first] = (expected[known.first] ?? 0) + 1;
        }
        const counts = pairs.countsOf(ask, nowMs);
        expect(expected.map((_, index) => counts[index] ?? 0)).toEqual(expected);
      }
    }),
    { numRuns: 2_000 },
  );
});
