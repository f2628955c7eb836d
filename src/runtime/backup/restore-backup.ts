/**
 * Makes a data directory of a backup.
 *
 * Control plane. The backup is read whole first: one that is damaged changes nothing. Of the directory
 * the layout comes last, so that one whose making was interrupted is refused by every start.
 */

import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../base/hash.ts';
import { makePrivateDirectory } from '../../base/private-directory.ts';
import { syncDirectory } from '../../base/sync-directory.ts';
import { errors } from '../../model/errors.ts';
import { asShardId } from '../../model/ids.ts';
import { EnvironmentDraft } from '../../store/environment-copy.ts';
import { listState } from '../../store/state-directories.ts';
import { LAYOUT_NAME } from '../directory/data-layout.ts';
import { verifyDataDir } from '../directory/verify.ts';
import { readArchive } from './archive.ts';
import { entriesOf } from './entry-parts.ts';
import { objectPath } from './folder-sink.ts';
import {
  type BackedUpEnvironment,
  type BackedUpFile,
  type BackupManifest,
  MANIFEST_NAME,
} from './manifest.ts';
import { isArchive, verifyBackup } from './verify-backup.ts';

/** What an archive is unpacked to meanwhile. */
const UNPACKED_NAME = 'unpacked-backup';
/** Bytes that are written to an environment in one transaction. */
const TRANSACTION_BYTES = 64 * 1_024 * 1_024;
const OWNER_ONLY = 0o600;

/**
 * Restores a backup into an empty directory, and reads what came of it.
 *
 * @param from a folder, an archive, or `-` for an archive on standard input.
 * @throws BACKUP_DAMAGED, BACKUP_UNUSABLE, and DATA_DIR_UNUSABLE when the directory is not empty.
 */
export async function restoreBackup(from: string, dataDir: string): Promise<BackupManifest> {
  const isOneFile = isArchive(from);
  openDirectory(dataDir);
  const unpacked = join(dataDir, UNPACKED_NAME);
  try {
    if (isOneFile) await unpack(from, unpacked);
    const folder = isOneFile ? unpacked : from;
    const manifest = await soundManifest(folder, from);
    await restoreAll(folder, manifest, dataDir);
    rmSync(unpacked, { recursive: true, force: true });
    return manifest;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** @throws DATA_DIR_UNUSABLE. */
function openDirectory(dataDir: string): void {
  let names: string[];
  try {
    makePrivateDirectory(dataDir);
    names = readdirSync(dataDir).filter((name) => name !== 'lost+found');
  } catch (cause) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: (cause as Error).message }, cause);
  }
  const [first] = names;
  if (first === undefined) return;
  const reason = `it is not empty: there is '${first}'; a backup is restored into an empty directory`;
  throw errors.DATA_DIR_UNUSABLE({ dataDir, reason });
}

async function unpack(from: string, folder: string): Promise<void> {
  await readArchive(from, (name, bytes) => {
    const path = name === MANIFEST_NAME ? join(folder, name) : objectPath(folder, name);
    writeWhole(path, [bytes]);
  });
}

async function soundManifest(folder: string, from: string): Promise<BackupManifest> {
  const { manifest, damages } = await verifyBackup(folder);
  const [damage] = damages;
  if (manifest !== null && damage === undefined) return manifest;
  const rest = damages.length > 1 ? `, and ${damages.length - 1} more` : '';
  const fault = `${damage?.file ?? folder}: ${damage?.fault ?? ''}${rest}`;
  throw errors.BACKUP_DAMAGED({ path: from, fault });
}

async function restoreAll(
  folder: string,
  { environments, files }: BackupManifest,
  dataDir: string,
): Promise<void> {
  for (const { shard } of environments) if (shard !== null) listState(dataDir, asShardId(shard));
  for (const environment of environments) await restoreEnvironment(folder, environment, dataDir);
  const isLayout = ({ path }: BackedUpFile) => path === LAYOUT_NAME;
  for (const file of files.filter((each) => !isLayout(each))) restoreFile(folder, file, dataDir);
  for (const file of files.filter(isLayout)) restoreFile(folder, file, dataDir);
  for (const name of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (name.isDirectory()) syncDirectory(join(name.parentPath, name.name));
  }
  syncDirectory(dataDir);
  const [damage] = verifyDataDir(dataDir).damages;
  if (damage === undefined) return;
  const { file: path, fault } = damage;
  const remedy = 'the backup is sound: look after the disk, and restore again';
  throw errors.STORE_DAMAGED({ path, fault, remedy });
}

async function restoreEnvironment(
  folder: string,
  { path, parts }: BackedUpEnvironment,
  dataDir: string,
): Promise<void> {
  const trees = [...new Set(parts.map(({ tree }) => tree))];
  const draft = new EnvironmentDraft(placeOf(folder, path, dataDir), trees);
  for (let next = 0; next < parts.length; ) {
    draft.write(() => {
      for (let bytes = 0; next < parts.length && bytes < TRANSACTION_BYTES; next++) {
        const { tree, object } = parts[next]!;
        const part = readObject(folder, object);
        for (const entry of entriesOf(tree, part)) draft.put(entry);
        bytes += part.length;
      }
    });
  }
  await draft.close();
}

function restoreFile(folder: string, { path, objects }: BackedUpFile, dataDir: string): void {
  function* pieces() {
    for (const [object] of objects) yield readObject(folder, object);
  }
  writeWhole(placeOf(folder, path, dataDir), pieces());
}

/** Names come from a manifest, which anybody may have written. */
function placeOf(folder: string, path: string, dataDir: string): string {
  const place = join(dataDir, path);
  if (place.startsWith(join(dataDir, '/'))) return place;
  throw errors.BACKUP_DAMAGED({ path: folder, fault: `it names the file '${path}'` });
}

/** Read a second time: it may be a disk that is failing. */
function readObject(folder: string, object: string): Buffer {
  const bytes = readFileSync(objectPath(folder, object));
  if (sha256Hex(bytes) === object) return bytes;
  throw errors.BACKUP_DAMAGED({ path: folder, fault: `the object ${object} is damaged` });
}

function writeWhole(path: string, pieces: Iterable<Uint8Array>): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'w', OWNER_ONLY);
  try {
    for (const bytes of pieces) {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
