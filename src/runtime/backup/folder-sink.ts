/**
 * A backup in a folder. The one that is there stays whole until the new one is: objects are named by
 * what they hold, and the manifest takes the place of the one before by a rename.
 *
 * Control plane. An object that is there already is compared byte by byte, and written anew where it
 * was damaged. What neither the new backup nor anybody else needs any more goes at the end.
 */

import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../base/hash.ts';
import { makePrivateDirectory } from '../../base/private-directory.ts';
import { syncDirectory, syncFile } from '../../base/sync-directory.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import { lockDirectory } from '../directory/data-dir-lock.ts';
import { MANIFEST_NAME, OBJECTS_NAME, objectsOf, parseManifest } from './manifest.ts';
import { type BackupSink, noCounts } from './sink.ts';

const LOCK_NAME = 'backup.lock';
const DRAFT = '.draft';
const OWNER_ONLY = 0o600;
/** Without a manifest these are what a backup that was killed has left. */
const OWN_NAMES = new Set([
  ...[LOCK_NAME, MANIFEST_NAME, `${MANIFEST_NAME}${DRAFT}`, OBJECTS_NAME],
  // A folder may be a disk of its own.
  'lost+found',
]);
/** Folders of objects are named by so many digits of theirs. */
const PREFIX_LENGTH = 2;

/** Where an object of a folder is. */
export function objectPath(folder: string, object: string): string {
  return join(folder, OBJECTS_NAME, object.slice(0, PREFIX_LENGTH), object);
}

/** Names of all files among the objects. */
export function* storedObjects(folder: string): Iterable<string> {
  const objects = join(folder, OBJECTS_NAME);
  if (!existsSync(objects)) return;
  for (const prefix of readdirSync(objects)) yield* readdirSync(join(objects, prefix));
}

/** Writes a backup to a folder. */
export class FolderSink implements BackupSink {
  readonly path: string;
  readonly counts = noCounts();
  readonly #lock: { release(): void };
  /** Objects of this backup. */
  readonly #kept = new Set<string>();
  /** Objects that this backup has to bring to the disk. */
  readonly #news: string[] = [];
  /** Objects of the backup that is there: they are on disk. */
  readonly #finished: ReadonlySet<string>;

  /**
   * @param isIncremental whether there may be a backup already, of which is taken what is the same.
   * @throws BACKUP_UNUSABLE when it is not empty, or somebody else is writing to it.
   */
  constructor(path: string, isIncremental: boolean) {
    this.path = path;
    this.#finished = finishedObjects(path);
    this.#lock = openFolder(path);
    const others = readdirSync(path).filter((name) => !OWN_NAMES.has(name));
    const hasBackup = existsSync(join(path, MANIFEST_NAME));
    if (others.length === 0 && (isIncremental || !hasBackup)) return;
    this.close();
    const reason =
      others.length === 0
        ? 'there is a backup already; add --incremental to renew it, or name an empty folder'
        : `there is '${others[0]}', which is of no backup; name an empty folder`;
    throw errors.BACKUP_UNUSABLE({ path, reason });
  }

  put(bytes: Uint8Array): string {
    const object = sha256Hex(bytes);
    if (this.#kept.has(object)) return object;
    this.#kept.add(object);
    this.counts.objects++;
    this.counts.bytes += bytes.length;
    const path = objectPath(this.path, object);
    if (holds(path, bytes)) {
      // One that was broken off has left it, and may not have come to sync it.
      if (!this.#finished.has(object)) this.#news.push(object);
      return object;
    }
    this.counts.newObjects++;
    this.counts.newBytes += bytes.length;
    this.#news.push(object);
    makePrivateDirectory(join(path, '..'));
    writeFile(`${path}${DRAFT}`, bytes);
    renameSync(`${path}${DRAFT}`, path);
    return object;
  }

  finish(manifest: string): void {
    // All at once: one sync after the other would hold up what is read meanwhile.
    for (const object of this.#news) syncFile(objectPath(this.path, object));
    const objects = join(this.path, OBJECTS_NAME);
    for (const prefix of new Set(this.#news.map((object) => object.slice(0, PREFIX_LENGTH)))) {
      syncDirectory(join(objects, prefix));
    }
    if (existsSync(objects)) syncDirectory(objects);
    const path = join(this.path, MANIFEST_NAME);
    writeFile(`${path}${DRAFT}`, Buffer.from(manifest));
    syncFile(`${path}${DRAFT}`);
    renameSync(`${path}${DRAFT}`, path);
    syncDirectory(this.path);
    for (const object of storedObjects(this.path)) {
      if (!this.#kept.has(object)) rmSync(objectPath(this.path, object), { force: true });
    }
  }

  /** Lets others write to the folder. */
  close(): void {
    this.#lock.release();
  }
}

/** What the manifest of a folder names; nothing where none is, or a damaged one. */
function finishedObjects(folder: string): ReadonlySet<string> {
  const path = join(folder, MANIFEST_NAME);
  const manifest = existsSync(path) ? parseManifest(readFileSync(path, 'utf8')) : null;
  return new Set(manifest === null ? [] : objectsOf(manifest).keys());
}

function openFolder(path: string): { release(): void } {
  try {
    makePrivateDirectory(path);
    return lockDirectory(path, LOCK_NAME);
  } catch (cause) {
    const isHeld = cause instanceof OperatingError && cause.code === 'DATA_DIR_IN_USE';
    const reason = isHeld ? 'another backup is being written to it' : (cause as Error).message;
    throw errors.BACKUP_UNUSABLE({ path, reason }, cause);
  }
}

/** Whether a file is there and is these bytes. */
function holds(path: string, bytes: Uint8Array): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return size === bytes.length && readFileSync(path).equals(bytes);
}

function writeFile(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', OWNER_ONLY);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}
