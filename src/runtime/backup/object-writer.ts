/** A file as objects of a few megabytes. Control plane. */

import type { BackedUpFile } from './manifest.ts';
import type { BackupSink } from './sink.ts';

/** An object is as long as that, but for the last of a file. */
export const OBJECT_BYTES = 4 * 1_024 * 1_024;

/** Takes the bytes of one file in order. */
export class ObjectWriter {
  readonly #path: string;
  readonly #sink: BackupSink;
  readonly #object = Buffer.alloc(OBJECT_BYTES);
  readonly #objects: [object: string, bytes: number][] = [];
  #length = 0;
  #bytes = 0;

  constructor(path: string, sink: BackupSink) {
    this.#path = path;
    this.#sink = sink;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + OBJECT_BYTES - this.#length);
      this.#object.set(piece, this.#length);
      this.#length += piece.length;
      at += piece.length;
      if (this.#length === OBJECT_BYTES) this.#put();
    }
    this.#bytes += bytes.length;
  }

  /** There is no more. */
  end(): BackedUpFile {
    if (this.#length > 0) this.#put();
    return { path: this.#path, bytes: this.#bytes, objects: this.#objects };
  }

  #put(): void {
    const object = this.#object.subarray(0, this.#length);
    this.#objects.push([this.#sink.put(object), object.length]);
    this.#length = 0;
  }
}
