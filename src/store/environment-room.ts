/**
 * What has to be there before LMDB opens an environment, found out where it is an error like any other.
 *
 * LMDB makes its lock file by naming its size only: on a disk that is full the first write to such a
 * page of the map is no error but the signal SIGBUS. And when LMDB cannot open its data file, or make
 * the first pages of a new one, lmdb-js 3.5 frees what it has freed before, and the process ends by
 * SIGSEGV. So the lock file is written here, and what LMDB is about to do with the data file is tried
 * once before.
 *
 * LMDB does not sync the first pages of a new data file before the first change does: after a power cut
 * there may be half of them, which looks as if what was there is damaged. So the file is made in a
 * directory beside, and gets its name when they are on disk.
 */

import {
  closeSync,
  existsSync,
  fdatasyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { open, type RootDatabase } from 'lmdb';
import { syncFile } from '../base/sync-directory.ts';

/** Bytes of a reader's place and of what comes before them, rounded up. */
const READER_BYTES = 64;
const HEAD_BYTES = 1_024;
/** Of a new data file, and as many again for the first change. */
const FIRST_BYTES = 4 * 4_096;
/** LMDB opens its lock file, and the data file twice. */
const DESCRIPTORS = 3;
/** What a second name is refused with by a disk that knows none. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/**
 * Makes the files of a new environment, and tries what LMDB needs of the disk to open them.
 *
 * @param path directory of the environment.
 * @throws what the operating system says, when LMDB would not come far; nothing is left behind then.
 */
export function makeRoom(path: string, readersMax: number): void {
  reserveLockFile(path, readersMax);
  // Never the lock file: to close it would let go of LMDB's locks in this process.
  const data = join(path, 'data.mdb');
  if (!existsSync(data)) makeDataFile(data, draftIn(path));
  tryDescriptors(data);
}

function tryDescriptors(path: string): void {
  const open: number[] = [];
  try {
    while (open.length < DESCRIPTORS) open.push(openSync(path, 'r+'));
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

/** What LMDB writes first into a data file, and the environment that was made for it. */
interface First {
  readonly pages: Buffer;
  readonly environment: RootDatabase;
}

let first: First | null = null;

/** @param draft directory that it is made in. */
function makeDataFile(path: string, draft: string): void {
  // One of a process that had the same number.
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    tryWriting(join(draft, 'zeros'));
    first ??= makeFirst(draft);
    const made = join(draft, 'made');
    writeFileSync(made, first.pages, { mode: 0o600 });
    syncFile(made);
    giveName(made, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * The environment stays open, without a name: the megabytes that it would free are of a size that glibc
 * from then on takes from its heap (M_MMAP_THRESHOLD) and fills with zeros: resident memory of each
 * environment that is opened later (DECISIONS 107).
 */
function makeFirst(draft: string): First {
  reserveLockFile(draft, 1);
  const options = { encoding: 'binary', overlappingSync: false, maxReaders: 1 } as const;
  const environment = open({ path: draft, ...options });
  return { pages: readFileSync(join(draft, 'data.mdb')), environment };
}

function tryWriting(path: string): void {
  const fd = openSync(path, 'w', 0o600);
  try {
    writeZeros(fd, FIRST_BYTES);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
    unlinkSync(path);
  }
}

/** Under another name first: LMDB of another process may take it as soon as it is there. */
function reserveLockFile(path: string, readersMax: number): void {
  const file = join(path, 'lock.mdb');
  if (existsSync(file)) return;
  const draft = draftIn(path);
  const fd = openSync(draft, 'w', 0o600);
  try {
    writeZeros(fd, HEAD_BYTES + readersMax * READER_BYTES);
    linkSync(draft, file);
  } catch (error) {
    // Where there are no second names LMDB makes it.
    const code = codeOf(error);
    if (code !== 'EEXIST' && !NO_LINKS.has(code)) throw error;
  } finally {
    closeSync(fd);
    unlinkSync(draft);
  }
}

/** Leaves one that somebody else has made: not everybody waits at the gate for ever. */
function giveName(made: string, path: string): void {
  try {
    linkSync(made, path);
  } catch (error) {
    const code = codeOf(error);
    if (NO_LINKS.has(code)) renameSync(made, path);
    else if (code !== 'EEXIST') throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

function draftIn(path: string): string {
  return join(path, `room-${process.pid}-${threadId}`);
}

function writeZeros(fd: number, bytes: number): void {
  const zeros = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; ) at += writeSync(fd, zeros, at);
}
