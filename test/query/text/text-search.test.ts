// Goal: many words are found together as they are one by one (F-20, F-32).
// Method: random words and texts of a few letters, so that words overlap, against `includes`.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded, searchFor } from '../../../src/query/text/text-search.ts';

const LETTERS = ['a', 'b', 'c', 'B', 'ß', 'İ', 'ς', 'σ', 'Σ', '😀', '\ud83d', ' '];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...LETTERS), { maxLength }).map((letters) => letters.join(''));
const words = fc
  .array(text(4), { minLength: 1, maxLength: 40 })
  .map((all) => all.filter((word) => word !== '').map(folded));

test('a text holds one of the words exactly when it includes one, folded', () => {
  fc.assert(
    fc.property(words, fc.array(text(30), { maxLength: 20 }), (some, texts) => {
      const holds = searchFor(some);
      for (const one of texts) {
        expect(holds(one)).toBe(some.some((word) => folded(one).includes(word)));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a word that is the ending of another one is found where that one breaks off', () => {
  const holds = searchFor(['abcd', 'bc', 'x', 'y', 'z']);
  expect([holds('aabce'), holds('abd'), holds('ABCD'), holds('Z')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('a hundred words of eight thousand characters and thousands of letters are looked for as well', () => {
  const long = Array.from({ length: 100 }, (_, number) =>
    Array.from({ length: 8_000 }, (_, at) =>
      String.fromCharCode(0x4e00 + ((at * (number + 7)) % 9_000)),
    ).join(''),
  );
  const holds = searchFor(long);
  expect(holds(`before ${long[57]} after`)).toBe(true);
  expect(holds(long[57]!.slice(1))).toBe(false);
});
