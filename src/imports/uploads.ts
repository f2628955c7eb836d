/**
 * Uploads on the disk of this node: a folder each, named by the id of its record.
 *
 *     imports/<id>/files.json    name, length and CRC-32 of each file that was sent, in order; the last
 *                                that is written: an upload without it is none yet
 *     imports/<id>/file-0 …      as it came
 *     imports/<id>/job-<id>/     what a job has made of it (`job/stage.ts`)
 *
 * A folder whose record is gone, or was never made, is removed by `jobs/imports.ts`.
 */
import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errors, OperatingError } from '../model/errors.ts';
import {
  UPLOAD_DISK_FREE_BYTES_MIN,
  UPLOAD_PENDING_BYTES_MAX,
  UPLOADS_AT_ONCE_MAX,
} from '../model/import-limits.ts';
import { checkedText, readCheckedJson } from '../store/checked-file.ts';
import { ImportRefusal } from './adapter.ts';

const FOLDER = 'imports';
const LIST = 'files.json';
const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;
const ID = /^\w+$/;
/** How many bytes come between two looks at the disk. */
const LOOK_BYTES = 64 * 1_024 ** 2;
const PIECE_BYTES = 1_024 ** 2;

/** A file of an upload. */
export interface UploadedFile {
  readonly path: string;
  readonly name: string;
}

/** A file as it is listed. */
interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly crc: number;
}

/** Where uploads are. */
export function importsFolder(dataDir: string): string {
  return join(dataDir, FOLDER);
}

/** Whether this node has an upload, as a whole. */
export function hasUpload(dataDir: string, id: string): boolean {
  return existsSync(join(dataDir, FOLDER, id, LIST));
}

/** The files of an upload; null: this node does not have it. @throws ImportRefusal when it is damaged. */
export function uploadedFiles(dataDir: string, id: string): readonly UploadedFile[] | null {
  const folder = join(dataDir, FOLDER, id);
  const list = listedFiles(folder);
  if (list === 'damaged') throw new ImportRefusal(`${LIST} of the upload is damaged`);
  return list?.map(({ name }, index) => ({ path: fileOf(folder, index), name })) ?? null;
}

/** Of the uploads that are whole, where all their files are: relative to the data directory. */
export function filesOfUploads(dataDir: string): string[] {
  return storedUploads(dataDir).flatMap(({ id }) => {
    const folder = join(FOLDER, id);
    const list = listedFiles(join(dataDir, folder));
    if (list === null || list === 'damaged') return [];
    return [...list.map((_, index) => fileOf(folder, index)), join(folder, LIST)];
  });
}

/** What of the uploads is not as it was written. @cost reads all of them. */
export function* damagedUploads(dataDir: string): Iterable<{ file: string; fault: string }> {
  for (const { id } of storedUploads(dataDir)) {
    const folder = join(importsFolder(dataDir), id);
    const list = listedFiles(folder);
    if (list === null) continue;
    const faults = list === 'damaged' ? [listFault(folder)] : faultsOf(folder, list);
    // It may have gone since it was listed.
    if (existsSync(join(folder, LIST))) yield* faults;
  }
}

function listFault(folder: string) {
  return { file: join(folder, LIST), fault: 'it is not what was written' };
}

function faultsOf(folder: string, list: readonly ListedFile[]) {
  return list.flatMap(({ bytes, crc }, index) => {
    const file = fileOf(folder, index);
    const found = statSync(file, { throwIfNoEntry: false })?.size;
    if (found === undefined) return [{ file, fault: 'it is missing' }];
    if (found !== bytes) return [{ file, fault: `it has ${found} bytes, ${bytes} were written` }];
    return crcOfFile(file) === crc ? [] : [{ file, fault: 'it is not what was written' }];
  });
}

function listedFiles(folder: string): readonly ListedFile[] | 'damaged' | null {
  const found = readCheckedJson<readonly ListedFile[]>(join(folder, LIST));
  return found === null || found === 'damaged' ? found : found.value;
}

/** Where a job keeps what it makes of an upload. */
export function jobFolder(dataDir: string, uploadId: string, jobId: string): string {
  return join(dataDir, FOLDER, uploadId, `job-${jobId}`);
}

/** The uploads that this node has something of, and when that was last written to. */
export function storedUploads(dataDir: string): readonly { id: string; writtenMs: number }[] {
  const root = importsFolder(dataDir);
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((id) => ID.test(id))
    .map((id) => ({ id, writtenMs: writtenMsOf(join(root, id)) }));
}

function writtenMsOf(folder: string): number {
  const inside = readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs);
  return Math.max(statSync(folder).mtimeMs, ...inside);
}

/** Removes an upload with everything made of it. */
export function removeUpload(dataDir: string, id: string): void {
  rmSync(join(dataDir, FOLDER, id), { recursive: true, force: true });
}

