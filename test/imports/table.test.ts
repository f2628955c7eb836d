import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SourceFile } from '../../src/imports/adapter.ts';
import { readTable } from '../../src/imports/source/table.ts';
import { tries } from '../support/runs.ts';

/** A file of these bytes, read in pieces of a length. */
function fileOf(text: string | Buffer, pieceBytes = 7): SourceFile {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(bytes.subarray(at, at + pieceBytes));
  }
  return { name: 'a.csv', bytes: bytes.length, open: () => Promise.resolve(Readable.from(pieces)) };
}

async function read(file: SourceFile, required = ['a']) {
  const read: { cells: readonly string[]; line: number }[] = [];
  for await (const rows of readTable(file, { required })) {
    for (const { cells, place } of rows) read.push({ cells, line: place.line });
  }
  return read;
}

test('a table is read as it was written, whatever its pieces and its line ends', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', 'ü', '漢', ' ', '1') });
  const table = fc.array(fc.tuple(cell, cell), { maxLength: 8 });
  const written = (cells: readonly string[]) =>
    cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (rows, size, crlf) => {
        const end = crlf ? '\r\n' : '\n';
        const text = [['a', 'b'], ...rows].map((row) => written(row) + end).join('');
        const found = await read(fileOf(text, size));
        expect(found.map(({ cells }) => cells)).toEqual(rows);
        let line = 2;
        for (const [index, row] of rows.entries()) {
          expect(found[index]?.line).toBe(line);
          line += 1 + row.join('').split('\n').length - 1;
        }
      },
    ),
    tries(800),
  );
});

test('what is damaged is named by file, line and what was expected', async () => {
  await expect(read(fileOf('b\n1\n'))).rejects.toThrow('a.csv, line 1: expected the column a');
  await expect(read(fileOf(''))).rejects.toThrow('a.csv, line 1: expected the column a');
  await expect(read(fileOf('a,b\n1,2\n\n1\n'))).rejects.toThrow(
    'a.csv, line 4: expected 2 cells as in the first line, found "1"',
  );
  await expect(read(fileOf('a,b\n1,2\n"1,2\n'))).rejects.toThrow('a.csv, line 3: expected quotes');
  const latin = Buffer.from([0x61, 0x0a, 0xe9, 0x0a]);
  await expect(read(fileOf(latin))).rejects.toThrow('expected text in UTF-8');
});

test('a quote that is never closed ends the reading, not the memory', async () => {
  const endless = Buffer.from('"'.padEnd(64 * 1_024, 'x'));
  let pieces = 0;
  const file: SourceFile = {
    name: 'a.csv',
    bytes: 0,
    open: () =>
      Promise.resolve(
        Readable.from(
          (function* () {
            yield Buffer.from('a\n');
            for (; pieces < 1_000; pieces++) yield endless.subarray(pieces === 0 ? 0 : 1);
          })(),
        ),
      ),
  };
  await expect(read(file)).rejects.toThrow('a row of at most');
  expect(pieces).toBeLessThan(100);
});
