/** An upload: what was taken is all there, and what is half is taken for none. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyUpload, removeUpload, uploadedFiles } from '../../../../src/imports/uploads.ts';
import type { DiskTask } from './task.ts';

const UPLOAD = 'upload';
const NAME = 'access.log';
const BYTES = 300_000;

/** See the head. */
export const uploadTask: DiskTask<null> = {
  async prepare(directory) {
    writeFileSync(join(directory, NAME), Buffer.alloc(BYTES, 'a line of a log\n'));
  },
  ledger: () => null,
  async run(directory) {
    await upload(directory);
  },
  async wrong(directory, _, hasEnded) {
    const isThere = uploadedFiles(directory, UPLOAD) !== null;
    const wrong = isThere ? damagesOf(directory) : [];
    if (hasEnded && !isThere) wrong.push('it was taken and is gone');
    removeUpload(directory, UPLOAD);
    await upload(directory);
    return [...wrong, ...damagesOf(directory)];
  },
};

async function upload(directory: string): Promise<void> {
  await copyUpload(directory, UPLOAD, [{ path: join(directory, NAME), name: NAME }]);
}

function damagesOf(directory: string): string[] {
  const [file] = uploadedFiles(directory, UPLOAD) ?? [];
  const owed = readFileSync(join(directory, NAME));
  const isWhole = file !== undefined && readFileSync(file.path).equals(owed);
  return isWhole ? [] : ['what was uploaded is not what is there'];
}
