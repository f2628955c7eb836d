// Goal: every amount lies in the one bucket whose bounds hold it, and buckets are narrow.
// Method: compare with a search through the bounds: at each bound, beside it, and at random between.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUCKET_BOUNDS, BUCKET_COUNT, bucketOf } from '../../../src/base/metrics/buckets.ts';
import { tries } from '../../support/runs.ts';

/** The definition: the first bucket whose bound is not below the amount. */
function searched(amount: number): number {
  const found = BUCKET_BOUNDS.findIndex((bound) => amount <= bound);
  return found < 0 ? BUCKET_COUNT - 1 : found;
}

test('a bound belongs to the bucket below it, what is a little more to the next', () => {
  expect(BUCKET_BOUNDS.length).toBe(BUCKET_COUNT - 1);
  for (const [index, bound] of BUCKET_BOUNDS.entries()) {
    expect([bound, bucketOf(bound)]).toEqual([bound, index]);
    expect([bound, bucketOf(bound + 0.001)]).toEqual([bound, index + 1]);
    expect([bound, bucketOf(bound - 0.001)]).toEqual([bound, index]);
  }
});

test('nothing has no bucket: from less than nothing to more than fits', () => {
  const amounts = [-1, 0, -0, 0.5, 2 ** 26 + 1, 2 ** 31, 2 ** 40, Number.MAX_VALUE];
  const last = BUCKET_COUNT - 1;
  expect(amounts.map(bucketOf)).toEqual([0, 0, 0, 0, last, last, last, last]);
});

test('any amount lies where a search through the bounds finds it', () => {
  const amounts = fc.oneof(
    fc.double({ min: 0, max: 2 ** 27, noNaN: true }),
    // As durations are: as likely small as large.
    fc.double({ min: 0, max: 30, noNaN: true }).map((exponent) => 2 ** exponent),
    fc.nat({ max: 2 ** 28 }),
  );
  const isRight = (amount: number) => bucketOf(amount) === searched(amount);
  fc.assert(fc.property(amounts, isRight), tries(10_000));
});

test('a bound is at most half as much again as the one before', () => {
  const steps = BUCKET_BOUNDS.slice(1).map((bound, index) => bound / BUCKET_BOUNDS[index]!);
  expect(Math.max(...steps)).toBe(1.5);
  expect(Math.min(...steps)).toBeGreaterThan(1.3);
});
