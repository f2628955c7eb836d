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

test('P-3: an archive with a byte that changed is refused, also where it unpacks as well', async () => {
  const path = join(folder, 'a.zip');
  const archive = zipOf({ 'a.csv': LONG });
  // Of the directory, the checksum of the file.
  archive.writeUInt8(
    archive.readUInt8(archive.lastIndexOf('PK\x01\x02') + 16) ^ 1,
    archive.lastIndexOf('PK\x01\x02') + 16,
  );
  writeFileSync(path, archive);
  const source = await openSource([{ path, name: 'a.zip' }]);
  const read = async () => {
    for await (const _ of (await source.files[0]?.open()) ?? []);
  };
  await expect(read()).rejects.toThrow('a.csv, line 1: expected a whole zip archive');
  source.close();
});

test('P-3: an archive with two files of one name is refused', async () => {
  const path = join(folder, 'a.zip');
  const twice = zipOf({ 'a.csv': 'x', 'b.csv': 'x' })
    .toString('latin1')
    .replaceAll('b.csv', 'a.csv');
  writeFileSync(path, twice, 'latin1');
  await expect(openSource([{ path, name: 'a.zip' }])).rejects.toThrow(
    'a.zip, line 1: expected names that occur once, found "a.csv"',
  );
});

test('P-1: a table that a spreadsheet has saved as UTF-16 is known by its beginning', async () => {
  const path = join(folder, 'a.csv');
  writeFileSync(path, Buffer.from('\ufeffdate,größe\n', 'utf16le'));
  const source = await openSource([{ path, name: 'a.csv' }]);
  expect(await source.samples()).toEqual([{ name: 'a.csv', head: 'date,größe\n' }]);
});
