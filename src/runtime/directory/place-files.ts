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
import { crc32 } from 'node:zlib';
import { syncDirectory } from '../../base/sync-directory.ts';
import { bundledDatabase } from '../../ingest/place/locate.ts';
import { errors } from '../../model/errors.ts';
import type { Settings } from '../../settings/schema.ts';
import { readCheckedJson, writeCheckedFile } from '../../store/checked-file.ts';

const FOLDER = 'places';
const LIST = 'installed.json';

/** Where a file comes from. */
export type PlaceFileOrigin = 'setting' | 'installed' | 'bundled';

/** A file that a node uses. */
export interface PlaceFile {
  readonly path: string;
  readonly origin: PlaceFileOrigin;
  /** CRC-32 of what was installed; null where nobody knows it. */
  readonly check: number | null;
}

/** The files of a node, in the order in which they are asked. */
export function placeFiles({ geoDb, dataDir }: Pick<Settings, 'geoDb' | 'dataDir'>): PlaceFile[] {
  const unchecked = { check: null } as const;
  if (geoDb.length > 0) return geoDb.map((path) => ({ path, origin: 'setting', ...unchecked }));
  const bundled = { path: bundledDatabase(), origin: 'bundled', ...unchecked } as const;
  return [...installedFiles(dataDir), bundled];
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
    forgetChecks(folder);
    for (const { name, bytes } of files) writeWhole(folder, basename(name), bytes);
    const names = files.map(({ name }) => basename(name));
    const checks = files.map(({ bytes }) => crc32(bytes));
    writeCheckedFile(join(folder, LIST), JSON.stringify({ files: names, checks }));
    syncDirectory(folder);
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

/** What the list says; a build before this one wrote no checksums of the files. */
interface Installed {
  readonly files: readonly string[];
  readonly checks?: readonly number[];
}

/** @throws LOCATION_DATABASE_UNREADABLE when there is a list that is none: what is in use is not guessed. */
function installedFiles(dataDir: string): PlaceFile[] {
  const path = join(dataDir, FOLDER, LIST);
  const found = readCheckedJson<Installed>(path);
  if (found === null) return [];
  if (found === 'damaged' || !Array.isArray(found.value.files)) {
    const reason = "the list of what is installed is damaged; use 'footfall geo install' again";
    throw errors.LOCATION_DATABASE_UNREADABLE({ path, reason });
  }
  const { files, checks } = found.value;
  return files.map((name, index) => ({
    path: join(dataDir, FOLDER, basename(name)),
    origin: 'installed',
    check: checks?.[index] ?? null,
  }));
}

/** Paths of the list, or of the files that it names, that are not what was installed. */
export function damagedPlaceFiles(dataDir: string): string[] {
  let files: PlaceFile[];
  try {
    files = installedFiles(dataDir);
  } catch {
    return [join(dataDir, FOLDER, LIST)];
  }
  const isDamaged = ({ path, check }: PlaceFile) =>
    !existsSync(path) || (check !== null && crc32(readFileSync(path)) !== check);
  return files.filter(isDamaged).map(({ path }) => path);
}

/** While files take the place of others of the same name nobody knows which are there. */
function forgetChecks(folder: string): void {
  const path = join(folder, LIST);
  const found = readCheckedJson<Installed>(path);
  if (found === null || found === 'damaged' || found.value.checks === undefined) return;
  writeCheckedFile(path, JSON.stringify({ files: found.value.files }));
  syncDirectory(folder);
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
  syncDirectory(folder);
}

function removeAllBut(folder: string, names: readonly string[]): void {
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(join(folder, name), { force: true });
  }
}
