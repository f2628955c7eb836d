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
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomAlphanumeric } from '../base/random.ts';
import { errors } from '../model/errors.ts';
import {
  DOWNLOAD_COUNT_MAX,
  DOWNLOAD_OF_DOMAIN_COUNT_MAX,
  DOWNLOAD_PIECE_BYTES,
} from '../model/export-limits.ts';
import { ENTITY_ID_LENGTH } from '../model/limits.ts';
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

/** What the exports of this data directory are known by among those of other nodes; made at first. */
export function exportsPlace(dataDir: string): string {
  const path = join(dataDir, FOLDER, PLACE);
  const known = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (ID.test(known)) return known;
  const made = randomAlphanumeric(ENTITY_ID_LENGTH);
  mkdirSync(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  writeFileSync(path, made, { mode: 0o600, flush: true });
  return made;
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

/** Which file is fetched; `name` stands among the files of the record. */
export interface FetchedFile {
  readonly id: string;
  readonly domainId: string;
  readonly name: string;
  readonly bytes: number;
}

/** Downloads of one thread that are on their way. */
export class Downloads {
  readonly #dataDir: string;
  readonly #byDomain = new Map<string, number>();
  #count = 0;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /**
   * A file that can be read; it is opened with the first piece.
   *
   * @throws OVERLOADED; EXPORT_ELSEWHERE when what is here is not what its record says.
   */
  async open({ id, domainId, name, bytes }: FetchedFile): Promise<Download> {
    const ofDomain = this.#byDomain.get(domainId) ?? 0;
    if (this.#count >= DOWNLOAD_COUNT_MAX || ofDomain >= DOWNLOAD_OF_DOMAIN_COUNT_MAX) {
      throw errors.OVERLOADED({ reason: 'too many downloads are on their way' });
    }
    const path = join(exportFolder(this.#dataDir, id), name);
    const size = await stat(path)
      .then((found) => found.size)
      .catch(() => -1);
    if (size !== bytes) throw errors.EXPORT_ELSEWHERE({});
    return new Download(path, (by) => this.#change(domainId, by));
  }

  #change(domainId: string, by: 1 | -1): void {
    this.#count += by;
    const left = (this.#byDomain.get(domainId) ?? 0) + by;
    if (left === 0) this.#byDomain.delete(domainId);
    else this.#byDomain.set(domainId, left);
  }
}

/** One file, read piece by piece. */
export class Download {
  readonly #path: string;
  readonly #count: (by: 1 | -1) => void;
  #file: Promise<FileHandle> | null = null;
  #reading: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param count is told when it begins and when it is over. */
  constructor(path: string, count: (by: 1 | -1) => void) {
    this.#path = path;
    this.#count = count;
  }

  /** One byte or more from an offset on; null when they are gone. One call at a time. */
  async bytesAt(offset: number): Promise<Uint8Array | null> {
    if (this.#isClosed) return null;
    if (this.#file === null) {
      this.#count(1);
      this.#file = open(this.#path);
    }
    const read = this.#read(await this.#file, offset);
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #read(file: FileHandle, offset: number): Promise<Uint8Array | null> {
    const piece = Buffer.allocUnsafe(DOWNLOAD_PIECE_BYTES);
    const { bytesRead } = await file.read(piece, 0, piece.length, offset);
    return bytesRead === 0 ? null : piece.subarray(0, bytesRead);
  }

  /** Lets go of the file; again it does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#file === null) return;
    this.#count(-1);
    // A file that is closed while it is read would give its number to another one.
    const closed = Promise.all([this.#file, this.#reading]).then(([file]) => file.close());
    closed.catch(() => undefined);
  }
}
