/** Runs promtool, of Debian's package prometheus; its server is not started. */
import { spawnSync } from 'node:child_process';

/** What it said; '' when it found nothing wrong with what it was given. @param input on standard input. */
export function promtoolFaults(parts: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', parts, {
    input,
    encoding: 'utf8',
  });
  if (error !== undefined) return `promtool cannot be run: ${error.message}`;
  // `check metrics` ends with 0 and says what it would have otherwise; `check rules` says what it did.
  const isTold = parts[1] === 'metrics' && stderr !== '';
  return status === 0 && !isTold ? '' : `${stdout}${stderr}` || `it ended with ${status}`;
}
