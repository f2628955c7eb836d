/** Names on disk: a file that is synced can still lose its name to a power cut, until its directory is synced. */

import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Returns when the names of a directory are on disk. */
export function syncDirectory(path: string): void {
  sync(path);
}

/** Returns when the bytes of a file are on disk; of its name the directory has to be synced. */
export function syncFile(path: string): void {
  sync(path);
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
