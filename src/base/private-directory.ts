/** Directories that only the service's own user may look into: hits and keys are below them in the clear. */

import { dirname, resolve } from 'node:path';
import { makeDirectory } from './make-directory.ts';
import { syncDirectory } from './sync-directory.ts';

const MODE = 0o700;

/** Makes a directory, and those above it, unless it is there; their names are on disk when it returns. */
export function makePrivateDirectory(path: string): void {
  const first = makeDirectory(path, MODE);
  if (first === undefined) return;
  const last = dirname(resolve(first));
  for (let above = dirname(resolve(path)); ; above = dirname(above)) {
    syncDirectory(above);
    if (above === last) return;
  }
}
