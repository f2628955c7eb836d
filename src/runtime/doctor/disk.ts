/**
 * The disk of the data directory: how fast it is, and whether it keeps what it has synced.
 *
 * Control plane. Whether a disk tells the truth about a sync shows only when its power is cut. What can
 * be told before: file systems that live in memory, mounts without barriers, syncs that return faster
 * than the device takes a block or could empty its cache, and bytes that are not there when they are
 * read past the kernel's cache. For certain: `power-cut.ts`.
 */

import {
  closeSync,
  constants,
  fdatasyncSync,
  openSync,
  readSync,
  statfsSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../base/clock.ts';
import { randomKey } from '../../base/random.ts';
import { bad, type Finding, fine, sizeText, warning } from './finding.ts';
import { hasWriteCache, type Mount, mountOf } from './mounts.ts';

const MIB = 1_024 * 1_024;
const SEQUENTIAL_BYTES = 64 * MIB;
const SYNC_BYTES = 4_096;
const SYNC_COUNT = 200;
/** However slow a disk is, each of the measurements ends. */
const MEASURE_MS_MAX = 3_000;

const WRITE_MIB_LOW = 50;
const WRITE_MIB_TOO_LOW = 5;
const SYNC_MS_HIGH = 10;
const SYNC_MS_TOO_HIGH = 100;
/** A device that has to empty its cache takes longer; what returns sooner has not asked it. */
const SYNC_MS_TRUE = 0.02;
/** A sync waits for at least a block: one that takes less than this part of it has not waited. */
const SYNC_PART_OF_BLOCK = 0.5;
const BLOCK_COUNT = 50;
const FREE_PART_LOW = 0.1;
const FREE_BYTES_LOW = 2 * 1_024 * MIB;
const FREE_BYTES_TOO_LOW = 256 * MIB;

/** File systems that are gone with the machine's memory, and those whose syncs are another machine's. */
const IN_MEMORY = ['tmpfs', 'ramfs'];
const REMOTE = ['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'fuse', 'virtiofs'];

/** What a measurement says. */
interface Times {
  readonly writeMibPerSecond: number;
  readonly syncMs: number;
  readonly slowSyncMs: number;
  /** What the device takes for one block past the kernel's cache, not flushed; null: it cannot be told. */
  readonly blockMs: number | null;
}

/**
 * Measures the disk with a file that is removed again.
 *
 * @param directory one that is there and may be written.
 */
export function examineDisk(directory: string): Finding[] {
  const mount = mountOf(directory);
  const path = join(directory, `.footfall-doctor-${process.pid}`);
  const found = [freeSpace(directory), ...(mount === null ? [] : [fileSystem(mount)])];
  let fd: number;
  try {
    fd = openSync(path, 'w+', 0o600);
  } catch (error) {
    const change = 'give the service a directory that its user may write (FOOTFALL_DATA_DIR)';
    return [...found, bad('disk', (error as Error).message, change)];
  }
  try {
    const times = { ...measure(fd), blockMs: timeOfBlock(path) };
    found.push(...speed(times), truth(times, mount), readBack(fd, path));
  } catch (error) {
    const change = 'make room on it or mend it, and look again';
    found.push(bad('disk', `it refuses to be written: ${(error as Error).message}`, change));
  } finally {
    closeSync(fd);
    unlinkSync(path);
  }
  return found;
}

function measure(fd: number): Omit<Times, 'blockMs'> {
  const piece = Buffer.from(randomKey(MIB));
  const startMs = monotonicMs();
  let written = 0;
  while (written < SEQUENTIAL_BYTES && monotonicMs() - startMs < MEASURE_MS_MAX) {
    writeSync(fd, piece, 0, MIB, written);
    written += MIB;
  }
  fdatasyncSync(fd);
  const seconds = (monotonicMs() - startMs) / 1_000;
  // Over blocks that are there, as the log writes.
  const times: number[] = [];
  const syncsMs = monotonicMs();
  while (times.length < SYNC_COUNT && monotonicMs() - syncsMs < MEASURE_MS_MAX) {
    const beforeMs = monotonicMs();
    writeSync(fd, piece, 0, SYNC_BYTES, times.length * SYNC_BYTES);
    fdatasyncSync(fd);
    times.push(monotonicMs() - beforeMs);
  }
  times.sort((left, right) => left - right);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!;
  return { writeMibPerSecond: written / MIB / seconds, syncMs: at(0.5), slowSyncMs: at(0.99) };
}

/** @returns ms for half of the blocks. */
function timeOfBlock(path: string): number | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | (constants.O_DIRECT ?? 0));
  } catch {
    return null;
  }
  try {
    const block = readAligned(fd);
    if (block === null) return null;
    const times: number[] = [];
    for (let number = 0; number < BLOCK_COUNT; number++) {
      const beforeMs = monotonicMs();
      writeSync(fd, block, 0, SYNC_BYTES, number * SYNC_BYTES);
      times.push(monotonicMs() - beforeMs);
    }
    return times.toSorted((left, right) => left - right)[BLOCK_COUNT / 2] ?? null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

function speed({ writeMibPerSecond, syncMs, slowSyncMs }: Times): Finding[] {
  const rate = `${Math.round(writeMibPerSecond)} MiB/s of ${sizeText(SEQUENTIAL_BYTES)}, synced`;
  const faster = 'use a faster disk, or one that nobody else is using up';
  const write =
    writeMibPerSecond < WRITE_MIB_TOO_LOW
      ? bad('disk writes', rate, faster)
      : writeMibPerSecond < WRITE_MIB_LOW
        ? warning('disk writes', rate, faster)
        : fine('disk writes', rate);
  const latency = `${syncMs.toFixed(2)} ms for half of them, ${slowSyncMs.toFixed(2)} ms for 99 of 100`;
  const quicker =
    'each hit waits for one: use a local SSD, or FOOTFALL_DURABILITY=os if a power cut may cost hits';
  const sync =
    syncMs > SYNC_MS_TOO_HIGH
      ? bad('disk syncs', latency, quicker)
      : syncMs > SYNC_MS_HIGH
        ? warning('disk syncs', latency, quicker)
        : fine('disk syncs', latency);
  return [write, sync];
}

/** Whether what is synced outlives a power cut, as far as that shows. */
function truth({ syncMs, blockMs }: Times, mount: Mount | null): Finding {
  const check = 'synced is kept';
  if (mount !== null && IN_MEMORY.includes(mount.kind)) {
    const change = 'put the data directory on a disk';
    return bad(check, `${mount.kind} is memory: everything is gone at the end`, change);
  }
  const loose = mount?.options.find((option) => ['nobarrier', 'barrier=0'].includes(option));
  if (loose !== undefined) {
    return bad(check, `mounted with ${loose}: syncs stay in caches`, `mount it without ${loose}`);
  }
  const cache = mount === null ? null : hasWriteCache(mount);
  const took = `a sync takes ${syncMs.toFixed(3)} ms`;
  const ignored =
    'find out whether the disk, the virtual machine or a library ignores flushes (cache=unsafe, eatmydata), by --power-cut';
  if (syncMs < SYNC_MS_TRUE && cache !== false) {
    return warning(check, `${took}, less than a device with a cache can take`, ignored);
  }
  if (blockMs !== null && syncMs < blockMs * SYNC_PART_OF_BLOCK) {
    const found = `${took}, one block that is not synced ${blockMs.toFixed(3)} ms`;
    return warning(check, found, ignored);
  }
  if (mount !== null && REMOTE.some((kind) => mount.kind.startsWith(kind))) {
    const change = 'ask whoever runs the server whether its syncs reach a disk, or use a local one';
    return warning(check, `${took}; what it means is up to another machine`, change);
  }
  const device = {
    true: 'has a cache that is flushed',
    false: 'writes through',
    null: 'does not tell',
  };
  return fine(check, `${took}; the device ${device[`${cache}`]}`);
}

/** Reads past the kernel's cache what was just synced. */
function readBack(fd: number, path: string): Finding {
  const check = 'read back';
  const bytes = Buffer.from(randomKey(SYNC_BYTES));
  writeSync(fd, bytes, 0, SYNC_BYTES, 0);
  fdatasyncSync(fd);
  let direct: number;
  try {
    direct = openSync(path, constants.O_RDONLY | (constants.O_DIRECT ?? 0));
  } catch {
    return fine(check, 'this file system does not read past the cache (O_DIRECT)');
  }
  try {
    const found = readAligned(direct);
    if (found === null) return fine(check, 'this file system does not read past the cache');
    if (found.equals(bytes)) return fine(check, 'what was synced is what the device gives back');
    return bad(check, 'the device gives back something else than was synced', 'replace the disk');
  } finally {
    closeSync(direct);
  }
}

/** O_DIRECT wants memory that begins where the device likes it; which offset that is shows by trying. */
function readAligned(fd: number): Buffer | null {
  const memory = Buffer.allocUnsafeSlow(64 * SYNC_BYTES);
  for (let at = 0; at < SYNC_BYTES; at += 16) {
    try {
      const count = readSync(fd, memory, at, SYNC_BYTES, 0);
      return count === SYNC_BYTES ? memory.subarray(at, at + SYNC_BYTES) : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
    }
  }
  return null;
}

function fileSystem({ at, kind }: Mount): Finding {
  const found = `${kind} at ${at}`;
  if (kind !== 'overlay') return fine('file system', found);
  const change = 'mount a volume there: what a container writes beside its volumes goes with it';
  return warning('file system', found, change);
}

function freeSpace(directory: string): Finding {
  const { bavail, blocks, bsize, ffree, files } = statfsSync(directory);
  const free = bavail * bsize;
  const found = `${sizeText(free)} of ${sizeText(blocks * bsize)}`;
  const change = 'make room: a full disk refuses hits (503)';
  if (free < FREE_BYTES_TOO_LOW) return bad('free space', found, change);
  if (files > 0 && ffree < 1_000) return bad('free space', `${ffree} files may be made`, change);
  const isLow = free < FREE_BYTES_LOW && free < blocks * bsize * FREE_PART_LOW;
  return isLow ? warning('free space', found, change) : fine('free space', found);
}
