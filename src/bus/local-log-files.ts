/**
 * The local log: preallocated files of commits, recycled when they are no longer needed.
 *
 * Data plane, used by one writer thread. A commit is one write of one body behind a head; it is
 * whole or it ends the file. Everything acknowledged before a commit was synced before the commit
 * was written, so only the last commit can be torn.
 *
 *     file    | magic 8 | salt u32 | 0 u32 | first sequence f64 | … 64 | commit | commit | zeros …
 *     commit  | magic u32 | body bytes u32 | crc u32 | records u32 | first sequence f64 | body |
 *
 * The checksum starts from the file's salt, so what a recycled file held before never validates.
 * Every start begins a new file: a torn commit can not come back to life behind a later one.
 */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { errors } from '../model/errors.ts';
import { LOG_FILE_BYTES, LOG_SPARE_FILE_COUNT_MAX } from '../model/limits.ts';
import { type FileOperations, systemFiles } from './file-operations.ts';
import {
  COMMIT_HEAD_BYTES,
  FILE_HEAD_BYTES,
  type LogFile,
  scanFile,
  writeCommitHead,
  writeFileHead,
} from './log-file-format.ts';
import { countRecords } from './record-body.ts';

/** How the log writes. */
export interface LocalLogOptions {
  dir: string;
  /** `sync`: on disk before `commit` returns; `os`: in the operating system's hands. */
  durability: 'sync' | 'os';
  /** Size of a file; a larger commit gets a file of its own. */
  fileBytes?: number;
  /** Replaced by tests that let the disk fail. */
  files?: FileOperations;
}

interface OpenFile {
  fd: number;
  name: string;
  salt: number;
  firstSequence: number;
  bytes: number;
  position: number;
}

/** The files of the log, open for appending. */
export class LocalLogFiles {
  readonly #options: Required<LocalLogOptions>;
  /** Closed files by first sequence, with their last one. */
  #closed: LogFile[] = [];
  #spares: string[] = [];
  #open: OpenFile;
  #lastSequence: number;
  readonly #head = Buffer.alloc(COMMIT_HEAD_BYTES);

  private constructor(options: Required<LocalLogOptions>, found: FoundLog) {
    this.#options = options;
    // A file that was begun and never written to is begun again under the same name.
    this.#closed = found.files.filter((file) => file.lastSequence >= file.firstSequence);
    this.#spares = found.spares;
    this.#lastSequence = found.lastSequence;
    // At once, so that the directory always says where the log ends, whatever is trimmed.
    this.#open = this.#begin(options.fileBytes);
  }

  /**
   * Opens the log of a directory, which is made if there is none.
   *
   * @throws LOG_DAMAGED when something is missing in the middle.
   */
  static open(options: LocalLogOptions): LocalLogFiles {
    mkdirSync(options.dir, { recursive: true });
    const full = { fileBytes: LOG_FILE_BYTES, files: systemFiles, ...options };
    return new LocalLogFiles(full, findLog(options.dir));
  }

