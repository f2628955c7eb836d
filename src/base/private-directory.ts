/** Directories that only the service's own user may look into: hits and keys are below them in the clear. */

import { mkdirSync } from 'node:fs';

const MODE = 0o700;

/** Makes a directory, and those above it, unless it is there. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: MODE });
}
