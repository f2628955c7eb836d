// Goal: a column of texts comes back from Parquet as it was, whoever chose its texts (P-10).
// Method: lists of texts, one a day, go through the writer and are read by the parser of others; the
// plain way is the list of rows itself.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, expect, test } from 'vitest';
import { type TextVector, textsBy } from '../../src/exports/rows/vectors.ts';
import { OutputFile } from '../../src/exports/write/output-file.ts';
import { TextChunk } from '../../src/exports/write/parquet/column-chunks.ts';
import { parquetWriter } from '../../src/exports/write/parquet/parquet.ts';
import { hashOf, TextPage } from '../../src/exports/write/parquet/text-page.ts';
import { textBytes } from '../../src/segment/memory/text-bytes.ts';
import { tries } from '../support/runs.ts';
import { makeTemporaryDirectory } from '../support/service.ts';

/** Rows of a group of the writer. */
const GROUP_ROWS = 65_536;
/** Places that a text is looked for at. */
const PROBES = 32;

const directory = makeTemporaryDirectory();
let files = 0;

afterAll(() => rmSync(directory, { recursive: true }));

/** Where a text is looked for first. */
function placeOf(text: string, mask: number): number {
  const bytes = Buffer.from(text);
  return hashOf(bytes, 0, bytes.length) & mask;
}

/** Texts that begin as one does, are longer and of one length, and want the place that it wants. */
function collidingTexts(count: number, mask: number, start = '/'): string[] {
  const found: string[] = [];
  const place = placeOf(start, mask);
  for (let number = 1_000_000; found.length < count; number++) {
    const text = `${start}${number}`;
    if (placeOf(text, mask) === place) found.push(text);
  }
  return found;
}

/** Rows as those of a day: numbers of its own texts. */
function vectorOf(rows: readonly string[]): TextVector {
  const texts = [...new Set(['', ...rows])];
  const ids = new Map(texts.map((text, id) => [text, id]));
  return textsBy(
    Uint32Array.from(rows, (text) => ids.get(text) as number),
    textBytes(texts),
  );
}

async function readBack(days: readonly (readonly string[])[]): Promise<unknown[]> {
  const path = join(directory, `${files++}.parquet`);
  const file = new OutputFile(path, () => undefined);
  const writer = parquetWriter(file, [{ name: 'path', type: 'text' }]);
  for (const rows of days) writer.write({ rows: rows.length, vectors: [vectorOf(rows)] });
  writer.finish();
  file.finish();
  const rows = await parquetReadObjects({ file: new Uint8Array(readFileSync(path)).buffer });
  return rows.map((row) => row.path);
}

/** Different texts of rows that the dictionary of a group has; null: it has none. */
function dictionarySize(days: readonly (readonly string[])[]): number | null {
  const chunk = new TextChunk(GROUP_ROWS);
  for (const rows of days) chunk.add(vectorOf(rows), 0, rows.length);
  return chunk.take().dictionary?.values ?? null;
}

test('texts that somebody chose for their hashes come back, some of them twice (P-10)', async () => {
  const texts = collidingTexts(60, 1_023);
  const page = new TextPage();
  const day = textBytes(texts);
  const numbers = () => texts.map((_, id) => page.find(day, id));
  expect(numbers()).toEqual(texts.map((_, id) => id));
  expect(page.count).toBe(60);
  // Those beyond the places are added once more.
  const again = numbers();
  expect(page.count).toBe(60 + 60 - PROBES);
  expect(again.slice(0, PROBES)).toEqual(texts.slice(0, PROBES).map((_, id) => id));
  const bytes = Buffer.from(page.inOrder(Uint32Array.from(again)));
  expect(bytes).toEqual(Buffer.from(page.bytes.subarray(0, bytes.length)));
  const days = [texts, texts.toReversed(), [...texts, ...texts]];
  expect(await readBack(days)).toEqual(days.flat());
});

test('texts that collide come back when the table has grown under them', async () => {
  const colliding = collidingTexts(50, 8_191);
  const others = Array.from({ length: 2_500 }, (_, number) => `/other/${number}`);
  const days = [colliding, [...others, ...colliding], [...colliding, ...others.toReversed()]];
  expect(await readBack(days)).toEqual(days.flat());
  // The same with so many rows of each that a dictionary is worth it.
  const repeated = days.map((rows) => [...rows, ...rows, ...rows]);
  expect(dictionarySize(repeated)).toBeGreaterThan(others.length + colliding.length);
  expect(await readBack(repeated)).toEqual(repeated.flat());
});

/** Begins of others, letters of one to four bytes, none, more than a page has room for at first. */
const TEXTS = [
  ...[
    '',
    'a',
    'aa',
    'aaa',
    'ä',
    'a\u0308',
    'äa',
    '€',
    '€€',
    '👩‍🚀',
    '👩',
    '\u0000',
    '\u0000\u0000',
  ],
  ...[
    '日本',
    '日本語',
    '\u07ff',
    '\u0800',
    '\uffff',
    '\u{10ffff}',
    'x'.repeat(5_000),
    'é'.repeat(300),
  ],
];

test('texts of several days come back, whichever of them the days share (P-10)', async () => {
  const text = fc.constantFrom(...TEXTS, ...collidingTexts(70, 1_023));
  const day = fc.array(text, { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(fc.array(day, { maxLength: 5 }), async (days) => {
      expect(await readBack(days)).toEqual(days.flat());
    }),
    tries(400),
  );
});

test('a text that several days have is once in a group', () => {
  const days = [TEXTS, TEXTS.toReversed(), TEXTS.slice(5), ['new', ...TEXTS]];
  expect(dictionarySize(days)).toBe(TEXTS.length + 1);
});

test('a text that others at its place begin with is not taken for them (P-10)', async () => {
  for (const start of ['', '/', 'ä']) {
    const longer = collidingTexts(3, 1_023, start);
    const days = [longer, [start], [...longer, start]];
    expect(await readBack(days)).toEqual(days.flat());
    expect(dictionarySize(days)).toBe(4);
  }
});

test('texts of several days are once in a group however many they are', () => {
  const many = Array.from({ length: 3_000 }, (_, number) => `/page/${number}`);
  // The table grows while the second day is added to it.
  const days = [['/first'], many, many.toReversed(), many, many];
  expect(dictionarySize(days)).toBe(many.length + 1);
});

test('where nearly all texts are different each stands in its row, over several days', async () => {
  const texts = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => (at % 50 === 0 ? '' : `ü${from + at}`));
  const days = [texts(0, 600), texts(300, 900), texts(899, 1_500)];
  expect(dictionarySize(days)).toBeNull();
  expect(await readBack(days)).toEqual(days.flat());
});

test('only empty texts come back, also beside a day that has others', async () => {
  const days = [['', '', ''], [''], ['', 'a', '']];
  expect(await readBack(days.slice(0, 2))).toEqual(['', '', '', '']);
  expect(await readBack(days)).toEqual(days.flat());
  expect(dictionarySize(days)).toBe(2);
});

test.each([-1, 0, 1])(
  'a day that ends %i rows behind a group and days around it keep their texts (P-10)',
  async (rows) => {
    const first = Array.from({ length: GROUP_ROWS + rows - 2 }, (_, row) => `/${row % 300}`);
    const days = [['/0', '/a'], first, ['/b', '/a', '', '/0'], ['/299', '/b', 'ä']];
    const found = await readBack(days);
    expect(found.length).toBe(days.flat().length);
    expect(days.flat().findIndex((text, row) => found[row] !== text)).toBe(-1);
  },
);
