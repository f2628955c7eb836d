/**
 * Which node this is: a new id with every start, kept in the data directory.
 *
 * Control plane. A lease belongs to a run of the process, not to a machine; but the run before on the
 * same data directory has ended for sure, since the directory was locked, so its leases need no waiting.
 */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomAlphanumeric } from '../../base/random.ts';

const ID_LENGTH = 8;

/** Ids of this run and of the one before; null when there was none. */
export interface NodeIdentity {
  self: string;
  previous: string | null;
}

/** Gives this run its id. The data directory has to be locked. */
export function takeIdentity(dataDir: string): NodeIdentity {
  const path = join(dataDir, 'node-id');
  const previous = readId(path);
  const self = randomAlphanumeric(ID_LENGTH);
  const draft = `${path}.draft`;
  writeFileSync(draft, `${self}\n`);
  renameSync(draft, path);
  return { self, previous };
}

function readId(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
