/**
 * One running service per data directory.
 *
 * Control plane. The lock is the highest-numbered file `service.lock.<n>`; it holds who took it:
 * process id, when that process started, and which boot of the machine. So the lock of a killed
 * service, or of one whose process id was given away since, is seen to be stale at once.
 *
 * Why numbers: a stale lock is never removed, it is overtaken by linking `n + 1`, which only one
 * process can do. The highest number is removed only by the owner of a higher one, so it never
 * falls, and whoever holds the highest after linking, with the one before it stale, is alone:
 *
 *   look: highest n, stale ─▶ link n + 1 (fails if it exists: look again) ─▶ look: still highest?
 *                                                              no: somebody overtook us, give up
 */
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomAlphanumeric } from '../base/random.ts';
import { errors } from '../model/errors.ts';

const PREFIX = 'service.lock.';
/** Looks at the directory before giving up; each further look means that another process won. */
const LOOK_COUNT_MAX = 100;

/** Who holds the lock. */
export interface LockOwner {
  /** 0: released. */
  readonly pid: number;
  /** Clock ticks from boot to the start of the process; '' where /proc does not tell. */
  readonly startTicks: string;
  /** Differs from boot to boot; '' where /proc does not tell. */
  readonly bootId: string;
}

/** A lock that is held. */
export interface DataDirLock {
  /** Lets another service take the directory; called twice it does nothing more. */
  release(): void;
}

/**
 * Takes the lock of a data directory, which is made when there is none.
 *
 * @throws DATA_DIR_IN_USE when a live process holds it, DATA_DIR_UNUSABLE when it is not writable.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  try {
    mkdirSync(dataDir, { recursive: true });
    return takeLock(dataDir);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (typeof code !== 'string' || (cause as NodeJS.ErrnoException).syscall === undefined) {
      throw cause;
    }
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: (cause as Error).message }, cause);
  }
}

/** This process, as it stands in a lock file. */
export function thisProcess(): LockOwner {
  return { pid: process.pid, startTicks: startTicksOf(process.pid), bootId: bootId() };
}

function takeLock(dataDir: string): DataDirLock {
  const me = thisProcess();
  const draft = join(dataDir, `lock-draft-${randomAlphanumeric(16)}`);
  writeFileSync(draft, `${JSON.stringify(me)}\n`);
  try {
    for (let look = 0; look < LOOK_COUNT_MAX; look++) {
      const highest = highestNumber(dataDir);
      const owner = highest === 0 ? null : readOwner(dataDir, highest);
      if (owner !== null && isAlive(owner)) {
        throw errors.DATA_DIR_IN_USE({ dataDir, pid: owner.pid });
      }
      if (!tryLink(draft, lockPath(dataDir, highest + 1))) continue;
      if (highestNumber(dataDir) === highest + 1) {
        removeBelow(dataDir, highest + 1);
        return heldLock(dataDir, highest + 1);
      }
      rmSync(lockPath(dataDir, highest + 1), { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'its lock keeps changing hands; try again' });
}

function heldLock(dataDir: string, number: number): DataDirLock {
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      // Marked, not removed: the highest number must never fall.
      const draft = join(dataDir, `lock-draft-${randomAlphanumeric(16)}`);
      const released: LockOwner = { pid: 0, startTicks: '', bootId: '' };
      try {
        writeFileSync(draft, `${JSON.stringify(released)}\n`);
        renameSync(draft, lockPath(dataDir, number));
      } catch {
        // On a full disk the lock stays as it is: its process is gone in a moment, so it is stale.
        rmSync(draft, { force: true });
      }
    },
  };
}

function lockPath(dataDir: string, number: number): string {
  return join(dataDir, `${PREFIX}${number}`);
}

/** 0 when nobody ever took the lock. */
function highestNumber(dataDir: string): number {
  return Math.max(0, ...lockNumbers(dataDir));
}

function lockNumbers(dataDir: string): number[] {
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(PREFIX) && /^\d{1,15}$/.test(name.slice(PREFIX.length)))
    .map((name) => Number(name.slice(PREFIX.length)));
}

function removeBelow(dataDir: string, number: number): void {
  for (const below of lockNumbers(dataDir)) {
    if (below < number) rmSync(lockPath(dataDir, below), { force: true });
  }
}

/** Linking puts the file there whole, or not at all when the name is taken. */
function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** null when the file has gone (then somebody overtook it) or holds no owner. */
function readOwner(dataDir: string, number: number): LockOwner | null {
  try {
    const owner = JSON.parse(readFileSync(lockPath(dataDir, number), 'utf8'));
    return Number.isSafeInteger(owner?.pid) ? owner : null;
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isGone || error instanceof SyntaxError) return null;
    throw error;
  }
}

function isAlive(owner: LockOwner): boolean {
  if (owner.pid <= 0) return false;
  if (owner.bootId !== '' && owner.bootId !== bootId()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it is there, and another user's.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // Another start time: the process id was given to somebody else since.
  return owner.startTicks === '' || owner.startTicks === startTicksOf(owner.pid);
}

/** Field 22 of /proc/<pid>/stat; '' when there is none. A dead process not yet waited for is dead. */
function startTicksOf(pid: number): string {
  const stat = readSystemFile(`/proc/${pid}/stat`);
  // The second field, the program's name in brackets, may itself hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z' || fields[0] === 'X';
  return isZombie ? 'ended' : (fields[19] ?? '');
}

function bootId(): string {
  return readSystemFile('/proc/sys/kernel/random/boot_id').trim();
}

function readSystemFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
