// Goal: parts of a room never share a word, and are empty when they are handed out, also again.
// Method: random takes and returns beside arrays of their own; each part is filled with its number.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type WordRange, WordRoom } from '../../../src/segment/open/word-room.ts';
import { tries } from '../../support/runs.ts';

const step = fc.record({ order: fc.integer({ min: 6, max: 11 }), returned: fc.nat(7) });

test('parts are apart, and empty at first', () => {
  let returnedCount = 0;
  const run = (steps: readonly { order: number; returned: number }[]) => {
    const room = new WordRoom();
    const held: { part: WordRange; size: number; mark: number }[] = [];
    for (const [mark, { order, returned }] of steps.entries()) {
      if (returned < held.length) {
        const [gone] = held.splice(returned, 1);
        room.give(gone!.part.words, gone!.part.at, gone!.size);
        returnedCount++;
        continue;
      }
      const size = 2 ** order;
      const part = room.take(size);
      const words = part.words.subarray(part.at, part.at + size);
      expect(words).toEqual(new Uint32Array(size));
      words.fill(mark + 1);
      held.push({ part, size, mark: mark + 1 });
    }
    for (const { part, size, mark } of held) {
      const words = part.words.subarray(part.at, part.at + size);
      expect(words).toEqual(new Uint32Array(size).fill(mark));
    }
  };
  const lists = fc.array(step, { minLength: 40, maxLength: 120, size: 'max' });
  fc.assert(fc.property(lists, run), tries(60));
  expect(returnedCount).toBeGreaterThan(60);
});
