/**
 * What is fixed when a data directory is created: its format, its number of shards and its log.
 *
 * Control plane. Domains hash to shards, so another number would look for them in the wrong place.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { assert } from '../../base/assert.ts';
import { syncDirectory } from '../../base/sync-directory.ts';
import { driverOf } from '../../bus/drivers.ts';
import { localDriver } from '../../bus/local/driver.ts';
import type { LogIdentity } from '../../bus/log/driver.ts';
import { errors } from '../../model/errors.ts';
import { ADDED_DIMENSION_COUNT } from '../../model/text-kinds.ts';

/** The first format of a directory that is read; one of an earlier format is refused. */
const FIRST_FORMAT = 3;
/** What came into a directory beside dimensions: an earlier build would lose it. Append only. */
const ADDED_CONTENTS = [
  'sums of what domains used',
  'sums of what was dropped',
  'what waits to be told to webhooks',
  'sums that were imported',
  'columns that are written by what differs from others',
];
/** Raised with every change of what is on disk, dimensions among them: an earlier build refuses it. */
const FORMAT = FIRST_FORMAT + ADDED_DIMENSION_COUNT + ADDED_CONTENTS.length;
/** The first whose layout.json has a checksum. */
const FIRST_CHECKED = 3;
/** What is fixed for good is in it. */
export const LAYOUT_NAME = 'layout.json';
/** What a data directory holds besides: there was a layout once. */
const CONTENTS = ['log', 'state', 'states'];
const RESTORE = 'restore it from a backup, with everything else in the directory';

/** What layout.json says. */
export interface Layout {
  format: number;
  shards: number;
  /** Absent until a log has been opened; directories of the first version have the local log. */
  log?: LogIdentity;
}

/**
 * Checks that a data directory is one of this version's, before anything is written to it.
 *
 * @returns its layout; null for a new one.
 * @throws DATA_DIR_LAYOUT when it is of another format, or its layout.json is damaged or missing.
 */
export function checkLayout(dataDir: string): Layout | null {
  const layout = readLayout(dataDir);
  if (layout === null) {
    const content = CONTENTS.find((name) => isFilled(join(dataDir, name)));
    if (content === undefined) return null;
    const fault = `${LAYOUT_NAME} is missing, though there is '${content}'; ${RESTORE}, or start with an empty data directory`;
    throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
  }
  if (layout.format >= FIRST_FORMAT && layout.format <= FORMAT) return layout;
  const age = layout.format > FORMAT ? 'a newer' : 'an earlier';
  const fault = `it was written by ${age} version of Footfall (its format is ${layout.format}, this version's is ${FORMAT}); use that version, or start with an empty data directory`;
  throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
}

/**
 * An empty directory may be a disk of its own that waits for its first start; one with spare files of
 * the log only is what a first start leaves that ended before it had a layout.
 */
function isFilled(path: string): boolean {
  if (!existsSync(path)) return false;
  const isOfNobody = (name: string) => name === 'lost+found' || name.startsWith('spare-');
  return !statSync(path).isDirectory() || readdirSync(path).some((name) => !isOfNobody(name));
}

/**
 * The number of shards of a data directory; of a new one, that of the settings.
 *
 * @param wanted number of shards of the settings; `isExplicit` when the operator gave it.
 * @returns what `bindLog` is to be given once the log is open: a refused start has fixed nothing.
 * @throws DATA_DIR_LAYOUT when the directory is of another format or another number was asked for.
 */
export function fixedShardCount(
  dataDir: string,
  wanted: { shards: number; isExplicit: boolean },
): number {
  const layout = checkLayout(dataDir);
  if (layout === null) return wanted.shards;
  if (wanted.isExplicit && wanted.shards !== layout.shards) {
    const fault = `it has ${layout.shards} shards for good; leave the setting shards at that`;
    throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
  }
  return layout.shards;
}

/**
 * Fixes a new data directory's number of shards and its log, and checks that they are still the same.
 *
 * @param shards as `fixedShardCount` found it.
 * @param found the log of the settings, as it is now.
 * @throws DATA_DIR_LAYOUT, STREAM_REPLACED when the checkpoints belong to another log.
 */
export function bindLog(dataDir: string, shards: number, found: LogIdentity): void {
  const layout = readLayout(dataDir) ?? { format: FORMAT, shards };
  assert(layout.shards === shards, 'the data directory has the shards it was opened with');
  const bound = checkLogKind(dataDir, found.kind);
  if (bound === null) {
    writeLayout(dataDir, { ...layout, format: FORMAT, log: found });
    return;
  }
  const replaced = driverOf(bound.kind).replaced(bound, found);
  if (replaced !== null) throw replaced;
  if (layout.format < FORMAT) writeLayout(dataDir, { ...layout, format: FORMAT, log: bound });
}

/**
 * Checks that a data directory has no log of another kind.
 *
 * @returns the log it is bound to, null for none.
 * @throws DATA_DIR_LAYOUT.
 */
export function checkLogKind(dataDir: string, kind: string): LogIdentity | null {
  const unbound = { kind: localDriver.kind };
  const hasLocalLog = existsSync(join(dataDir, 'log')) && kind !== unbound.kind;
  const bound = readLayout(dataDir)?.log ?? (hasLocalLog ? unbound : null);
  if (bound !== null && bound.kind !== kind) {
    const home = driverOf(bound.kind).whereabouts(bound);
    const fault = `its hits are in ${home}, or start with an empty data directory`;
    throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
  }
  return bound;
}

/** Synced: what is written next relies on it. */
function writeLayout(dataDir: string, layout: Layout): void {
  const path = join(dataDir, LAYOUT_NAME);
  const draft = `${path}.draft`;
  try {
    const file = openSync(draft, 'w');
    try {
      writeFileSync(file, layoutText(layout));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    syncDirectory(dataDir);
  } catch (cause) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: (cause as Error).message }, cause);
  }
}

function layoutText(layout: Layout): string {
  return `${JSON.stringify({ ...layout, check: crc32(JSON.stringify(layout)) })}\n`;
}

/** What layout.json of a directory says that has its log for itself. */
export function ownLayoutText(shards: number): string {
  return layoutText({ format: FORMAT, shards, log: { kind: localDriver.kind } });
}

/** null when there is none. */
function readLayout(dataDir: string): Layout | null {
  const path = join(dataDir, LAYOUT_NAME);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: (error as Error).message }, error);
  }
  const layout = parseLayout(text);
  if (layout !== null) return layout;
  const fault = `its ${LAYOUT_NAME} is damaged; ${RESTORE}`;
  throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
}

/** null when it is not what was written. Earlier formats had no checksum. */
function parseLayout(text: string): Layout | null {
  try {
    const { check, ...layout } = JSON.parse(text) as Layout & { check?: number };
    const { format, shards } = layout;
    if (!Number.isSafeInteger(format) || !Number.isSafeInteger(shards)) return null;
    if (format < FIRST_CHECKED && check === undefined) return layout;
    return check === crc32(JSON.stringify(layout)) ? layout : null;
  } catch {
    return null;
  }
}
