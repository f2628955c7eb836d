/** The machine: its clock, its memory, and how many files a process may have open. Control plane. */

import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs, systemClock } from '../../base/clock.ts';
import { openFileLimit } from '../../base/open-files.ts';
import type { Settings } from '../../settings/schema.ts';
import { bad, type Finding, fine, sizeText, warning } from './finding.ts';
import { readText } from './mounts.ts';
import { openFilesNeeded } from './open-files-needed.ts';

const CLOCK_LOOK_MS = 500;
/** A clock that is steered runs off by a thousandth; one that steps by more than this. */
const STEP_MS = 50;
const AHEAD_MS = 60_000;
const MEMORY_LOW = 1_024 ** 3;
const FREE_LOW = 512 * 1_024 ** 2;
const COMMAND_MS_MAX = 2_000;
const KIB = 1_024;
/** Files that a service writes again and again. */
const WRITTEN = ['jobs.json', 'service.lock', 'layout.json'];

/** Everything about the machine. */
export async function examineMachine(settings: Settings): Promise<Finding[]> {
  return [
    await clock(settings.dataDir),
    synchronized(),
    openFiles(settings),
    memory(settings),
    ...hugePages(),
    ...overcommit(),
  ];
}

/** Hits have their time from the clock: one that jumps puts them on other days. */
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
  return fine(
    'clock',
    `${new Date(systemClock()).toISOString()}, no jump within ${CLOCK_LOOK_MS} ms`,
  );
}

function synchronized(): Finding {
  const check = 'time service';
  if (existsSync('/run/systemd/timesync/synchronized'))
    return fine(check, 'the clock is kept right');
  try {
    const flags = ['show', '--property=NTPSynchronized', '--value'];
    const told = execFileSync('timedatectl', flags, { timeout: COMMAND_MS_MAX, stdio: 'pipe' });
    if (String(told).trim() === 'yes') return fine(check, 'the clock is kept right');
    const change = 'run chrony or systemd-timesyncd';
    return warning(check, 'nobody keeps the clock right', change);
  } catch {
    // A container does not see who keeps the machine's clock.
    return fine(check, 'cannot be told from here; the machine should run one');
  }
}

function openFiles(settings: Settings): Finding {
  const [limit, needed] = [openFileLimit(), openFilesNeeded(settings)];
  const found = `${limit === Number.POSITIVE_INFINITY ? 'no limit' : limit}; ${needed} without a client`;
  const change = `raise it (ulimit -n, LimitNOFILE=) to ${needed * 2} or more`;
  if (limit < needed) return bad('open files', found, change);
  return limit < needed * 2 ? warning('open files', found, change) : fine('open files', found);
}

function memory(settings: Settings): Finding {
  const kib = /^MemAvailable: +(\d+)/m.exec(readText('/proc/meminfo') ?? '')?.[1];
  const available = kib === undefined ? Number.POSITIVE_INFINITY : Number(kib) * KIB;
  const free = kib === undefined ? '' : `; ${sizeText(available)} are free now`;
  const found = `the service may take ${sizeText(settings.memory)}${free}`;
  if (settings.memory < MEMORY_LOW) {
    return warning('memory', found, 'give it 1 GiB or more (FOOTFALL_MEMORY, the container)');
  }
  if (available < FREE_LOW) {
    return warning('memory', found, 'end what else takes memory, or use a larger machine');
  }
  return fine('memory', found);
}

/** Pages of 2 MiB make heaps that grow and shrink larger than what they hold. */
function hugePages(): Finding[] {
  const text = readText('/sys/kernel/mm/transparent_hugepage/enabled');
  if (text === null) return [];
  const chosen = /\[(\w+)\]/.exec(text)?.[1] ?? text;
  if (chosen !== 'always') return [fine('huge pages', chosen)];
  const change =
    'set madvise in /sys/kernel/mm/transparent_hugepage/enabled: the service takes less memory';
  return [warning('huge pages', 'always', change)];
}

/** Threads and LMDB reserve more addresses than they ever use. */
function overcommit(): Finding[] {
  const text = readText('/proc/sys/vm/overcommit_memory');
  if (text === null) return [];
  if (text !== '2') return [fine('overcommit', text)];
  const change =
    'set vm.overcommit_memory to 0 or 1: the service reserves more addresses than it uses';
  return [warning('overcommit', '2: what is reserved counts as used', change)];
}

function writtenMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
