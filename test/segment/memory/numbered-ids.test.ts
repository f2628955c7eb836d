// Goal: an id that is remembered by a text's number is that of this text in this epoch, whatever was
// remembered before; what is forgotten is only not known.
// Method: a map beside it (fast-check); more texts than there are entries.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberedIds } from '../../../src/segment/memory/numbered-ids.ts';
import { tries } from '../../support/runs.ts';

const ENTRIES_MAX = 256 * 1_024;

test('says of each text what was remembered of it in this epoch', () => {
  const tags = fc.integer({ min: 1, max: 120 });
  const step = fc.tuple(fc.nat({ max: 20 }), tags, fc.integer({ min: 1, max: 0xffff_ffff }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      const ids = new NumberedIds();
      let epoch = 1;
      let model = new Map<number, number>();
      for (const [turn, tag, id] of steps) {
        // Now and then all numbers lose their meaning.
        if (turn === 0) {
          epoch++;
          model = new Map();
        }
        expect(ids.find(tag, epoch)).toBe(model.get(tag) ?? 0);
        if (model.has(tag)) continue;
        ids.note(tag, epoch, id);
        model.set(tag, id);
        expect(ids.find(tag, epoch)).toBe(id);
      }
      for (let tag = 1; tag <= 120; tag++) expect(ids.find(tag, epoch)).toBe(model.get(tag) ?? 0);
    }),
    tries(400),
  );
});

test('starts over when it is full, and stays as large as it is', () => {
  const ids = new NumberedIds();
  expect(ids.bytes).toBe(0);
  let most = 0;
  for (let tag = 1; tag <= ENTRIES_MAX; tag++) {
    ids.note(tag, 1, tag);
    if (ids.find(tag, 1) !== tag) throw new Error(`${tag} is not known`);
    most = Math.max(most, ids.bytes);
  }
  expect(most).toBe(ENTRIES_MAX * 8);
  const first = ids.find(1, 1);
  expect([0, 1]).toContain(first);
  expect(ids.find(ENTRIES_MAX, 2)).toBe(0);
});
