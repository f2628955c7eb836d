/**
 * Files of exports on their way to clients: from the disk of this node, or through it from the one that
 * wrote them.
 *
 * Control plane, on the threads of edges. Nobody is sent more than is taken: a download costs one piece,
 * one that is relayed a few (`relayed-download.ts`).
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errors } from '../model/errors.ts';
import {
  DOWNLOAD_COUNT_MAX,
  DOWNLOAD_OF_DOMAIN_COUNT_MAX,
  DOWNLOAD_PIECE_BYTES,
  RELAYED_COUNT_MAX,
} from '../model/export-limits.ts';
import { exportFolder } from './offered.ts';
import { type AskPlace, lookElsewhere, RelayedDownload } from './relayed-download.ts';

/** Which file is fetched; `name` stands among the files of the record. */
export interface FetchedFile {
  readonly id: string;
  readonly domainId: string;
  /** Whose disk it was written to. */
  readonly place: string;
  readonly name: string;
  readonly bytes: number;
}

/** A file that is fetched piece by piece. */
export interface Download {
  /** One byte or more from an offset on; null when they are gone. One call at a time. */
  bytesAt(offset: number): Promise<Uint8Array | null>;
  /** Lets go of it; again it does nothing. */
  close(): void;
}

/** Is told when a download begins and when it is over. @returns false: it may not begin. */
type CountDownload = (by: 1 | -1) => boolean;

/** Downloads of one thread that are on their way. */
export class Downloads {
  readonly #dataDir: string;
  readonly #ask: AskPlace | null;
  readonly #byDomain = new Map<string, number>();
  #count = 0;
  #relayedCount = 0;

  /** @param ask asks the node that has a place; null: there are no others. */
  constructor(dataDir: string, ask: AskPlace | null) {
    this.#dataDir = dataDir;
    this.#ask = ask;
  }

  /**
   * A file that can be read; nothing is held of it before the first piece is asked for.
   *
   * @throws OVERLOADED; EXPORT_AWAY when the node that has it does not answer, RECORD_NOT_FOUND when it
   *   is not what its record says any more.
   */
  async open(file: FetchedFile): Promise<Download> {
    const { id, domainId, name, bytes } = file;
    this.#check(domainId, false);
    const path = join(exportFolder(this.#dataDir, id), name);
    const size = await stat(path)
      .then((found) => found.size)
      .catch(() => -1);
    if (size === bytes) return new LocalDownload(path, (by) => this.#change(domainId, by, false));
    if (this.#ask === null) throw errors.RECORD_NOT_FOUND({ kind: 'file', id: name });
    this.#check(domainId, true);
    await lookElsewhere(file, this.#ask);
    // Others may have begun meanwhile.
    this.#check(domainId, true);
    return new RelayedDownload(file, this.#ask, (by) => this.#change(domainId, by, true));
  }

  #hasRoom(domainId: string, isRelayed: boolean): boolean {
    if (this.#count >= DOWNLOAD_COUNT_MAX) return false;
    if ((this.#byDomain.get(domainId) ?? 0) >= DOWNLOAD_OF_DOMAIN_COUNT_MAX) return false;
    return !isRelayed || this.#relayedCount < RELAYED_COUNT_MAX;
  }

  #check(domainId: string, isRelayed: boolean): void {
    if (this.#hasRoom(domainId, isRelayed)) return;
    const reason = 'too many downloads are on their way';
    throw errors.OVERLOADED({ reason });
  }

  /** Several that were let in within the same moment may still be one too many. */
  #change(domainId: string, by: 1 | -1, isRelayed: boolean): boolean {
    if (by > 0 && !this.#hasRoom(domainId, isRelayed)) return false;
    this.#count += by;
    if (isRelayed) this.#relayedCount += by;
    const left = (this.#byDomain.get(domainId) ?? 0) + by;
    if (left === 0) this.#byDomain.delete(domainId);
    else this.#byDomain.set(domainId, left);
    return true;
  }
}

/** One file of this disk. */
class LocalDownload implements Download {
  readonly #path: string;
  readonly #count: CountDownload;
  #file: Promise<FileHandle> | null = null;
  #reading: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(path: string, count: CountDownload) {
    this.#path = path;
    this.#count = count;
  }

  async bytesAt(offset: number): Promise<Uint8Array | null> {
    if (this.#isClosed) return null;
    if (this.#file === null) {
      if (!this.#count(1)) return null;
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
