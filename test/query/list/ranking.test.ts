// Goal: a page of a list is the part of the whole order that it should be, however deep it lies, and
//   costs a few comparisons per group in whatever order the groups come.
// Method: against a sort of everything; comparisons are counted, which no busy machine changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from '../../../src/query/list/ranking.ts';

const COUNT = 200_000;
const numbered = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, at) => at);

/** What groups are ordered by, in orders that a heap or a bad pivot would suffer from. */
const ORDERS: Readonly<Record<string, (group: number) => number>> = {
  ascending: (group) => group,
  descending: (group) => -group,
  'all equal': () => 1,
  'few values': (group) => group % 3,
  'organ pipe': (group) => Math.min(group, COUNT - group),
  mixed: (group) => Math.imul(group, 0x9e3779b1) >>> 8,
};

for (const [name, orderOf] of Object.entries(ORDERS)) {
  test(`of 200,000 groups that come ${name}, every page is right and cheap`, () => {
    const compare = (left: number, right: number) => orderOf(left) - orderOf(right) || left - right;
    const all = Array.from(numbered(COUNT)).sort(compare);
    for (const offset of [0, 100, 5_000, COUNT / 2, COUNT - 150, COUNT - 1, COUNT]) {
      let comparisons = 0;
      const counted = (left: number, right: number) => {
        comparisons++;
        return compare(left, right);
      };
      const page = pageOf(numbered(COUNT), counted, { offset, limit: 100 });
      expect(page).toEqual(all.slice(offset, offset + 100));
      // A heap takes 14 a group here, a sort of everything 17.
      expect(comparisons).toBeLessThan(COUNT * 3);
    }
  });
}

test('small and large lists of any values are ordered as a sort of everything orders them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_000 }),
      fc.integer({ min: 1, max: 5_000 }),
      fc.nat({ max: 9_500 }),
      fc.integer({ min: 1, max: 200 }),
      (count, values, offset, limit) => {
        const orderOf = (group: number) => Math.imul(group + 1, 0x85ebca6b) % values;
        const compare = (left: number, right: number) =>
          orderOf(left) - orderOf(right) || left - right;
        const all = Array.from(numbered(count)).sort(compare);
        const page = pageOf(numbered(count), compare, { offset, limit });
        expect(page).toEqual(all.slice(offset, offset + limit));
      },
    ),
    { numRuns: 60 },
  );
});
