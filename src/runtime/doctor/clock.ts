/**
 * The machine's clock: hits have their time from it, and are counted on the day that it says.
 *
 * Control plane. A container has no time service of its own and mostly no program to ask the machine's;
 * but the kernel, whose clock it is, knows whether somebody keeps it right.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import { bad, type Finding, fine, warning } from './finding.ts';

const CLOCK_LOOK_MS = 500;
/** A clock that is steered runs off by a thousandth; one that steps by more than this. */
const STEP_MS = 50;
const AHEAD_MS = 60_000;
const COMMAND_MS_MAX = 2_000;
/** Files that a service writes again and again. */
const WRITTEN = ['jobs.json', 'service.lock', 'layout.json'];
const KEEP_RIGHT = 'run chrony or systemd-timesyncd on the machine';

/** Who may be asked whether the clock is kept right; the first who knows is right. */
const WITNESSES: readonly Witness[] = [
  {
    command: ['timedatectl', 'show', '--property=NTPSynchronized', '--value'],
    isKept: (told) => ({ yes: true, no: false })[told.trim()] ?? null,
  },
  // Fields with commas; the last says whether a second is inserted, or that nothing is known.
  {
    command: ['chronyc', '-c', 'tracking'],
    isKept: (told) => (told.includes(',') ? !/,Not synchronised\s*$/i.test(told) : null),
  },
  // The kernel's own word. Of busybox it is a sentence, of the package 'adjtimex' bit 64 of the status.
  { command: ['adjtimex', '--print'], isKept: keptByStatus },
  { command: ['busybox', 'adjtimex'], isKept: keptByStatus },
];

interface Witness {
  readonly command: readonly [string, ...string[]];
  /** What it told; null when that says nothing. */
  isKept(told: string): boolean | null;
}

/** Whether it jumps, or is behind what was written, and whether somebody keeps it right. */
export async function examineClock(dataDir: string): Promise<Finding[]> {
  return [await clock(dataDir), timeService()];
}

async function clock(dataDir: string): Promise<Finding> {
  const change = 'let one program alone set the clock, and by slewing (chrony, systemd-timesyncd)';
  const [wallMs, monotonic] = [systemClock(), monotonicMs()];
  await new Promise((resolve) => setTimeout(resolve, CLOCK_LOOK_MS));
  const stepMs = systemClock() - wallMs - (monotonicMs() - monotonic);
  if (Math.abs(stepMs) > STEP_MS) {
    return warning('clock', `it has just jumped by ${Math.round(stepMs)} ms`, change);
  }
  const newestMs = Math.max(0, ...WRITTEN.map((name) => writtenMs(join(dataDir, name))));
  if (newestMs > systemClock() + AHEAD_MS) {
    const found = `the data directory was written at ${new Date(newestMs).toISOString()}, which is to come`;
    return bad('clock', found, 'set the clock: hits are counted on the day that it says');
  }
  const now = new Date(systemClock()).toISOString();
  return fine('clock', `${now}, no jump within ${CLOCK_LOOK_MS} ms`);
}

function timeService(): Finding {
  const check = 'time service';
  if (existsSync('/run/systemd/timesync/synchronized')) {
    return fine(check, 'systemd-timesyncd keeps the clock right');
  }
  for (const { command, isKept } of WITNESSES) {
    const told = toldBy(command);
    const kept = told === null ? null : isKept(told);
    if (kept === null) continue;
    const name = command[0] === 'busybox' ? command.join(' ') : command[0];
    if (kept) return fine(check, `the clock is kept right, says ${name}`);
    return warning(check, `nobody keeps the clock right, says ${name}`, KEEP_RIGHT);
  }
  const change = `see on the machine itself that one runs (timedatectl, chronyc tracking)`;
  return warning(check, 'unknown: nobody here can tell', change);
}

/** null when there is no such program, or it fails. */
function toldBy([program, ...words]: readonly [string, ...string[]]): string | null {
  try {
    return String(execFileSync(program, words, { timeout: COMMAND_MS_MAX, stdio: 'pipe' }));
  } catch {
    return null;
  }
}

function keptByStatus(told: string): boolean | null {
  if (/clock not synchronized/i.test(told)) return false;
  if (/clock synchronized/i.test(told)) return true;
  const status = /\bstatus:\s+(\d+)/.exec(told)?.[1];
  return status === undefined ? null : (Number(status) & NOT_SYNCHRONIZED) === 0;
}

/** Of timex.h: STA_UNSYNC. */
const NOT_SYNCHRONIZED = 0x40;

function writtenMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
