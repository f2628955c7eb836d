/**
 * Where the package is installed: files that ship with it are found from here, built or not.
 *
 * Control plane.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The directory of our package.json, absolute. */
export function packageRoot(): string {
  let directory = import.meta.dirname;
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory) {
    directory = dirname(directory);
  }
  return directory;
}
