/**
 * A backup as one archive (tar, POSIX ustar) in a stream that is written once: the objects, then the
 * manifest.
 *
 * Control plane, synchronous, so that what reads slowly holds the reading of the data up, and nothing is
 * kept in memory.
 */

import { writeSync } from 'node:fs';
import { sha256Hex } from '../../base/hash.ts';
import { errors } from '../../model/errors.ts';
import { MANIFEST_NAME, OBJECTS_NAME } from './manifest.ts';
import { type BackupSink, noCounts } from './sink.ts';

const BLOCK_BYTES = 512;
/** A pipe that is full is looked at again after it. */
const FULL_MS = 2;

const resting = new Int32Array(new SharedArrayBuffer(4));

/** Writes a backup to an open file, e.g. standard output. */
export class ArchiveSink implements BackupSink {
  readonly path = '-';
  readonly counts = noCounts();
  readonly #fd: number;
  readonly #mtime: number;
  readonly #written = new Set<string>();

  /** @param nowMs told as the time of what is in the archive. */
  constructor(fd: number, nowMs: number) {
    this.#fd = fd;
    this.#mtime = Math.floor(nowMs / 1_000);
  }

  put(bytes: Uint8Array): string {
    const object = sha256Hex(bytes);
    if (this.#written.has(object)) return object;
    this.#written.add(object);
    this.counts.objects++;
    this.counts.bytes += bytes.length;
    this.counts.newObjects++;
    this.counts.newBytes += bytes.length;
    this.#file(`${OBJECTS_NAME}/${object}`, bytes);
    return object;
  }

  finish(manifest: string): void {
    this.#file(MANIFEST_NAME, Buffer.from(manifest));
    this.#write(Buffer.alloc(2 * BLOCK_BYTES));
  }

  #file(name: string, bytes: Uint8Array): void {
    this.#write(fileHead(name, bytes.length, this.#mtime));
    this.#write(bytes);
    this.#write(Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES));
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.#fd, bytes, at);
      } catch (cause) {
        const { code, message } = cause as NodeJS.ErrnoException;
        if (code !== 'EAGAIN') throw errors.BACKUP_UNUSABLE({ path: '-', reason: message }, cause);
        Atomics.wait(resting, 0, 0, FULL_MS);
      }
    }
  }
}

/** The block before a file. */
function fileHead(name: string, bytes: number, mtime: number): Buffer {
  const head = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, digits: number) =>
    head.write(value.toString(8).padStart(digits, '0'), at);
  head.write(name, 0);
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(mtime, 136, 11);
  // Spaces while the sum is counted.
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  head.write('\0 ', 154);
  return head;
}
