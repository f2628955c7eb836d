/**
 * LMDB's lock file, with all its bytes on disk before LMDB maps it.
 *
 * LMDB makes it by naming its size only. On a disk that is full the first write to such a page of the
 * map is no error but the signal SIGBUS, which ends the process. Written here, a full disk is an error
 * like any other.
 */

import { closeSync, existsSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of a reader's place and of what comes before them, rounded up. */
const READER_BYTES = 64;
const HEAD_BYTES = 1_024;

/**
 * Makes the lock file of a new environment. LMDB takes its size as it is, and sets it up itself.
 *
 * @param path directory of the environment.
 * @throws what the operating system says; nothing is left behind then.
 */
export function reserveLockFile(path: string, readersMax: number): void {
  const file = join(path, 'lock.mdb');
  if (existsSync(file)) return;
  const zeros = Buffer.alloc(HEAD_BYTES + readersMax * READER_BYTES);
  const fd = openSync(file, 'wx');
  try {
    for (let at = 0; at < zeros.length; ) at += writeSync(fd, zeros, at);
  } catch (error) {
    unlinkSync(file);
    throw error;
  } finally {
    closeSync(fd);
  }
}
