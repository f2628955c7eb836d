/**
 * The command `footfall torture`: a cluster under load and faults, judged by the tests' model.
 *
 * Control plane. All of it is in `test/torture/`, which is built beside the sources and
 * imports the model that the tests have: the service itself never loads it. So it is a process of
 * its own, found by path.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { errors } from '../model/errors.ts';
import { packageRoot } from '../settings/package-root.ts';

/** Adds the command to the program; its options are its own (`test/torture/main.ts`). */
export function registerTorture(program: Command): void {
  program
    .command('torture')
    .description('run a cluster under load while everything goes wrong, and check every answer')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]', "see 'footfall torture --help'")
    .action(async (words: readonly string[]) => {
      process.exitCode = await torture(words);
    });
}

async function torture(words: readonly string[]): Promise<number> {
  const main = join(packageRoot(), 'dist/test/torture/main.js');
  if (!existsSync(main)) throw errors.TORTURE_MISSING({});
  const child = spawn(process.execPath, [main, ...words], { stdio: 'inherit' });
  // Ctrl-C reaches both; the child ends in order and says what it has found so far.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [status] = await once(child, 'exit');
  return typeof status === 'number' ? status : 1;
}
