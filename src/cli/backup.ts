/**
 * `footfall backup`: one consistent state of a data directory or a cluster, as a folder or an archive.
 *
 * Control plane. May be run beside the service, which goes on as before.
 */
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { askedDriver } from '../bus/drivers.ts';
import { errors } from '../model/errors.ts';
import type { BackupManifest } from '../runtime/backup/manifest.ts';
import type { BackupSink } from '../runtime/backup/sink.ts';
import type { Settings } from '../settings/schema.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags, writeResult } from './output.ts';

interface Flags extends SharedFlags {
  readonly to: string;
  readonly incremental?: boolean;
}

const STANDARD_OUTPUT = 1;
const NOTE =
  "It was read again and is sound. 'footfall restore --from' makes a data directory of it.";
const NOTE_OF_STREAM =
  "'footfall verify --backup -' reads such an archive; " +
  "'footfall restore --from -' makes a data directory of it.";

/** Adds the command to the program. */
export function registerBackup(program: Command): void {
  withSharedFlags(program.command('backup'))
    .description('write everything in the data directory to a backup, also while the service runs')
    .requiredOption('--to <folder>', 'an empty folder; - for an archive (tar) on standard output')
    .option('--incremental', 'renew the backup in the folder, writing only what has changed since')
    .action(backup);
}

async function backup(flags: Flags): Promise<void> {
  const settings = givenSettings({ dataDir: flags.dataDir });
  if (flags.to === '-') await toStream(flags, settings);
  else await toFolder(flags, settings);
}

/** Of the data directory, or of the cluster that the settings name. */
async function taken(settings: Settings, sink: BackupSink): Promise<BackupManifest> {
  // Loaded here: the other commands need none of it.
  if (askedDriver(settings).isShared) {
    const { takeClusterBackup } = await import('../runtime/backup/take-cluster-backup.ts');
    return takeClusterBackup(settings, sink);
  }
  const { takeBackup } = await import('../runtime/backup/take-backup.ts');
  return takeBackup(settings.dataDir, sink);
}

async function toFolder({ to, incremental, json }: Flags, settings: Settings): Promise<void> {
  // Loaded here: the other commands need none of it.
  const { FolderSink } = await import('../runtime/backup/folder-sink.ts');
  const { verifyBackup } = await import('../runtime/backup/verify-backup.ts');
  const sink = new FolderSink(to, incremental === true);
  try {
    const { madeAt } = await taken(settings, sink);
    const { damages } = await verifyBackup(to);
    const [damage] = damages;
    if (damage !== undefined) {
      throw errors.BACKUP_DAMAGED({ path: to, fault: `${damage.file}: ${damage.fault}` });
    }
    const { objects, bytes, newObjects, newBytes } = sink.counts;
    const result = {
      ...{ data_dir: settings.dataDir, to, made_at: madeAt },
      ...{ objects, bytes, new_objects: newObjects, new_bytes: newBytes },
    };
    writeResult(result, { json: json === true, note: NOTE });
  } finally {
    sink.close();
  }
}

async function toStream({ incremental }: Flags, settings: Settings): Promise<void> {
  if (incremental === true) {
    throw errors.BACKUP_UNUSABLE({ path: '-', reason: 'only a folder takes --incremental' });
  }
  if (process.stdout.isTTY) {
    const reason = 'standard output is a terminal; send it to a file or another program';
    throw errors.BACKUP_UNUSABLE({ path: '-', reason });
  }
  const { ArchiveSink } = await import('../runtime/backup/archive-sink.ts');
  const sink = new ArchiveSink(STANDARD_OUTPUT, systemClock());
  const { madeAt } = await taken(settings, sink);
  const { objects, bytes } = sink.counts;
  process.stderr.write(
    `backup of ${madeAt}: ${objects} objects, ${bytes} bytes; ${NOTE_OF_STREAM}\n`,
  );
}
