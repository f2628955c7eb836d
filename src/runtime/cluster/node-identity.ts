/**
 * Which node this is: a new id with every start, kept in the data directory.
 *
 * Control plane. A lease belongs to a run of the process, not to a machine; but the runs before on the
 * same data directory have ended for sure, since the directory was locked, so their leases need no
 * waiting. They are remembered until one run has joined: it has struck them all off the board.
 */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomAlphanumeric } from '../../base/random.ts';

const ID_LENGTH = 8;
const FILE = 'node-id';

/** Ids of this run and of those before that may still be on the board. */
export interface NodeIdentity {
  self: string;
  previous: readonly string[];
}

/** Gives this run its id. The data directory has to be locked. */
export function takeIdentity(dataDir: string): NodeIdentity {
  const previous = readIds(join(dataDir, FILE));
  const self = randomAlphanumeric(ID_LENGTH);
  writeIds(dataDir, [...previous, self]);
  return { self, previous };
}

/** This run has joined: those before are forgotten. */
export function settleIdentity(dataDir: string, { self }: NodeIdentity): void {
  writeIds(dataDir, [self]);
}

function writeIds(dataDir: string, ids: readonly string[]): void {
  const path = join(dataDir, FILE);
  writeFileSync(`${path}.draft`, `${ids.join('\n')}\n`);
  renameSync(`${path}.draft`, path);
}

function readIds(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