/** Copies local files into an upload, for a command. @returns their bytes. */
export async function copyUpload(
  dataDir: string,
  id: string,
  files: readonly UploadedFile[],
): Promise<number> {
  let bytes = 0;
  const writer = new UploadWriter(dataDir, id, { names: files.map(({ name }) => name), bytes: 0 });
  try {
    for (const { path } of files) {
      for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
        bytes += piece.length;
        if (!writer.write(piece)) await writer.room();
      }
      await writer.endFile();
    }
    return bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Uploads of an edge that are on their way. */
export class Uploads {
  readonly #dataDir: string;
  readonly #byDomain = new Map<string, number>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Begins one of a single file. @throws OVERLOADED. */
  begin(of: { id: string; domainId: string; name: string; bytes: number }): UploadWriter {
    const { id, domainId, name, bytes } = of;
    const count = this.#byDomain.get(domainId) ?? 0;
    if (count >= UPLOADS_AT_ONCE_MAX) {
      throw errors.OVERLOADED({ reason: 'too many uploads of this domain are on their way' });
    }
    this.#byDomain.set(domainId, count + 1);
    return new UploadWriter(this.#dataDir, id, { names: [name], bytes }, () => {
      const left = (this.#byDomain.get(domainId) ?? 1) - 1;
      if (left === 0) this.#byDomain.delete(domainId);
      else this.#byDomain.set(domainId, left);
    });
  }
}

/** Takes the bytes of an upload, one file after the other; holds no more of them than its bound. */
export class UploadWriter {
  readonly #folder: string;
  readonly #names: readonly string[];
  #file: FileHandle | null = null;
  #fileCount = 0;
  readonly #list: ListedFile[] = [];
  /** Of the file that is open. */
  #bytes = 0;
  #crc = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #lookedBytes = 0;
  #under: Promise<void> | null;
  #fault: Error | null = null;
  #onOver: (() => void) | null;

  /**
   * Begins an upload.
   *
   * @param of bytes: as announced; 0 where nobody has said it.
   * @param onOver called once nothing more is written.
   */
  constructor(
    dataDir: string,
    id: string,
    of: { readonly names: readonly string[]; readonly bytes: number },
    onOver: (() => void) | null = null,
  ) {
    this.#onOver = onOver;
    this.#folder = join(dataDir, FOLDER, id);
    this.#names = of.names;
    this.#under = this.#work(async () => {
      await mkdir(this.#folder, { recursive: true, mode: OWNER_FOLDER });
      await checkDisk(this.#folder, of.bytes);
      await this.#openNext();
    });
  }

  /** Takes a piece, which the caller must not change. @returns whether there is room for more now. */
  write(piece: Buffer): boolean {
    if (this.#fault !== null) return false;
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    this.#under ??= this.#work(() => this.#drain());
    return this.#waitingBytes < UPLOAD_PENDING_BYTES_MAX;
  }

  /** Resolves once everything is on its way to the disk. @throws UPLOAD_FAILED. */
  async room(): Promise<void> {
    while (this.#under !== null) await this.#under;
    if (this.#waiting.length > 0) await this.#work(() => this.#drain());
    if (this.#fault !== null) throw this.#fault;
  }

  /** The next piece belongs to the next file; behind the last one it is whole. @throws UPLOAD_FAILED. */
  async endFile(): Promise<void> {
    await this.room();
    await this.#work(async () => {
      await this.#file?.sync();
      await this.#file?.close();
      this.#file = null;
      const name = this.#names[this.#list.length] ?? '';
      this.#list.push({ name, bytes: this.#bytes, crc: this.#crc });
      if (this.#fileCount < this.#names.length) await this.#openNext();
      else {
        await writeDurably(join(this.#folder, LIST), checkedText(JSON.stringify(this.#list)));
        await syncNames(this.#folder);
        await syncNames(join(this.#folder, '..'));
      }
    });
    if (this.#fault !== null) throw this.#fault;
    if (this.#file === null) this.#over();
  }

  /** Nothing comes of it. */
  async abort(): Promise<void> {
    this.#fault ??= errors.UPLOAD_FAILED({ reason: 'it was broken off' });
    while (this.#under !== null) await this.#under;
    await this.#file?.close().catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
    this.#over();
  }

  #over(): void {
    this.#onOver?.();
    this.#onOver = null;
  }

  async #openNext(): Promise<void> {
    this.#file = await open(fileOf(this.#folder, this.#fileCount++), 'w', OWNER_ONLY);
    this.#bytes = 0;
    this.#crc = 0;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0 && this.#fault === null) {
      const pieces = this.#waiting;
      const bytes = this.#waitingBytes;
      this.#waiting = [];
      this.#lookedBytes += bytes;
      if (this.#lookedBytes >= LOOK_BYTES) {
        this.#lookedBytes = 0;
        await checkDisk(this.#folder, 0);
      }
      const written = await this.#file?.writev(pieces);
      if (written?.bytesWritten !== bytes)
        throw errors.UPLOAD_FAILED({ reason: 'the disk took a part of it only' });
      for (const piece of pieces) this.#crc = crc32(piece, this.#crc);
      this.#bytes += bytes;
      this.#waitingBytes -= bytes;
    }
  }

  /** A fault ends everything that comes after it. */
  async #work(work: () => Promise<void>): Promise<void> {
    try {
      if (this.#fault === null) await work();
    } catch (error) {
      this.#fault ??= uploadFault(error);
    } finally {
      this.#under = null;
    }
  }
}

/** It is there whole, or not at all: a disk that broke may not let the folder be removed either. */
async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** As `base/sync-directory.ts`, without holding the thread up. */
async function syncNames(folder: string): Promise<void> {
  const file = await open(folder, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function crcOfFile(path: string): number {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let crc = 0;
    for (;;) {
      const count = readSync(file, piece);
      if (count === 0) return crc;
      crc = crc32(piece.subarray(0, count), crc);
    }
  } finally {
    closeSync(file);
  }
}

function fileOf(folder: string, index: number): string {
  return join(folder, `file-${index}`);
}

/** Hits come first: they need the disk as well. */
async function checkDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize - bytes;
  if (free >= UPLOAD_DISK_FREE_BYTES_MIN) return;
  const left = `the disk of this node would have ${Math.max(free, 0)} bytes left for hits`;
  throw errors.UPLOAD_FAILED({ reason: left });
}

function uploadFault(error: unknown): Error {
  if (error instanceof OperatingError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const reason = isFull ? 'the disk of this node is full' : (code ?? message);
  return errors.UPLOAD_FAILED({ reason }, error);
}
