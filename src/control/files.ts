/**
 * The files of one thread's registry: kept in parts, read in parts.
 *
 * Control plane. A file is found by the SHA-256 of its content, so the same one is kept once. It comes
 * into the registry part by part, each a record of the log, and counts when it has all; then a record
 * that names it may be made. What was left behind half way goes with a later file.
 *
 *     keep ── file-created, part 0 ── part 1 … ── whole ──▶ theme-changed names it
 *                                                              └── named no more: file-deleted
 */
import { BoundedCache } from '../base/bounded-cache.ts';
import { sha256Hex } from '../base/hash.ts';
import { FILE_CACHED_PART_COUNT_MAX, FILE_PART_BYTES, FILE_UNUSED_MS } from '../model/limits.ts';
import { changed, created, deleted } from './descriptor/draft.ts';
import type { Change } from './descriptor/resource.ts';
import { partAdded } from './registry/file-parts.ts';
import type { Registry, Stamp } from './registry/registry.ts';
import { isUsed } from './registry/unused.ts';
import type { RegistryView } from './registry/view.ts';
import { type FileType, file, type StoredFile } from './resources/file.ts';

/** What a client sent as a file. */
export interface FileContent {
  /** SHA-256, hexadecimal: the id of the file. */
  readonly hash: string;
  readonly type: FileType;
  readonly bytes: Uint8Array;
}

/** Names a content. */
export function fileContent(type: FileType, bytes: Uint8Array): FileContent {
  return { hash: sha256Hex(bytes), type, bytes };
}

/** Whether a file may be named by a record. */
export function isWhole(known: StoredFile | null): boolean {
  return known !== null && known.storedPartCount === known.partCount;
}

/** Reads are as of now: also of what was just made at another thread. */
export class Files {
  readonly #registry: Registry;
  readonly #parts = new BoundedCache<string, Uint8Array>(FILE_CACHED_PART_COUNT_MAX);

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** A whole file; null when there is none. */
  find(hash: string): StoredFile | null {
    this.#registry.refresh();
    const known = this.#registry.view.find(file, hash);
    return isWhole(known) ? known : null;
  }

  /** Bytes of a file from an offset on, to the end of their part; null when they are gone. */
  bytesAt(hash: string, offset: number): Uint8Array | null {
    const index = Math.floor(offset / FILE_PART_BYTES);
    const key = `${hash} ${index}`;
    const bytes = this.#parts.get(key) ?? this.#registry.part(file.table, hash, index);
    if (bytes === null) return null;
    this.#parts.set(key, bytes);
    return bytes.subarray(offset % FILE_PART_BYTES);
  }

  /** Brings a file into the registry; nothing happens when it is there. */
  async keep(content: FileContent, stamp: Stamp): Promise<void> {
    let isDone = false;
    while (!isDone) {
      await this.#registry.change(stamp, (view, atMs) => {
        const known = view.find(file, content.hash);
        isDone = isWhole(known);
        if (isDone) return [];
        return known === null
          ? [...leftBehind(view, atMs), ...firstPart(content, atMs)]
          : nextPart(content, known, atMs);
      });
    }
  }
}

function firstPart({ hash, type, bytes }: FileContent, atMs: number): Change[] {
  const record: StoredFile = {
    ...{ id: hash, createdMs: atMs, modifiedMs: atMs },
    ...{ contentType: type, byteCount: bytes.length },
    ...{ partCount: Math.ceil(bytes.length / FILE_PART_BYTES), storedPartCount: 1 },
  };
  return [created(file, record), partOf(hash, bytes, 0)];
}

function nextPart({ hash, bytes }: FileContent, known: StoredFile, atMs: number): Change[] {
  const { storedPartCount: index } = known;
  const next = { ...known, storedPartCount: index + 1, modifiedMs: atMs };
  return [changed(file, next), partOf(hash, bytes, index)];
}

function partOf(hash: string, bytes: Uint8Array, index: number): Change {
  const start = index * FILE_PART_BYTES;
  return partAdded(hash, index, bytes.subarray(start, start + FILE_PART_BYTES));
}

/** Files of requests that came to nothing: of a process that was killed, or refused at the last. */
function leftBehind(view: RegistryView, atMs: number): Change[] {
  return [...view.all(file)]
    .filter(({ modifiedMs }) => modifiedMs < atMs - FILE_UNUSED_MS)
    .filter(({ id }) => !isUsed(file, id, view))
    .map(({ id }) => deleted(file, id));
}
