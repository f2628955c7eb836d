/**
 * Exports on the disk of this node: a folder each, named by the id of its record.
 *
 *     exports/place.id                names this folder among those of other nodes
 *     exports/<id>/manifest.json      written last: a folder without it is not whole
 *     exports/<id>/sessions-2026-11.csv …
 *
 * A folder whose record is gone, or waits to be written anew, is removed by `jobs/exports.ts`.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomAlphanumeric } from '../base/random.ts';
import { ENTITY_ID_LENGTH } from '../model/limits.ts';
import { usingDataDir } from '../store/data-dir-fault.ts';
import { MANIFEST_NAME, type Manifest } from './manifest.ts';

const FOLDER = 'exports';
const PLACE = 'place.id';
const ID = /^\w+$/;

/** A file that is offered. */
export interface OfferedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Where the files of an export are. */
export function exportFolder(dataDir: string, id: string): string {
  return join(dataDir, FOLDER, id);
}

/**
 * What the exports of this data directory are known by among those of other nodes; made at first.
 *
 * @throws DATA_DIR_UNUSABLE.
 */
export function exportsPlace(dataDir: string): string {
  const path = join(dataDir, FOLDER, PLACE);
  return usingDataDir(dataDir, () => {
    const known = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (ID.test(known)) return known;
    const made = randomAlphanumeric(ENTITY_ID_LENGTH);
    mkdirSync(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
    writeFileSync(path, made, { mode: 0o600, flush: true });
    return made;
  });
}

/** Exports that this node has something of. */
export function storedExports(dataDir: string): readonly string[] {
  const root = join(dataDir, FOLDER);
  return existsSync(root) ? readdirSync(root).filter((id) => ID.test(id)) : [];
}

/** Whether all of an export is there. */
export function isExportWhole(dataDir: string, id: string): boolean {
  return existsSync(join(exportFolder(dataDir, id), MANIFEST_NAME));
}

/** Removes what is there of an export. */
export function removeExport(dataDir: string, id: string): void {
  rmSync(exportFolder(dataDir, id), { recursive: true, force: true });
}

/** The files of an export that has just been written, its manifest as the last of them. */
export function offeredFiles(dataDir: string, id: string, { files }: Manifest): OfferedFile[] {
  const path = join(exportFolder(dataDir, id), MANIFEST_NAME);
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  const manifest = { name: MANIFEST_NAME, bytes: statSync(path).size, sha256 };
  return [...files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })), manifest];
}
