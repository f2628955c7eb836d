/**
 * `footfall verify`: reads everything in the data directory and says what is damaged.
 *
 * Control plane. Changes nothing, and may be run beside the service.
 */
import type { Command } from 'commander';
import type { Damage } from '../runtime/directory/verify.ts';
import { givenSettings } from './given-settings.ts';
import { type SharedFlags, withSharedFlags } from './output.ts';

/** Adds the command to the program. */
export function registerVerify(program: Command): void {
  withSharedFlags(program.command('verify'))
    .description('read everything in the data directory and say what is damaged (exit status 1)')
    .action(verify);
}

async function verify(flags: SharedFlags): Promise<void> {
  const { dataDir } = givenSettings({ dataDir: flags.dataDir });
  // Loaded here: the other commands need none of it.
  const { verifyDataDir } = await import('../runtime/directory/verify.ts');
  const { damages, entries, records } = verifyDataDir(dataDir);
  if (damages.length > 0) process.exitCode = 1;
  if (flags.json === true) {
    const listed = damages.map(({ file, fault, domainId, day }) => {
      return { file, fault, domain_id: domainId, day };
    });
    const result = { data_dir: dataDir, is_sound: damages.length === 0, entries, records };
    process.stdout.write(`${JSON.stringify({ ...result, damages: listed })}\n`);
    return;
  }
  for (const damage of damages) process.stdout.write(`${lineOf(damage)}\n`);
  const read = `${entries} values and ${records} log records were read`;
  const remedy = 'restore the data directory from a backup, as a whole';
  const verdict =
    damages.length === 0 ? 'nothing is damaged' : `${damages.length} damaged: ${remedy}`;
  process.stderr.write(`${read}; ${verdict}\n`);
}

function lineOf({ file, fault, domainId, day }: Damage): string {
  const site = domainId === null ? '' : `; site ${domainId}`;
  return `${file}: ${fault}${site}${day === null ? '' : `, day ${day}`}`;
}
