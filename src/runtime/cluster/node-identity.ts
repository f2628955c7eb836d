/**
 * Which node this is: a new id with every start, kept in the data directory.
 *
 * Control plane. A lease belongs to a run of the process, not to a machine; but the runs before on the
 * same data directory have ended for sure, since the directory was locked, so their leases need no
 * waiting. They are remembered until one run has joined: it has struck them all off the board.
 */

import { join } from 'node:path';
import { randomAlphanumeric } from '../../base/random.ts';
import { readCheckedFile, writeCheckedFile } from '../../store/checked-file.ts';

const ID_LENGTH = 8;
const NODE_IDENTITY_NAME = 'node-id';

/** Ids of this run and of those before that may still be on the board. */
export interface NodeIdentity {
  self: string;
  previous: readonly string[];
}

/** Gives this run its id. The data directory has to be locked. */
export function takeIdentity(dataDir: string): NodeIdentity {
  const previous = readIds(join(dataDir, NODE_IDENTITY_NAME));
  const self = randomAlphanumeric(ID_LENGTH);
  writeIds(dataDir, [...previous, self]);
  return { self, previous };
}

/** This run has joined: those before are forgotten. */
export function settleIdentity(dataDir: string, { self }: NodeIdentity): void {
  writeIds(dataDir, [self]);
}

function writeIds(dataDir: string, ids: readonly string[]): void {
  writeCheckedFile(join(dataDir, NODE_IDENTITY_NAME), ids.join('\n'));
}

/** Of a damaged file none: then the leases of the runs before are waited for. */
function readIds(path: string): string[] {
  const found = readCheckedFile(path);
  if (found === null || found === 'damaged') return [];
  return found.text.split('\n').filter((id) => id.length === ID_LENGTH);
}
