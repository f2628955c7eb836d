/** A start: the log is read, what the state does not have is counted again and saved; then hits come. */

import { join } from 'node:path';
import { LocalLogReader } from '../../../../src/bus/local/log-reader.ts';
import { OperatingError } from '../../../../src/model/errors.ts';
import { HOUR_MS } from '../../../../src/model/limits.ts';
import { verifyDataDir } from '../../../../src/runtime/directory/verify.ts';
import { MONDAY_MS } from '../../../shard/hit-builder.ts';
import { addHits, HITS_PER_RECORD, makeSampleDirectory, openActor } from './sample-directory.ts';
import type { DiskTask } from './task.ts';

interface StartLedger {
  acknowledged: number;
  /** Nobody was told what became of it. */
  unknown: number;
}

let domainId: Awaited<ReturnType<typeof makeSampleDirectory>>;

/** See the head. */
export const startTask: DiskTask<StartLedger> = {
  async prepare(directory) {
    domainId = await makeSampleDirectory(directory);
  },
  ledger: () => ({ acknowledged: 0, unknown: 0 }),
  async run(directory, ledger) {
    await countAgain(directory);
    try {
      addHits(directory, domainId, 2);
      ledger.acknowledged = 1;
    } catch (error) {
      const isRefused = error instanceof OperatingError && error.code === 'LOG_WRITE_FAILED';
      if (!isRefused) ledger.unknown = 1;
      throw error;
    }
    await countAgain(directory);
  },
  async wrong(directory, { acknowledged, unknown }) {
    const owed = (2 + acknowledged) * HITS_PER_RECORD;
    const views = [await countAgain(directory), await countAgain(directory)];
    const mayBe = [owed, owed + unknown * HITS_PER_RECORD];
    const wrong = views.every((count) => mayBe.includes(count))
      ? []
      : [`${views.join(', then ')} views are counted, ${mayBe.join(' or ')} are owed`];
    const { damages } = verifyDataDir(directory);
    return [...wrong, ...damages.map(({ file, fault }) => `${file}: ${fault}`)];
  },
};

/** @returns the views that are counted then. */
async function countAgain(directory: string): Promise<number> {
  const actor = openActor(directory);
  try {
    actor.recover(new LocalLogReader(join(directory, 'log')), MONDAY_MS + HOUR_MS);
    actor.tick(MONDAY_MS + 2 * HOUR_MS);
    return actor.ledgerSums().views;
  } finally {
    await actor.close();
  }
}
