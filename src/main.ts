#!/usr/bin/env node
/**
 * The command `footfall`: see `cli/program.ts`.
 *
 * Control plane.
 */
import { runProgram } from './cli/program.ts';

// A reader that has seen enough (`footfall settings | head -1`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// A start that failed half-way may have left threads, which must not keep the process.
process.exit(await runProgram(process.argv.slice(2)));
