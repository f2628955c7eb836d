/** A file that is written from its begin to its end, with its length and SHA-256. Blocks its thread. */

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** What a manifest says of a file. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Counts and hashes what it writes. */
export class OutputFile {
  readonly #file: number;
  readonly #hash = createHash('sha256');
  readonly #onBytes: (count: number) => void;
  #bytes = 0;

  /** @param onBytes is told of bytes before they are written, and may throw to end it. */
  constructor(path: string, onBytes: (count: number) => void) {
    // Nobody else's file is overwritten.
    this.#file = openSync(path, 'wx', 0o600);
    this.#onBytes = onBytes;
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  write(bytes: Uint8Array): void {
    this.#onBytes(bytes.length);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  /** All of it is on disk afterwards. */
  finish(): WrittenFile {
    fsyncSync(this.#file);
    closeSync(this.#file);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Lets go of a file that nobody needs. */
  abandon(): void {
    closeSync(this.#file);
  }
}
