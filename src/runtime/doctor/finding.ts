/** What `footfall doctor` has found out about one thing, and what to change. Control plane. */

/** How it stands: `bad` keeps the service from its promises, `warn` is worth a look. */
export type Verdict = 'ok' | 'warn' | 'bad';

/** One line of the report. */
export interface Finding {
  /** What was looked at, such as `sync`. */
  readonly check: string;
  readonly verdict: Verdict;
  readonly found: string;
  /** What to change; '' when nothing is to be. */
  readonly change: string;
}

/** A line that asks for nothing. */
export function fine(check: string, found: string): Finding {
  return { check, verdict: 'ok', found, change: '' };
}

/** A line that is worth a look. */
export function warning(check: string, found: string, change: string): Finding {
  return { check, verdict: 'warn', found, change };
}

/** A line that keeps the service from its promises. */
export function bad(check: string, found: string, change: string): Finding {
  return { check, verdict: 'bad', found, change };
}

/** Bytes for people. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  let rest = bytes;
  for (; rest >= 1_024 && at < units.length - 1; at++) rest /= 1_024;
  return `${rest < 10 && at > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[at]}`;
}
