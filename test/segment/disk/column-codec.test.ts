// Goal: a column comes back as it was, in as few bits as its values need.
// Method: random columns of every form against themselves; the bytes taken are counted by hand.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnCodec, columnBytesMax } from '../../../src/segment/disk/column-codec.ts';

const ROWS = 1_024;
const codec = new ColumnCodec(ROWS);

function encoded(values: readonly number[]): Uint8Array {
  const cursor = { bytes: new Uint8Array(columnBytesMax(values.length)), at: 0 };
  codec.values.set(values);
  codec.encode(values.length, cursor);
  return cursor.bytes.slice(0, cursor.at);
}

function decoded(bytes: Uint8Array, rows: number): number[] {
  // Something stands before and behind, as in a block.
  const cursor = { bytes: Uint8Array.from([255, ...bytes, 255, 255]), at: 1 };
  codec.values.fill(-1);
  codec.decode(rows, cursor);
  expect(cursor.at).toBe(1 + bytes.length);
  return [...codec.values.subarray(0, rows)];
}

const least = fc.constantFrom(0, 1, 127, 128, 16_384, 1_700_000_000_000, 2 ** 53 - 2 ** 33);
const offset = fc.constantFrom(0, 1, 2, 254, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1);
const offsets = fc.array(fc.oneof(offset, fc.nat(2 ** 32 - 1), fc.nat(40)), {
  minLength: 1,
  maxLength: 80,
});

test('whole numbers within 2^32 of each other come back', () => {
  fc.assert(
    fc.property(least, offsets, (base, column) => {
      const values = column.map((value) => base + value);
      expect(decoded(encoded(values), values.length)).toEqual(values);
    }),
    { numRuns: 1_000 },
  );
});

test('values that go in steps come back, up, down and over more than 2^32', () => {
  const steps = fc.array(fc.integer({ min: -(2 ** 20), max: 2 ** 33 }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (column) => {
      let value = 2 ** 40;
      const values = [value, ...column.map((step) => (value += step))];
      expect(decoded(encoded(values), values.length)).toEqual(values);
    }),
    { numRuns: 500 },
  );
});

test.each([
  { name: 'fractions', values: [0.5, 1, 1.5] },
  { name: 'negative values', values: [-1, 0, 3] },
  { name: 'values beyond 2^53', values: [0, 2 ** 60] },
  { name: 'neighbours more than 2^32 apart, up and down', values: [0, 2 ** 33, 0, 2 ** 33] },
])('$name come back as doubles', ({ values }) => {
  const bytes = encoded(values);
  expect(bytes.length).toBe(1 + 8 * values.length);
  expect(decoded(bytes, values.length)).toEqual(values);
});

test.each(Array.from({ length: 32 }, (_, index) => index + 1))(
  'a spread of %i bits takes as many per value, one more than that does not',
  (bits) => {
    // Up and down, so that steps have twice the spread.
    const column = (spread: number) =>
      Array.from({ length: ROWS }, (_, row) => 7 + (row === 0 ? 0 : spread - (row % 2)));
    expect(encoded(column(2 ** bits - 1)).length).toBe(3 + (ROWS * bits) / 8);
    if (bits === 32) return;
    expect(encoded(column(2 ** bits)).length).toBe(3 + (ROWS * (bits + 1)) / 8);
  },
);

test('one value takes two bytes however often, and equal steps take none each', () => {
  expect(encoded(Array.from({ length: ROWS }, () => 5)).length).toBe(2);
  expect(encoded(Array.from({ length: ROWS }, (_, row) => 100 + row * 3)).length).toBe(4);
  expect(encoded([5])).toEqual(encoded([5, 5]));
});

test('a column of mostly one value comes back, whatever the others are and wherever they stand', () => {
  const others = fc.array(fc.tuple(fc.nat(899), fc.integer({ min: 1, max: 2 ** 32 - 1 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 900 }), least, others, (rows, base, given) => {
      const values = new Array<number>(rows).fill(base);
      for (const [row, value] of given) if (row < rows) values[row] = base + value;
      expect(decoded(encoded(values), rows)).toEqual(values);
    }),
    { numRuns: 500 },
  );
});

test('a column of mostly one value takes a bit per row and the bits of the others', () => {
  // 7 bits for up to 100: in steps 8 bits a row, in offsets 7.
  const values = Array.from({ length: 800 }, (_, row) => (row % 8 === 0 ? 100 : 0));
  // Form, bits, least, number of others, 800 bits, 100 values of 7 bits.
  expect(encoded(values).length).toBe(1 + 1 + 1 + 2 + 100 + 88);
});
