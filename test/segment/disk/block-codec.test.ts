// Goal: what a checkpoint writes is what recovery reads, whatever the values of the columns.
// Method: random columns at the borders of every width, written and read back; sizes are asserted.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DAMAGED,
  decodeBlock,
  decodeColumn,
  encodeBlock,
} from '../../../src/segment/disk/block-codec.ts';
import { BOUND_ELSEWHERE, NONE } from '../../../src/segment/memory/layout.ts';
import { BLOCK_ROWS, Table } from '../../../src/segment/memory/table.ts';
import { tries } from '../../support/runs.ts';

const LAYOUT = { time: 'f64', pointer: 'u32', id: 'id', number: 'u16', flag: 'u8' } as const;

interface Row {
  time: number;
  pointer: number;
  id: number;
  number: number;
  flag: number;
}

function tableOf(rows: readonly Row[]): Table<typeof LAYOUT> {
  const table = new Table(LAYOUT);
  for (const values of rows) {
    const row = table.append();
    table.widen('id', values.id);
    for (const name of table.names) table.columns[name][row] = values[name];
  }
  return table;
}

function rowsOf(table: Table<typeof LAYOUT>): Row[] {
  const { time, pointer, id, number, flag } = table.columns;
  return Array.from({ length: table.rowCount }, (_, row) => ({
    time: time[row] as number,
    pointer: pointer[row] as number,
    id: id[row] as number,
    number: number[row] as number,
    flag: flag[row] as number,
  }));
}

function copyOf(table: Table<typeof LAYOUT>): Table<typeof LAYOUT> {
  const copy = new Table(LAYOUT);
  // As a reader does it: the rows come when a column is first asked for.
  copy.defer(table.rowCount, () => {
    let rows = 0;
    for (let block = 0; block < table.blockCount; block++) {
      rows += decodeBlock(copy, block, encodeBlock(table, block));
    }
    expect(rows).toBe(table.rowCount);
  });
  return copy;
}

const row = fc.record({
  time: fc.oneof(
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
    fc.constantFrom(1_700_000_000_000, 1_700_000_000_000.5),
  ),
  pointer: fc.oneof(
    fc.constantFrom(0, 1, 254, 255, 256, 65_535, 65_536, NONE, BOUND_ELSEWHERE, NONE - 2),
    fc.nat(),
  ),
  id: fc.constantFrom(0, 254, 255, 256, 65_534, 65_535, 65_536, NONE),
  number: fc.oneof(fc.constantFrom(0, 255, 256, 65_535), fc.nat(65_535)),
  flag: fc.nat(255),
});

test('a block read back has the rows that were written', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (rows) => {
      expect(rowsOf(copyOf(tableOf(rows)))).toEqual(rows);
    }),
    tries(500),
  );
});

test.each([BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1])(
  'a table of %i rows is read back whole, block by block',
  (count) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      time: 1_700_000_000_000 + index,
      pointer: index === 0 ? NONE : index - 1,
      id: index % 300,
      number: index % 7,
      flag: index % 2,
    }));
    expect(rowsOf(copyOf(tableOf(rows)))).toEqual(rows);
  },
);

test('a column that came after the block was written is 0, and damage of its head is seen', () => {
  const rows = Array.from({ length: 20 }, (_, id) => ({
    time: 1,
    pointer: id,
    id,
    number: 2,
    flag: 3,
  }));
  const bytes = encodeBlock(tableOf(rows), 0);
  const position = Object.keys(LAYOUT).length;
  const read = (block: Uint8Array) => {
    const table = new Table({ ...LAYOUT, later: 'id' });
    table.reserve(rows.length);
    table.columns.later.fill(9);
    const column = new Uint32Array(rows.length).fill(9);
    return [
      { rows: decodeBlock(table, 0, block), later: [...table.columns.later.subarray(0, 20)] },
      {
        rows: decodeColumn(block, { position, width: 'id', room: () => column }, 0),
        later: [...column],
      },
    ];
  };
  const zeros = { rows: rows.length, later: rows.map(() => 0) };
  expect(read(bytes)).toEqual([zeros, zeros]);
  // Version, number of columns, rows, and the first column with its checksum and length.
  const headBits = (4 + 6) * 8;
  for (let bit = 0; bit < headBits; bit++) {
    const damaged = Uint8Array.from(bytes);
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    for (const { rows: found } of read(damaged)) expect(found).toBe(DAMAGED);
  }
});
