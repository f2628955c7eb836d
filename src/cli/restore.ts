/**
 * `footfall restore`: makes a data directory of a backup.
 *
 * Control plane.
 */
import type { Command } from 'commander';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly from: string;
}

const NOTE = "It was read again and is sound: 'footfall serve' may be started on it.";

/** Adds the command to the program. */
export function registerRestore(program: Command): void {
  withSharedFlags(program.command('restore'))
    .description('make a data directory, which must be empty, of a backup')
    .requiredOption(
      '--from <backup>',
      'a folder, an archive, or - for an archive on standard input',
    )
    .action(restore);
}

async function restore({ from, json, ...flags }: Flags): Promise<void> {
  const { dataDir } = givenSettings({ dataDir: flags.dataDir });
  // Loaded here: the other commands need none of it.
  const { restoreBackup } = await import('../runtime/backup/restore-backup.ts');
  const { madeAt, version, environments } = await restoreBackup(from, dataDir);
  const values = environments.reduce((sum, { entries }) => sum + entries, 0);
  const result = { from, data_dir: dataDir, made_at: madeAt, version, values };
  writeResult(result, { json: json === true, note: NOTE });
}
