/** Local logs in temporary directories, and a disk that fails when it is told to. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FileOperations, systemFiles } from '../../src/bus/local/file-operations.ts';
import { LocalLogFiles, type LocalLogOptions } from '../../src/bus/local/log-files.ts';
import { LocalLogReader } from '../../src/bus/local/log-reader.ts';
import { walkLog } from '../../src/bus/local/recovery.ts';
import type { LogRecord } from '../../src/bus/log/interface.ts';
import { makeBody } from '../../src/bus/log/record-frame.ts';

/** A directory that goes when the test ends. */
export function logDirectory(): string {
  const dir = temporaryDirectory();
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A directory that the caller removes. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'footfall-log-'));
}

export function openFiles(dir: string, options: Partial<LocalLogOptions> = {}): LocalLogFiles {
  return LocalLogFiles.open({ dir, durability: 'sync', fileBytes: 4_096, ...options }, () => {});
}

/** A body with one record of a shard for every text. */
export function bodyOf(...texts: string[]): Uint8Array {
  return makeBody(texts.map((text) => ({ shard: text.length % 3, payload: Buffer.from(text) })));
}

/** Every record behind a sequence as `sequence:text`. */
export function textsOf(dir: string, after = 0): string[] {
  const texts: string[] = [];
  new LocalLogReader(dir).replay(after, (record) => texts.push(textOf(record)));
  return texts;
}

export function textOf({ sequence, payload }: LogRecord): string {
  return `${sequence}:${Buffer.from(payload).toString()}`;
}

/** Where the newest commit lies. */
export function newestCommit(dir: string): { path: string; position: number; bytes: number } {
  const { tail } = walkLog(dir, 0, () => {});
  if (tail === null) throw new Error('the log has no commit');
  return { path: join(dir, tail.name), position: tail.position, bytes: tail.bytes };
}

/** Changes bytes of a file in place. @returns whether any is different now. */
export function changeBytes(
  path: string,
  at: { position: number; bytes: number },
  change: (bytes: Buffer) => void,
): boolean {
  const fd = openSync(path, 'r+');
  try {
    const bytes = Buffer.alloc(at.bytes);
    readSync(fd, bytes, 0, at.bytes, at.position);
    const before = Buffer.from(bytes);
    change(bytes);
    writeSync(fd, bytes, 0, at.bytes, at.position);
    return !before.equals(bytes);
  } finally {
    closeSync(fd);
  }
}

/** A disk that fails the next operation of a kind. */
export class FailingDisk implements FileOperations {
  /** Fails this operation until it is null again. */
  failing: keyof FileOperations | null = null;
  /** How many bytes of a failing write reach the file all the same. */
  writtenBytes = 0;
  readonly calls: (keyof FileOperations)[] = [];

  open(path: string, flags: 'w+' | 'r+'): number {
    this.#meet('open');
    return systemFiles.open(path, flags);
  }

  write(fd: number, parts: readonly Uint8Array[], position: number): void {
    if (this.failing === 'write' && this.writtenBytes > 0) {
      const part = Buffer.concat(parts).subarray(0, this.writtenBytes);
      systemFiles.write(fd, [part], position);
    }
    this.#meet('write');
    systemFiles.write(fd, parts, position);
  }

  sync(fd: number): void {
    this.#meet('sync');
    systemFiles.sync(fd);
  }

  close(fd: number): void {
    this.#meet('close');
    systemFiles.close(fd);
  }

  rename(from: string, to: string): void {
    this.#meet('rename');
    systemFiles.rename(from, to);
  }

  remove(path: string): void {
    this.#meet('remove');
    systemFiles.remove(path);
  }

  syncDirectory(path: string): void {
    this.#meet('syncDirectory');
    systemFiles.syncDirectory(path);
  }

  #meet(operation: keyof FileOperations): void {
    this.calls.push(operation);
    if (this.failing !== operation) return;
    const error = new Error('ENOSPC: no space left on device') as NodeJS.ErrnoException;
    error.code = 'ENOSPC';
    error.syscall = operation;
    throw error;
  }
}
