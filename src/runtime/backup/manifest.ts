/**
 * What a backup is made of: the last thing that is written of it, so that there is none without its
 * parts.
 *
 * Control plane. Everything is in objects of some megabytes that are named by their SHA-256, so what did
 * not change since the last backup is there already, and what was damaged since is noticed.
 *
 *     backup.json            the manifest, and behind it its own SHA-256
 *     objects/3f/3f09c1…     the objects
 */

import { sha256Hex } from '../../base/hash.ts';
import type { DomainId } from '../../model/ids.ts';

/** Name of the manifest. */
export const MANIFEST_NAME = 'backup.json';
/** Where the objects are. */
export const OBJECTS_NAME = 'objects';
/** Raised with every change of what is in a backup. */
export const BACKUP_FORMAT = 1;

/** The days (yyyy-mm-dd, UTC) of a site that an object has something of; '' for what is of no day. */
export type Place = readonly [domainId: DomainId, firstDay: string, lastDay: string];

/** Entries of an environment that are in one object. */
export interface Part {
  readonly object: string;
  readonly bytes: number;
  /** Name of the tree. */
  readonly tree: string;
  readonly places: readonly Place[];
}

/** An LMDB environment as of one moment. */
export interface BackedUpEnvironment {
  /** Directory, relative to the data directory. */
  readonly path: string;
  /** The shard whose state it is; null for the registry. */
  readonly shard: number | null;
  readonly entries: number;
  readonly parts: readonly Part[];
}

/** A file, whole. */
export interface BackedUpFile {
  /** Relative to the data directory. */
  readonly path: string;
  readonly bytes: number;
  /** Object by object. */
  readonly objects: readonly (readonly [object: string, bytes: number])[];
}

/** The manifest. */
export interface BackupManifest {
  readonly format: number;
  /** Of the program that wrote it. */
  readonly version: string;
  readonly madeAt: string;
  /** Position of the last record of the log: the common point of everything. */
  readonly lastSequence: number;
  readonly environments: readonly BackedUpEnvironment[];
  readonly files: readonly BackedUpFile[];
}

/** The text of a manifest. */
export function manifestText(manifest: BackupManifest): string {
  const text = JSON.stringify(manifest);
  return `${text}\n${sha256Hex(text)}\n`;
}

/** @returns null when it is not what was written. */
export function parseManifest(text: string): BackupManifest | null {
  const end = text.indexOf('\n');
  const body = text.slice(0, Math.max(end, 0));
  return text === `${body}\n${sha256Hex(body)}\n` ? (JSON.parse(body) as BackupManifest) : null;
}

/** Objects of a backup with their lengths. */
export function objectsOf({ environments, files }: BackupManifest): Map<string, number> {
  const objects = new Map<string, number>();
  for (const { parts } of environments) {
    for (const { object, bytes } of parts) objects.set(object, bytes);
  }
  for (const file of files) for (const [object, bytes] of file.objects) objects.set(object, bytes);
  return objects;
}
