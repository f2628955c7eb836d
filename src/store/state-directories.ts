/**
 * Where the state of a shard lives below the data directory, and how another one takes its place.
 *
 * Control plane. A restored state gets a directory of its own, since query threads may still read the
 * one before; it is the shard's once its name is there, so that a crash leaves the old or the new one.
 *
 *     state/shard-0007            made by the actor
 *     state/shard-0007-3-draft    being restored: worthless after a crash
 *     state/shard-0007-3          restored; the highest number counts
 */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';

// No dots: LMDB would take the name for a file's.
const DRAFT = '-draft';

/** Directory of a shard's state; where it is to be made when there is none. */
export function shardStatePath(dataDir: string, shard: number): string {
  return pathOf(dataDir, shard, newest(dataDir, shard));
}

/**
 * A directory for a state to be restored into; what an earlier attempt left there is removed.
 *
 * @returns its path, to be given to `adoptState` when the state is complete and on disk.
 */
export function draftStatePath(dataDir: string, shard: number): string {
  mkdirSync(join(dataDir, 'state'), { recursive: true });
  sweepState(dataDir, shard);
  return `${pathOf(dataDir, shard, newest(dataDir, shard) + 1)}${DRAFT}`;
}

/** Makes a draft the shard's state and removes the one before. */
export function adoptState(dataDir: string, shard: number, draft: string): void {
  renameSync(draft, draft.slice(0, -DRAFT.length));
  const directory = openSync(join(dataDir, 'state'), 'r');
  fsyncSync(directory);
  closeSync(directory);
  sweepState(dataDir, shard);
}

/** Removes drafts and what a restored state has replaced. */
export function sweepState(dataDir: string, shard: number): void {
  const last = newest(dataDir, shard);
  for (const { name, generation } of entriesOf(dataDir, shard)) {
    if (generation === last) continue;
    rmSync(join(dataDir, 'state', name), { recursive: true, force: true });
  }
}

function newest(dataDir: string, shard: number): number {
  return entriesOf(dataDir, shard).reduce((most, { generation }) => Math.max(most, generation), 0);
}

/** Directories of a shard; drafts have the generation −1. */
function entriesOf(dataDir: string, shard: number): { name: string; generation: number }[] {
  let names: string[];
  try {
    names = readdirSync(join(dataDir, 'state'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const own = nameOf(shard);
  return names.flatMap((name) => {
    if (name === own) return [{ name, generation: 0 }];
    if (!name.startsWith(`${own}-`)) return [];
    return [{ name, generation: name.endsWith(DRAFT) ? -1 : Number(name.slice(own.length + 1)) }];
  });
}

function pathOf(dataDir: string, shard: number, generation: number): string {
  const suffix = generation === 0 ? '' : `-${generation}`;
  return join(dataDir, 'state', nameOf(shard) + suffix);
}

function nameOf(shard: number): string {
  return `shard-${String(shard).padStart(4, '0')}`;
}
