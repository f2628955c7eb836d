#!/usr/bin/env node
/**
 * The command `footfall`: see `cli/program.ts`.
 *
 * Control plane. The program is some three hundred files, which Node opens side by side: with too few
 * open files that fails before anything can be said about it, so it is found out first.
 */
import { isOpenFileFault, openFileLimit } from './base/open-files.ts';
import { errors } from './model/errors.ts';
import { OPEN_FILE_COUNT_MIN } from './model/limits.ts';

// A reader that has seen enough (`footfall settings | head -1`) is no fault. A service outlives it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (process.argv[2] !== 'serve') process.exit(0);
});

// A start that failed half-way may have left threads, which must not keep the process.
process.exit(await run());

async function run(): Promise<number> {
  const limit = openFileLimit();
  if (limit < OPEN_FILE_COUNT_MIN) return refuse(limit);
  try {
    const { runProgram } = await import('./cli/program.ts');
    return await runProgram(process.argv.slice(2));
  } catch (error) {
    if (isOpenFileFault(error)) return refuse(limit);
    throw error;
  }
}

function refuse(limit: number): number {
  const { message } = errors.OPEN_FILES_TOO_FEW({ limit, needed: OPEN_FILE_COUNT_MIN });
  process.stderr.write(`footfall: ${message}\n`);
  return 1;
}
