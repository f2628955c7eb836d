/**
 * The key of one import's visitors, where keys do not outlive their days (P-22): made for the
 * import, kept beside its stage so that a reading that goes on after a kill tells visitors apart as
 * before, and overwritten as soon as all of the source is read.
 *
 * Control plane.
 */

import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomKey } from '../../base/random.ts';
import { syncDirectory } from '../../base/sync-directory.ts';
import { DAY_KEY_BYTES } from '../../model/limits.ts';

const NAME = 'visitor-key';
const OWNER_ONLY = 0o600;

/** The key of the import whose stage is in a folder; it is on disk when this returns. */
export function stageKey(folder: string): Uint8Array {
  const path = join(folder, NAME);
  if (statSync(path, { throwIfNoEntry: false })?.size === DAY_KEY_BYTES) {
    return new Uint8Array(readFileSync(path));
  }
  const key = randomKey(DAY_KEY_BYTES);
  writeKey(`${path}.draft`, 'w', key);
  renameSync(`${path}.draft`, path);
  syncDirectory(folder);
  return key;
}

/** Overwrites the key and removes it, if there is one. */
export function destroyStageKey(folder: string): void {
  for (const path of [join(folder, NAME), join(folder, `${NAME}.draft`)]) {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) continue;
    writeKey(path, 'r+', new Uint8Array(DAY_KEY_BYTES));
    rmSync(path);
  }
}

function writeKey(path: string, flags: 'w' | 'r+', key: Uint8Array): void {
  const file = openSync(path, flags, OWNER_ONLY);
  try {
    writeSync(file, key, 0, key.length, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
