// Goal: no value of the first page is refused by its bound, however values come.
// Method: random values with many ties, against sorting all of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FirstBound } from '../../../src/query/list/top-k.ts';

test.each(['asc', 'desc'] as const)('every value of the first page is taken, %s', (direction) => {
  const sign = direction === 'asc' ? 1 : -1;
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 60 }), { maxLength: 300 }),
      fc.integer({ min: 1, max: 40 }),
      (values, count) => {
        const bound = new FirstBound(count, direction);
        const taken = values.filter((value) => bound.takes(value));
        const byOrder = (a: number, b: number) => sign * (a - b);
        const page = values.toSorted(byOrder).slice(0, count);
        // Ties with the last of the page are taken too: further keys decide among them.
        const last = page.at(-1) ?? 0;
        const within = values.filter((value) => sign * (value - last) <= 0);
        expect(taken.toSorted(byOrder).slice(0, within.length)).toEqual(within.toSorted(byOrder));
      },
    ),
  );
});

test('most of a long ascending stream is refused', () => {
  const bound = new FirstBound(100, 'asc');
  let taken = 0;
  for (let value = 0; value < 100_000; value++) if (bound.takes(value)) taken++;
  expect(taken).toBe(200);
});
