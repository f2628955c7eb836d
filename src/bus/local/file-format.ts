/**
 * The bytes of a log file: its head, its commits, and how they are read up to the end.
 *
 * Data plane when written, control plane when read.
 *
 *     file    | magic 8 | salt u32 | flags u32 | first sequence f64 | crc u32 | 0 … 64 | commit …
 *     commit  | magic u32 | body bytes u32 | crc u32 | records u32 | first sequence f64 | body |
 *
 * A commit's checksum covers all of it but itself and starts from the file's salt, and its first
 * sequence continues the one before: what a recycled file held earlier never validates.
 */

import { fstatSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { countRecords } from '../log/record-frame.ts';

/** Bytes before the first commit. */
export const FILE_HEAD_BYTES = 64;
/** Bytes before the body of a commit. */
export const COMMIT_HEAD_BYTES = 24;
/** A file is read in pieces of this size; a larger commit in one piece of its own. */
const WINDOW_BYTES = 1_024 * 1_024;

const FILE_MAGIC = Buffer.from('FFLOG\0\0\x01', 'latin1');
const FILE_HEAD_CRC_AT = 24;
const COMMIT_MAGIC = Buffer.from('glfc', 'latin1');
/** Flag of a file whose every commit was synced before the next was written. */
const IS_SYNCED = 1;

/** What a file's head says. */
export interface FileHead {
  salt: number;
  isSynced: boolean;
  firstSequence: number;
}

/** A whole commit of a file. */
export interface Commit {
  /** Offset in the file. */
  position: number;
  /** Of the head and the body together. */
  bytes: number;
  firstSequence: number;
  records: number;
  /** Valid until the next commit is read. */
  body: Uint8Array;
}

/** Makes a file's head. */
export function fileHead(head: FileHead): Buffer {
  const bytes = Buffer.alloc(FILE_HEAD_BYTES);
  FILE_MAGIC.copy(bytes);
  bytes.writeUInt32LE(head.salt, 8);
  bytes.writeUInt32LE(head.isSynced ? IS_SYNCED : 0, 12);
  bytes.writeDoubleLE(head.firstSequence, 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, FILE_HEAD_CRC_AT)), FILE_HEAD_CRC_AT);
  return bytes;
}

/**
 * Writes the head of a commit.
 *
 * @param head out; COMMIT_HEAD_BYTES long.
 * @param bodies all that the commit holds, in order.
 */
export function writeCommitHead(
  head: Buffer,
  bodies: readonly Uint8Array[],
  commit: { bodyBytes: number; records: number; firstSequence: number; salt: number },
): void {
  COMMIT_MAGIC.copy(head);
  head.writeUInt32LE(commit.bodyBytes, 4);
  head.writeUInt32LE(commit.records, 12);
  head.writeDoubleLE(commit.firstSequence, 16);
  let crc = checksumOfHead(head, commit.salt);
  for (let index = 0; index < bodies.length; index++) crc = crc32(bodies[index]!, crc);
  head.writeUInt32LE(crc, 8);
}

function checksumOfHead(head: Uint8Array, salt: number): number {
  return crc32(head.subarray(12, COMMIT_HEAD_BYTES), crc32(head.subarray(0, 8), salt));
}

/** Reads the commits of one file in order, in bounded pieces. */
export class LogFileReader {
  /** null: the file is none of the log's, or its head is damaged. */
  readonly head: FileHead | null;
  readonly bytes: number;
  readonly #fd: number;
  #memory: Buffer = Buffer.alloc(0);
  // The part of the file that the memory holds.
  #window: Buffer = this.#memory;
  #windowStart = 0;
  #position = FILE_HEAD_BYTES;
  #nextSequence: number;

  constructor(fd: number) {
    this.#fd = fd;
    this.bytes = fstatSync(fd).size;
    this.head = this.#readHead();
    this.#nextSequence = this.head?.firstSequence ?? 0;
  }

  /** The next commit; null where the file ends: nothing there, not whole, or not of this file. */
  next(): Commit | null {
    const commit = this.#commitAt(this.#position, (sequence) => sequence === this.#nextSequence);
    if (commit === null) return null;
    this.#position += commit.bytes;
    this.#nextSequence += commit.records;
    return commit;
  }

  /**
   * Whether a whole commit of this file lies behind its end. A torn commit is the last that was
   * written, so what ends the file then is damage.
   */
  hasCommitBehindEnd(): boolean {
    const isLater = (sequence: number) => sequence >= this.#nextSequence;
    for (let at = this.#position; at + COMMIT_HEAD_BYTES <= this.bytes; ) {
      const length = Math.min(WINDOW_BYTES, this.bytes - at);
      // A copy: looking at a commit moves the window.
      const piece = Buffer.from(this.#bytesAt(at, length) ?? []);
      const last = piece.length - COMMIT_HEAD_BYTES;
      let found = piece.indexOf(COMMIT_MAGIC);
      while (found !== -1 && found <= last) {
        // What a recycled file held before has smaller sequences: most are passed over by this.
        const isCandidate = isLater(piece.readDoubleLE(found + 16));
        if (isCandidate && this.#commitAt(at + found, isLater) !== null) return true;
        found = piece.indexOf(COMMIT_MAGIC, found + 1);
      }
      at += Math.max(last, 0) + 1;
    }
    return false;
  }

  #readHead(): FileHead | null {
    const head = this.#bytesAt(0, FILE_HEAD_BYTES);
    if (head === null || !head.subarray(0, FILE_MAGIC.length).equals(FILE_MAGIC)) return null;
    const crc = head.readUInt32LE(FILE_HEAD_CRC_AT);
    if (crc !== crc32(head.subarray(0, FILE_HEAD_CRC_AT))) return null;
    return {
      salt: head.readUInt32LE(8),
      isSynced: (head.readUInt32LE(12) & IS_SYNCED) !== 0,
      firstSequence: head.readDoubleLE(16),
    };
  }

  #commitAt(position: number, isExpected: (firstSequence: number) => boolean): Commit | null {
    const head = this.#bytesAt(position, COMMIT_HEAD_BYTES);
    if (head === null || !head.subarray(0, COMMIT_MAGIC.length).equals(COMMIT_MAGIC)) return null;
    const firstSequence = head.readDoubleLE(16);
    if (!isExpected(firstSequence)) return null;
    const bytes = COMMIT_HEAD_BYTES + head.readUInt32LE(4);
    const commit = this.#bytesAt(position, bytes);
    if (commit === null || this.head === null) return null;
    const body = commit.subarray(COMMIT_HEAD_BYTES);
    if (crc32(body, checksumOfHead(commit, this.head.salt)) !== commit.readUInt32LE(8)) return null;
    const records = commit.readUInt32LE(12);
    return countRecords(body) === records
      ? { position, bytes, firstSequence, records, body }
      : null;
  }

  /** Bytes of the file, valid until the next call; null if the file does not reach that far. */
  #bytesAt(position: number, length: number): Buffer | null {
    if (position + length > this.bytes) return null;
    const offset = position - this.#windowStart;
    if (offset < 0 || offset + length > this.#window.length) {
      const wanted = Math.min(Math.max(length, WINDOW_BYTES), this.bytes - position);
      this.#fill(position, wanted);
      if (this.#window.length < length) return null;
      return this.#window.subarray(0, length);
    }
    return this.#window.subarray(offset, offset + length);
  }

  #fill(position: number, length: number): void {
    if (this.#memory.length < length) this.#memory = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(this.#fd, this.#memory, filled, length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    this.#window = this.#memory.subarray(0, filled);
    this.#windowStart = position;
  }
}
