// Goal: times are written as Date writes them, whichever.
// Method: the borders of days, months and years, and thousands of random moments beside Date.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../src/base/iso-time.ts';
import { tries } from '../support/runs.ts';

const plain = (ms: number) => new Date(ms).toISOString();

test.each([
  ...[0, -1, 1, 999, 1_000, 59_999, 60_000, 86_399_999, 86_400_000, -86_400_000, -86_400_001],
  ...[Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(2026, 10, 22), Date.UTC(1, 0, 1)],
  ...[Date.UTC(0, 0, 1), Date.UTC(9999, 11, 30, 23), Date.UTC(10_000, 0, 1), -62_200_000_000_000],
  ...[8.64e15, -8.64e15, 1_795_369_524_667.4, -0.5],
])('%d ms', (ms) => expect(isoTime(ms)).toBe(plain(ms)));

test('any moment', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8e13, max: 4e14 }), (ms) => isoTime(ms) === plain(ms)),
    tries(100_000),
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])('%d is no time', (ms) => {
  expect(() => isoTime(ms)).toThrow(RangeError);
});
