/**
 * What the log does to files: few operations, in one place, so that tests can let the disk fail.
 *
 * Data plane. All of them throw what the operating system says.
 */

import { closeSync, fdatasyncSync, openSync, renameSync, unlinkSync, writevSync } from 'node:fs';
import { syncDirectory } from '../../base/sync-directory.ts';

/** File operations of the log. */
export interface FileOperations {
  /** Opens a file for reading and writing: `w+` a new one, `r+` one that is there. */
  open(path: string, flags: 'w+' | 'r+'): number;
  /** Writes all parts one after the other at a position. Some may be written when it throws. */
  write(fd: number, parts: readonly Uint8Array[], position: number): void;
  /** Returns when what was written is on disk; size included, times not. */
  sync(fd: number): void;
  close(fd: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Returns when the names of a directory are on disk. */
  syncDirectory(path: string): void;
}

/** The operating system's. */
export const systemFiles: FileOperations = {
  open: openSync,
  write: writeWhole,
  sync: fdatasyncSync,
  close: closeSync,
  rename: renameSync,
  remove: unlinkSync,
  syncDirectory,
};

/** One call nearly always; a write may be short when it is interrupted or the disk fills up. */
function writeWhole(fd: number, parts: readonly Uint8Array[], position: number): void {
  let rest = parts;
  let at = position;
  for (;;) {
    let written = writevSync(fd, rest, at);
    at += written;
    let index = 0;
    while (index < rest.length && written >= rest[index]!.length) {
      written -= rest[index]!.length;
      index++;
    }
    if (index === rest.length) return;
    rest = [rest[index]!.subarray(written), ...rest.slice(index + 1)];
  }
}
