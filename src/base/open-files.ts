/** How many files the process may have open, and errors that say that it has too many. */

import { readFileSync } from 'node:fs';

const FAULT = /\b(EMFILE|ENFILE)\b|too many open files/i;
/** Errors wrap each other no deeper. */
const CAUSES_MAX = 8;

/** The limit of this process (`ulimit -n`), infinite where the system does not tell. */
export function openFileLimit(): number {
  try {
    // Columns: name, soft limit, hard limit, unit. Node raises the soft one to the hard one.
    const line = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return line === null ? Number.POSITIVE_INFINITY : Number(line[1]);
  } catch (error) {
    return isOpenFileFault(error) ? 0 : Number.POSITIVE_INFINITY;
  }
}

/** Whether an error, or what caused it, is that no further file can be opened. */
export function isOpenFileFault(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    if (FAULT.test(`${(cause as NodeJS.ErrnoException).code ?? ''} ${cause.message}`)) return true;
    cause = cause.cause;
  }
  return false;
}
