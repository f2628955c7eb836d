/**
 * The thread of one export: reads a domain's days as they are on disk, of one moment, and writes files.
 *
 * Control plane. It lives as long as it writes. Its actor has saved the domain before
 * (`run-export.ts`), so everything that was acknowledged by then is in it.
 */

import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type ExportPlan,
  type ExportSource,
  NOTHING_STORED,
  writeExportFiles,
} from '../../exports/export-segments.ts';
import type { Manifest } from '../../exports/manifest.ts';
import { errors, OperatingError } from '../../model/errors.ts';
import { EXPORT_DISK_FREE_BYTES_MIN, EXPORT_DISK_LOOK_BYTES } from '../../model/export-limits.ts';
import { asDomainId, type ShardId } from '../../model/ids.ts';
import { DAY_MS } from '../../model/limits.ts';
import { readImports } from '../../segment/disk/imported-sums.ts';
import type { Segment } from '../../segment/memory/segment.ts';
import { DomainImports } from '../../shard/imports/domain-imports.ts';
import { reopenState } from '../../store/state-directories.ts';
import type { StateEnvironment } from '../../store/state-environment.ts';
import { nameThread } from '../telemetry/thread-metrics.ts';
import { storedDays, storedSegment } from './stored-days.ts';

/** What the thread is started with. */
export interface ExportThreadData {
  readonly dataDir: string;
  readonly shard: ShardId;
  readonly plan: ExportPlan;
  /** Is not there; its parent may not be there either. */
  readonly directory: string;
  /** Shared with who started it, by the places below. */
  readonly board: Int32Array<SharedArrayBuffer>;
}

/** Places on the board: not 0 once nobody wants the export any more; rows so far, modulo 2^32. */
export const STOPPED_AT = 0;
export const ROWS_AT = 1;
export const BOARD_LENGTH = 2;

/** Nobody wants it any more. */
class Stopped extends Error {}

/**
 * Writes the files.
 *
 * @returns null: it was stopped, and nothing is left of it.
 * @throws EXPORT_FAILED when the disk has no room for it, STATE_DAMAGED; nothing is left then either.
 */
export async function writeExport(data: ExportThreadData): Promise<Manifest | null> {
  nameThread('export', 0);
  const { dataDir, shard, directory } = data;
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
  const environment = reopenState(dataDir, shard);
  try {
    if (environment === null) return writeFrom(NOTHING_STORED, data);
    const moment = environment.hold();
    try {
      return environment.within(moment, () => writeFrom(sourceOf(environment, data.plan), data));
    } finally {
      moment.done();
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    if (error instanceof Stopped) return null;
    throw error instanceof OperatingError ? error : diskFault(error);
  } finally {
    await environment?.close();
  }
}

function writeFrom(source: ExportSource, data: ExportThreadData): Manifest {
  const { plan, directory, board } = data;
  let lookedBytes = 0;
  return writeExportFiles(source, plan, directory, {
    onBytes(count) {
      lookedBytes -= count;
      if (lookedBytes > 0) return;
      lookedBytes = EXPORT_DISK_LOOK_BYTES;
      checkRoom(directory);
    },
    onRows(count) {
      Atomics.add(board, ROWS_AT, count);
      if (Atomics.load(board, STOPPED_AT) !== 0) throw new Stopped();
    },
  });
}

function sourceOf(environment: StateEnvironment, plan: ExportPlan): ExportSource {
  const domainId = asDomainId(plan.domain.id);
  const imports = new DomainImports(readImports(environment, domainId));
  const sums = imports.shownSums(environment, domainId, plan.days);
  return { segments: daysOf(environment, plan), sums };
}

/** Days before the range are looked at too: a session may go on for as long as it likes. */
function* daysOf(environment: StateEnvironment, { domain, span }: ExportPlan): Generator<Segment> {
  const domainId = asDomainId(domain.id);
  for (const day of storedDays(environment, domainId)) {
    if (day * DAY_MS >= span.endMs) return;
    const segment = storedSegment(environment, domainId, day);
    if (segment !== null) yield segment;
  }
}

/** Hits come first: they need the disk as well. */
function checkRoom(directory: string): void {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free >= EXPORT_DISK_FREE_BYTES_MIN + EXPORT_DISK_LOOK_BYTES) return;
  throw errors.EXPORT_FAILED({ reason: `the disk of this node has ${free} bytes left for hits` });
}

/** What the system said of a file; anything else is a fault of ours. */
function diskFault(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return errors.EXPORT_FAILED({ reason: isFull ? 'the disk of this node is full' : code }, error);
}
