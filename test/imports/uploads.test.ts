// Goal (P-20): of an upload that came whole, every flipped bit and every missing file is found; a backup
//   takes what a job needs of it, and neither what has come in part nor what a job has made of it.
// Method: uploads of two small files each are written as a command does it, and wounded in every byte.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  copyUpload,
  damagedUploads,
  filesOfUploads,
  jobFolder,
  uploadedFiles,
} from '../../src/imports/uploads.ts';
import { makeTemporaryDirectory } from '../support/service.ts';

const DIRECTORY = makeTemporaryDirectory();
const UPLOAD = join(DIRECTORY, 'imports', 'abc');

beforeEach(async () => {
  const files = ['größe.csv', 'b.csv'].map((name, index) => {
    const path = join(DIRECTORY, `source-${index}`);
    writeFileSync(path, `date,visitors\n2024-01-0${index + 1},${index}\n`);
    return { path, name };
  });
  expect(await copyUpload(DIRECTORY, 'abc', files)).toBe(54);
});

afterAll(() => rmSync(DIRECTORY, { recursive: true, force: true }));

const damages = () => [...damagedUploads(DIRECTORY)];

test('P-20: each flipped bit of an upload is found, in its files and in their list', () => {
  expect(damages()).toEqual([]);
  for (const name of ['file-0', 'file-1', 'files.json']) {
    const path = join(UPLOAD, name);
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at++) {
      const wounded = Buffer.from(bytes);
      wounded[at]! ^= 1 << (at % 8);
      writeFileSync(path, wounded);
      const fault = 'it is not what was written';
      expect(damages(), `${name}, byte ${at}`).toEqual([{ file: path, fault }]);
    }
    writeFileSync(path, bytes);
  }
});

test('P-20: a file of an upload that is missing or too short is told', () => {
  rmSync(join(UPLOAD, 'file-0'));
  writeFileSync(join(UPLOAD, 'file-1'), 'date');
  expect(damages()).toEqual([
    { file: join(UPLOAD, 'file-0'), fault: 'it is missing' },
    { file: join(UPLOAD, 'file-1'), fault: 'it has 4 bytes, 27 were written' },
  ]);
  writeFileSync(join(UPLOAD, 'files.json'), '[{');
  expect(() => uploadedFiles(DIRECTORY, 'abc')).toThrow('files.json of the upload is damaged');
});

test('P-20: a backup has uploads that are whole, without what a job has made of them', () => {
  mkdirSync(jobFolder(DIRECTORY, 'abc', 'job'), { recursive: true });
  writeFileSync(join(jobFolder(DIRECTORY, 'abc', 'job'), 'run-0'), 'made of it');
  mkdirSync(join(DIRECTORY, 'imports', 'half'), { recursive: true });
  writeFileSync(join(DIRECTORY, 'imports', 'half', 'file-0'), 'not all of');
  expect(filesOfUploads(DIRECTORY)).toEqual([
    'imports/abc/file-0',
    'imports/abc/file-1',
    'imports/abc/files.json',
  ]);
  expect(damages()).toEqual([]);
});
