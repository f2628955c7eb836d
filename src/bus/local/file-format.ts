/**
 * The bytes of a log file: its head, its commits, and how they are read up to the end.
 *
 * Data plane when written, control plane when read.
 *
 *     file    | magic 8 | salt u32 | flags u32 | first sequence f64 | crc u32 | 0 … 64 | commit …
 *     commit  | magic u32 | frames bytes u32 | crc u32 | records u32 | first sequence f64 | frames |
 *
 * A commit's checksum covers all of it but itself and starts from the file's salt, and its first
 * sequence continues the one before: what a recycled file held earlier never validates.
 */

import { fstatSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { asSequence, BEGINNING, type Sequence } from '../../model/ids.ts';
import { countFrames } from '../log/record-frame.ts';

/** Bytes before the first commit. */
export const FILE_HEAD_BYTES = 64;
/** Bytes before the frames of a commit. */
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
  firstSequence: Sequence;
}

/** A whole commit of a file. */
export interface Commit {
  /** Offset in the file. */
  position: number;
  /** Of the head and the frames together. */
  bytes: number;
  firstSequence: Sequence;
  records: number;
  /** Valid until the next commit is read. */
  frames: Uint8Array;
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
 * @param buffers all that the commit holds, in order.
 */
export function writeCommitHead(
  head: Buffer,
  buffers: readonly Uint8Array[],
  commit: { frameBytes: number; records: number; firstSequence: Sequence; salt: number },
): void {
  COMMIT_MAGIC.copy(head);
  head.writeUInt32LE(commit.frameBytes, 4);
  head.writeUInt32LE(commit.records, 12);
  head.writeDoubleLE(commit.firstSequence, 16);
  let crc = checksumOfHead(head, commit.salt);
  for (let index = 0; index < buffers.length; index++) crc = crc32(buffers[index]!, crc);
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
  #nextSequence: Sequence;

  constructor(fd: number) {
    this.#fd = fd;
    this.bytes = fstatSync(fd).size;
    this.head = this.#readHead();
    this.#nextSequence = this.head?.firstSequence ?? BEGINNING;
  }

  /** The next commit; null where the file ends: nothing there, not whole, or not of this file. */
  next(): Commit | null {
    const commit = this.#commitAt(this.#position, (sequence) => sequence === this.#nextSequence);
    if (commit === null) return null;
    this.#position += commit.bytes;
    this.#nextSequence = asSequence(commit.firstSequence + commit.records);
    return commit;
  }

  /**
   * Whether a whole commit of this file lies behind its end. A torn commit is the last that was
   * written, so what ends the file then is damage.
   */
  hasCommitBehindEnd(): boolean {
    const isLater = (sequence: Sequence) => sequence >= this.#nextSequence;
    for (let at = this.#position; at + COMMIT_HEAD_BYTES <= this.bytes; ) {
      const length = Math.min(WINDOW_BYTES, this.bytes - at);
      // A copy: looking at a commit moves the window.
      const piece = Buffer.from(this.#bytesAt(at, length) ?? []);
      const last = piece.length - COMMIT_HEAD_BYTES;
      let found = piece.indexOf(COMMIT_MAGIC);
      while (found !== -1 && found <= last) {
        // What a recycled file held before has smaller sequences: most are passed over by this.
        const isCandidate = isLater(asSequence(piece.readDoubleLE(found + 16)));
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
      firstSequence: asSequence(head.readDoubleLE(16)),
    };
  }

  #commitAt(position: number, isExpected: (firstSequence: Sequence) => boolean): Commit | null {
    const head = this.#bytesAt(position, COMMIT_HEAD_BYTES);
    if (head === null || !head.subarray(0, COMMIT_MAGIC.length).equals(COMMIT_MAGIC)) return null;
    const firstSequence = asSequence(head.readDoubleLE(16));
    if (!isExpected(firstSequence)) return null;
    const bytes = COMMIT_HEAD_BYTES + head.readUInt32LE(4);
    const commit = this.#bytesAt(position, bytes);
    if (commit === null || this.head === null) return null;
    const frames = commit.subarray(COMMIT_HEAD_BYTES);
    if (crc32(frames, checksumOfHead(commit, this.head.salt)) !== commit.readUInt32LE(8))
      return null;
    const records = commit.readUInt32LE(12);
    return countFrames(frames) === records
      ? { position, bytes, firstSequence, records, frames }
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
