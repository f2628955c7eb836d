/**
 * What is fixed when a data directory is created: its format, its number of shards and its log.
 *
 * Control plane. Domains hash to shards, so another number would look for them in the wrong place.
 */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { errors } from '../model/errors.ts';

const FORMAT = 3;

/** The log whose positions the checkpoints of a data directory hold. */
export type LogIdentity =
  | { kind: 'local' }
  /** A stream and when it was made: one made later has other records under the same positions. */
  | { kind: 'nats'; stream: string; created: string };

interface Layout {
  format: number;
  shards: number;
  /** Absent until a log has been opened; directories of the first version have the local log. */
  log?: LogIdentity;
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
  const layout = readLayout(dataDir);
  if (layout === null) return wanted.shards;
  if (layout.format !== FORMAT) {
    throw errors.DATA_DIR_LAYOUT({
      dataDir,
      fault: `its format is ${layout.format}, not ${FORMAT}`,
    });
  }
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
    writeLayout(dataDir, { ...layout, log: found });
    return;
  }
  if (bound.kind === 'local' || found.kind === 'local') return;
  if (bound.stream === found.stream && bound.created === found.created) return;
  const { stream } = found;
  throw errors.STREAM_REPLACED({ stream, made: bound.created, found: found.created });
}

/**
 * Checks that a data directory has no log of another kind.
 *
 * @returns the log it is bound to, null for none.
 * @throws DATA_DIR_LAYOUT.
 */
export function checkLogKind(dataDir: string, kind: LogIdentity['kind']): LogIdentity | null {
  const hasLocalLog = existsSync(join(dataDir, 'log')) && kind !== 'local';
  const bound = readLayout(dataDir)?.log ?? (hasLocalLog ? { kind: 'local' as const } : null);
  if (bound !== null && bound.kind !== kind) {
    const fault =
      bound.kind === 'local'
        ? 'its hits are in the log of this machine; unset FOOTFALL_NATS_SERVERS, or start with an empty data directory'
        : `its hits are in the stream ${bound.stream}; set FOOTFALL_NATS_SERVERS, or start with an empty data directory`;
    throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
  }
  return bound;
}

function writeLayout(dataDir: string, layout: Layout): void {
  const path = join(dataDir, 'layout.json');
  const draft = `${path}.draft`;
  writeFileSync(draft, `${JSON.stringify(layout)}\n`);
  renameSync(draft, path);
}

function readLayout(dataDir: string): Layout | null {
  const path = join(dataDir, 'layout.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text) as Layout;
  } catch (cause) {
    throw errors.DATA_DIR_LAYOUT({ dataDir: path, fault: 'its layout.json is damaged' }, cause);
  }
}
