import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSource } from '../../src/imports/source/files.ts';
import { zipOf } from '../support/zip.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footfall-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As long as it takes several reads to get, also packed. */
const LONG = Array.from({ length: 200_000 }, (_, line) => `${line * 7_919},${line}\n`).join('');

test('an archive is looked into and given up in the middle, file beside file, and read whole again', async () => {
  const path = join(folder, 'a.zip');
  writeFileSync(
    path,
    zipOf({ 'a.csv': LONG, 'b.csv': LONG, 'folder/c.csv': 'x\n', '.hidden': 'y' }),
  );
  const source = await openSource([{ path, name: 'a.zip' }]);
  const samples = await source.samples();
  expect(samples.map(({ name, head }) => [name, head.length])).toEqual([
    ['a.csv', 4_096],
    ['b.csv', 4_096],
    ['folder/c.csv', 2],
  ]);
  const texts = await Promise.all(
    source.files.map(async (file) => {
      const pieces: Buffer[] = [];
      for await (const piece of await file.open()) pieces.push(piece as Buffer);
      return Buffer.concat(pieces).toString();
    }),
  );
  expect(texts.map((text) => text.length)).toEqual([LONG.length, LONG.length, 2]);
  source.close();
});

test('an archive that is cut off is named', async () => {
  const path = join(folder, 'a.zip');
  writeFileSync(path, zipOf({ 'a.csv': LONG }).subarray(0, 1_000));
  await expect(openSource([{ path, name: 'a.zip' }])).rejects.toThrow(
    'a.zip, line 1: expected a whole zip archive',
  );
});
