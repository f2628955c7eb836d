/** Whether LMDB's native part fits this system: for `footfall doctor`, before anything else loads it. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../settings/package-root.ts';

/** @returns its version, '' when nobody tells. @throws when it cannot be loaded. */
export function storageEngineVersion(): string {
  createRequire(import.meta.url)('lmdb');
  const description = join(packageRoot(), 'node_modules/lmdb/package.json');
  return existsSync(description) ? JSON.parse(readFileSync(description, 'utf8')).version : '';
}