  /** Position of the last durable record; 0 for a log without any. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /**
   * Appends bodies as one commit: after it all of them are durable, or an error says that none is.
   *
   * @returns the sequence of the first record.
   * @throws LOG_WRITE_FAILED when nothing was stored; LOG_SYNC_FAILED when nobody can tell: the
   *   process must end and recover.
   */
  commit(bodies: readonly Uint8Array[]): number {
    let bytes = 0;
    let records = 0;
    for (const body of bodies) {
      bytes += body.length;
      records += countRecords(body);
    }
    const first = this.#lastSequence + 1;
    const file = this.#fileFor(COMMIT_HEAD_BYTES + bytes);
    const commit = { bytes, records, firstSequence: first };
    let crc = writeCommitHead(this.#head, commit, file.salt);
    for (const body of bodies) crc = crc32(body, crc);
    this.#head.writeUInt32LE(crc, 8);
    this.#write(file, [this.#head, ...bodies]);
    file.position += COMMIT_HEAD_BYTES + bytes;
    this.#lastSequence += records;
    return first;
  }

  /** Forgets records up to a sequence: whole files are recycled, or deleted beyond a few. */
  trim(sequence: number): void {
    while (this.#closed.length > 0 && this.#closed[0]!.lastSequence <= sequence) {
      const { name } = this.#closed.shift()!;
      if (this.#spares.length < LOG_SPARE_FILE_COUNT_MAX) this.#spares.push(this.#makeSpare(name));
      else rmSync(join(this.#options.dir, name));
    }
  }

  close(): void {
    this.#options.files.close(this.#open.fd);
  }

  #write(file: OpenFile, parts: readonly Uint8Array[]): void {
    const { files, durability } = this.#options;
    try {
      files.writeAll(file.fd, parts, file.position);
    } catch (cause) {
      throw errors.LOG_WRITE_FAILED({ reason: String((cause as Error).message) }, cause);
    }
    if (durability === 'os') return;
    try {
      files.sync(file.fd);
    } catch (cause) {
      throw errors.LOG_SYNC_FAILED({ reason: String((cause as Error).message) }, cause);
    }
  }

  /** The open file if the commit fits, else a new one. */
  #fileFor(bytes: number): OpenFile {
    const open = this.#open;
    if (open.position + bytes <= open.bytes) return open;
    // A file without commits has the name that its larger successor takes over.
    const isEmpty = open.position === FILE_HEAD_BYTES;
    const next = this.#begin(Math.max(this.#options.fileBytes, FILE_HEAD_BYTES + bytes));
    this.#options.files.close(open.fd);
    if (!isEmpty) {
      const { name, firstSequence } = open;
      this.#closed.push({ name, firstSequence, lastSequence: this.#lastSequence });
    }
    this.#open = next;
    return next;
  }

  /** Makes a file for commits behind the last sequence, from a spare one if there is one. */
  #begin(bytes: number): OpenFile {
    const { dir, files, fileBytes } = this.#options;
    const firstSequence = this.#lastSequence + 1;
    const name = fileName(firstSequence);
    const path = join(dir, name);
    const spare = bytes === fileBytes ? this.#spares.pop() : undefined;
    try {
      const { fd, salt } = files.prepare({
        path,
        spare: spare === undefined ? null : join(dir, spare),
        bytes,
        head: (target) => writeFileHead(target, firstSequence),
      });
      return { fd, name, salt, firstSequence, bytes, position: FILE_HEAD_BYTES };
    } catch (cause) {
      if (spare !== undefined) this.#spares.push(spare);
      throw errors.LOG_WRITE_FAILED({ reason: String((cause as Error).message) }, cause);
    }
  }

  #makeSpare(name: string): string {
    const spare = name.replace('log-', 'spare-');
    this.#options.files.rename(join(this.#options.dir, name), join(this.#options.dir, spare));
    return spare;
  }
}

/** What a directory holds. */
export interface FoundLog {
  /** Files with records, in order. */
  files: LogFile[];
  spares: string[];
  lastSequence: number;
}

/**
 * Finds the files of a log and where it ends.
 *
 * @throws LOG_DAMAGED when a file ends before the next one begins.
 */
export function findLog(dir: string): FoundLog {
  const names = readdirSync(dir).sort();
  const files: LogFile[] = [];
  for (const name of names.filter((each) => /^log-\d{16}$/.test(each))) {
    const firstSequence = Number(name.slice('log-'.length));
    const lastSequence = scanFile(join(dir, name), null);
    const before = files.at(-1);
    if (before !== undefined && before.lastSequence + 1 !== firstSequence) {
      // A later file that begins inside this one covers a torn tail; a gap is lost data.
      if (before.lastSequence + 1 < firstSequence) {
        throw errors.LOG_DAMAGED({
          file: join(dir, before.name),
          from: before.lastSequence + 1,
          to: firstSequence - 1,
        });
      }
      before.lastSequence = firstSequence - 1;
    }
    // A file that was begun and never written to ends before it begins.
    files.push({ name, firstSequence, lastSequence: lastSequence ?? firstSequence - 1 });
  }
  const spares = names.filter((each) => /^spare-\d{16}$/.test(each));
  return { files, spares, lastSequence: files.at(-1)?.lastSequence ?? 0 };
}

function fileName(firstSequence: number): string {
  return `log-${String(firstSequence).padStart(16, '0')}`;
}
