/**
 * Takes a backup of a data directory, beside the service that writes to it or without one.
 *
 * Control plane. A common point of everything, without holding anybody up:
 *
 *     the registry is pinned ─▶ each state is pinned ─▶ the log is copied, from the oldest state on
 *                                                         └─▶ what is pinned is read, as long as it
 *                                                         takes
 *
 * Whoever was answered before the first step is in the log (`docs/mechanisms/delivery.md`), and the log
 * is trimmed only behind states that have its records: so each hit is in a state or in the copy of the
 * log, and a start counts what a state does not have. What a service trimmed between the pins and the
 * copy is noticed, and the steps are begun anew. The registry is the oldest part, so that a deletion of
 * which it knows nothing yet is only done again, and none is left half.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { driverOf } from '../../bus/drivers.ts';
import type { StoredLog } from '../../bus/log/driver.ts';
import { errors } from '../../model/errors.ts';
import { type ShardId, shardIds } from '../../model/ids.ts';
import { packageVersion } from '../../settings/package-root.ts';
import { PinnedEnvironment } from '../../store/environment-copy.ts';
import { checkRegistry } from '../../store/registry-store.ts';
import { registryPath } from '../../store/registry-table.ts';
import { damagedListLines, stateName } from '../../store/state-directories.ts';
import { checkLayout } from '../directory/data-layout.ts';
import { copyEnvironment, copyFile, otherFiles } from './copied-contents.ts';
import {
  BACKUP_FORMAT,
  type BackedUpEnvironment,
  type BackupManifest,
  manifestText,
} from './manifest.ts';
import { type PinnedStates, pinStates } from './pinned-states.ts';
import type { BackupSink } from './sink.ts';

/**
 * Takes a backup.
 *
 * @returns what was written last.
 * @throws DATA_DIR_UNUSABLE for what is no data directory, DATA_DIR_LAYOUT for one whose hits are
 *   elsewhere; STORE_DAMAGED, LOG_DAMAGED: what is damaged takes no place of what is not.
 */
export function takeBackup(dataDir: string, sink: BackupSink): BackupManifest {
  const { shards, log } = directoryOf(dataDir);
  checkRegistry(dataDir, true);
  const madeAt = new Date(systemClock()).toISOString();
  const registry = new PinnedEnvironment(registryPath(dataDir));
  const environments: BackedUpEnvironment[] = [];
  let pinned: PinnedStates | null = null;
  try {
    pinned = pinStates(dataDir, { shards, log }, sink);
    environments.push(copyEnvironment(registry, { path: 'registry', shard: null }, sink));
    for (const { shard, environment } of pinned.states) {
      // Whatever it is called here: a restored one is the first of its shard.
      const path = `state/${stateName(shard)}`;
      environments.push(copyEnvironment(environment, { path, shard }, sink));
      environment.release();
    }
  } finally {
    registry.release();
    for (const { environment } of pinned?.states ?? []) environment.release();
  }
  const others = otherFiles(dataDir).flatMap((path) => copyFile(dataDir, path, sink));
  const files = [...pinned.files, ...others];
  const manifest: BackupManifest = {
    ...{ format: BACKUP_FORMAT, version: packageVersion(), madeAt },
    ...{ lastSequence: pinned.lastSequence, environments, files },
  };
  sink.finish(manifestText(manifest));
  return manifest;
}

function directoryOf(dataDir: string): { shards: readonly ShardId[]; log: StoredLog } {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'there is no such directory' });
  }
  const layout = checkLayout(dataDir);
  if (layout?.log === undefined) {
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason: 'no service has ever run on it' });
  }
  const log = driverOf(layout.log.kind).reader(dataDir);
  if (log === null) {
    const home = driverOf(layout.log.kind).whereabouts(layout.log);
    const fault = `its hits are in ${home.split(';')[0]}: set FOOTFALL_NATS_SERVERS as its node has it to back up the cluster`;
    throw errors.DATA_DIR_LAYOUT({ dataDir, fault });
  }
  const [line] = damagedListLines(dataDir);
  if (line !== undefined) {
    const fault = `the line ${JSON.stringify(line)} is damaged`;
    const remedy = "nothing is copied; 'footfall verify' says what else is damaged";
    throw errors.STORE_DAMAGED({ path: join(dataDir, 'states'), fault, remedy });
  }
  return { shards: shardIds(layout.shards), log };
}
