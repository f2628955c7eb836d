/**
 * Reads a backup whole and says what of it is damaged; for `footfall verify --backup`.
 *
 * Control plane. What has its SHA-256 is what was written, and what was written had been checked: pages,
 * keys and values of the environments, commits of the log. So nothing is unpacked here.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../base/hash.ts';
import { errors } from '../../model/errors.ts';
import type { Damage } from '../directory/verify.ts';
import { readArchive } from './archive.ts';
import { objectPath, storedObjects } from './folder-sink.ts';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  MANIFEST_NAME,
  objectsOf,
  parseManifest,
} from './manifest.ts';

/** What was read of a backup and what is wrong with it. */
export interface BackupVerification {
  /** null when it is damaged. */
  readonly manifest: BackupManifest | null;
  readonly damages: readonly Damage[];
  readonly objects: number;
  readonly bytes: number;
}

/**
 * Reads a backup.
 *
 * @param path a folder, an archive, or `-` for an archive on standard input.
 * @throws BACKUP_UNUSABLE when there is none, or one of a newer version.
 */
export async function verifyBackup(path: string): Promise<BackupVerification> {
  const found = isArchive(path) ? await lookAtArchive(path) : lookAtFolder(path);
  const { manifest, sound, bytes, damages } = found;
  if (manifest === null) {
    damages.push(damageOf(join(path, MANIFEST_NAME), 'it is not what was written'));
  } else {
    const lacking = [...objectsOf(manifest).keys()].filter((object) => !sound.has(object));
    damages.push(...damagesOf(manifest, new Set(lacking), path));
  }
  return { manifest, damages, objects: sound.size, bytes };
}

/** Whether it is one file, and not a folder. @throws BACKUP_UNUSABLE. */
export function isArchive(path: string): boolean {
  if (path === '-') return true;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw errors.BACKUP_UNUSABLE({ path, reason: 'there is none' });
  return !found.isDirectory();
}

/** The manifest of a folder, null when it is damaged. @throws BACKUP_UNUSABLE. */
export function readManifest(folder: string): BackupManifest | null {
  const path = join(folder, MANIFEST_NAME);
  if (!existsSync(path)) {
    const reason = `there is no ${MANIFEST_NAME}: no backup has been completed in it`;
    throw errors.BACKUP_UNUSABLE({ path: folder, reason });
  }
  return knownManifest(folder, readFileSync(path, 'utf8'));
}

function knownManifest(path: string, text: string): BackupManifest | null {
  const manifest = parseManifest(text);
  if (manifest === null || manifest.format <= BACKUP_FORMAT) return manifest;
  const reason = `it was written by version ${manifest.version}, its format is ${manifest.format}; use that version or a later one`;
  throw errors.BACKUP_UNUSABLE({ path, reason });
}

interface Look {
  readonly manifest: BackupManifest | null;
  /** Objects that are what they are called. */
  readonly sound: ReadonlySet<string>;
  readonly bytes: number;
  /** Files that no backup knows. */
  readonly damages: Damage[];
}

function lookAtFolder(folder: string): Look {
  const manifest = readManifest(folder);
  const known = manifest && objectsOf(manifest);
  const sound = new Set<string>();
  const damages: Damage[] = [];
  let bytes = 0;
  for (const name of storedObjects(folder)) {
    const path = objectPath(folder, name);
    const content = readFileSync(path);
    bytes += content.length;
    if (sha256Hex(content) === name) sound.add(name);
    // A backup that was killed leaves drafts and objects of no manifest: the next one removes them.
    else if (known?.has(name) !== true && !name.endsWith('.draft')) {
      damages.push(damageOf(path, 'it is not what was written, and of no use to this backup'));
    }
  }
  return { manifest, sound, bytes, damages };
}

async function lookAtArchive(path: string): Promise<Look> {
  const sound = new Set<string>();
  const damages: Damage[] = [];
  let bytes = 0;
  let manifest: BackupManifest | null = null;
  await readArchive(path, (name, content) => {
    bytes += content.length;
    if (name === MANIFEST_NAME) manifest = knownManifest(path, content.toString());
    else if (sha256Hex(content) === name) sound.add(name);
  });
  return { manifest, sound, bytes, damages };
}

/** What cannot be restored without some objects. */
function damagesOf(
  { environments, files }: BackupManifest,
  lacking: ReadonlySet<string>,
  backup: string,
): Damage[] {
  const faultOf = (object: string) => `the object ${object} is damaged or missing`;
  const damages: Damage[] = [];
  for (const { path, parts } of environments) {
    const file = `${backup}: ${path}`;
    for (const { object, places } of parts) {
      if (!lacking.has(object)) continue;
      if (places.length === 0) damages.push(damageOf(file, faultOf(object)));
      for (const [domainId, first, last] of places) {
        const days = first === last ? '' : `, days ${first} to ${last}`;
        const day = first === last && first !== '' ? first : null;
        damages.push({ file, fault: `${faultOf(object)}${days}`, domainId, day });
      }
    }
  }
  for (const { path, objects } of files) {
    for (const [object] of objects) {
      if (lacking.has(object)) damages.push(damageOf(`${backup}: ${path}`, faultOf(object)));
    }
  }
  return damages;
}

function damageOf(file: string, fault: string): Damage {
  return { file, fault, domainId: null, day: null };
}
