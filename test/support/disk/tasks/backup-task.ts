/** A backup that takes the place of the one before, of a directory that has more than then. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderSink } from '../../../../src/runtime/backup/folder-sink.ts';
import { MANIFEST_NAME } from '../../../../src/runtime/backup/manifest.ts';
import { restoreBackup } from '../../../../src/runtime/backup/restore-backup.ts';
import { takeBackup } from '../../../../src/runtime/backup/take-backup.ts';
import { verifyBackup } from '../../../../src/runtime/backup/verify-backup.ts';
import { verifyDataDir } from '../../../../src/runtime/directory/verify.ts';
import { addHits, makeSampleDirectory, saveAll } from './sample-directory.ts';
import type { DiskTask } from './task.ts';

/** See the head. */
export const backupTask: DiskTask<{ before: string }> = {
  async prepare(directory) {
    const dataDir = join(directory, 'data');
    const domainId = await makeSampleDirectory(dataDir);
    backUp(directory);
    addHits(dataDir, domainId, 2);
    await saveAll(dataDir);
    addHits(dataDir, domainId, 3);
  },
  ledger: () => ({ before: '' }),
  async run(directory, ledger) {
    ledger.before = manifestOf(directory);
    backUp(directory);
    const { damages } = await verifyBackup(join(directory, 'backup'));
    if (damages.length > 0) throw new Error(`it does not notice ${damages[0]?.fault}`);
  },
  async wrong(directory, { before }, hasEnded) {
    const wrong = await damagesOf(directory);
    const isNew = manifestOf(directory) !== before;
    if (hasEnded && !isNew) wrong.push('it is the one before');
    backUp(directory);
    wrong.push(...(await damagesOf(directory)));
    const restored = join(directory, 'restored');
    await restoreBackup(join(directory, 'backup'), restored);
    const { damages, records } = verifyDataDir(restored);
    for (const { file, fault } of damages) wrong.push(`restored: ${file}: ${fault}`);
    const { records: owed } = verifyDataDir(join(directory, 'data'));
    if (records !== owed) wrong.push(`${records} records were restored of ${owed}`);
    return wrong;
  },
};

function backUp(directory: string): void {
  const sink = new FolderSink(join(directory, 'backup'), true);
  try {
    takeBackup(join(directory, 'data'), sink);
  } finally {
    sink.close();
  }
}

function manifestOf(directory: string): string {
  const path = join(directory, 'backup', MANIFEST_NAME);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

async function damagesOf(directory: string): Promise<string[]> {
  const { damages } = await verifyBackup(join(directory, 'backup'));
  return damages.map(({ file, fault }) => `${file}: ${fault}`);
}
