/**
 * Makes a directory and those above it, which ends in any case: Node's own recursive way tries for ever
 * where a file system says of a new name that something above it is missing, as /proc does.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** @returns the first one that was made; undefined: the directory was there. @throws what the system says. */
export function makeDirectory(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path);
  for (const directory of missing.toReversed()) makeOne(directory, mode);
  return missing.at(-1);
}

/** Somebody else may make it at the same moment. */
function makeOne(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!(isThere && statSync(path).isDirectory())) throw error;
  }
}
