/** The bytes of a log file: its head, the heads of its commits, and how it is read to its end. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { countRecords } from './record-body.ts';

/** Bytes before the first commit. */
export const FILE_HEAD_BYTES = 64;
/** Bytes before the body of a commit. */
export const COMMIT_HEAD_BYTES = 24;

const FILE_MAGIC = Buffer.from('FFLOG\0\0\x01', 'latin1');
const COMMIT_MAGIC = 0x66_6c_6f_67;

/** A file with records `[firstSequence, lastSequence]`; none if the last is before the first. */
export interface LogFile {
  name: string;
  firstSequence: number;
  lastSequence: number;
}

/** A whole commit of a file. The body is valid until the next one is visited. */
export interface Commit {
  firstSequence: number;
  body: Uint8Array;
}

/** Writes a file's head with a new salt. @returns the salt. */
export function writeFileHead(target: Buffer, firstSequence: number): number {
  const salt = randomBytes(4).readUInt32LE();
  target.fill(0, 0, FILE_HEAD_BYTES);
  FILE_MAGIC.copy(target);
  target.writeUInt32LE(salt, 8);
  target.writeDoubleLE(firstSequence, 16);
  return salt;
}

/**
 * Writes a commit's head but for the checksum.
 *
 * @returns the checksum over the head, to be continued over the body.
 */
export function writeCommitHead(
  target: Buffer,
  commit: { bytes: number; records: number; firstSequence: number },
  salt: number,
): number {
  target.writeUInt32LE(COMMIT_MAGIC, 0);
  target.writeUInt32LE(commit.bytes, 4);
  target.writeUInt32LE(0, 8);
  target.writeUInt32LE(commit.records, 12);
  target.writeDoubleLE(commit.firstSequence, 16);
  return crc32(target, salt);
}

/**
 * Reads the commits of a file up to the first that is not whole.
 *
 * @param visit null only checks them.
 * @returns the last sequence, or null if the file has no commit.
 */
export function scanFile(path: string, visit: ((commit: Commit) => void) | null): number | null {
  const fd = openSync(path, 'r');
  try {
    const size = fstatSync(fd).size;
    const head = Buffer.alloc(FILE_HEAD_BYTES);
    if (readSync(fd, head, 0, FILE_HEAD_BYTES, 0) < FILE_HEAD_BYTES) return null;
    if (!head.subarray(0, FILE_MAGIC.length).equals(FILE_MAGIC)) return null;
    const salt = head.readUInt32LE(8);
    let next = head.readDoubleLE(16);
    let last: number | null = null;
    let position = FILE_HEAD_BYTES;
    const commitHead = Buffer.alloc(COMMIT_HEAD_BYTES);
    while (position + COMMIT_HEAD_BYTES <= size) {
      readSync(fd, commitHead, 0, COMMIT_HEAD_BYTES, position);
      const body = readBodyOf({ fd, size, position, salt, next }, commitHead);
      if (body === null) break;
      visit?.({ firstSequence: next, body });
      next += commitHead.readUInt32LE(12);
      last = next - 1;
      position += COMMIT_HEAD_BYTES + body.length;
    }
    return last;
  } finally {
    closeSync(fd);
  }
}

/** The body of the commit at a position, null if it is not whole or not of this file. */
function readBodyOf(
  at: { fd: number; size: number; position: number; salt: number; next: number },
  head: Buffer,
): Uint8Array | null {
  if (head.readUInt32LE(0) !== COMMIT_MAGIC || head.readDoubleLE(16) !== at.next) return null;
  const bytes = head.readUInt32LE(4);
  const start = at.position + COMMIT_HEAD_BYTES;
  if (start + bytes > at.size) return null;
  const body = Buffer.allocUnsafe(bytes);
  if (readSync(at.fd, body, 0, bytes, start) < bytes) return null;
  const crc = head.readUInt32LE(8);
  head.writeUInt32LE(0, 8);
  if (crc32(body, crc32(head, at.salt)) !== crc) return null;
  return countRecords(body) === head.readUInt32LE(12) ? body : null;
}
