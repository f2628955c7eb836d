/**
 * One running service per data directory.
 *
 * Control plane. The kernel holds the lock: a write lock of the open file `service.lock`
 * (`F_OFD_SETLK`, open file description locks), which ends with the last descriptor of that file,
 * however the process ends. So it does not matter which processes can see each other: two
 * containers with process ids of their own on one volume exclude each other, and a container that
 * was killed and started again finds no lock. Node opens files so that child processes do not
 * inherit them; threads share the descriptor and need no lock of their own.
 *
 * What the file says, who took the lock, is for people only. It is never removed: a file of that
 * name that is made anew would be another file with another lock.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { type FileLocks, loadLocks } from '../../base/file-locks.ts';
import { makeDirectory } from '../../base/make-directory.ts';
import { errors, OperatingError } from '../../model/errors.ts';

const FILE = 'service.lock';
// The file may be read by everybody: it says who holds the directory.
const MODE = 0o644;

/** A lock that is held. */
export interface DataDirLock {
  /** Lets another service take the directory; called twice it does nothing more. */
  release(): void;
}

/**
 * Takes the lock of a data directory, which is made when there is none.
 *
 * @param load replaced by tests that have no locks.
 * @throws DATA_DIR_IN_USE when a live process holds it, DATA_DIR_UNUSABLE when it is not writable or
 *   on a file system without locks.
 */
export function lockDataDir(dataDir: string, load: () => FileLocks = loadLocks): DataDirLock {
  try {
    makeDirectory(dataDir);
    return takeLock(dataDir, openSync(join(dataDir, FILE), 'a+', MODE), load);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: (cause as Error).message }, cause);
  }
}

/**
 * Takes another lock of a directory that is there, in the same way.
 *
 * @throws DATA_DIR_IN_USE when a live process holds it, DATA_DIR_UNUSABLE where there are no locks, and
 *   what the system says.
 */
export function lockDirectory(directory: string, file: string): DataDirLock {
  return takeLock(directory, openSync(join(directory, file), 'a+', MODE), loadLocks, file);
}

/** Held while a directory is read, so that no service starts meanwhile; null when one runs. */
export function tryLockDataDir(dataDir: string): DataDirLock | null {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof OperatingError && error.code === 'DATA_DIR_IN_USE') return null;
    throw error;
  }
}

function takeLock(
  dataDir: string,
  descriptor: number,
  load: () => FileLocks,
  file = FILE,
): DataDirLock {
  let isHeld = false;
  try {
    isHeld = load().tryLock(descriptor);
    if (!isHeld) throw errors.DATA_DIR_IN_USE({ dataDir, holder: readHolder(join(dataDir, file)) });
    writeHolder(descriptor);
  } catch (cause) {
    closeSync(descriptor);
    if (isHeld || (cause as NodeJS.ErrnoException).code === 'DATA_DIR_IN_USE') throw cause;
    const reason = `its file system or this system has no file locks (${(cause as Error).message}); use a disk of this machine`;
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason }, cause);
  }
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      closeSync(descriptor);
    },
  };
}

/** Not needed by anybody but people: a full disk is no reason to refuse a start. */
function writeHolder(descriptor: number): void {
  const holder = {
    pid: process.pid,
    host: hostname(),
    since: new Date(systemClock()).toISOString(),
  };
  try {
    ftruncateSync(descriptor, 0);
    writeSync(descriptor, `${JSON.stringify(holder)}\n`);
  } catch {
    // The lock holds without it.
  }
}

/** In a container the process id says little; its host name is the container's. */
function readHolder(path: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8'));
    if (Number.isSafeInteger(pid) && typeof host === 'string') return `process ${pid} on ${host}`;
  } catch {
    // It is being written, or the disk was full.
  }
  return 'another process';
}
