/**
 * Makes an installation on NATS servers of a backup: of a cluster, or of a single node.
 *
 * Control plane. Nodes that are started there later, with empty data directories, find what they would
 * find after the last one has stopped: a snapshot of each shard that has everything, no hits behind it,
 * and the records of the registry. So the log of the backup is counted here, not put into the stream.
 *
 *     a data directory of the backup ─▶ its log is counted ─▶ streams are claimed ─▶ snapshots
 *                                                            ─▶ registry ─▶ files ─▶ finished
 *
 * The next sequence of the stream follows the last one of the backup, since states refer to sequences.
 * Each step may be done again: a restore that was broken off is run again from the beginning, and until
 * one has come to its end no node starts there (`bus/nats/restore-target.ts`).
 */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../base/hash.ts';
import { makePrivateDirectory } from '../../base/private-directory.ts';
import { syncDirectory } from '../../base/sync-directory.ts';
import { natsAccess } from '../../bus/nats/driver.ts';
import { RestoreTarget } from '../../bus/nats/restore-target.ts';
import { NatsSnapshots } from '../../bus/nats/snapshots/snapshots.ts';
import { SharedRegistry } from '../../control/registry/shared-registry.ts';
import { errors } from '../../model/errors.ts';
import { asEpoch, asSequence, shardIds } from '../../model/ids.ts';
import type { Settings } from '../../settings/schema.ts';
import { saveSnapshot } from '../../shard/snapshot/snapshot.ts';
import { RegistryStore } from '../../store/registry-store.ts';
import { reopenState } from '../../store/state-directories.ts';
import { lockDirectory } from '../directory/data-dir-lock.ts';
import { fixedShardCount } from '../directory/data-layout.ts';
import { CLUSTER_RESTORE_NAME, NODE_FILES } from './copied-contents.ts';
import { countLog } from './count-log.ts';
import { type BackupManifest, manifestText } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';

const LOCK_NAME = 'restore.lock';
/** In an empty directory, which may be a disk of its own. */
const OWN_NAMES: ReadonlySet<string> = new Set([CLUSTER_RESTORE_NAME, 'lost+found']);
/** No node had one before. */
const EPOCH = asEpoch(0);
/** Of the hash that tells two backups of one moment apart. */
const HASH_LENGTH = 12;

/** What was restored. */
export interface RestoredCluster {
  readonly manifest: BackupManifest;
  /** What every node of it has to be set to. */
  readonly shards: number;
}

/**
 * Restores a backup into the NATS servers of the settings, where nothing of Footfall may be. The data
 * directory of the settings, which has to be empty, gets the files that belong to a node.
 *
 * @param from a folder, an archive, or `-` for an archive on standard input.
 * @throws RESTORE_REFUSED, RESTORE_UNFINISHED; what opening the streams throws; BACKUP_DAMAGED,
 *   BACKUP_UNUSABLE, DATA_DIR_UNUSABLE, DATA_DIR_LAYOUT when another number of shards is asked for.
 */
export async function restoreIntoCluster(
  from: string,
  settings: Settings,
): Promise<RestoredCluster> {
  const target = await RestoreTarget.open(natsAccess(settings), settings.natsPrefix);
  try {
    // Before hours of reading.
    await target.check();
    return await inDraft(settings.dataDir, (draft) => {
      return restoreFrom(draft, { from, settings, target });
    });
  } finally {
    await target.close();
  }
}

/** Runs with a place for the data directory that is made of the backup, and removes it. */
async function inDraft<Result>(
  dataDir: string,
  work: (draft: string) => Promise<Result>,
): Promise<Result> {
  const place = join(dataDir, CLUSTER_RESTORE_NAME);
  const isGoneOnWith = existsSync(place);
  makePrivateDirectory(dataDir);
  const first = readdirSync(dataDir).find((name) => !OWN_NAMES.has(name));
  if (first !== undefined && !isGoneOnWith) {
    const reason = `it is not empty: there is '${first}'; files of the backup go into an empty directory`;
    throw errors.DATA_DIR_UNUSABLE({ dataDir, reason });
  }
  makePrivateDirectory(place);
  const lock = lockDirectory(place, LOCK_NAME);
  const draft = join(place, 'data');
  let isWhole = false;
  try {
    rmSync(draft, { recursive: true, force: true });
    const result = await work(draft);
    isWhole = true;
    return result;
  } finally {
    // Beside files that were moved it says that they may be there when it is run again.
    const isAlone = readdirSync(dataDir).every((name) => OWN_NAMES.has(name));
    rmSync(isWhole || isAlone ? place : draft, { recursive: true, force: true });
    lock.release();
  }
}

