/**
 * `footfall verify`: reads everything in a data directory, or in a backup, and says what is damaged.
 *
 * Control plane. Changes nothing, and may be run beside the service.
 */
import type { Command } from 'commander';
import type { Damage } from '../runtime/directory/verify.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags } from './output.ts';

interface Flags extends SharedFlags {
  readonly backup?: string;
}

/** Adds the command to the program. */
export function registerVerify(program: Command): void {
  withSharedFlags(program.command('verify'))
    .description('read a data directory, or a backup, and say what is damaged (exit status 1)')
    .option(
      '--backup <from>',
      'read a backup instead: a folder, an archive, or - for standard input',
    )
    .action(verify);
}

async function verify(flags: Flags): Promise<void> {
  const { what, damages, read, remedy, note } =
    flags.backup === undefined ? await lookAtDataDir(flags) : await lookAtBackup(flags.backup);
  if (damages.length > 0) process.exitCode = 1;
  if (flags.json === true) {
    const listed = damages.map(({ file, fault, domainId, day }) => {
      return { file, fault, domain_id: domainId, day };
    });
    const result = { ...what, is_sound: damages.length === 0, ...read };
    process.stdout.write(`${JSON.stringify({ ...result, damages: listed })}\n`);
    return;
  }
  for (const damage of damages) process.stdout.write(`${lineOf(damage)}\n`);
  const counts = Object.entries(read).map(([name, count]) => `${count} ${NAMES[name] ?? name}`);
  const verdict =
    damages.length === 0 ? 'nothing is damaged' : `${damages.length} damaged: ${remedy}`;
  process.stderr.write(`${note}${counts.join(' and ')} were read; ${verdict}\n`);
}

/** What was looked at. */
interface Found {
  /** Told to programs. */
  readonly what: Readonly<Record<string, unknown>>;
  readonly damages: readonly Damage[];
  readonly read: Readonly<Record<string, number>>;
  readonly remedy: string;
  /** Said before everything else. */
  readonly note: string;
}

const NAMES: Readonly<Record<string, string>> = { entries: 'values', records: 'log records' };

async function lookAtDataDir(flags: SharedFlags): Promise<Found> {
  const { dataDir } = givenSettings({ dataDir: flags.dataDir });
  // Loaded here: the other commands need none of it.
  const { verifyDataDir } = await import('../runtime/directory/verify.ts');
  const { damages, entries, records, isRunning } = verifyDataDir(dataDir);
  const remedy = 'restore the data directory from a backup, as a whole';
  const note = isRunning ? 'a service runs on it, each part was read as of one moment; ' : '';
  const what = { data_dir: dataDir, is_running: isRunning };
  return { what, damages, read: { entries, records }, remedy, note };
}

async function lookAtBackup(backup: string): Promise<Found> {
  const { verifyBackup } = await import('../runtime/backup/verify-backup.ts');
  const { manifest, damages, objects, bytes } = await verifyBackup(backup);
  const what = { backup, made_at: manifest?.madeAt ?? null };
  const remedy = 'take another backup into an empty folder';
  return { what, damages, read: { objects, bytes }, remedy, note: '' };
}

function lineOf({ file, fault, domainId, day }: Damage): string {
  const site = domainId === null ? '' : `; site ${domainId}`;
  return `${file}: ${fault}${site}${day === null ? '' : `, day ${day}`}`;
}
