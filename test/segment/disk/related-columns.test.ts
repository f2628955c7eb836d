// Goal: columns that are written as what is left of them are read back as they were, alone and in whole
// blocks, are shorter where they follow from something else, and are damaged when that is.
// Method: sessions and views whose columns depend on each other more or less, seeded by fast-check.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DAMAGED,
  decodeBlock,
  decodeColumn,
  encodeBlock,
} from '../../../src/segment/disk/block-codec.ts';
import {
  type ColumnWidth,
  DERIVED_SESSIONS,
  NONE,
  relationsOf,
  SESSIONS,
  TABLES,
} from '../../../src/segment/memory/layout.ts';
import { BLOCK_ROWS, Table } from '../../../src/segment/memory/table.ts';
import { tries } from '../../support/runs.ts';

type Sessions = Table<typeof SESSIONS>;
const RELATED = Object.entries(relationsOf(SESSIONS));
const HEAD_BYTES = 4;
const ENTRY_BYTES = 6;

function emptyTable(): Sessions {
  return new Table(SESSIONS, { derived: DERIVED_SESSIONS });
}

/** @param odd of a hundred rows, in how many a column does not follow from its other one. */
function tableOf(rows: number, seed: number, odd: number): Sessions {
  let state = seed;
  const below = (end: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % end;
  };
  const table = emptyTable();
  const isOdd = () => below(100) < odd;
  let startMs = 1_700_000_000_000;
  let visitors = 70_000;
  for (let count = 0; count < rows; count++) {
    const row = table.append();
    for (const name of table.storedNames) table.widen(name, 0xffff_ffff);
    const { columns } = table;
    startMs += below(1_000);
    columns.startMs[row] = startMs;
    columns.lastMs[row] = startMs + below(60_000);
    if (isOdd()) columns.lastMs[row] = startMs - below(90_000_000) + (odd > 99 ? 0.5 : 0);
    // Somebody new, mostly; else one who was here, or nobody.
    columns.visitor[row] = isOdd() ? (below(20) === 0 ? NONE : below(visitors)) : visitors++;
    const page = isOdd() ? NONE : 1 + below(70_000);
    columns.entryPath[row] = page;
    columns.exitPath[row] = isOdd() ? below(70_000) : page;
    const city = below(400);
    columns.city[row] = city;
    columns.region[row] = isOdd() ? below(9) : city >>> 3;
    columns.country[row] = isOdd() ? 0xffff_ffff : city >>> 6;
  }
  return table;
}

function valuesOf(table: Sessions): Record<string, number[]> {
  return Object.fromEntries(
    table.storedNames.map((name) => [name, [...table.columns[name].subarray(0, table.rowCount)]]),
  );
}

function readWhole(table: Sessions, bytes: Uint8Array): Record<string, number[]> | number {
  const copy = emptyTable();
  copy.reserve(table.rowCount);
  copy.rowCount = table.rowCount;
  return decodeBlock(copy, 0, bytes) === DAMAGED ? DAMAGED : valuesOf(copy);
}

function readColumn(table: Sessions, bytes: Uint8Array, name: string): number[] | number {
  const width = SESSIONS[name as keyof typeof SESSIONS] as ColumnWidth;
  const array =
    width === 'f64' ? new Float64Array(table.rowCount) : new Uint32Array(table.rowCount);
  const position = table.storedNames.indexOf(name as keyof typeof SESSIONS);
  const rows = decodeColumn(bytes, { position, width, room: () => array }, 0);
  return rows === DAMAGED ? DAMAGED : [...array];
}

/** Where a column is in a block. */
function placeOf(table: Sessions, bytes: Uint8Array, name: string) {
  const position = table.storedNames.indexOf(name as keyof typeof SESSIONS);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const lengthOf = (index: number) => view.getUint16(HEAD_BYTES + index * ENTRY_BYTES + 4, true);
  let at = HEAD_BYTES + bytes[1]! * ENTRY_BYTES;
  for (let index = 0; index < position; index++) at += lengthOf(index);
  return { at, length: lengthOf(position) };
}

test('a block is read as it was written, whole and column by column, whatever follows from what', () => {
  const plan = fc.tuple(
    fc.constantFrom(40, BLOCK_ROWS, BLOCK_ROWS, BLOCK_ROWS),
    fc.nat(),
    fc.constantFrom(0, 2, 30, 100),
  );
  fc.assert(
    fc.property(plan, ([rows, seed, odd]) => {
      const table = tableOf(rows, seed, odd);
      const bytes = encodeBlock(table, 0);
      const values = valuesOf(table);
      expect(readWhole(table, bytes)).toEqual(values);
      for (const [name, { to }] of RELATED) {
        expect(readColumn(table, bytes, name)).toEqual(values[name]);
        if (to !== undefined) expect(readColumn(table, bytes, to)).toEqual(values[to]);
      }
    }),
    tries(100),
  );
});

test('what follows from another column takes a few bits a row, what does not no more than before', () => {
  const rows = BLOCK_ROWS;
  const lengthsOf = (odd: number) => {
    const table = tableOf(rows, 1, odd);
    const bytes = encodeBlock(table, 0);
    return Object.fromEntries(RELATED.map(([name]) => [name, placeOf(table, bytes, name).length]));
  };
  const followed = lengthsOf(0);
  // 16 bits of a minute for 17 of steps that go to and fro; 400 cities are met once.
  expect(followed.lastMs).toBeLessThan(rows * 2 + 40);
  expect(followed.visitor).toBeLessThan(10);
  expect(followed.region).toBeLessThan((rows + 450 * 7) / 8);
  expect(followed.country).toBeLessThan((rows + 450 * 4) / 8);
  const free = lengthsOf(100);
  expect(free.visitor).toBeLessThan((rows * 18) / 8 + 20);
  const some = lengthsOf(10);
  expect(some.visitor).toBeLessThan((rows + rows * 0.15 * 33) / 8);
  expect(free.region).toBeLessThan((rows * 4) / 8 + 20);
});

test('damage of a column is damage of those that are written by it, and of no other', () => {
  const table = tableOf(BLOCK_ROWS, 7, 0);
  const bytes = encodeBlock(table, 0);
  const values = valuesOf(table);
  for (const to of new Set(RELATED.flatMap(([, relation]) => relation.to ?? []))) {
    const { at, length } = placeOf(table, bytes, to);
    const flipped = Uint8Array.from(bytes);
    flipped[at + (length >>> 1)]! ^= 4;
    expect(readWhole(table, flipped)).toBe(DAMAGED);
    expect(readColumn(table, flipped, to)).toBe(DAMAGED);
    for (const [name, relation] of RELATED) {
      const found = readColumn(table, flipped, name);
      expect(found).toEqual(relation.to === to ? DAMAGED : values[name]);
    }
  }
});

test('a block of the version before is read, one of a later version is not', () => {
  // A block that is not full is written as that version wrote it.
  const table = tableOf(40, 3, 30);
  const bytes = encodeBlock(table, 0);
  bytes[0] = 5;
  expect(readWhole(table, bytes)).toEqual(valuesOf(table));
  bytes[0] = 7;
  expect(readWhole(table, bytes)).toBe(DAMAGED);
});

test('who is related to a column of its table is not related to one that is itself', () => {
  for (const layout of Object.values(TABLES)) {
    const relations = relationsOf(layout);
    for (const [name, { to }] of Object.entries(relations)) {
      expect(Object.keys(layout)).toContain(name);
      if (to === undefined) continue;
      expect(Object.keys(layout)).toContain(to);
      expect(relations).not.toHaveProperty(to);
    }
  }
});