async function restoreFrom(
  draft: string,
  of: { from: string; settings: Settings; target: RestoreTarget },
): Promise<RestoredCluster> {
  const { from, settings, target } = of;
  const { natsPrefix: prefix, natsReplicas: replicas, natsStreamBytes: bytesMax } = settings;
  const manifest = await restoreBackup(from, draft);
  const isExplicit = settings.origins.shards !== 'default';
  const shards = fixedShardCount(draft, { shards: settings.shards, isExplicit });
  await checkRecords(draft);
  const counted = await countLog(draft, shards, settings.memory);
  const last = asSequence(Math.max(manifest.lastSequence, counted));
  const backup = nameOf(manifest);
  await target.claim(backup, replicas);
  const stream = { prefix, shards, replicas, bytesMax };
  const created = await target.beginBehind(last, stream);
  await storeSnapshots(draft, created, { ...stream, access: natsAccess(settings) });
  await storeRegistry(draft, backup, settings);
  moveFiles(draft, settings.dataDir, manifest);
  await target.finish();
  return { manifest, shards };
}

function nameOf(manifest: BackupManifest): string {
  const hash = sha256Hex(Buffer.from(manifestText(manifest))).slice(0, HASH_LENGTH);
  return `the backup made at ${manifest.madeAt} (${hash})`;
}

/** Records keep their sequences, which a stream gives one by one. */
async function checkRecords(draft: string): Promise<void> {
  const store = RegistryStore.openOwn(draft, null);
  const records = store.recordsAfter(0);
  await store.close();
  const gap = records.findIndex(({ sequence }, index) => sequence !== index + 1);
  if (gap === -1) return;
  const reason = `record ${gap + 1} of its accounts is missing, since somebody had deleted it from their stream; restore it as one node`;
  throw errors.RESTORE_REFUSED({ reason });
}

async function storeSnapshots(
  draft: string,
  created: string,
  options: Omit<Parameters<typeof NatsSnapshots.open>[0], 'name'>,
): Promise<void> {
  const store = await NatsSnapshots.open({ ...options, name: 'footfall restore' });
  try {
    for (const shard of shardIds(options.shards)) {
      const environment = reopenState(draft, shard);
      if (environment === null) continue;
      try {
        const saved = await saveSnapshot(environment, store, {
          ...{ shard, epoch: EPOCH, log: created },
          ...{ stored: new Map(), isHeld: () => true },
        });
        if (saved !== null) continue;
        throw errors.RESTORE_REFUSED({ reason: 'somebody else writes snapshots there' });
      } finally {
        await environment.close();
      }
    }
  } finally {
    await store.close();
  }
}

/** The directory's records become the beginning of the stream. */
async function storeRegistry(draft: string, backup: string, settings: Settings): Promise<void> {
  const { natsPrefix: prefix, natsReplicas: replicas } = settings;
  const options = { access: natsAccess(settings), name: 'footfall restore', prefix, replicas };
  let fault: Error | null = null;
  const registry = await SharedRegistry.open(draft, { ...options, restoreOf: backup }, (error) => {
    fault = error;
  });
  await registry.close();
  if (fault !== null) throw fault;
}

/** What is neither of the log nor of one node: databases of places, uploads, counts of refusals. */
function moveFiles(draft: string, dataDir: string, { files }: BackupManifest): void {
  for (const { path } of files) {
    if (path.startsWith('log/') || NODE_FILES.has(path)) continue;
    const place = join(dataDir, path);
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    renameSync(join(draft, path), place);
    syncDirectory(dirname(place));
  }
  syncDirectory(dataDir);
}
