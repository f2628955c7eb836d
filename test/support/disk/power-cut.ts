/**
 * What a disk may hold after a power cut: what was synced for certain, of the rest anything.
 *
 * The model is stricter than file systems are. A sync of a file makes its bytes and its size durable,
 * but not its name: that takes a sync of the directory. Names of one directory come to the disk in
 * order, those of different ones in any. Of bytes that were not synced each page of 4 KiB, or sector
 * of 512 bytes, may be there or not; a file may have grown without its bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskChange } from './record.ts';

const PAGE_BYTES = 4_096;
const SECTOR_BYTES = 512;

/** How much of what was not synced is there. */
export interface Luck {
  /** From 0 up to 1, repeated by a seed. */
  readonly random: () => number;
  /** Names that were not synced: none, all, or so many as it comes. */
  readonly names: 'lost' | 'kept' | 'some';
  /** Share of the pages that are there, 0 to 1. */
  readonly share: number;
  /** Whether pages are torn within. */
  readonly isTorn: boolean;
}

interface Write {
  readonly offset: number;
  readonly length: number;
  /** null: it is a new size. */
  readonly data: Buffer | null;
  /** It was on disk when it returned. */
  readonly isCertain: boolean;
}

class FileNode {
  durable: Buffer = Buffer.alloc(0);
  pending: Write[] = [];

  /** All of it is on disk. */
  sync(): void {
    for (const write of this.pending) this.durable = applied(this.durable, write);
    this.pending = [];
  }

  /** What is there after a cut. */
  bytes({ random, share, isTorn }: Luck): Buffer {
    let bytes: Buffer = Buffer.from(this.durable);
    for (const write of this.pending) {
      if (write.data === null) {
        if (random() < share) bytes = applied(bytes, write);
        continue;
      }
      if (write.isCertain) {
        bytes = applied(bytes, write);
        continue;
      }
      const step = isTorn ? SECTOR_BYTES : PAGE_BYTES;
      const end = write.offset + write.length;
      if (random() < share / 4) bytes = grown(bytes, end);
      for (let at = write.offset; at < end; ) {
        const next = Math.min(end, at - (at % step) + step);
        const data = write.data.subarray(at - write.offset, next - write.offset);
        if (random() < share) bytes = applied(bytes, { offset: at, length: next - at, data });
        at = next;
      }
    }
    return bytes;
  }
}

/** A change of a directory's names: all of it happens or none. */
type NameChange = ReadonlyMap<string, FileNode | DirectoryNode | null>;

class DirectoryNode {
  readonly live = new Map<string, FileNode | DirectoryNode>();
  readonly durable = new Map<string, FileNode | DirectoryNode>();
  pending: NameChange[] = [];

  change(names: NameChange): void {
    put(this.live, names);
    this.pending.push(names);
  }

  sync(): void {
    for (const names of this.pending) put(this.durable, names);
    this.pending = [];
  }

  names({ names, random }: Luck): Map<string, FileNode | DirectoryNode> {
    const kept = { lost: 0, kept: 1, some: random() }[names];
    const found = new Map(this.durable);
    const count = Math.round(kept * this.pending.length);
    for (const change of this.pending.slice(0, count)) put(found, change);
    return found;
  }
}

/** A disk that is written to until its power is cut. */
export class CutDisk {
  readonly #root = new DirectoryNode();

  /** One more change has been made. */
  apply({ kind, path, to, offset, length, data, isDurable }: DiskChange): void {
    if (path === '.' && kind === 'mkdir') return;
    const [above, name] = this.#place(path);
    const node = path === '.' ? this.#root : above.live.get(name);
    switch (kind) {
      case 'create':
        above.change(new Map([[name, new FileNode()]]));
        return;
      case 'mkdir':
        above.change(new Map([[name, new DirectoryNode()]]));
        return;
      case 'unlink':
      case 'rmdir':
        above.change(new Map([[name, null]]));
        return;
      case 'rename':
        this.#rename([above, name], this.#place(to), node!);
        return;
      case 'link': {
        const [directory, second] = this.#place(to);
        directory.change(new Map([[second, node!]]));
        return;
      }
      case 'sync':
        node?.sync();
        return;
    }
    if (!(node instanceof FileNode)) return;
    if (kind === 'size') {
      node.pending.push({ offset: length, length: 0, data: null, isCertain: false });
      return;
    }
    const bytes = kind === 'zeros' ? Buffer.alloc(length) : data;
    node.pending.push({ offset, length, data: bytes, isCertain: isDurable });
  }

  /** Makes the files that are left after a cut now. */
  writeTo(directory: string, luck: Luck): void {
    writeNode(directory, this.#root, luck);
  }

  #rename(
    [fromDirectory, from]: [DirectoryNode, string],
    [toDirectory, to]: [DirectoryNode, string],
    node: FileNode | DirectoryNode,
  ): void {
    if (fromDirectory === toDirectory) {
      fromDirectory.change(
        new Map<string, FileNode | DirectoryNode | null>([
          [from, null],
          [to, node],
        ]),
      );
      return;
    }
    toDirectory.change(new Map([[to, node]]));
    fromDirectory.change(new Map([[from, null]]));
  }

  #place(path: string): [DirectoryNode, string] {
    const parts = path.split('/');
    const name = parts.pop()!;
    let directory = this.#root;
    for (const part of parts) {
      const found = directory.live.get(part);
      if (!(found instanceof DirectoryNode)) throw new Error(`no directory has the file ${path}`);
      directory = found;
    }
    return [directory, name];
  }
}

function put(names: Map<string, FileNode | DirectoryNode>, change: NameChange): void {
  for (const [name, node] of change) {
    if (node === null) names.delete(name);
    else names.set(name, node);
  }
}

function writeNode(path: string, node: FileNode | DirectoryNode, luck: Luck): void {
  if (node instanceof FileNode) {
    writeFileSync(path, node.bytes(luck), { mode: 0o600 });
    return;
  }
  mkdirSync(path, { recursive: true });
  for (const [name, child] of node.names(luck)) writeNode(join(path, name), child, luck);
}

function grown(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length
    ? bytes
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
}

/** Without data it is a new size. */
function applied(bytes: Buffer, { offset, length, data }: Omit<Write, 'isCertain'>): Buffer {
  if (data === null) return Buffer.from(grown(bytes, offset).subarray(0, offset));
  const result = grown(bytes, offset + length);
  data.copy(result, offset);
  return result;
}
