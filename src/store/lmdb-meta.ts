/**
 * The meta pages of an LMDB environment: which of its moments counts, and where the trees of it begin.
 *
 * Control plane. The choice is LMDB's own (`mdb_env_pick_meta`): the newer of two, unless the machine
 * was started again since and it was not synced; then the third, which was.
 */

import { readFileSync, readSync } from 'node:fs';

/** Size of a page; lmdb-js makes environments with this one on every machine with pages of 4 KiB. */
export const PAGE_BYTES = 4_096;

const META_BYTES = 192;
const HALF_PAGE = PAGE_BYTES / 2;
const MAGIC = 0xbeef_c0de;
const VERSION = 2;
const META_FLAG = 0x08;
/** Keys of the tree of free pages are numbers. */
const INTEGER_KEYS = 0x08;
/** lmdb-js: the moment was not synced when it was written. */
const NOT_SYNCED = 0x1000;

/** What is known of a tree. */
export interface TreeRecord {
  readonly flags: number;
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly overflows: number;
  readonly entries: number;
  /** Page; all ones for an empty tree. */
  readonly root: bigint;
}

/** One moment of an environment. */
export interface MetaPage {
  readonly transaction: number;
  readonly isSynced: boolean;
  readonly bootId: bigint;
  readonly lastPage: number;
  readonly pageBytes: number;
  readonly free: TreeRecord;
  readonly main: TreeRecord;
}

/** What is in the file is not what it should be. */
export class PageFault extends Error {}

/** @throws PageFault. */
export function fault(reason: string): never {
  throw new PageFault(reason);
}

/**
 * The moment that counts when an environment is opened.
 *
 * @param fd its data file.
 * @throws PageFault when a meta page is damaged.
 */
export function pickMeta(fd: number): MetaPage {
  const first = readMeta(fd, 0, 0);
  const second = readMeta(fd, PAGE_BYTES, 1);
  const synced = metaAt(bytesOf(fd, HALF_PAGE));
  const newest = Math.max(first.transaction, second.transaction);
  if (synced.transaction > newest) fault('its newest moment is older than what was synced');
  const chosen = pick(pick(first, second), synced);
  if (chosen.pageBytes !== PAGE_BYTES) fault(`its pages have ${chosen.pageBytes} bytes`);
  if (chosen.main.flags !== 0 || (chosen.free.flags & ~NOT_SYNCED) !== INTEGER_KEYS) {
    fault('its meta page has unknown flags');
  }
  return chosen;
}

/** The meta pages as they stand: while they stay the same, no commit has ended. */
export function metaBytes(fd: number): Buffer {
  const bytes = Buffer.alloc(2 * PAGE_BYTES);
  readSync(fd, bytes, 0, bytes.length, 0);
  return bytes;
}

/** The record of a tree. */
export function treeRecordAt(bytes: Buffer, at: number): TreeRecord {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branches: numberAt(bytes, at + 8),
    leaves: numberAt(bytes, at + 16),
    overflows: numberAt(bytes, at + 24),
    entries: numberAt(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40),
  };
}

function readMeta(fd: number, at: number, number: number): MetaPage {
  const bytes = bytesOf(fd, at);
  const isMeta = bytes.readUInt16LE(18) === META_FLAG && bytes.readUInt32LE(24) === MAGIC;
  if (!isMeta || numberAt(bytes, 0) !== number) fault(`its meta page ${number} is damaged`);
  if (bytes.readUInt32LE(28) !== VERSION) fault('it was written by another version of LMDB');
  const meta = metaAt(bytes);
  // A moment goes to the page of its parity; an environment that is new has none.
  if (meta.transaction % 2 !== number && meta.transaction !== 0) {
    fault(`its meta page ${number} has the transaction ${meta.transaction}`);
  }
  return meta;
}

function metaAt(bytes: Buffer): MetaPage {
  const free = treeRecordAt(bytes, 48);
  return {
    transaction: numberAt(bytes, 152),
    isSynced: (free.flags & NOT_SYNCED) === 0,
    bootId: bytes.readBigInt64LE(160),
    lastPage: numberAt(bytes, 144),
    pageBytes: bytes.readUInt32LE(48),
    free,
    main: treeRecordAt(bytes, 96),
  };
}

function pick(a: MetaPage, b: MetaPage): MetaPage {
  if (b.transaction === 0) return a;
  const newer = a.transaction >= b.transaction ? a : b;
  if ((newer.bootId !== 0n && newer.bootId === bootId()) || newer.isSynced) return newer;
  return a.transaction > b.transaction ? b : a;
}

/** As LMDB reads it: the hexadecimal digits before the first dash; 0 where nobody tells. */
function bootId(): bigint {
  try {
    const [digits = ''] = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').split('-');
    return BigInt(`0x${digits}`);
  } catch {
    return 0n;
  }
}

function bytesOf(fd: number, at: number): Buffer {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(fd, bytes, 0, META_BYTES, at) < META_BYTES) fault('it ends within its meta pages');
  return bytes;
}

function numberAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
