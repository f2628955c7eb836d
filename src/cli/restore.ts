/**
 * `footfall restore`: makes a data directory of a backup, or with NATS servers a cluster.
 *
 * Control plane.
 */
import type { Command } from 'commander';
import { askedDriver } from '../bus/drivers.ts';
import type { BackupManifest } from '../runtime/backup/manifest.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly from: string;
  readonly natsServers?: string;
}

const NOTE = "It was read again and is sound: 'footfall serve' may be started on it.";
const NOTE_OF_CLUSTER =
  'Start nodes with these NATS servers, FOOTFALL_SHARDS as above, and data directories that are ' +
  'empty; one of them with this data directory, which has the files of the backup.';

/** Adds the command to the program. */
export function registerRestore(program: Command): void {
  withSharedFlags(program.command('restore'))
    .description(
      'make a data directory, which must be empty, of a backup; with NATS servers a cluster',
    )
    .requiredOption(
      '--from <backup>',
      'a folder, an archive, or - for an archive on standard input',
    )
    .option('--nats-servers <urls>', 'servers to restore a cluster into (default: the setting)')
    .action(restore);
}

async function restore({ from, json, ...flags }: Flags): Promise<void> {
  const { dataDir, natsServers } = flags;
  const settings = givenSettings({ dataDir, natsServers });
  const told = { json: json === true };
  // Loaded here: the other commands need none of it.
  if (askedDriver(settings).isShared) {
    const { restoreIntoCluster } = await import('../runtime/backup/restore-cluster.ts');
    const { manifest, shards } = await restoreIntoCluster(from, settings);
    const { dataDir: place, natsPrefix: prefix } = settings;
    const result = { ...resultOf(from, place, manifest), nats_prefix: prefix, shards };
    writeResult(result, { ...told, note: NOTE_OF_CLUSTER });
    return;
  }
  const { restoreBackup } = await import('../runtime/backup/restore-backup.ts');
  const manifest = await restoreBackup(from, settings.dataDir);
  writeResult(resultOf(from, settings.dataDir, manifest), { ...told, note: NOTE });
}

function resultOf(from: string, dataDir: string, manifest: BackupManifest) {
  const { madeAt, version, environments } = manifest;
  const values = environments.reduce((sum, { entries }) => sum + entries, 0);
  return { from, data_dir: dataDir, made_at: madeAt, version, values };
}
