/**
 * Reads location databases into memory that threads share, and reads every record of them once.
 *
 * Control plane, and the work of a thread of its own (`workers/places.ts`): 130 MB of cities take a
 * second or two, which no edge may wait for. What passes here is safe to ask on every hit.
 */

import { type BigIntStats, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openFile } from '../../ingest/place/locate.ts';
import type { DatabaseContents, DatabaseDescription } from '../../ingest/place/place-database.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import { LOCATION_DATABASE_BYTES_MAX } from '../../model/limits.ts';

/** A file that was read. */
export interface ReadPlaceFile {
  readonly path: string;
  /** CRC-32 that it has to have; null where nobody knows it. */
  readonly check: number | null;
  /** All of it; shared between threads, written by none. */
  readonly bytes: SharedArrayBuffer;
  /** As {@link versionOf} when it was read. */
  readonly version: string;
  readonly description: DatabaseDescription;
  readonly contents: DatabaseContents;
}

/**
 * Reads and checks one file.
 *
 * @throws LOCATION_DATABASE_UNREADABLE when it is missing, no such database, cut short, damaged, or
 * was written to meanwhile.
 */
export function readPlaceFile({
  path,
  check = null,
}: {
  readonly path: string;
  readonly check?: number | null;
}): ReadPlaceFile {
  const { bytes, version } = readWhole(path);
  if (check !== null && crc32(new Uint8Array(bytes)) !== check) {
    throw unreadable(path, "it is damaged; use 'footfall geo install' again");
  }
  const database = openFile(path, Buffer.from(bytes));
  const contents = database.check();
  if (typeof contents === 'string') throw unreadable(path, `it ${contents}`);
  return { path, check, bytes, version, description: database.describe(), contents };
}

/** What changes whenever a file is written or another one takes its name. */
export function versionOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

function readWhole(path: string): { bytes: SharedArrayBuffer; version: string } {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) throw unreadable(path, 'it is not a file');
    if (before.size > LOCATION_DATABASE_BYTES_MAX) {
      throw unreadable(path, `it is larger than ${LOCATION_DATABASE_BYTES_MAX} bytes`);
    }
    const bytes = new SharedArrayBuffer(Number(before.size));
    const view = new Uint8Array(bytes);
    let at = 0;
    while (at < view.length) {
      const count = readSync(file, view, at, view.length - at, at);
      if (count === 0) break;
      at += count;
    }
    const version = versionOf(fstatSync(file, { bigint: true }));
    if (at < view.length || version !== versionOf(before)) {
      throw unreadable(path, 'it is being written');
    }
    return { bytes, version };
  } catch (cause) {
    if (cause instanceof OperatingError) throw cause;
    throw unreadable(path, cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    if (file !== null) closeSync(file);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): OperatingError {
  return errors.LOCATION_DATABASE_UNREADABLE({ path, reason }, cause);
}
