/**
 * Which location databases a node uses, and those that were installed in its data directory.
 *
 * Control plane. `FOOTFALL_GEO_DB` names files; without it those that `footfall geo install` put into
 * the directory are used, and last the bundled one of countries, so that installing takes nothing away.
 *
 *     data directory ─┬─ places/installed.json     which files, in the order in which they are asked
 *                     └─ places/*.mmdb             their copies
 *
 * A file is written beside its place, synced and renamed there, and the list last: whoever reads sees
 * the files of before or those of after, whatever is killed when.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { bundledDatabase } from '../../ingest/place/locate.ts';
import { errors } from '../../model/errors.ts';
import type { Settings } from '../../settings/schema.ts';

const FOLDER = 'places';
const LIST = 'installed.json';

/** Where a file comes from. */
export type PlaceFileOrigin = 'setting' | 'installed' | 'bundled';

/** A file that a node uses. */
export interface PlaceFile {
  readonly path: string;
  readonly origin: PlaceFileOrigin;
}

/** The files of a node, in the order in which they are asked. */
export function placeFiles({ geoDb, dataDir }: Pick<Settings, 'geoDb' | 'dataDir'>): PlaceFile[] {
  if (geoDb.length > 0) return geoDb.map((path) => ({ path, origin: 'setting' }));
  const installed = installedNames(dataDir).map((name) => ({
    path: join(dataDir, FOLDER, name),
    origin: 'installed' as const,
  }));
  return [...installed, { path: bundledDatabase(), origin: 'bundled' }];
}

/**
 * Puts files into the data directory instead of those that were installed before.
 *
 * @param files what they are called, and the whole of their bytes, which have been checked.
 * @throws DATA_DIR_UNUSABLE.
 */
export function installPlaceFiles(
  dataDir: string,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): void {
  const folder = join(dataDir, FOLDER);
  try {
    mkdirSync(folder, { recursive: true });
    for (const { name, bytes } of files) writeWhole(folder, basename(name), bytes);
    const names = files.map(({ name }) => basename(name));
    writeWhole(folder, LIST, Buffer.from(`${JSON.stringify({ files: names })}\n`));
    removeAllBut(folder, [...names, LIST]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason }, cause);
  }
}

/** Takes away what was installed. @throws DATA_DIR_UNUSABLE. */
export function removePlaceFiles(dataDir: string): void {
  if (existsSync(join(dataDir, FOLDER))) installPlaceFiles(dataDir, []);
}

/** @throws LOCATION_DATABASE_UNREADABLE when there is a list that is none: what is in use is not guessed. */
function installedNames(dataDir: string): string[] {
  const path = join(dataDir, FOLDER, LIST);
  if (!existsSync(path)) return [];
  try {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: string[] };
    return files.map((name) => basename(name));
  } catch (cause) {
    const reason = "the list of what is installed is damaged; use 'footfall geo install' again";
    throw errors.LOCATION_DATABASE_UNREADABLE({ path, reason }, cause);
  }
}

function writeWhole(folder: string, name: string, bytes: Uint8Array): void {
  const draft = join(folder, `${name}.draft`);
  const file = openSync(draft, 'w');
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, join(folder, name));
  syncFolder(folder);
}

/** A rename is on disk when its folder is. */
function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeAllBut(folder: string, names: readonly string[]): void {
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(join(folder, name), { force: true });
  }
}
