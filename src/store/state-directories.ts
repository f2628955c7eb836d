/**
 * Where the state of a shard lives below the data directory, and how another one takes its place.
 *
 * Control plane. A restored state gets a directory of its own, since query threads may still read the
 * one before; it is the shard's once its name is there, so that a crash leaves the old or the new one.
 *
 *     state/shard-0007            made by the actor
 *     state/shard-0007-3-draft    being restored: worthless after a crash
 *     state/shard-0007-3          restored; the highest number counts
 *     states                      which shards have one: a line each, with a checksum
 *
 * A state that is gone would be counted anew from the log, which has been trimmed behind it. So the
 * list is beside the directory, not in it.
 */

import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makePrivateDirectory } from '../base/private-directory.ts';
import { syncDirectory } from '../base/sync-directory.ts';
import { errors } from '../model/errors.ts';
import { asShardId, type ShardId } from '../model/ids.ts';
import { checkEnvironment, dataFileOf, isMade } from './environment-check.ts';
import { StateEnvironment } from './state-environment.ts';

// No dots: LMDB would take the name for a file's.
const DRAFT = '-draft';
const LIST = 'states';
const REMEDY = 'restore the data directory from a backup, as a whole';

/** Directory of a shard's state; where it is to be made when there is none. */
export function shardStatePath(dataDir: string, shard: ShardId): string {
  return pathOf(dataDir, shard, newest(dataDir, shard));
}

/**
 * Opens a shard's state for its only writer, null when it has none yet.
 *
 * @throws STORE_DAMAGED when it is missing, or cannot be trusted as a whole.
 */
export function openState(dataDir: string, shard: ShardId): StateEnvironment | null {
  const path = shardStatePath(dataDir, shard);
  if (!isMade(path)) {
    if (!listedStates(dataDir).has(shard)) return null;
    throw errors.STORE_DAMAGED({ path: dataFileOf(path), fault: 'it is missing', remedy: REMEDY });
  }
  const { fault } = checkEnvironment(path, () => false);
  if (fault !== '') throw errors.STORE_DAMAGED({ path: dataFileOf(path), fault, remedy: REMEDY });
  return new StateEnvironment(path);
}

/** Opens a shard's state that its writer has opened already, null when it has none yet. */
export function reopenState(dataDir: string, shard: ShardId): StateEnvironment | null {
  const path = shardStatePath(dataDir, shard);
  return isMade(path) ? new StateEnvironment(path) : null;
}

/** Makes a shard's state, to be written by the caller. */
export function makeState(dataDir: string, shard: ShardId): StateEnvironment {
  makePrivateDirectory(join(dataDir, 'state'));
  const environment = new StateEnvironment(shardStatePath(dataDir, shard));
  if (!listedStates(dataDir).has(shard)) listState(dataDir, shard);
  return environment;
}

/** Shards that have, or had, a state. Lines that are damaged name none. */
export function listedStates(dataDir: string): Set<ShardId> {
  const shards = new Set<ShardId>();
  for (const line of listLines(dataDir)) {
    const [name = ''] = line.split(' ');
    if (line === listLine(name)) shards.add(asShardId(Number(name)));
  }
  return shards;
}

/**
 * Lines of the list that are not what was written. One that a full disk broke off is none of them once
 * it was written whole.
 */
export function damagedListLines(dataDir: string): string[] {
  const lines = listLines(dataDir);
  const isWhole = (line: string) => line === listLine(line.split(' ')[0] ?? '');
  const whole = lines.filter(isWhole);
  return lines.filter((line) => !whole.some((one) => one.startsWith(line)));
}

function listLines(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, LIST), 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: (error as Error).message }, error);
  }
}

function listLine(name: string): string {
  return `${name} ${crc32(name).toString(16).padStart(8, '0')}`;
}

/** On disk before the state is: several threads add lines. */
export function listState(dataDir: string, shard: ShardId): void {
  const list = openSync(join(dataDir, LIST), 'a', 0o600);
  try {
    // On a line of its own, also behind one that was broken off.
    writeFileSync(list, `\n${listLine(String(shard))}\n`);
    fsyncSync(list);
  } finally {
    closeSync(list);
  }
  syncDirectory(dataDir);
}

/**
 * A directory for a state to be restored into; what an earlier attempt left there is removed.
 *
 * @returns its path, to be given to `adoptState` when the state is complete and on disk.
 */
export function draftStatePath(dataDir: string, shard: ShardId): string {
  makePrivateDirectory(join(dataDir, 'state'));
  sweepState(dataDir, shard);
  return `${pathOf(dataDir, shard, newest(dataDir, shard) + 1)}${DRAFT}`;
}

/** Makes a draft the shard's state and removes the one before. */
export function adoptState(dataDir: string, shard: ShardId, draft: string): void {
  renameSync(draft, draft.slice(0, -DRAFT.length));
  syncDirectory(join(dataDir, 'state'));
  sweepState(dataDir, shard);
}

/** Removes drafts and what a restored state has replaced. */
export function sweepState(dataDir: string, shard: ShardId): void {
  const last = newest(dataDir, shard);
  for (const { name, generation } of entriesOf(dataDir, shard)) {
    if (generation === last) continue;
    rmSync(join(dataDir, 'state', name), { recursive: true, force: true });
  }
}

function newest(dataDir: string, shard: ShardId): number {
  return entriesOf(dataDir, shard).reduce((most, { generation }) => Math.max(most, generation), 0);
}

/** Directories of a shard; drafts have the generation −1. */
function entriesOf(dataDir: string, shard: ShardId): { name: string; generation: number }[] {
  let names: string[];
  try {
    names = readdirSync(join(dataDir, 'state'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const own = stateName(shard);
  return names.flatMap((name) => {
    if (name === own) return [{ name, generation: 0 }];
    if (!name.startsWith(`${own}-`)) return [];
    return [{ name, generation: name.endsWith(DRAFT) ? -1 : Number(name.slice(own.length + 1)) }];
  });
}

function pathOf(dataDir: string, shard: ShardId, generation: number): string {
  const suffix = generation === 0 ? '' : `-${generation}`;
  return join(dataDir, 'state', stateName(shard) + suffix);
}

/** Name of the first directory of a shard's state. */
export function stateName(shard: ShardId): string {
  return `shard-${String(shard).padStart(4, '0')}`;
}
