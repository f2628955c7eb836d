/**
 * What of a data directory goes into a backup beside its log: entries of environments, and files.
 *
 * Control plane.
 */

import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesOfUploads } from '../../imports/uploads.ts';
import { DAY_KEY_FILE } from '../../store/day-key-file.ts';
import type { CopiedEntry, PinnedEnvironment } from '../../store/environment-copy.ts';
import { LAYOUT_NAME } from '../directory/data-layout.ts';
import { PartCutter } from './entry-parts.ts';
import type { BackedUpEnvironment, BackedUpFile, Part } from './manifest.ts';
import { OBJECT_BYTES, ObjectWriter } from './object-writer.ts';
import type { BackupSink } from './sink.ts';

/** Where the backup of a cluster keeps what it needs meanwhile, in a data directory. */
export const CLUSTER_DRAFT_NAME = 'backup-draft';
/** Where a restore into a cluster keeps the data directory that it makes meanwhile. */
export const CLUSTER_RESTORE_NAME = 'restore-draft';
/** Of a directory as a node; a restored one is another. */
export const NODE_FILES: ReadonlySet<string> = new Set([LAYOUT_NAME, 'node-id', 'jobs.json']);
/** What is backed up in a way of its own, or is made anew where it is missing. */
const LEFT_OUT = new Set([
  ...['registry', 'state', 'states', 'log', 'spool', 'imports'],
  ...['service.lock', 'exports', CLUSTER_DRAFT_NAME, CLUSTER_RESTORE_NAME],
  // Kept in a backup the keys of days would be kept for ever (P-22).
  DAY_KEY_FILE,
]);

/** Reads a moment into parts. @param isWanted false: an entry stays out. */
export function copyEnvironment(
  environment: PinnedEnvironment,
  { path, shard }: Pick<BackedUpEnvironment, 'path' | 'shard'>,
  sink: BackupSink,
  isWanted: (entry: CopiedEntry) => boolean = () => true,
): BackedUpEnvironment {
  const parts: Part[] = [];
  let entries = 0;
  const cutter = new PartCutter(shard !== null, ({ tree, bytes, places }) => {
    parts.push({ object: sink.put(bytes), bytes: bytes.length, tree, places });
  });
  environment.walk((entry) => {
    if (!isWanted(entry)) return;
    entries++;
    cutter.add(entry);
  });
  cutter.end();
  return { path, shard, entries, parts };
}

/**
 * Everything in the directory that nobody has copied yet: databases of places, uploads, counts, ….
 *
 * Without what a job has made of an upload: it says what the log had later than the copy of the log. A
 * restored job begins anew.
 */
export function otherFiles(dataDir: string): string[] {
  const others = readdirSync(dataDir)
    .filter((name) => !LEFT_OUT.has(name))
    .flatMap((name) => filesBelow(dataDir, name))
    .filter((path) => !path.endsWith('.draft'));
  return [...others, ...filesOfUploads(dataDir)];
}

function filesBelow(dataDir: string, path: string): string[] {
  // It may have gone since its name was read.
  const found = statSync(join(dataDir, path), { throwIfNoEntry: false });
  if (found?.isFile() === true) return [path];
  if (found?.isDirectory() !== true) return [];
  return readdirSync(join(dataDir, path)).flatMap((name) => filesBelow(dataDir, `${path}/${name}`));
}

/** One that is gone meanwhile is none of the backup. */
export function copyFile(dataDir: string, path: string, sink: BackupSink): BackedUpFile[] {
  let file: number;
  try {
    file = openSync(join(dataDir, path), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  try {
    const writer = new ObjectWriter(path, sink);
    const piece = Buffer.alloc(OBJECT_BYTES);
    for (;;) {
      const count = readSync(file, piece, 0, piece.length, null);
      if (count === 0) return [writer.end()];
      writer.write(piece.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}
