/** What the log does to files, in one place so that tests can let the disk fail. */

import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
  writevSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { FILE_HEAD_BYTES } from './log-file-format.ts';

const ZEROS = Buffer.alloc(1_024 * 1_024);

/** A file to make ready for commits. */
export interface FileWish {
  path: string;
  /** A file to take over instead of making one. */
  spare: string | null;
  bytes: number;
  /** Writes the head and gives its salt. */
  head: (target: Buffer) => number;
}

/** File operations of the log. All of them throw what the operating system says. */
export interface FileOperations {
  /** Makes a file of zeros (or takes a spare one over), writes its head and syncs all of it. */
  prepare(wish: FileWish): { fd: number; salt: number };
  /** Writes all parts one after the other at a position. */
  writeAll(fd: number, parts: readonly Uint8Array[], position: number): void;
  sync(fd: number): void;
  rename(from: string, to: string): void;
  close(fd: number): void;
}

/** The operating system's. */
export const systemFiles: FileOperations = {
  prepare({ path, spare, bytes, head }) {
    const draft = spare ?? `${path}.draft`;
    const fd = openSync(draft, spare === null ? 'w' : 'r+');
    try {
      if (spare === null) fillWithZeros(fd, bytes);
      const first = Buffer.alloc(FILE_HEAD_BYTES);
      const salt = head(first);
      writeSync(fd, first, 0, first.length, 0);
      fsyncSync(fd);
      // Under its name only when it is ready: a crash before leaves a draft or a spare file.
      renameSync(draft, path);
      syncDirectory(dirname(path));
      return { fd, salt };
    } catch (error) {
      closeSync(fd);
      if (spare === null) unlinkSync(draft);
      throw error;
    }
  },
  writeAll(fd, parts, position) {
    let at = position;
    let rest = [...parts];
    while (rest.length > 0) {
      let written = writevSync(fd, rest, at);
      at += written;
      while (rest.length > 0 && written >= rest[0]!.length) {
        written -= rest[0]!.length;
        rest = rest.slice(1);
      }
      if (rest.length > 0 && written > 0) rest[0] = rest[0]!.subarray(written);
    }
  },
  sync: fdatasyncSync,
  rename: renameSync,
  close: closeSync,
};

function fillWithZeros(fd: number, bytes: number): void {
  for (let at = 0; at < bytes; ) at += writeSync(fd, ZEROS, 0, Math.min(ZEROS.length, bytes - at), at);
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
